/* hands.js - keyboard, pointer and touch; the menu of a frame; the first drawing */

function boxOf({pane: at, row, skip}) {
	const {boxes, tree} = panes[at];

	return boxesOfLevel(boxes, depthOf(tree, row) + (skip === FRAME ? 0 : 1)).find(i =>
		boxes.row[i] === row && boxes.skip[i] === skip);
}

function boxesOfLevel(boxes, level) {
	const begin = boxes.begins[level];

	return begin === undefined ? [] :
		Array.from({length: levelEnd(boxes, level) - begin}, (nothing, i) => begin + i);
}

function focusCurrent() {
	if (focusedBox)
		focusedBox.item.group.focus({preventScroll: true});
	drawRing();
	showDetails();
}

/* A key is followed by the next at once; for a press the browser may draw first. */
let isFocusNear = false;

function focusSoon() {
	if (isByKey) {
		focusCurrent();
		return;
	}
	if (!isFocusNear)
		requestAnimationFrame(() => setTimeout(focusNow, 0));
	isFocusNear = true;
	showDetails();
}

/* Unless something else was chosen meanwhile. */
function focusNow() {
	const at = document.activeElement;

	isFocusNear = false;
	if (!openMenu && !(at && /^(input|button)$/i.test(at.tagName)))
		focusCurrent();
}

/* Each frame that is walked to is remembered by those below it, so that up and down lead back. */
function setCurrent(at) {
	const {tree, last} = panes[at.pane];

	/* the function of a sandwich is drawn by the first of its panes */
	current = at.row || at.skip !== FRAME ? at : {pane: 0, row: 0, skip: FRAME};
	pathTo(tree, current.row).reduce((above, row) => {
		last.set(above, row);
		return row;
	}, 0);
}

function focusOn(at) {
	pointed = null;
	setCurrent(at);
	reveal(current, false);
	draw();
	focusCurrent();
}

function goTo(at) {
	const box = boxOf(at), {boxes} = panes[at.pane];

	if (box !== undefined && boxes.more[box])
		zoomMore(at);
	else
		zoomTo(at.pane, {row: at.row, skip: FRAME});
}

function zoomMore(at) {
	if (at.skip >= 0)
		zoomTo(at.pane, {row: at.row, skip: at.skip});
	else
		say(page, "not in this file: draw it with a larger --max-size");
}

/* ---- walking */

function boxTarget(at, i) {
	const {boxes} = panes[at];

	return i === undefined ? null : {pane: at, row: boxes.row[i], skip: boxes.skip[i]};
}

function widestChild(at, row) {
	const {boxes, tree, last} = panes[at];
	const depth = depthOf(tree, row);

	while (boxes.isPartial && boxes.deepest <= depth)
		openPane(panes[at]);
	const level = boxesOfLevel(boxes, depth + 1);
	const isChild = i => boxes.more[i] ? boxes.row[i] === row :
		isWithin(tree, boxes.row[i], row);
	const again = level.find(i => !boxes.more[i] && boxes.row[i] === last.get(row));
	const best = level.filter(isChild).reduce((a, b) =>
		a === undefined || boxes.width[b] > boxes.width[a] ? b : a, undefined);

	return boxTarget(at, again === undefined || !isChild(again) ? best : again);
}

function beside(at, by) {
	const {boxes, tree} = panes[at.pane];
	const parent = i => boxes.more[i] ? boxes.row[i] : parentOf(tree, boxes.row[i]);
	const box = boxOf(at), level = boxesOfLevel(boxes, boxes.level[box]);
	const next = level[level.indexOf(box) + by];

	return next !== undefined && parent(next) === parent(box) ? boxTarget(at.pane, next) : null;
}

function below(at) {
	const {tree} = panes[at.pane];

	if (at.skip !== FRAME)
		return {pane: at.pane, row: at.row, skip: FRAME};
	return at.row > 0 ? {pane: at.pane, row: parentOf(tree, at.row), skip: FRAME} : null;
}

function neighbour(key) {
	const isChildUp = panes[current.pane].isUp;
	const isOut = key === (isChildUp ? "ArrowUp" : "ArrowDown");

	if (key === "ArrowLeft" || key === "ArrowRight")
		return beside(current, key === "ArrowLeft" ? -1 : 1);
	if (key === "Home")
		return {pane: state.pane, row: panes[state.pane].zoom.row, skip: FRAME};
	if (panes.length === 2 && !current.row)
		return widestChild(key === "ArrowUp" ? 0 : 1, 0);
	if (!isOut)
		return below(current);
	return current.skip === FRAME ? widestChild(current.pane, current.row) : null;
}

/* To the next match: where it is shown, else to where it is. */
function stepHits(by) {
	const pane = panes[state.pane], {tree, boxes} = pane;

	if (!found.frames)
		return;
	isByKey = true;
	if (tree.isMerged) {
		stepShownHits(pane, by);
		return;
	}

	const from = current.row || (by < 0 ? 0 : pane.zoom.row);
	const row = nextHit(tree, isHit, stepFrom === null ? from : stepFrom, by);
	const at = {pane: state.pane, row, skip: FRAME};

	stepFrom = row;
	if (!isShown(pane, row) || boxOf(at) === undefined)
		zoomTo(state.pane, {row: isWide(pane, row) ? 0 : row, skip: FRAME});
	if (boxes !== pane.boxes && boxOf(at) === undefined)
		zoomTo(state.pane, {row, skip: FRAME});
	focusOn(at);
	stepFrom = row;
}

