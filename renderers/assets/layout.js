/*
 * layout.js - where frames stand: a tree, and what of it is shown, as boxes
 *
 * A zoom is {row, skip}: all of a row, or those of its children that are left when the `skip`
 * heaviest are taken away, which is what "+ n more" stands for. Boxes are arrays with one element
 * per box, from left to right within a level: row, level, x, width (pixels), weight, skip, and
 * more, which is 0 or the number of the row's children that the box stands for.
 */

const ROW = 17, PADDING = 10, GAP = 1, INSET = 3, CELLS_MIN = 3;
const WIDTH_MIN = 0.3;		/* a narrower frame is not drawn but counted */
const WORK_MAX = 200000;	/* rows of merged trees looked at before the next is left for later */
const PAGE = 400;		/* children that are shown where none is wide enough */

/* What a box or a zoom has for skip when it is a row's own frame, or of what the file leaves out. */
const FRAME = -2, LEFT = -1;

/* Siblings by name, as trees have them, or by weight. */
function orderedChildren(tree, row, isByWeight) {
	const children = tree.isMerged ? childrenOfMerged(tree, row) : childrenOf(tree, row);

	return isByWeight ? heaviestFirst(tree, children) : children;
}

function heaviestFirst(tree, children) {
	const {total} = tree.columns[0];

	return children.slice().sort((a, b) => total[b] - total[a] || a - b);
}

function makeBoxes() {
	return {nr: 0, row: [], level: [], x: [], width: [], weight: [], more: [], skip: [],
		under: 0, deepest: 0, isPartial: false};
}

function addBox(boxes, {row, level, x, width, weight, more, skip}) {
	boxes.row.push(row);
	boxes.level.push(level);
	boxes.x.push(x);
	boxes.width.push(width);
	boxes.weight.push(weight);
	boxes.more.push(more);
	boxes.skip.push(skip);
	if (level > boxes.deepest)
		boxes.deepest = level;
	boxes.nr++;
}

function frameBox(tree, row, level, x, width) {
	return {row, level, x, width, weight: tree.columns[0].total[row], more: 0, skip: FRAME};
}

/* The way to what is zoomed, as wide as it. */
function addUnder(boxes, tree, zoom, x, width) {
	const path = [];

	for (let at = zoom.skip >= 0 ? zoom.row : tree.parent[zoom.row]; at >= 0; at = tree.parent[at])
		path.push(at);
	for (let level = 0; path.length; level++)
		addBox(boxes, frameBox(tree, path.pop(), level, x, width));
	boxes.under = boxes.nr;
}

/* Those that are drawn, and what the others are together. */
function partChildren(tree, children, scale) {
	const {total} = tree.columns[0], shown = [];
	let rest = 0, restNr = 0, leftNr = 0;

	for (const child of children) {
		if (tree.fn[child] === LEFT_OUT)
			leftNr += tree.left.get(child) || 1;
		else if (total[child] * scale >= WIDTH_MIN)
			shown.push(child);
		else
			restNr++;
		if (shown[shown.length - 1] !== child)
			rest += total[child];
	}
	return {shown, rest, restNr, leftNr};
}

/*
 * Leaves a row's children to come in `open`, the leftmost last. `taken` of the heaviest are not
 * among them.
 */
function addChildren(boxes, tree, row, children, place, open) {
	const {total} = tree.columns[0], {level, scale, taken} = place;
	const {shown, rest, restNr, leftNr} = partChildren(tree, children, scale);
	let end = place.x + shown.reduce((sum, child) => sum + total[child], 0) * scale;

	if (rest * scale >= WIDTH_MIN)
		open.push({row, level, x: end, width: rest * scale, weight: rest,
			more: restNr + leftNr, skip: restNr ? shown.length + taken : LEFT});
	for (let i = shown.length - 1; i >= 0; i--) {
		const width = total[shown[i]] * scale;

		end -= width;
		open.push(frameBox(tree, shown[i], level, end, width));
	}
}

/* The children that "+ n more" stands for, so wide that some can be seen. */
function addRest(boxes, tree, zoom, x, width, open) {
	const {total} = tree.columns[0];
	const level = tree.depth[zoom.row] + 1;
	const ordered = heaviestFirst(tree, orderedChildren(tree, zoom.row, false));
	const rest = ordered.filter(row => tree.fn[row] !== LEFT_OUT).slice(zoom.skip);
	const sum = rest.reduce((weight, row) => weight + total[row], 0);

	if (rest.length && total[rest[0]] * width / sum < WIDTH_MIN) {
		/* not to scale: the first page, and the others in a twentieth of the width */
		const page = rest.slice(0, PAGE), others = sum - page.reduce((w, r) => w + total[r], 0);
		const scale = width * 0.95 / (sum - others);

		open.push({row: zoom.row, level, x: x + width * 0.95, width: width * 0.05,
			weight: others, more: rest.length - page.length, skip: zoom.skip + page.length});
		addChildren(boxes, tree, zoom.row, page,
			{level, x, scale, taken: zoom.skip}, open);
	} else {
		addChildren(boxes, tree, zoom.row, rest,
			{level, x, scale: width / sum, taken: zoom.skip}, open);
	}
}

/* All boxes of what is zoomed, as far as options.levels and, in a merged tree, some work. */
function layOut(tree, zoom, width, options) {
	const boxes = makeBoxes(), open = [];
	const {total} = tree.columns[0], limit = (tree.work || 0) + WORK_MAX;
	const inner = width - 2 * PADDING;

	addUnder(boxes, tree, zoom, PADDING, inner);
	if (zoom.skip >= 0)
		addRest(boxes, tree, zoom, PADDING, inner, open);
	else
		open.push(frameBox(tree, zoom.row, tree.depth[zoom.row], PADDING, inner));
	while (open.length) {
		const box = open.pop(), {row, level, x} = box;

		addBox(boxes, box);
		if (box.more || !total[row])
			continue;
		if (tree.isMerged ? !tree.children[row] && tree.work > limit :
			tree.end[row] === row + 1) {
			boxes.isPartial = boxes.isPartial || tree.isMerged === true;
			continue;
		}
		if (level >= options.levels) {
			boxes.isPartial = true;
			continue;
		}
		addChildren(boxes, tree, row, orderedChildren(tree, row, options.isByWeight),
			{level: level + 1, x, scale: box.width / total[row], taken: 0}, open);
	}
	listLevels(boxes);
	return boxes;
}

/* boxes.levels[level] are its boxes from left to right, of a last-in first-out walk. */
function listLevels(boxes) {
	boxes.levels = Array.from({length: boxes.deepest + 1}, () => []);
	for (let i = 0; i < boxes.nr; i++)
		boxes.levels[boxes.level[i]].push(i);
}

/* The box of a level at x, -1 where there is none. */
function boxAt(boxes, level, x) {
	const list = boxes.levels[level] || [];
	let low = 0, high = list.length;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (boxes.x[list[middle]] + boxes.width[list[middle]] <= x)
			low = middle + 1;
		else
			high = middle;
	}
	return low < list.length && boxes.x[list[low]] <= x ? list[low] : -1;
}
