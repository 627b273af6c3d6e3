/*
 * flame.js - walk in a flamegraph: zoom, search, keyboard
 *
 * The picture is whole without its scripts. They read the frames into one model, move them
 * onto a stage as wide as the window, and draw the stage from the model ever after.
 */

const group = root.querySelector("g.frames");
const head = root.querySelector("g.head");
const model = readFrames(group.children);
const frames = model.frames;
const all = frames[0];

const unit = unitOf(all);
const isIcicle = frames.some(frame => frame.y > all.y);

const page = makePage(head, group);
const stage = page.stage, view = page.view;
let zoomed = all, current = all, pointed = null, isByKey = false;
let searched = "", hits = [], step = -1, width = 0, room = 0, top = 0;

root.removeAttribute("viewBox");
root.setAttribute("width", "100%");
root.setAttribute("style", isAlone ? "width:100%;height:100%;overflow:hidden" : "width:100%");
if (isAlone)
	root.setAttribute("height", "100%");
head.remove();
root.append(page.frame);
measureFont();

function measureFont() {
	const probe = group.appendChild(make(SVG, "text"));

	measureCell(probe);
	probe.remove();
}

/* ---- drawing */

function show(frame, shown) {
	if (frame.shown === shown)
		return;
	frame.shown = shown;
	frame.element.setAttribute("class", shown);
}

function setLabel(frame, x, y, space) {
	const label = cut(frame, space);

	if (!frame.text && !label)
		return;
	if (!frame.text) {
		frame.text = make(SVG, "text", {});
		frame.element.append(frame.text);
	}
	if (frame.text.textContent !== label)
		frame.text.textContent = label;
	frame.text.setAttribute("x", x.toFixed(2));
	frame.text.setAttribute("y", y);
}

/* A match is outlined within its own box; where there is no room for that it is filled. */
function drawFrame(frame, x, space, more) {
	const drawn = space - Math.min(GAP, space / 5);
	const isThin = frame.isHit && drawn < 5;
	const edge = frame.isHit && !isThin ? 1 : 0;

	frame.x = x;
	frame.drawn = drawn;
	show(frame, frame.paint + (isThin ? " thin" : "") + (edge ? " hit" : "") + more);
	frame.rect.setAttribute("x", (x + edge).toFixed(2));
	frame.rect.setAttribute("width", Math.max(drawn - 2 * edge, isThin ? 1 : 0).toFixed(2));
	if (edge !== frame.edge) {
		frame.rect.setAttribute("y", frame.y + edge);
		frame.rect.setAttribute("height", 16 - 2 * edge);
		frame.edge = edge;
	}
	setLabel(frame, x + INSET, frame.y + 12 - edge, drawn - 2 * INSET);
}

function drawRing() {
	const isShown = isByKey && document.activeElement === current.element;

	page.ring.setAttribute("display", isShown ? "inline" : "none");
	if (!isShown)
		return;
	page.ring.setAttribute("x", (current.x - 1).toFixed(2));
	page.ring.setAttribute("y", current.y - 1);
	page.ring.setAttribute("width", Math.max(current.drawn + 2, 4).toFixed(2));
	page.ring.setAttribute("height", 18);
}

function draw() {
	const inner = width - 2 * PADDING, scale = inner / zoomed.share;

	sizeStage();
	for (const frame of frames) {
		if (isWithin(frame, zoomed))
			drawFrame(frame, PADDING + (frame.begin - zoomed.begin) * scale,
				frame.share * scale, "");
		else if (isWithin(zoomed, frame))
			drawFrame(frame, PADDING, inner, " under");
		else
			show(frame, frame.paint + " off");
	}
	drawRing();
}

function deepest(frame) {
	let depth = 0;

	for (let i = frame.index; i < frame.end; i++)
		depth = Math.max(depth, frames[i].depth);
	return depth;
}

/* As high as what is zoomed takes, but never less of the window than the whole takes. */
function sizeStage() {
	const rows = frame => (deepest(frame) + 1) * ROW + 4;
	const height = Math.max(rows(zoomed), Math.min(rows(all), view.clientHeight - 4));

	top = isIcicle ? all.y - 2 : all.y + ROW + 2 - height;
	stage.setAttribute("height", height);
	stage.setAttribute("width", width);
	stage.setAttribute("viewBox", `0 ${top} ${width} ${height}`);
}

function resize() {
	if (!view.clientWidth || (view.clientWidth === width && view.clientHeight === room))
		return;
	sizeStage(); /* so that it is known whether there is a scroll bar */
	width = view.clientWidth;
	room = view.clientHeight;
	draw();
	reveal(zoomed, true);
	if (!isAlone) {
		page.app.style.height = "auto";
		root.setAttribute("height", page.app.offsetHeight);
	}
}