let stepFrom = null;

/* Could be pointed at when everything is shown. */
function isWide(pane, row) {
	return pane.tree.columns[0].total[row] / all() * width >= 3;
}

function stepShownHits(pane, by) {
	const {boxes, tree} = pane, at = panes.indexOf(pane);
	const hits = boxes.row.map((row, i) => i).filter(i => !boxes.more[i] && boxes.row[i] > 0 &&
		isHit[tree.fn[boxes.row[i]]]);
	const now = hits.findIndex(i => boxes.row[i] === current.row);

	if (hits.length)
		focusOn(boxTarget(at, hits[now < 0 && by < 0 ? hits.length - 1 :
			(now + by + hits.length) % hits.length]));
}

/* ---- what can be done with a frame */

function namesTo(tree, row) {
	const isOfFunction = tree.isMerged && tree.weigh === "total", path = pathTo(tree, row);

	return (isOfFunction ? [0].concat(path) : path).map(at => functions.name[tree.fn[at]]);
}

/* The frames of a stack, the innermost first; of a path, the outermost. */
function stackOf(tree, row) {
	const names = namesTo(tree, row);

	return tree.isUp ? names : names.reverse();
}

function addStep(word, value, label) {
	const step = value === undefined ? [word] : [word, value];

	if (label)
		step.push(label);
	change({steps: state.steps.concat([step])});
}

function frameEntries(at) {
	const {tree} = panes[at.pane], fn = tree.fn[at.row], name = functions.name[fn];
	const {module} = sourceOf(fn), stack = stackOf(tree, at.row);
	const entries = [
		["zoom to it", () => goTo(at), "do-zoom"],
		["callers and callees", () => change({view: "sandwich", of: name}), "do-sandwich"],
		["search for its name", () => change({search: name}), "do-search"], null,
		["only stacks from this function on", () => addStep("focus", name), "do-focus"],
	];

	if (!tree.isMerged)
		entries.push(["only what is in this frame",
			() => addStep("subtree", pathHash(tree, at.row), name), "do-subtree"]);
	entries.push(
		["without samples in this function", () => addStep("ignore", name), "do-ignore"],
		["hide this function", () => addStep("hide", name), "do-hide"]);
	if (module)
		entries.push(
			["hide all of " + module, () => addStep("hide-module", module),
				"do-hide-module"],
			["collapse " + module + " to one frame", () => addStep("module", module),
				"do-module"]);
	return entries.concat([null,
		["copy name", () => copy(page, name, "the name"), "do-copy-name"],
		["copy stack", () => copy(page, stack.join("\n"), plural(stack.length, "frame")),
			"do-copy-stack"],
		["copy path", () => copy(page, stack.slice().reverse().join(";"), "the path"),
			"do-copy-path"]]);
}

function showFrameMenu(at, x, y) {
	const {tree} = panes[at.pane];

	if (at.skip !== FRAME)
		showMenu(page, "frames too narrow to draw",
			[["draw them", () => zoomMore(at), "do-zoom"]], x, y);
	else if (at.row > 0 || panes.length === 2)
		showMenu(page, functions.name[tree.fn[at.row]], frameEntries(at), x, y);
	else
		showSimplify();
}

function showSimplify() {
	const has = word => state.steps.some(step => step[0] === word);
	const box = page.simplify.getBoundingClientRect();
	const entry = (word, words) => [words, () => has(word) ?
		change({steps: state.steps.filter(step => step[0] !== word)}) : addStep(word),
	"do-" + word];

	showMenu(page, "simplify", [
		entry("recursion", (has("recursion") ? "show" : "collapse") + " recursion"),
		entry("chains", (has("chains") ? "show" : "collapse") + " chains of one child"),
		entry("modules", has("modules") ? "show functions" : "group by module"),
	], box.left, box.bottom + 2);
}

