/*
 * flame.js - walk in a flamegraph: zoom, search, keyboard
 *
 * The picture is whole without this script. It reads the frames from the picture's own
 * elements into one model, moves them onto a stage as wide as the window, and draws the
 * stage from the model ever after. Names are untrusted: they become text nodes, nothing else.
 */
(function () {
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";
const ROW = 17, PADDING = 10, GAP = 1, INSET = 3, CELLS_MIN = 3;

const root = document.currentScript.closest("svg");
const isAlone = document.documentElement === root;

/* ---- the model: frames as their tree is read, each with what stands upon it up to .end */

function fnv(hash, text) {
	for (let i = 0; i < text.length; i++)
		hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
	return hash;
}

/* What links call a frame: a hash of the names from the root to it. */
function nameFrame(frame, taken) {
	const from = frame.parent ? frame.parent.hash : [2166136261, 40389];
	const step = "\n" + frame.paint + frame.name;

	frame.hash = [fnv(from[0], step), fnv(from[1], step)];
	const id = frame.hash.map(half => (half >>> 0).toString(36)).join(".");
	frame.id = id;
	for (let i = 2; taken.has(frame.id); i++)
		frame.id = id + "." + i;
	taken.set(frame.id, frame);
}

/* Where a frame is said to be, or right after the sibling before it. */
function placeFrame(frame, facts, whole) {
	const parent = frame.parent;

	frame.begin = facts.length > 2 ? facts[2] : parent ? parent.packed : 0;
	frame.share = facts.length > 2 ? facts[3] : whole > 0 ? frame.weight / whole : 1;
	frame.packed = frame.begin;
	if (parent)
		parent.packed = frame.begin + frame.share;
}

/* Weight, length of the name, and place where it is odd; mostly the title says the first two. */
function readFacts(element, title) {
	const facts = element.getAttribute("data-f");
	const end = title.indexOf(", ");

	if (facts)
		return facts.split(" ").map(Number);
	return [Number(/[\d,]*/.exec(title.slice(end + 2))[0].replace(/,/g, "")), end];
}

function readFrame(element) {
	const title = element.firstElementChild.textContent;
	const facts = readFacts(element, title);
	const rect = element.querySelector("rect");
	const paint = element.getAttribute("class");
	const frame = {
		element, rect, paint,
		text: element.querySelector("text"),
		name: title.slice(0, facts[1]),
		about: title.slice(facts[1] + 2),
		weight: facts[0], self: facts[0],
		y: Number(rect.getAttribute("y")),
		isMore: paint[0] === "m",
		parent: null, children: [], index: 0, end: 0,
		isHit: false, edge: 0, shown: paint, last: null,
	};

	frame.isPlain = /^[\x20-\x7e]*$/.test(frame.name);
	frame.label = frame.isMore ? frame.name.replace(/ \(.*/, "") : frame.name;
	return {frame, facts};
}

function readFrames(elements) {
	const frames = [], byId = new Map(), byElement = new Map(), path = [];

	for (const element of elements) {
		const {frame, facts} = readFrame(element);
		const depth = frames.length ? Math.round(Math.abs(frame.y - frames[0].y) / ROW) : 0;

		path.length = depth;
		frame.depth = depth;
		frame.parent = depth ? path[depth - 1] : null;
		path.push(frame);
		frame.index = frames.length;
		if (frame.parent) {
			frame.parent.children.push(frame);
			frame.parent.self -= frame.weight;
		}
		placeFrame(frame, facts, frames.length ? frames[0].weight : frame.weight);
		nameFrame(frame, byId);
		byElement.set(element, frame);
		frames.push(frame);
	}
	for (let i = frames.length - 1; i >= 0; i--) {
		frames[i].end = Math.max(frames[i].end, i + 1);
		if (frames[i].parent)
			frames[i].parent.end = Math.max(frames[i].parent.end, frames[i].end);
	}
	return {frames, byId, byElement};
}

function isWithin(frame, ancestor) {
	return frame.index >= ancestor.index && frame.index < ancestor.end;
}

/* ---- words */

function share(part, whole) {
	const percent = whole > 0 ? 100 * part / whole : 0;

	if (percent > 0 && percent < 0.005)
		return "<0.01 %";
	return Number(percent.toFixed(percent < 0.995 ? 2 : 1)) + " %";
}

function scaled(number, step, units) {
	let i = 0;

	while (number >= step && i + 1 < units.length) {
		number /= step;
		i++;
	}
	return Number(number.toPrecision(4)) + " " + units[i];
}

function grouped(number) {
	return number.toLocaleString("en-US", {maximumFractionDigits: 2});
}

/* The unit that the root's own words have, if they say its weight as it is. */
function unitOf(frame) {
	const said = root.getAttribute("data-unit");
	const words = /^([\d,]+(?:\.\d+)?) ([^,]+), /.exec(frame.about);

	if (said)
		return said;
	return words && Number(words[1].replace(/,/g, "")) === frame.weight ? words[2] : null;
}

/* "4 of 12 samples"; "" where the unit is not known. */
function partOf(part, whole, unit) {
	if (unit === "ns")
		return scaled(part, 1000, ["ns", "us", "ms", "s"]) + " of " +
			scaled(whole, 1000, ["ns", "us", "ms", "s"]);
	if (unit === "bytes")
		return scaled(part, 1024, ["bytes", "KiB", "MiB", "GiB", "TiB"]) + " of " +
			scaled(whole, 1024, ["bytes", "KiB", "MiB", "GiB", "TiB"]);
	return unit ? grouped(part) + " of " + grouped(whole) + " " + unit : "";
}

/* ---- labels */

const pen = document.createElementNS(HTML, "canvas").getContext("2d");
const segmenter = typeof Intl === "object" && Intl.Segmenter ? new Intl.Segmenter() : null;
let cell = 7.23;

function measureCell(text) {
	const style = getComputedStyle(text);

	pen.font = style.fontSize + " " + style.fontFamily;
	cell = pen.measureText("0".repeat(64)).width / 64 || cell;
}

function characters(name) {
	return segmenter ? Array.from(segmenter.segment(name), part => part.segment) :
		Array.from(name);
}

function cutWide(name, space) {
	const parts = characters(name.slice(0, 4 * Math.ceil(space / cell) + 64));
	let kept = "", used = 0;

	if (parts.length < 1000 && pen.measureText(name).width <= space)
		return name;
	for (const part of parts) {
		used += pen.measureText(part).width;
		if (used + cell > space)
			break;
		kept += part;
	}
	return kept ? kept + "\u2026" : "";
}

function cut(frame, space) {
	const cells = Math.floor(space / cell), name = frame.label;

	if (cells < CELLS_MIN)
		return "";
	if (!frame.isPlain)
		return cutWide(name, space);
	if (name.length <= cells)
		return name;
	return frame.isMore ? "" : name.slice(0, cells - 1) + "\u2026";
}

/* ---- the page around the stage */

function make(space, tag, attributes, ...content) {
	const element = document.createElementNS(space, tag);

	for (const name in attributes)
		element.setAttribute(name, attributes[name]);
	element.append(...content);
	return element;
}

const html = (tag, name, ...content) => make(HTML, tag, name ? {class: name} : {}, ...content);

function headWords(head) {
	const words = html("div", "words");

	for (const name of ["title", "line", "quiet"]) {
		const lines = Array.from(head.querySelectorAll("text." + name), t => t.textContent);

		if (name === "title")
			words.append(html("div", name, root.querySelector("title").textContent));
		else if (lines.length)
			words.append(html("div", name, lines.join(" ")));
	}
	return words;
}

function headKeys(head) {
	const swatches = Array.from(head.querySelectorAll("rect"));
	const words = Array.from(head.querySelectorAll("text.key"));
	const keys = html("div", "keys");

	words.forEach((word, i) => {
		const nr = swatches.length / words.length;
		const picture = make(SVG, "svg", {viewBox: "0 0 16 12", "aria-hidden": "true"});

		swatches.slice(i * nr, (i + 1) * nr).forEach((swatch, k) => picture.append(
			make(SVG, "rect", {class: swatch.getAttribute("class"), x: k * 16 / nr,
				width: 16 / nr, height: 12})));
		keys.append(html("span", "", picture, word.textContent));
	});
	return keys;
}

function makeButton(name, words, help) {
	return make(HTML, "button", {type: "button", class: name + " edge", title: help}, words);
}

function makePage(head, group) {
	const page = {
		reset: makeButton("reset", "reset zoom", "show everything again (Escape)"),
		box: make(HTML, "input", {class: "search edge", type: "text", spellcheck: "false",
			autocomplete: "off", placeholder: "search: text or expression ( / )",
			"aria-label": "search: text or regular expression"}),
		before: makeButton("before", "previous", "previous match (N)"),
		after: makeButton("after", "next", "next match (n)"),
		clear: makeButton("clear", "clear", "forget the search (Escape)"),
		found: make(HTML, "div", {class: "found", role: "status"}),
		details: make(HTML, "div", {class: "details edge", "aria-hidden": "true"}),
		stage: make(SVG, "svg", {class: "stage", role: "application",
			"aria-label": "frames: arrows walk, Enter zooms, Escape goes out"}),
		ring: make(SVG, "rect", {class: "ring", display: "none"}),
	};

	page.stage.append(group, page.ring);
	page.view = html("div", "view", page.stage);
	page.app = html("div", "app",
		html("div", "top", headWords(head),
			html("div", "", html("div", "tools", page.reset, page.box, page.before,
				page.after, page.clear), page.found)),
		headKeys(head), page.view, page.details);
	page.frame = make(SVG, "foreignObject", {x: 0, y: 0, width: "100%", height: "100%"},
		page.app);
	return page;
}

/* ---- start */

const group = root.querySelector("g.frames");
const head = root.querySelector("g.head");
const model = readFrames(group.children);
const frames = model.frames;
const all = frames[0];

if (!all)
	return;

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
	show(frame, frame.paint + (frame.isHit ? isThin ? " thin" : " hit" : "") + more);
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

function onPageKey(event) {
	if (event.key === "Escape")
		goOut();
	else if (event.key === "/")
		page.box.select(), page.box.focus();
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
			page.box.focus(), page.box.select();
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
})();
