/* chart_hands.js - keyboard, pointer, touch and links of a flame chart; its first drawing */

function setCurrent(at) {
	current = at;
	pointed = null;
}

function focusOn(at) {
	setCurrent(at);
	reveal(at);
	draw();
	focusCurrent();
}

/* Scrolls as little as it takes. */
function reveal({lane: at, depth}) {
	const y = lanes[at].y + (depth + 1) * ROW;

	if (y - ROW < view.scrollTop)
		view.scrollTop = y - ROW * (depth ? 1 : 2);
	else if (y + 2 * ROW > view.scrollTop + room)
		view.scrollTop = y + 3 * ROW - room;
}

/* ---- walking */

/* Boxes of a lane at a depth, from left to right. */
function boxesAt({boxes}, depth) {
	return boxes.depth.map((at, i) => i).filter(i => boxes.depth[i] === depth);
}

function targetOf(at, i) {
	const {boxes} = lanes[at];

	return {lane: at, sample: boxes.first[i], depth: boxes.depth[i]};
}

/* The next lane with a box, and there the one that is nearest in time. */
function besideLane(at, by, time) {
	const {begin, end} = samples;

	for (let next = at + by; next >= 0 && next < lanes.length; next += by) {
		const {boxes} = lanes[next], row = boxesAt(lanes[next], 0);
		const far = i => Math.max(begin[boxes.first[i]] - time, time - end[boxes.behind[i] - 1], 0);

		if (row.length)
			return targetOf(next, row.reduce((a, b) => far(b) < far(a) ? b : a));
	}
	return null;
}

function neighbour(key) {
	const {lane: at} = current, lane = lanes[at], {boxes} = lane, i = boxAtHand();

	if (i < 0)
		return besideLane(at - 1, 1, state.range.from) || besideLane(at, -1, state.range.from);

	const depth = boxes.depth[i], row = boxesAt(lane, depth), time = samples.begin[boxes.first[i]];

	if (key === "ArrowLeft" || key === "ArrowRight") {
		const next = row[row.indexOf(i) + (key === "ArrowLeft" ? -1 : 1)];

		return next === undefined ? null : targetOf(at, next);
	}
	if (key === "ArrowUp")
		return depth ? targetOf(at, boxOfSample(lane, boxes.first[i], depth - 1)) :
			besideLane(at, -1, time);

	const child = boxesAt(lane, depth + 1).find(k => boxes.first[k] >= boxes.first[i] &&
		boxes.behind[k] <= boxes.behind[i]);

	return child === undefined ? besideLane(at, 1, time) : targetOf(at, child);
}

/* ---- keys */

function zoomToCurrent() {
	const i = boxAtHand();

	if (i >= 0)
		zoomTo(lanes[current.lane], i, null);
}

const timeKeys = {
	ArrowLeft: () => panBy(-1 / 4), ArrowRight: () => panBy(1 / 4),
	ArrowUp: () => scaleBy(1 / 2, null), ArrowDown: () => scaleBy(2, null),
};

function onStageKey(event) {
	if (event.shiftKey && timeKeys[event.key]) {
		timeKeys[event.key]();
	} else if (event.key === "Enter" || event.key === " ") {
		zoomToCurrent();
	} else if (/^Arrow/.test(event.key)) {
		const to = neighbour(event.key);

		if (to)
			focusOn(to);
	} else {
		return false;
	}
	return true;
}

function goOut() {
	if (!page.back.disabled)
		goBack();
	else if (state.search)
		change({search: ""});
}

const pageKeys = {
	Escape: goOut, Backspace: goBack, 0: showAll, "/": focusBox,
	"+": () => scaleBy(1 / 2, null), "=": () => scaleBy(1 / 2, null), "-": () => scaleBy(2, null),
	Home: () => panBy(-Infinity), End: () => panBy(Infinity),
	n: () => stepHits(1), N: () => stepHits(-1),
};

/* ---- pointer */

function placeIn(event) {
	const box = stage.getBoundingClientRect(), scale = width / (box.width || width);

	return {x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale};
}

/* {lane, i} of the box under a place of the window; thin ones have no element. */
function boxUnder(event) {
	const {x, y} = placeIn(event);
	const at = lanes.findIndex(lane => y >= lane.y && y < lane.y + ROW * (1 + lane.rows));

	if (at < 0 || y < nameY(lanes[at]) + ROW)
		return null;

	const lane = lanes[at], depth = Math.floor((y - lane.y) / ROW) - 1;
	const i = boxesAt(lane, depth).find(k => {
		const place = placeOf(lane, k);

		return x >= place.x && x < place.x + place.width;
	});

	return i === undefined ? null : {lane: at, i};
}

function point(at) {
	if (at === pointed || (at && pointed && at.lane === pointed.lane && at.i === pointed.i))
		return;
	pointed = at;
	showDetails();
}

const CLICK_PX = 4;	/* a pointer that moved less has not dragged */
let drag = null;

function onDown(event) {
	if (event.button || event.pointerType === "touch" && !event.isPrimary)
		return;
	drag = {x: event.clientX, y: event.clientY, range: state.range, isMoved: false,
		isTouch: event.pointerType === "touch", time: timeAt(placeIn(event).x)};
	event.currentTarget.setPointerCapture(event.pointerId);
}

function draggedRange(event) {
	const [from, to] = [drag.time, timeAt(placeIn(event).x)].sort((a, b) => a - b);

	return {from, to};
}

