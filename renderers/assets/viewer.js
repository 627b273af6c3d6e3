/*
 * viewer.js - the state of the picture, and its drawing
 *
 * state is what a link holds; base is the whole tree as the steps of simplification left it;
 * panes are what the view shows of it: one, or in a sandwich callers upwards and callees downwards.
 */

const viewNames = ["flame", "icicle", "callers", "sandwich", "table"];
const firstView = facts.get("view") || "flame";
const firstOf = facts.get("of") || "";
const isUpFirst = facts.get("direction") !== "down";
const isByWeightFirst = facts.get("order") === "weight";
const drawn = Number(facts.get("drawn")) || 1;	/* the whole's share of the width */

readFunctions();
let whole = readTree();
if (isCompared)
	readJudged();

/* The whole of a range of time, as a link says it: pictures over time have more than one. */
let ofRange = () => whole;

const group = root.querySelector("g.frames"), head = root.querySelector("g.head");
const page = makePage(head, {
	view: name => showView(name), reset: () => zoomTo(0, {row: 0, skip: FRAME}),
	order: () => change({isByWeight: !state.isByWeight}), link: () => copyLink(),
	simplify: () => showSimplify(), anyCase: () => change({isAnyCase: !state.isAnyCase}),
	step: by => stepHits(by), clear: () => change({search: ""}), side: side => showWidths(side),
});
const tableHands = {
	filter: filter => change({filter}), sort: sort => change({sort}),
	pick: name => change({search: name}), open: name => change({view: "sandwich", of: name}),
};
const filterBox = makeTablePlace(page.table, tableHands);
const {stage, view} = page;

let state = stateOf("");
let base = whole, panes = [];
let isHit = new Uint8Array(functions.nr), found = {weight: 0, frames: 0};
let current = {pane: 0, row: 0, skip: FRAME}, pointed = null, isByKey = false;
let width = 0, room = 0, scrolled = 0, isEventDue = false, isPrinting = false, later = 0;

function takeOver() {
	root.removeAttribute("viewBox");
	root.setAttribute("width", "100%");
	root.setAttribute("style", isAlone ? "width:100%;height:100%;overflow:hidden" :
		"width:100%");
	if (isAlone)
		root.setAttribute("height", "100%");
	head.remove();
	group.remove();
	root.append(page.frame);

	const probe = page.frames.appendChild(make(SVG, "text"));

	measureCell(probe);
	probe.remove();
}

/* ---- what is shown */

function makePane(tree, isUp) {
	return {tree, isUp, zoom: {row: 0, skip: FRAME}, boxes: null, rowsMax: 0, y: 0, last: new Map()};
}

/* The function that a sandwich is of when none was named: the largest found, or at hand. */
function functionAtHand() {
	const at = panes[current.pane];
	let weights = base.selfs, best = 0;

	if (!state.search && at && current.row > 0)
		return functions.same[at.tree.fn[current.row]];
	if (!state.search && functionNamed(state.of) !== undefined)
		return functionNamed(state.of);
	if (state.search)
		weights = totalsOf(base, isHit.map((hit, fn) => hit && !isRoot(fn) ? 1 : 0));
	for (let fn = 1; fn < functions.nr; fn++)
		if (weights[fn] > weights[best])
			best = fn;
	return best || functions.same[base.fn[base.nr > 1 ? 1 : 0]];
}

function makePanes() {
	if (state.view === "callers")
		return [makePane(callersOfAll(base), isUpFirst)];
	if (state.view === "sandwich") {
		if (functionNamed(state.of) === undefined)
			state.of = functions.name[functionAtHand()];

		const {callers, callees} = callersAndCallees(base, functionNamed(state.of));

		return [makePane(callers, true), makePane(callees, false)];
	}
	return [makePane(base, state.view === "flame" || (state.view === "table" && isUpFirst))];
}

function all() {
	return base.columns[0].total[0];
}

/* ---- drawing */

/* Pictures that were drawn to one scale keep it until something is zoomed, or taken away. */
function widthOf(pane) {
	if (base !== whole || pane.zoom.row || pane.zoom.skip !== FRAME || panes.length > 1)
		return width;
	return 2 * PADDING + (width - 2 * PADDING) * drawn;
}

function layOutPane(pane, levels) {
	pane.boxes = layOut(pane.tree, pane.zoom, widthOf(pane), layOutOptions(levels));
	pane.rowsMax = Math.max(pane.rowsMax, pane.boxes.deepest + 1);
}

