/* menu.js - a list of things to do, and what goes into the clipboard */

/* There is one menu at a time; it closes with Escape, a press beside it, or a choice. */
let openMenu = null;

function closeMenu() {
	if (!openMenu)
		return;
	openMenu.element.remove();
	document.removeEventListener("pointerdown", openMenu.onPress, true);
	if (openMenu.back)
		openMenu.back.focus({preventScroll: true});
	openMenu = null;
}

function moveInMenu(by) {
	const items = Array.from(openMenu.element.querySelectorAll("button"));
	const at = items.indexOf(document.activeElement);

	items[(at + by + items.length) % items.length].focus();
}

function onMenuKey(event) {
	if (event.key === "Escape" || event.key === "Tab")
		closeMenu();
	else if (event.key === "ArrowDown")
		moveInMenu(1);
	else if (event.key === "ArrowUp")
		moveInMenu(-1);
	else if (event.key !== "Enter" && event.key !== " ")
		return;
	else
		return event.stopPropagation();
	event.stopPropagation();
	event.preventDefault();
}

function menuItem([words, act, name]) {
	const item = make(HTML, "button", {type: "button", role: "menuitem", class: name || ""},
		html("bdi", "", words));

	item.addEventListener("click", event => {
		event.stopPropagation();
		closeMenu();
		act();
	});
	return item;
}

/* Entries are [words, what to do, class] or null for a line between; x and y are of the window. */
function showMenu(page, title, entries, x, y) {
	const element = make(HTML, "div", {class: "menu edge", role: "menu", "aria-label": title});
	const box = page.app.getBoundingClientRect();

	closeMenu();
	element.append(html("div", "quiet menu-title", title),
		...entries.map(entry => entry ? menuItem(entry) : html("hr", "edge")));
	page.app.append(element);
	element.style.left = Math.max(0, Math.min(x - box.left,
		box.width - element.offsetWidth - 8)) + "px";
	element.style.top = Math.max(0, Math.min(y - box.top,
		box.height - element.offsetHeight - 8)) + "px";
	element.addEventListener("keydown", onMenuKey);
	openMenu = {element, back: document.activeElement,
		onPress: event => element.contains(event.target) || closeMenu()};
	document.addEventListener("pointerdown", openMenu.onPress, true);
	element.querySelector("button").focus({preventScroll: true});
}

/* ---- clipboard */

function copyByHand(page, text) {
	const area = make(HTML, "textarea", {class: "copied", readonly: ""});

	area.value = text;
	page.app.append(area);
	area.select();
	try {
		return document.execCommand("copy");
	} finally {
		area.remove();
	}
}

function copy(page, text, what) {
	const isDone = () => say(page, "copied: " + what);
	const byHand = () => copyByHand(page, text) ? isDone() : say(page, "cannot copy here");

	page.copiedText = text;
	if (navigator.clipboard && navigator.clipboard.writeText)
		navigator.clipboard.writeText(text).then(isDone, byHand);
	else
		byHand();
}