/* A finger moves the time along, other pointers choose a range. */
function onDrag(event) {
	drag.isMoved = drag.isMoved || Math.abs(event.clientX - drag.x) >= CLICK_PX;
	if (!drag.isMoved)
		return;
	if (drag.isTouch) {
		change({range: movedBy(drag.range, (drag.x - event.clientX) / inner())}, true);
		return;
	}

	const range = draggedRange(event);

	drawBrush(range);
	page.range.textContent = rangeWords(range);
}

function drawBrush(range) {
	const left = xOf(range.from), right = xOf(range.to);

	page.brush.setAttribute("display", "inline");
	for (const [name, value] of [["x", left], ["width", right - left], ["y", 0], ["height", height]])
		page.brush.setAttribute(name, value);
}

function endDrag() {
	drag = null;
	page.brush.setAttribute("display", "none");
	page.range.textContent = isAllTime(state.range) ? "" : rangeWords(state.range);
}

function onMove(event) {
	if (drag)
		onDrag(event);
	else
		point(boxUnder(event));
}

/* What a finger has moved is one step of the way back, wherever it was lifted. */
function endTouch(was) {
	if (isSameRange(was.range, state.range))
		return;
	trail.push(was.range);
	writeLink(linkOfChart(), true);
	showTools();
}

function onUp(event) {
	const was = drag, range = drag && draggedRange(event);

	if (!was)
		return;
	endDrag();
	if (!was.isMoved)
		onClick(event);
	else if (was.isTouch)
		endTouch(was);
	else
		showRange(range);
}

function onCancel() {
	const was = drag;

	endDrag();
	if (was && was.isTouch)
		endTouch(was);
}

function onClick(event) {
	const at = stage.contains(event.currentTarget) ? boxUnder(event) : null;

	if (!at)
		return;
	isByKey = false;
	current = targetOf(at.lane, at.i);
	pointed = at;
	zoomTo(lanes[at.lane], at.i, timeAt(placeIn(event).x));
	draw();
	focusCurrent();
}

/* With Ctrl the wheel zooms around the pointer, with Shift it moves in time; else it scrolls. */
function onWheel(event) {
	const across = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;

	if (event.ctrlKey || event.metaKey)
		slide(fitScaled(event.deltaY > 0 ? 1.25 : 0.8, timeAt(placeIn(event).x)));
	else if (Math.abs(across) > Math.abs(event.shiftKey ? 0 : event.deltaY))
		slide(movedBy(state.range, across / inner()));
	else
		return;
	event.preventDefault();
}

function fitScaled(by, at) {
	const {from, to} = state.range;

	return fitRange({from: at - (at - from) * by, to: at + (to - at) * by});
}

/* Turns of a wheel that follow each other are one step of the way back. */
const SLIDE_MS = 600;
let slidTimer = 0;

function slide(range) {
	if (isSameRange(range, state.range))
		return;
	if (!slidTimer)
		trail.push(state.range);
	clearTimeout(slidTimer);
	slidTimer = setTimeout(() => {
		slidTimer = 0;
		writeLink(linkOfChart(), true);
	}, SLIDE_MS);
	change({range}, true);
}

/* ---- links: #range=0.7..0.8&search=...&case=any, in seconds from the begin on */

function linkOfChart() {
	const link = new URLSearchParams(), {range: {from, to}, search: text, isAnyCase} = state;

	if (!isAllTime(state.range))
		link.set("range", [from, to].map(ns => Number((ns / 1e9).toFixed(9))).join(".."));
	if (text)
		link.set("search", text);
	if (isAnyCase)
		link.set("case", "any");
	return link.toString();
}

function rangeOfLink(text) {
	const [from, to] = (text || "").split("..").map(word => word ? Math.round(Number(word) * 1e9) :
		NaN);

	return from < to ? fitRange({from, to}) : wholeRange;
}

function copyLink() {
	copy(page, location.href.replace(/#.*/, "") + "#" + linkOfChart(), "the link");
}

function readLink() {
	const text = isAlone ? location.hash.slice(1) : "", link = new URLSearchParams(text);

	if (text === linkOfChart())
		return;

	const range = rangeOfLink(link.get("range")), before = trail[trail.length - 1];

	if (before && isSameRange(before, range))
		trail.pop();
	else if (!isSameRange(range, state.range))
		trail.push(state.range);
	change({range, search: link.get("search") || "", isAnyCase: link.get("case") === "any"}, true);
}

/* ---- listening */

function listenToPointer() {
	for (const place of [stage, page.axis]) {
		place.addEventListener("pointerdown", onDown);
		place.addEventListener("pointermove", onMove);
		place.addEventListener("pointerup", onUp);
		place.addEventListener("pointercancel", onCancel);
		place.addEventListener("wheel", onWheel, {passive: false});
	}
	stage.addEventListener("pointerleave", () => point(null));
	document.addEventListener("pointerdown", () => { isByKey = false; drawRing(); });
}

function listen() {
	page.box.addEventListener("input", () => change({search: page.box.value}));
	listenToPointer();
	view.addEventListener("scroll", draw);
	view.addEventListener("focusin", () => { drawRing(); showDetails(); });
	view.addEventListener("focusout", () => { drawRing(); showDetails(); });
	(isAlone ? document : root).addEventListener("keydown", onKey);
	addEventListener("resize", resize);
	if (typeof ResizeObserver === "function")
		new ResizeObserver(resize).observe(view);
	addEventListener("beforeprint", onBeforePrint);
	addEventListener("afterprint", onAfterPrint);
	if (isAlone) {
		addEventListener("popstate", readLink);
		addEventListener("hashchange", readLink);
	}
}

takeOver();
layOut();
showTools();
resize();
listen();
readLink();
