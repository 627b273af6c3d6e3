/* keys.js - whom a key is for: the search, what stands in the picture, or all of it */

function onBoxKey(event) {
	if (event.key === "Enter")
		stepHits(event.shiftKey ? -1 : 1);
	else if (event.key === "Escape" && state.search)
		change({search: ""});
	else if (event.key === "Escape")
		focusCurrent();
	else
		return false;
	return true;
}

function focusBox() {
	page.box.focus();
	page.box.select();
}

function onPageKey(event) {
	if (!Object.prototype.hasOwnProperty.call(pageKeys, event.key))
		return false;
	pageKeys[event.key]();
	return true;
}

/* Keys in another field are its own. */
function onKey(event) {
	const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
	const isInBox = event.target === page.box;
	let isDone = false;

	isByKey = true;
	if (!isPlain) {
		isDone = isAlone && !isInBox && !event.altKey && event.key.toLowerCase() === "f";
		if (isDone)
			focusBox();
	} else if (isInBox) {
		isDone = onBoxKey(event);
	} else if (event.target.localName !== "input") {
		const isOnStage = stage.contains(event.target) || event.target === root;

		isDone = (isOnStage && onStageKey(event)) || onPageKey(event);
	}
	if (isDone)
		event.preventDefault();
}