function layOutOptions(levels) {
	return {isByWeight: state.isByWeight, levels};
}

/* Merged trees are opened as far as the window shows them, small ones wholly when there is time. */
const LARGE = 200000;

function levelsInWindow() {
	return Math.ceil(room / ROW) + 1;
}

function layOutPanes() {
	for (const pane of panes)
		layOutPane(pane, pane.tree.isMerged ?
			depthOf(pane.tree, pane.zoom.row) + levelsInWindow() : Infinity);
	placePanes();
}

function layOutLater() {
	clearTimeout(later);
	if (panes.some(isShort))
		later = setTimeout(layOutMore, 0);
}

/* Has more levels, which are to be laid out: in large trees only those that can be seen. */
function isShort(pane) {
	const {boxes, tree} = pane;

	return boxes.isPartial && (!isAlone || tree.base.nr < LARGE || lastLevel(pane) > boxes.deepest);
}

/* The level at the window's edge. */
function lastLevel(pane) {
	return (pane.isUp ? pane.y - scrolled : scrolled + room - pane.y) / ROW;
}

function openPane(pane) {
	const {boxes, tree} = pane, isAll = !isAlone || tree.base.nr < LARGE || isPrinting;

	openBoxes(boxes, tree, layOutOptions(isAll ? Infinity : boxes.deepest + levelsInWindow()));
	pane.rowsMax = Math.max(pane.rowsMax, boxes.deepest + 1);
}

const PIECES = 8;	/* so many come at once into a picture that is shown already */
let piecesNr = 0;

function layOutMore() {
	const {y} = panes[0];

	panes.filter(isShort).forEach(openPane);
	placePanes();
	if (panes[0].y !== y) {
		view.scrollTop += panes[0].y - y;
		takeScrolled();
	}
	if (!panes.some(isShort) || ++piecesNr % PIECES === 0)
		draw();
	else
		layOutLater();
}

/* Above and below the function in the middle of a sandwich. */
const MIDDLE_GAP = 6;

/* As high as what is zoomed takes, but never less of the window than the whole takes. */
function placePanes() {
	const rows = panes.map(pane => pane.boxes.deepest + 1), [first, second] = panes;
	let height;

	if (second) {
		height = (rows[0] + rows[1] - 1) * ROW + 2 * MIDDLE_GAP + 4;
		first.y = second.y = 2 + (rows[0] - 1) * ROW + MIDDLE_GAP;
	} else {
		height = Math.max(rows[0] * ROW + 4,
			Math.min(first.rowsMax * ROW + 4, view.clientHeight - 4));
		first.y = first.isUp ? height - ROW - 2 : 2;
	}
	setStage(0, height);
}

function setStage(top, height) {
	stage.setAttribute("height", height);
	stage.setAttribute("width", width);
	stage.setAttribute("viewBox", `0 ${top} ${width} ${height}`);
}

/* A page of paper has room for so many levels beside a root as can be read on it. */
const PAGE_SHAPE = 0.52;

function placeOnPaper() {
	const [first, second] = panes, levels = Math.floor(width * PAGE_SHAPE / ROW);
	const rows = first.boxes.deepest + 1, left = second ? 0 : Math.max(0, rows - levels);
	const height = (rows - left) * ROW + 4;

	page.left.textContent = left ? "+ " + plural(left, "level") + " more, for which the page " +
		"has no room" : "";
	if (left)
		setStage(first.isUp ? first.y + ROW + 2 - height : 0, height);
}

function levelY(pane, level) {
	const y = level * ROW + (panes.length > 1 && level ? MIDDLE_GAP : 0);

	return pane.y + (pane.isUp ? -y : y);
}

/* The level of a pane at y, -1 beside its levels. */
function levelAt(pane, y) {
	const down = pane.isUp ? pane.y + ROW - y : y - pane.y;
	const gap = panes.length > 1 && down > ROW ? MIDDLE_GAP : 0;

	return down < 0 || (gap && down < ROW + gap) ? -1 : Math.floor((down - gap) / ROW);
}

