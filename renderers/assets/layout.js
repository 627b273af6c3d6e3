/*
 * layout.js - where frames stand: a tree, and what of it is shown, as boxes
 *
 * A zoom is {row, skip}: all of a row, or those of its children that are left when the `skip`
 * heaviest are taken away, which is what "+ n more" stands for. Boxes are arrays with one element
 * per box, level by level and from left to right within one: row, level, x, width (pixels), weight,
 * skip, and more, which is 0 or the number of the row's children that the box stands for. Those that
 * are not opened yet begin at `next`; `begins` has each level's first.
 */

const ROW = 17, PADDING = 10, GAP = 1, INSET = 3, CELLS_MIN = 3;
const WIDTH_MIN = 0.3;		/* a narrower frame is not drawn but counted */
const ROUNDING = 1e-9;		/* of widths, with much to spare */
const WORK_MAX = 200000;	/* rows of merged trees looked at before the next is left for later */
const PAGE = 400;		/* children that are shown where none is wide enough */

/* What a box or a zoom has for skip when it is a row's own frame, or of what the file leaves out. */
const FRAME = -2, LEFT = -1;

/* Siblings by name, as trees have them, or by weight. */
function orderedChildren(tree, row, isByWeight) {
	const children = tree.isMerged ? childrenOfMerged(tree, row) : childrenOf(tree, row);

	return isByWeight ? heaviestFirst(tree, children) : children;
}

/* Those alone that can be wide enough, where callers are opened so far: see openUpwards(). */
function shownChildren(tree, row, isByWeight) {
	if (!tree.isUp)
		return orderedChildren(tree, row, isByWeight);
	return isByWeight ? heaviestFirst(tree, tree.children[row]) : tree.children[row];
}

function heaviestFirst(tree, children) {
	const {total} = tree.columns[0];

	return children.slice().sort((a, b) => total[b] - total[a]);
}

function makeBoxes() {
	return {nr: 0, row: [], level: [], x: [], width: [], weight: [], more: [], skip: [],
		begins: [], next: 0, under: 0, deepest: 0, isPartial: false};
}

function addBox(boxes, row, level, x, width, weight, more, skip) {
	if (level >= boxes.begins.length)
		boxes.begins[level] = boxes.nr;
	boxes.row.push(row);
	boxes.level.push(level);
	boxes.x.push(x);
	boxes.width.push(width);
	boxes.weight.push(weight);
	boxes.more.push(more);
	boxes.skip.push(skip);
	boxes.deepest = level;
	boxes.nr++;
}

function addFrame(boxes, tree, row, level, x, width) {
	addBox(boxes, row, level, x, width, tree.columns[0].total[row], 0, FRAME);
}

/* Behind a level's last box. */
function levelEnd(boxes, level) {
	return level < boxes.deepest ? boxes.begins[level + 1] : boxes.nr;
}

/* The way to what is zoomed, as wide as it. */
function addUnder(boxes, tree, zoom, x, width) {
	const path = [0].concat(pathTo(tree, zoom.row));

	if (zoom.skip < 0)
		path.pop();
	path.forEach((row, level) => addFrame(boxes, tree, row, level, x, width));
	boxes.under = boxes.next = boxes.nr;
}

/*
 * One after the other the children that are wide enough; and what the others are together, with
 * callers that are no nodes yet.
 */
function addChildren(boxes, tree, row, children, place) {
	const {total} = tree.columns[0], {fn} = tree, {level, scale, taken} = place;
	let {x} = place, shownNr = 0, leftNr = 0;
	let rest = tree.isUp ? tree.thinSum[row] : 0, restNr = tree.isUp ? tree.thinNr[row] : 0;

	for (const child of children) {
		const weight = total[child];

		if (fn[child] !== LEFT_OUT && weight * scale >= WIDTH_MIN) {
			addBox(boxes, child, level, x, weight * scale, weight, 0, FRAME);
			x += weight * scale;
			shownNr++;
			continue;
		}
		rest += weight;
		if (fn[child] === LEFT_OUT)
			leftNr += tree.left.get(child) || 1;
		else
			restNr++;
	}
	if (rest * scale >= WIDTH_MIN)
		addBox(boxes, row, level, x, rest * scale, rest, restNr + leftNr,
			restNr ? shownNr + taken : LEFT);
}

