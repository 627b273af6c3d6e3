/* ring.js - the focus: one box is a stop for the Tab key, with a ring around it while keys are used */

let focusedBox = null;

function setFocused(box) {
	if (focusedBox && (!box || focusedBox.item !== box.item))
		focusedBox.item.group.removeAttribute("tabindex");
	if (box)
		box.item.group.setAttribute("tabindex", "0");
	focusedBox = box;
	drawRing();
}

function hasFocus() {
	return focusedBox && document.activeElement === focusedBox.item.group;
}

function drawRing() {
	const isShown = isByKey && hasFocus();

	page.ring.setAttribute("display", isShown ? "inline" : "none");
	if (!isShown)
		return;
	page.ring.setAttribute("x", (focusedBox.x - 1).toFixed(2));
	page.ring.setAttribute("y", focusedBox.y - 1);
	page.ring.setAttribute("width", Math.max(focusedBox.width + 1, 4).toFixed(2));
	page.ring.setAttribute("height", 18);
}