/* The levels of a pane that are in the window, and some more. */
function levelsShown(pane) {
	const from = scrolled - 6 * ROW, end = scrolled + room + 6 * ROW;
	const deepest = pane.boxes.deepest, isLower = panes[1] === pane;
	let [low, high] = pane.isUp ? [(pane.y - end) / ROW, (pane.y - from) / ROW] :
		[(from - pane.y) / ROW, (end - pane.y) / ROW];

	if (!isAlone || isPrinting)
		[low, high] = [0, deepest];
	/* a sandwich's function is in both of its panes */
	return [Math.max(isLower ? 1 : 0, Math.floor(low)), Math.min(deepest, Math.ceil(high))];
}

function lookOf(tree, row) {
	return isCompared ? comparedLook(tree, row) : functions.look[tree.fn[row]];
}

function describe(pane, i) {
	const {tree, boxes} = pane, row = boxes.row[i], more = boxes.more[i], fn = tree.fn[row];
	const box = {fn: -1, x: boxes.x[i], y: levelY(pane, boxes.level[i]), width: boxes.width[i],
		isMore: more > 0, isUnder: i < boxes.under, isHit: false, look: "m0",
		label: "", tip: ""};

	if (more) {
		box.label = moreName(more);
		box.tip = isCompared ? comparedMoreTip(tree, row, boxes.skip[i], more) :
			moreTip(more, boxes.weight[i], all(), boxes.skip[i] !== LEFT);
	} else {
		box.fn = row > 0 ? fn : -1;
		box.look = lookOf(tree, row);
		box.label = isCompared ? comparedLabel(tree, row, box.width) : functions.name[fn];
		box.tip = tipWords(tree, row, all());
		box.isHit = isFoundBox(box);
	}
	return box;
}

function isFoundBox({fn}) {
	return fn >= 0 && isHit[fn] === 1;
}

/* Calls visit(pane, i) for each box in the window. */
function eachShown(visit) {
	for (const pane of panes) {
		const [low, high] = levelsShown(pane), {boxes} = pane;

		for (let level = low; level <= high; level++)
			for (let i = boxes.begins[level], end = levelEnd(boxes, level); i < end; i++)
				visit(pane, i);
	}
}

/*
 * How far the window was scrolled is asked for once: where a picture has changed the browser has to
 * lay out all of it to know. What scrolled it since the last time has an event coming.
 */
function takeScrolled() {
	const at = view.scrollTop;

	isEventDue = isEventDue || at !== scrolled;
	scrolled = at;
}

function draw() {
	const paint = beginPaint(page.frames, page.paths);
	let focused = null;

	takeScrolled();
	eachShown((pane, i) => {
		const {boxes} = pane, isCurrent = boxes.row[i] === current.row &&
			boxes.skip[i] === current.skip && pane === panes[current.pane];

		if (boxes.width[i] < THIN && !isCurrent) {
			paintThin(paint, pane, i);
			return;
		}

		const box = describe(pane, i), item = paint.item(box);

		if (isCurrent)
			focused = {item, x: box.x, y: box.y, width: box.width};
	});
	paint.end();
	drawFound();
	setFocused(focused);
	layOutLater();
}

/* Thin boxes, which are most, need no words. */
function paintThin(paint, pane, i) {
	const {tree, boxes} = pane, isUnder = i < boxes.under;

	paint.thin(boxes.more[i] ? thinNumber("m0") : isCompared ?
		thinNumber(comparedLook(tree, boxes.row[i]).slice(0, 2) + (isUnder ? " under" : "")) :
		thinLook(tree.fn[boxes.row[i]], isUnder),
	boxes.x[i], levelY(pane, boxes.level[i]), boxes.width[i]);
}

function drawFound() {
	let outlines = "";

	if (found.frames)
		eachShown((pane, i) => {
			const {boxes} = pane, row = boxes.row[i];

			if (boxes.width[i] < THIN && !boxes.more[i] && row > 0 &&
			    isHit[pane.tree.fn[row]])
				outlines += outline(boxes.x[i], levelY(pane, boxes.level[i]),
					Math.max(boxes.width[i], 1));
		});
	paintFound(page.paths, isFoundBox, outlines);
}

/* ---- changes */

function search() {
	isHit = findFunctions(state.search, state.isAnyCase);
	found = state.search ? countHits(base, isHit, 0, base.nr) : {weight: 0, frames: 0};
}