/* The children that "+ n more" stands for, so wide that some can be seen. */
function addRest(boxes, tree, zoom, x, width) {
	const {total} = tree.columns[0];
	const level = depthOf(tree, zoom.row) + 1;
	const ordered = heaviestFirst(tree, orderedChildren(tree, zoom.row, false));
	const rest = ordered.filter(row => tree.fn[row] !== LEFT_OUT).slice(zoom.skip);
	const sum = rest.reduce((weight, row) => weight + total[row], 0);

	if (rest.length && total[rest[0]] * width / sum < WIDTH_MIN) {
		/* not to scale: the first page, and the others in a twentieth of the width */
		const page = rest.slice(0, PAGE), others = sum - page.reduce((w, r) => w + total[r], 0);
		const scale = width * 0.95 / (sum - others);

		addChildren(boxes, tree, zoom.row, page, {level, x, scale, taken: zoom.skip});
		addBox(boxes, zoom.row, level, x + width * 0.95, width * 0.05, others,
			rest.length - page.length, zoom.skip + page.length);
	} else {
		addChildren(boxes, tree, zoom.row, rest,
			{level, x, scale: width / sum, taken: zoom.skip});
	}
}

/* All boxes of what is zoomed, as far as options.levels and, in a merged tree, some work. */
function layOut(tree, zoom, width, options) {
	const boxes = makeBoxes(), inner = width - 2 * PADDING;

	addUnder(boxes, tree, zoom, PADDING, inner);
	if (zoom.skip >= 0)
		addRest(boxes, tree, zoom, PADDING, inner);
	else
		addFrame(boxes, tree, zoom.row, depthOf(tree, zoom.row), PADDING, inner);
	openBoxes(boxes, tree, options);
	return boxes;
}

/* Of boxes that are not opened yet, what is in them. */
function openBoxes(boxes, tree, options) {
	const {total} = tree.columns[0], limit = (tree.work || 0) + WORK_MAX;
	const isOpen = row => !tree.isMerged || tree.children[row] || tree.work <= limit;

	for (; boxes.next < boxes.nr; boxes.next++) {
		const i = boxes.next, row = boxes.row[i], level = boxes.level[i] + 1;

		if (boxes.more[i] || !total[row])
			continue;
		boxes.isPartial = level > options.levels || !isOpen(row);
		if (boxes.isPartial)
			return;

		const scale = boxes.width[i] / total[row];

		if (tree.isUp)
			openUpwards(boxes, tree, WIDTH_MIN / scale);
		else if (tree.isMerged)
			openAhead(tree, row, WIDTH_MIN / scale, options.levels);
		addChildren(boxes, tree, row, shownChildren(tree, row, options.isByWeight),
			{level, x: boxes.x[i], scale, taken: 0});
	}
	boxes.isPartial = false;
}

/* Opens what the next box is of, and boxes beside it: all of a level at once takes less time. */
function openUpwards(boxes, tree, least) {
	const {next, row, level, more} = boxes, end = levelEnd(boxes, level[next]), rows = [];
	const isShut = i => !more[i] && tree.least[row[i]] > least * (1 - ROUNDING / 2);

	if (!isShut(next))
		return;
	for (let i = next; i < end; i++)
		if (isShut(i))
			rows.push(row[i]);
	openCallers(tree, rows, least * (1 - ROUNDING));
}

/* The box of a level at x, -1 where there is none. */
function boxAt(boxes, level, x) {
	if (level > boxes.deepest)
		return -1;

	const end = levelEnd(boxes, level);
	let low = boxes.begins[level], high = end;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (boxes.x[middle] + boxes.width[middle] <= x)
			low = middle + 1;
		else
			high = middle;
	}
	return low < end && boxes.x[low] <= x ? low : -1;
}
