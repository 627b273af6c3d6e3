/*
 * chart.js - the state of a flame chart, and its drawing
 *
 * state is what a link holds: a range of time, in nanoseconds, and a search; trail are the ranges
 * that were shown before. Each lane has the boxes of the range, the rows that they take, and its y.
 */

const wholeRange = {from: 0, to: wholeNs};
const SHORTEST = Math.min(10 * stepNs, wholeNs);	/* no shorter range is shown */

const group = root.querySelector("g.frames"), head = root.querySelector("g.head");
const page = makeChartPage(head, {
	back: () => goBack(), reset: () => showAll(), scale: by => scaleBy(by, null),
	link: () => copyLink(), anyCase: () => change({isAnyCase: !state.isAnyCase}),
	step: by => stepHits(by), clear: () => change({search: ""}),
});
const {stage, view} = page;

let state = {range: wholeRange, search: "", isAnyCase: false}, trail = [];
let width = 0, room = 0, height = 0, isPrinting = false;

/* The box at hand: that of a sample at a depth, which may be merged with others. */
let current = {lane: 0, sample: 0, depth: 0}, pointed = null, isByKey = false;

function takeOver() {
	root.removeAttribute("viewBox");
	root.setAttribute("width", "100%");
	root.setAttribute("style", isAlone ? "width:100%;height:100%;overflow:hidden" : "width:100%");
	if (isAlone)
		root.setAttribute("height", "100%");
	head.remove();
	group.remove();
	root.append(page.frame);

	const probe = page.frames.appendChild(make(SVG, "text"));

	measureCell(probe);
	probe.remove();
	page.names.append(...lanes.map(nameOfLane));
}

/* ---- places */

function isAllTime({from, to}) {
	return from <= 0 && to >= wholeNs;
}

function inner() {
	return width - 2 * PADDING;
}

function xOf(time) {
	const {from, to} = state.range;

	return PADDING + (Math.min(Math.max(time, from), to) - from) / (to - from) * inner();
}

function timeAt(x) {
	const {from, to} = state.range;

	return from + Math.min(Math.max((x - PADDING) / inner(), 0), 1) * (to - from);
}

/* While a part is shown a lane becomes no lower: so the others keep their places. */
function layOut() {
	let y = 0;

	for (const lane of lanes) {
		lane.boxes = runsOf(lane, state.range);
		lane.rows = Math.max(isAllTime(state.range) ? 0 : lane.rows, lane.boxes.deepest + 1);
		lane.y = y;
		y += ROW * (1 + lane.rows) + LANE_GAP;
	}
	height = y;
	stage.setAttribute("height", height);
	page.range.textContent = isAllTime(state.range) ? "" : rangeWords(state.range);
}

/* {x, y, width} of a box. */
function placeOf(lane, i) {
	const {boxes} = lane, {begin, end} = samples;
	const x = xOf(begin[boxes.first[i]]), behind = xOf(end[boxes.behind[i] - 1]);

	return {x, y: lane.y + ROW * (1 + boxes.depth[i]), width: Math.max(behind - x, SEEN)};
}

/* The box of a lane that has a sample at a depth, or of what calls it; -1: it has none here. */
function boxOfSample({boxes}, sample, depth) {
	let best = -1;

	for (let i = 0; i < boxes.nr; i++)
		if (boxes.first[i] <= sample && sample < boxes.behind[i] && boxes.depth[i] <= depth)
			best = i;
	return best;
}

/* ---- drawing */

function nameOfLane(lane) {
	const name = make(SVG, "tspan", {}, lane.name);
	const fact = make(SVG, "tspan", {class: "quiet", dx: ROW}, plural(lane.samples, "sample"));

	return make(SVG, "g", {}, make(SVG, "rect", {class: "paper", height: ROW, display: "none"}),
		make(SVG, "text", {class: "line", x: PADDING}, name, fact));
}

/* The name of the lane at the window's upper edge stays there for as long as it is. */
function nameY({y, rows}) {
	return isAlone && !isPrinting ? Math.max(y, Math.min(view.scrollTop, y + ROW * rows)) : y;
}

function placeNames() {
	lanes.forEach((lane, i) => {
		const [paper, text] = page.names.children[i].children, y = nameY(lane);

		text.setAttribute("y", y + 12);
		paper.setAttribute("display", y > lane.y ? "inline" : "none");
		paper.setAttribute("y", y - 1);
		paper.setAttribute("width", width);
	});
}

/* Calls visit(lane, i) for each box in the window, and some around it. */
function eachShown(visit) {
	const isAll = !isAlone || isPrinting, top = view.scrollTop - 6 * ROW;
	const bottom = view.scrollTop + room + 6 * ROW;

	for (const lane of lanes) {
		const {boxes: {nr, depth}, rows, y} = lane;

		if (!isAll && (y > bottom || y + ROW * (1 + rows) < top))
			continue;
		for (let i = 0; i < nr; i++) {
			const at = y + ROW * (1 + depth[i]);

			if (isAll || (at < bottom && at > top))
				visit(lane, i);
		}
	}
}

/* Words of short runs are cut where there is little room, as in the still picture. */
function describe(lane, i, place) {
	const {boxes} = lane;
	const box = Object.assign({lane, i, isMore: false, isUnder: false, isHit: false,
		look: isMerged(boxes, i) ? "m0" : functions.look[functionOf(boxes, i)],
		label: nameOfBox(boxes, i), tip: tipOfBox(lane, boxes, i)}, place);

	box.isHit = isFoundBox(box);
	return box;
}