/* What must be made anew for a change: from the tree, the view, the search, or only their look. */
function change(changes, isLinked) {
	const before = state;
	const isChanged = name => state[name] !== before[name];

	state = Object.assign({}, state, changes);

	const isSimplified = isChanged("steps") || isChanged("range"), isFound = isChanged("search") ||
		isChanged("isAnyCase") || isSimplified;
	const isTurned = !isSimplified && viewsOfOneTree(before.view, state.view);

	pointed = null;

	if (isChanged("range"))
		whole = ofRange(state.range);
	if (isSimplified)
		base = transformed(whole, state.steps);
	if (isCompared && (isSimplified || isChanged("view") || isChanged("of")))
		setScale(base, state);
	if (isCompared && isChanged("side"))
		takeSide(state.side);
	if (isFound)
		search();
	if (isSimplified || isChanged("view") || isChanged("of"))
		renewPanes(isTurned);
	else if (isChanged("side"))
		keepPanes();
	showTools(isSimplified);
	if (isSimplified || ["view", "of", "zoom", "isByWeight", "side"].some(isChanged)) {
		resizeNow();
		layOutPanes();
		if (isSimplified || isChanged("view") || isChanged("of") || isChanged("zoom"))
			reveal(current, true);
		draw();
	} else if (isFound) {
		drawFound();
	}
	if (!isLinked)
		writeLink(linkOf(state, panes), !isFound || isSimplified);
}

/* The same panes in other widths: merged trees are made of them. */
function keepPanes() {
	const zooms = panes.map(({tree, zoom}) => zoomId(tree, zoom));

	if (!panes.some(({tree}) => tree.isMerged))
		return;
	panes = makePanes();
	panes.forEach((pane, at) => {
		pane.zoom = zoomOfId(pane.tree, zooms[at]) || pane.zoom;
	});
	current = {pane: state.pane, row: panes[state.pane].zoom.row, skip: FRAME};
}

function showWidths(side) {
	if (canShowSide(side))
		change({side});
}

function showView(name) {
	change(name === "sandwich" ? {view: name, of: functions.name[functionAtHand()]} :
		{view: name});
}

function viewsOfOneTree(a, b) {
	const isOne = name => name === "flame" || name === "icicle" || name === "table";

	return isOne(a) && isOne(b);
}

/* Panes of the state; flame, icicle and table show the same row. */
function renewPanes(isTurned) {
	const zoom = isTurned && panes.length === 1 ? panes[0].zoom : null;

	panes = makePanes();
	state.pane = 0;
	if (zoom)
		panes[0].zoom = zoom;
	else
		current = {pane: 0, row: 0, skip: FRAME};
	pointed = null;
}

function zoomTo(at, zoom, isLinked) {
	const hadFocus = stage.contains(document.activeElement);

	pointed = null;
	for (const pane of panes)
		pane.zoom = {row: 0, skip: FRAME};
	panes[at].zoom = zoom;
	state = Object.assign({}, state, {pane: at});
	if (current.pane !== at || !isShown(panes[at], current.row) ||
	    isWithin(panes[at].tree, zoom.row, current.row))
		current = {pane: at, row: zoom.row, skip: FRAME};
	layOutPanes();
	reveal({pane: at, row: zoom.row, skip: FRAME}, true);
	draw();
	showTools(false);
	if (hadFocus)
		focusSoon();
	if (!isLinked)
		writeLink(linkOf(state, panes), true);
}

function isShown(pane, row) {
	return isWithin(pane.tree, row, pane.zoom.row) || isWithin(pane.tree, pane.zoom.row, row);
}

/* Scrolls as little as it takes; for a zoom, so that what stands upon the frame is seen. */
function reveal({pane: at, row, skip}, isZoom) {
	const pane = panes[at], level = depthOf(pane.tree, row) + (skip === FRAME ? 0 : 1);
	const y = levelY(pane, level);

	if (isZoom && panes.length === 2)
		view.scrollTop = y - room / 2;
	else if (isZoom)
		view.scrollTop = pane.isUp ? y + 2 * ROW - room : y - ROW;
	else if (y < view.scrollTop)
		view.scrollTop = y - ROW;
	else if (y + 2 * ROW > view.scrollTop + room)
		view.scrollTop = y + 3 * ROW - room;
}

function resize() {
	if (!resizeNow())
		return;
	layOutPanes(); /* so that it is known whether there is a scroll bar */
	if (resizeNow())
		layOutPanes();
	reveal({pane: state.pane, row: panes[state.pane].zoom.row, skip: FRAME}, true);
	draw();
	fitPage();
}