/* Scrolls as little as it takes; for a zoom, so that what stands upon the frame is seen. */
function reveal(frame, isZoom) {
	const y = frame.y - top;

	if (isZoom)
		view.scrollTop = isIcicle ? y - ROW : y + 2 * ROW - room;
	else if (y < view.scrollTop)
		view.scrollTop = y - ROW;
	else if (y + 2 * ROW > view.scrollTop + room)
		view.scrollTop = y + 3 * ROW - room;
}

/* ---- what is said about a frame */

function showDetails() {
	const frame = pointed || (document.activeElement === current.element ? current : null);
	const details = page.details;

	details.textContent = "";
	if (!frame) {
		details.append(html("span", "quiet", "A click or Enter zooms, Escape goes out; " +
			"arrows walk, / searches, n and N step through matches."));
		return;
	}
	details.append(html("b", "", html("bdi", "", frame.name)), " \u2014 " + frame.about);
	if (!frame.isMore)
		details.append(", self " + share(Math.max(frame.self, 0), all.weight));
	if (zoomed !== all && frame !== zoomed && isWithin(frame, zoomed))
		details.append("; " + share(frame.weight, zoomed.weight) + " of ",
			html("bdi", "", zoomed.name));
}

/* ---- zoom, focus */

function isShown(frame) {
	return isWithin(frame, zoomed) || isWithin(zoomed, frame);
}

function setCurrent(frame) {
	current.element.removeAttribute("tabindex");
	current = frame;
	frame.element.setAttribute("tabindex", "0");
	for (let at = frame; at.parent; at = at.parent)
		at.parent.last = at;
}

function focusFrame(frame) {
	pointed = null;
	setCurrent(frame);
	frame.element.focus({preventScroll: true});
	reveal(frame, false);
	drawRing();
	showDetails();
}

function zoom(frame, isLinked) {
	const hadFocus = stage.contains(document.activeElement);

	zoomed = frame;
	page.reset.disabled = frame === all;
	if (!isShown(current) || isWithin(frame, current))
		setCurrent(frame);
	draw();
	showFound();
	reveal(frame, true);
	if (hadFocus)
		current.element.focus({preventScroll: true});
	drawRing();
	showDetails();
	if (!isLinked)
		writeLink(true);
}

/* ---- search */

/*
 * Text occurs in a name, or, as a regular expression, matches a part of it that is not
 * empty: "parse(" is no expression, and "malloc|" on the way to "malloc|free" is not all.
 */
function matcher(text) {
	let expression = null;

	try {
		expression = new RegExp(text, "g");
	} catch (error) {
		/* not an expression: it is searched as it stands */
	}
	return name => name.includes(text) ||
		(expression !== null && (name.match(expression) || []).some(Boolean));
}

/* The weight of all that has a match in its stack, each once: a match upon a match adds nothing. */
function hitWeight(from, end) {
	let weight = 0;

	for (let i = from; i < end; i++) {
		if (!frames[i].isHit)
			continue;
		weight += frames[i].weight;
		i = frames[i].end - 1;
	}
	return weight;
}

function zoomedHitWeight() {
	for (let at = zoomed.parent; at; at = at.parent)
		if (at.isHit)
			return zoomed.weight;
	return hitWeight(zoomed.index, zoomed.end);
}

function showFound() {
	const weight = hitWeight(0, frames.length);
	const part = partOf(weight, all.weight, unit);
	let words = "";

	if (searched) {
		words = "matched: " + share(weight, all.weight) + (part ? " (" + part + ")" : "") +
			", " + hits.length + (hits.length === 1 ? " frame" : " frames");
		if (zoomed !== all)
			words += "; " + share(zoomedHitWeight(), zoomed.weight) + " of what is zoomed";
	}
	page.found.textContent = words;
	page.before.disabled = page.after.disabled = !hits.length;
	page.clear.disabled = !searched;
}

/* The root is no frame of any sample, so that "all" finds "call" and not everything. */
function search(text, isLinked) {
	const isMatch = matcher(text);

	searched = text;
	step = -1;
	hits = [];
	for (const frame of frames) {
		frame.isHit = text !== "" && frame !== all && !frame.isMore && isMatch(frame.name);
		if (frame.isHit)
			hits.push(frame);
	}
	if (page.box.value !== text)
		page.box.value = text;
	draw();
	showFound();
	if (!isLinked)
		writeLink(false);
}

/* To the next match that is shown; if none is, out to where all are. */
function stepHits(by) {
	if (!hits.length)
		return;
	if (!hits.some(isShown))
		zoom(all, false);
	do
		step = step < 0 && by < 0 ? hits.length - 1 : (step + by + hits.length) % hits.length;
	while (!isShown(hits[step]));
	isByKey = true;
	focusFrame(hits[step]);
}