function copyLink() {
	copy(page, location.href.replace(/#.*/, "") + "#" + linkOf(state, panes), "the link");
}

/* ---- keys */

function onStageKey(event) {
	if (event.key === "Enter" || event.key === " ") {
		goTo(current);
	} else if (event.key === "ContextMenu" || event.key === "m" ||
		   (event.key === "F10" && event.shiftKey)) {
		const box = page.ring.getBoundingClientRect();

		showFrameMenu(current, box.left + 12, box.bottom);
	} else if (/^(Arrow|Home)/.test(event.key)) {
		const to = neighbour(event.key);

		if (to)
			focusOn(to);
	} else {
		return false;
	}
	return true;
}

function goOut() {
	if (!page.reset.disabled)
		zoomTo(0, {row: 0, skip: FRAME});
	else if (state.search)
		change({search: ""});
	else if (state.steps.length)
		change({steps: state.steps.slice(0, -1)});
	else if (state.view !== firstView)
		change({view: firstView});
	else if (state.range)
		change({range: ""});
}

const pageKeys = {
	Escape: goOut, "/": focusBox, n: () => stepHits(1), N: () => stepHits(-1),
	w: () => change({isByWeight: !state.isByWeight}), t: showSimplify,
};
viewNames.forEach((name, i) => { pageKeys[i + 1] = () => showView(name); });
if (isCompared)
	Object.assign(pageKeys, sideKeys);

/* ---- pointer */

/* The box under a place of the window, wherever its element is: thin ones have none. */
function boxUnder(event) {
	const box = stage.getBoundingClientRect(), scale = width / (box.width || width);
	const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;

	for (let at = panes.length - 1; at >= 0; at--) {
		const pane = panes[at], level = levelAt(pane, y);
		const i = level < 0 || (at && !level) ? -1 : boxAt(pane.boxes, level, x);

		if (i >= 0)
			return boxTarget(at, i);
	}
	return null;
}

let wasHeld = false;

function onClick(event) {
	const at = boxUnder(event);

	if (!at || wasHeld)
		return;
	isByKey = false;
	setCurrent(at);
	goTo(at);
	focusSoon();
}

function point(at) {
	if (at === pointed || (at && pointed && at.pane === pointed.pane && at.row === pointed.row &&
	    at.skip === pointed.skip))
		return;
	pointed = at;
	showDetails();
}

function onMenu(event) {
	const at = boxUnder(event);

	if (!at)
		return;
	event.preventDefault();
	isByKey = false;
	setCurrent(at);
	draw();
	focusCurrent();
	showFrameMenu(current, event.clientX, event.clientY);
}

/* A finger that rests on a frame asks for its menu, where the system does not ask itself. */
let heldTimer = 0;

function onTouch(event) {
	const {clientX, clientY} = event;

	wasHeld = false;
	if (event.pointerType !== "touch")
		return;
	clearTimeout(heldTimer);
	heldTimer = setTimeout(() => {
		wasHeld = true;
		onMenu({clientX, clientY, preventDefault() {}});
	}, 600);
}

let scrolledTo = 0;

function onBeforePrint() {
	scrolledTo = view.scrollTop;
	isPrinting = true;
	for (const pane of panes)
		while (pane.boxes.isPartial)
			openPane(pane);
	placePanes();
	draw();
	placeOnPaper();
}

function onAfterPrint() {
	isPrinting = false;
	placePanes();
	view.scrollTop = scrolledTo;
	draw();
}

/* What is drawn already is looked at behind the browser's own layout, when asking costs nothing. */
function onScroll() {
	if (isEventDue)
		setTimeout(drawScrolled, 0);
	else
		drawScrolled();
	isEventDue = false;
}

function drawScrolled() {
	if (view.scrollTop === scrolled)
		return;
	scrolled = view.scrollTop;
	if (panes.some(isShort))
		layOutMore();
	else
		draw();
}

function listen() {
	let searchTimer = 0;

	page.box.addEventListener("input", () => {
		clearTimeout(searchTimer);
		if (whole.nr < LARGE)
			change({search: page.box.value});
		else
			searchTimer = setTimeout(() => change({search: page.box.value}), 80);
	});
	stage.addEventListener("click", onClick);
	stage.addEventListener("contextmenu", onMenu);
	stage.addEventListener("pointerdown", onTouch);
	for (const end of ["pointerup", "pointercancel", "pointermove"])
		stage.addEventListener(end, () => clearTimeout(heldTimer));
	stage.addEventListener("pointermove", event => point(boxUnder(event)));
	stage.addEventListener("pointerleave", () => point(null));
	view.addEventListener("scroll", onScroll);
	/* Not on the stage: an SVG element that listens for focus becomes a tab stop. */
	view.addEventListener("focusin", () => { drawRing(); showDetails(); });
	view.addEventListener("focusout", () => { drawRing(); showDetails(); });
	(isAlone ? document : root).addEventListener("keydown", onKey);
	document.addEventListener("pointerdown", () => { isByKey = false; drawRing(); });
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

/* ---- links */

function readLink() {
	const text = isAlone ? location.hash.slice(1) : "";

	if (text === linkOf(state, panes))
		return;

	const asked = stateOf(text);
	const isKept = JSON.stringify(asked.steps.map(step => step.slice(0, 2))) ===
		JSON.stringify(state.steps.map(step => step.slice(0, 2)));

	if (isKept)
		asked.steps = state.steps;
	change(Object.assign(asked, {pane: 0}), true);
	zoomToId(stateOf(text));
}

function zoomToId({pane: at, zoom: id}) {
	const pane = panes[at] ? at : 0, zoom = zoomOfId(panes[pane].tree, id);

	zoomTo(pane, zoom || {row: 0, skip: FRAME}, true);
	if (!zoom)
		page.details.textContent = "The linked frame is not in this picture.";
}

takeOver();
panes = makePanes();
showTools(true);
resize();
listen();
readLink();
