/* room.js - the room that the window has for what is drawn */

/* True where it is another than it was. */
function resizeNow() {
	if (!view.clientWidth || (view.clientWidth === width && view.clientHeight === room))
		return false;
	width = view.clientWidth;
	room = view.clientHeight;
	return true;
}

/* Within another page a picture is as high as what stands in it. */
function fitPage() {
	if (isAlone)
		return;
	page.app.style.height = "auto";
	root.setAttribute("height", page.app.offsetHeight);
}