/* ---- links: #zoom=<frame>&search=<text> */

function writeLink(isStep) {
	const state = new URLSearchParams();

	if (!isAlone)
		return;
	if (zoomed !== all)
		state.set("zoom", zoomed.id);
	if (searched)
		state.set("search", searched);
	try {
		const link = "#" + state;

		if (link === (location.hash || "#"))
			return;
		history[isStep ? "pushState" : "replaceState"](null, "", link);
	} catch (error) {
		location.hash = state;
	}
}

function readLink() {
	const state = new URLSearchParams(isAlone ? location.hash.slice(1) : "");
	const frame = state.has("zoom") ? model.byId.get(state.get("zoom")) : all;

	if ((state.get("search") || "") !== searched)
		search(state.get("search") || "", true);
	if ((frame || all) !== zoomed)
		zoom(frame || all, true);
	if (!frame)
		page.details.textContent = "The linked frame is not in this picture.";
}

/* ---- hands */

function widest(list) {
	return list.reduce((best, frame) => !best || frame.share > best.share ? frame : best, null);
}

function beside(frame, by) {
	const siblings = frame.parent ? frame.parent.children : [frame];

	return siblings[siblings.indexOf(frame) + by];
}

function neighbour(frame, key) {
	switch (key) {
	case isIcicle ? "ArrowUp" : "ArrowDown":
		return frame.parent;
	case isIcicle ? "ArrowDown" : "ArrowUp":
		return [frame.last, widest(frame.children.filter(isShown))].find(f => f && isShown(f));
	case "ArrowLeft":
		return beside(frame, -1);
	case "ArrowRight":
		return beside(frame, 1);
	case "Home":
		return zoomed;
	default:
		return undefined;
	}
}

function goOut() {
	if (zoomed !== all)
		zoom(all, false);
	else if (searched)
		search("", false);
}

function onStageKey(event) {
	const to = neighbour(current, event.key);

	if (event.key === "Enter" || event.key === " ") {
		zoom(current, false);
	} else if (/^(Arrow|Home)/.test(event.key)) {
		if (to && isShown(to))
			focusFrame(to);
	} else {
		return false;
	}
	return true;
}

function onBoxKey(event) {
	if (event.key === "Enter") {
		stepHits(event.shiftKey ? -1 : 1);
	} else if (event.key === "Escape") {
		if (searched)
			search("", false);
		else
			focusFrame(current);
	} else {
		return false;
	}
	return true;
}

function focusBox() {
	page.box.focus();
	page.box.select();
}

function onPageKey(event) {
	if (event.key === "Escape")
		goOut();
	else if (event.key === "/")
		focusBox();
	else if (event.key === "n" || event.key === "N")
		stepHits(event.key === "n" ? 1 : -1);
	else
		return false;
	return true;
}

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
	} else {
		const isOnStage = stage.contains(event.target) || event.target === root;

		isDone = (isOnStage && onStageKey(event)) || onPageKey(event);
	}
	if (isDone)
		event.preventDefault();
}

function frameOf(event) {
	const element = event.target.closest ? event.target.closest("g[role]") : null;

	return element ? model.byElement.get(element) : null;
}

function onClick(event) {
	const frame = frameOf(event);

	if (!frame)
		return;
	isByKey = false;
	setCurrent(frame);
	frame.element.focus({preventScroll: true});
	zoom(frame, false);
}

function point(frame) {
	if (frame === pointed)
		return;
	pointed = frame;
	showDetails();
}

setCurrent(all);
page.reset.disabled = true;
showFound();
showDetails();
resize();
readLink();

page.reset.addEventListener("click", () => zoom(all, false));
page.clear.addEventListener("click", () => search("", false));
page.before.addEventListener("click", () => stepHits(-1));
page.after.addEventListener("click", () => stepHits(1));
page.box.addEventListener("input", () => search(page.box.value, false));
stage.addEventListener("click", onClick);
stage.addEventListener("pointerover", event => point(frameOf(event)));
stage.addEventListener("pointerleave", () => point(null));
/* Not on the stage: an SVG element that listens for focus becomes a tab stop. */
view.addEventListener("focusin", () => { drawRing(); showDetails(); });
view.addEventListener("focusout", () => { drawRing(); showDetails(); });
(isAlone ? document : root).addEventListener("keydown", onKey);
document.addEventListener("pointerdown", () => { isByKey = false; drawRing(); });
addEventListener("resize", resize);
if (typeof ResizeObserver === "function")
	new ResizeObserver(resize).observe(view);
if (isAlone) {
	addEventListener("popstate", readLink);
	addEventListener("hashchange", readLink);
}
