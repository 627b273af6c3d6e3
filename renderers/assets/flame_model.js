/*
 * flame_model.js - frames as their tree is read, from the picture's own elements
 *
 * The scripts of a picture share one function scope, in the order of svg.c: model, words,
 * page, flame. Names are untrusted: they become text nodes, nothing else.
 */

const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";
const ROW = 17, PADDING = 10, GAP = 1, INSET = 3, CELLS_MIN = 3;

const root = document.currentScript.closest("svg");
const isAlone = document.documentElement === root;

function fnv(hash, text) {
	for (let i = 0; i < text.length; i++)
		hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
	return hash;
}

/* What links call a frame: a hash of the names from the root to it, and which one of that hash. */
function nameFrame(frame, byId) {
	const from = frame.parent ? frame.parent.hash : [2166136261, 40389];
	const step = "\n" + frame.paint.slice(0, 2) + frame.name;

	frame.hash = [fnv(from[0], step), fnv(from[1], step)];
	frame.id = frame.hash.map(half => (half >>> 0).toString(36)).join(".");

	const first = byId.get(frame.id);

	if (first) {
		first.alike++;
		frame.id += "." + first.alike;
	}
	byId.set(frame.id, frame);
}

/* Where a frame is said to be, else right after the sibling before it. */
function placeFrame(frame, facts, whole) {
	const parent = frame.parent;

	if (facts.length > 2) {
		frame.begin = facts[2];
		frame.share = facts[3];
	} else {
		frame.begin = parent ? parent.packed : 0;
		frame.share = whole > 0 ? frame.weight / whole : 1;
	}
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
		alike: 1, isHit: false, edge: 0, shown: paint, last: null,
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