function isFoundBox({lane: {boxes}, i}) {
	return !isMerged(boxes, i) && isHit[functionOf(boxes, i)] === 1;
}

function lookOfThin(boxes, i) {
	return isMerged(boxes, i) ? thinNumber("m0") : thinLook(functionOf(boxes, i), false);
}

function draw() {
	const paint = beginPaint(page.frames, page.paths), at = boxAtHand();
	let focused = null;

	stage.setAttribute("width", width);
	stage.setAttribute("viewBox", `0 0 ${width} ${height}`);
	page.axis.setAttribute("width", width);
	drawTicks(page.axis, page.grid, state.range, {left: PADDING, inner: inner(), height});
	placeNames();
	eachShown((lane, i) => {
		const place = placeOf(lane, i);
		const isCurrent = lane === lanes[current.lane] && i === at;

		if (place.width < THIN && !isCurrent) {
			paint.thin(lookOfThin(lane.boxes, i), place.x, place.y, place.width);
			return;
		}

		const item = paint.item(describe(lane, i, place));

		if (isCurrent)
			focused = Object.assign({item}, place);
	});
	paint.end();
	drawFound();
	setFocused(focused);
	/* where the box at hand is not in the range the lanes themselves are the stop */
	stage.setAttribute("tabindex", focused ? "-1" : "0");
	if (isPrinting)
		placeOnPaper();
}

/* Where its sample is not in the range: the one that is nearest to it. */
function boxAtHand() {
	const lane = lanes[current.lane];

	if (!lane || !lane.boxes.nr)
		return -1;

	const [first, behind] = samplesWithin(lane, state.range);

	return boxOfSample(lane, Math.min(Math.max(current.sample, first), behind - 1), current.depth);
}

function focusCurrent() {
	if (focusedBox)
		focusedBox.item.group.focus({preventScroll: true});
	else
		stage.focus({preventScroll: true});
	drawRing();
	showDetails();
}

/* ---- changes */

/* The range as it can be shown: within the time, and not too short. */
function fitRange({from, to}) {
	const length = Math.min(Math.max(to - from, SHORTEST), wholeNs);
	const begin = Math.min(Math.max((from + to - length) / 2, 0), wholeNs - length);

	return isAllTime({from: begin, to: begin + length}) ? wholeRange :
		{from: begin, to: begin + length};
}

function isSameRange(a, b) {
	return a.from === b.from && a.to === b.to;
}

function change(changes, isLinked) {
	const before = state;

	state = Object.assign({}, state, changes);

	const isMoved = !isSameRange(before.range, state.range);
	const isSought = before.search !== state.search || before.isAnyCase !== state.isAnyCase;

	if (isSought)
		search();
	if (isMoved)
		moveLanes();
	else if (isSought)
		drawFound();
	showTools();
	if (!isLinked)
		writeLink(linkOfChart(), isMoved);
}

/* The lane at hand stays where it is in the window. */
function moveLanes() {
	const hadFocus = stage.contains(document.activeElement);
	const lane = lanes[pointed ? pointed.lane : current.lane], y = lane ? lane.y : 0;

	pointed = null;
	layOut();
	view.scrollTop += lane ? lane.y - y : 0;
	if (resizeNow())
		layOut();
	draw();
	if (hadFocus)
		focusCurrent();
}

function showRange(range) {
	const fitted = fitRange(range);

	if (isSameRange(fitted, state.range))
		return;
	trail.push(state.range);
	change({range: fitted});
}

function goBack() {
	if (trail.length)
		change({range: trail.pop()});
	else if (!isAllTime(state.range))
		change({range: wholeRange});
}

function showAll() {
	showRange(wholeRange);
}

/* Around a time, which stays where it is; null: the box at hand, or the middle. */
function scaleBy(by, time) {
	const {from, to} = state.range, at = time === null ? timeAtHand() : time;

	showRange({from: at - (at - from) * by, to: at + (to - at) * by});
}

function timeAtHand() {
	const {from, to} = state.range, lane = lanes[current.lane], i = boxAtHand();
	const middle = (from + to) / 2;

	if (!lane || i < 0 || !hasFocus())
		return middle;

	const {begin, end} = samples, {first, behind} = lane.boxes;

	return (Math.max(begin[first[i]], from) + Math.min(end[behind[i] - 1], to)) / 2;
}

/* As long as it is, a part of that earlier or later, but no farther than there is time. */
function movedBy({from, to}, part) {
	const length = to - from, begin = Math.min(Math.max(from + part * length, 0), wholeNs - length);

	return fitRange({from: begin, to: begin + length});
}

function panBy(part) {
	showRange(movedBy(state.range, part));
}

/* Merged runs come apart where the pointer is, if showing all of them would change little. */
const APART = 8;

function zoomTo(lane, i, time) {
	const {boxes} = lane, {begin, end} = samples, [first, behind] = wholeRun(lane, boxes, i);
	const range = {from: begin[first], to: end[behind - 1]}, {from, to} = state.range;
	const length = (to - from) / APART;

	if (!boxes.runs[i] || range.to - range.from < 2 * length) {
		showRange(range);
		return;
	}

	const at = time === null ? (Math.max(range.from, from) + Math.min(range.to, to)) / 2 : time;

	showRange({from: at - length / 2, to: at + length / 2});
}

/* ---- size */

function resize() {
	if (!resizeNow())
		return;
	if (!lanes.length || !lanes[0].boxes)
		layOut();
	resizeNow();
	draw();
	fitPage();
}
