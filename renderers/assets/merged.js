/*
 * merged.js - trees of a tree: who calls a function, and what it calls, over all places
 *
 * Such a tree is opened only where it is shown, since it can be far larger than the one it is
 * made of. A node holds the rows it is of.
 * It is read like a tree: fn, parent, depth, columns; its children come from childrenOfMerged().
 */

/* A node of these rows; going up each carries its weight all the way. */
function makeMerged(base, isUp, fn, {rows, weights}, weigh) {
	const merged = {
		base, isUp, weigh, isMerged: true, work: 0, left: new Map(), lacking: new Map(),
		repeats: new Map(), mixed: new Set(), isShared: null,
		fn: [], parent: [], depth: [], children: [], pool: [], begin: [], end: [], last: null,
		columns: base.columns.map(() => ({self: [], total: []})),
		rest: [], thinNr: [], thinSum: [], least: [],	/* see climb.js */
		climb: isUp ? makeClimb(base, {rows, weights}, weigh === "self") : null,
	};
	const pool = isUp ? null : poolOf(merged, {rows, weights});
	let sum = 0;

	for (let i = 0; i < rows.length; i++)
		sum += weights[i];
	addNode(merged, -1, fn, sum, pool, 0, rows.length);
	return merged;
}

/* Its own weight and its samples are seldom asked for: see selfOf() and samplesOf(). */
function addNode(merged, parent, fn, weight, pool, begin, end) {
	merged.parent.push(parent);
	merged.depth.push(parent < 0 ? 0 : merged.depth[parent] + 1);
	merged.children.push(null);
	merged.rest.push(begin);
	merged.thinNr.push(0);
	merged.thinSum.push(0);
	merged.least.push(Infinity);
	merged.pool.push(pool);
	merged.begin.push(begin);
	merged.end.push(end);
	merged.columns[0].total.push(weight);
	return merged.fn.push(fn) - 1;
}

/* What ends in a row, of a column; going up, the weight of what has no caller. */
function selfOf(tree, row, k = 0) {
	const column = tree.columns[k];

	if (column.rows)
		return sumWithin(column, row, row + 1);

	const {self} = column;

	if (tree.isMerged && self[row] === undefined)
		self[row] = tree.isUp ? callerlessOf(tree, row, k) :
			sumBelow(tree, row, tree.base.columns[k].self);
	return self[row];
}

/* In a node that is wholly opened they lie behind those of its children. */
function callerlessOf(tree, node, k) {
	childrenOfMerged(tree, node);
	return weighLeaves(tree, node, k, tree.rest[node]);
}

/* What a column has of a row and all that is in it. */
function totalOf(tree, row, k) {
	const column = tree.columns[k];

	if (column.rows && !isCompared)
		return sumWithin(column, row, tree.end[row]);

	const {total} = column;

	if (tree.isMerged && total[row] === undefined)
		total[row] = tree.isUp ? weighLeaves(tree, row, k, tree.begin[row]) :
			sumBelow(tree, row, tree.base.columns[k][tree.weigh]);
	return total[row];
}

/* How many samples a row has; undefined where they are the weight. */
function samplesOf(tree, row) {
	if (!tree.columns[1])
		return perSample ? tree.columns[0].total[row] / perSample : undefined;
	return totalOf(tree, row, 1);
}

/* ---- the way from a node to its children */

/*
 * A run is rows each of which is the first child of the one before. Mostly a caller is thus the row
 * before, and what else is to be known is little: where runs start, the parent of that row and the
 * run it is of. In a large tree it is not computing but waiting for memory that takes time. Runs of
 * the file's own tree are bare: something ends in their last rows alone.
 */
function runsOf({nr, end}) {
	const starts = [0], parents = [-1], above = [-1];

	for (let row = 1, run = 0; row < nr; row++) {
		let up = row - 1;

		if (end[up] > row)
			continue;
		while (end[up] <= row)
			if (up > starts[run]) {
				up--;
			} else {
				up = parents[run];
				run = above[run];
			}
		parents.push(up);
		above.push(run);
		run = starts.push(row) - 1;
	}
	return {starts: Int32Array.from(starts), parents: Int32Array.from(parents),
		above: Int32Array.from(above)};
}

/* Of rows in their order. */
function runsOfRows({starts}, rows) {
	const runs = new Int32Array(rows.length);

	for (let i = 0, run = 0; i < rows.length; i++) {
		while (starts[run + 1] <= rows[i])
			run++;
		runs[i] = run;
	}
	return runs;
}

/*
 * The rows that a node's rows lead to (going up, leaves), the names they have (-1: nowhere) and what
 * they weigh. By name, which is the first function of it: how many and how much of it there are, 0 in
 * between; and the names that were found.
 */
const way = {
	nr: 0, rows: null, names: null, weights: null,
	counts: null, sums: null, found: null, foundNr: 0,
	repeated: -1, repeats: null,	/* the name of a function that calls itself: see repeats.js */
};

/* So many rows at least; those that it has are kept. */
function makeWayRoom(nr) {
	const kinds = {rows: Int32Array, names: Int32Array, weights: Weights};

	if (way.rows && way.rows.length >= nr)
		return;
	for (const name of Object.keys(kinds)) {
		const wider = new kinds[name](Math.max(2 * nr, 1024));

		if (way[name])
			wider.set(way[name]);
		way[name] = wider;
	}
}

function makeNamesRoom() {
	way.foundNr = 0;
	way.repeated = -1;
	if (way.counts && way.counts.length > functions.nr)
		return;
	way.counts = new Int32Array(functions.nr + 1);
	way.sums = new Float64Array(functions.nr + 1);
	way.found = new Int32Array(functions.nr + 1);
}

function countName(name, weight) {
	const {counts} = way;

	if (!counts[name])
		way.found[way.foundNr++] = name;
	counts[name]++;
	way.sums[name] += weight;
}

const FEW = 12;		/* so many are put in order without a search */

function childrenOfMerged(merged, node) {
	if (merged.isUp && merged.least[node] > 0)
		openCallers(merged, [node], 0);
	else if (!merged.children[node])
		openCallees(merged, node);
	return merged.children[node];
}

/* ---- the trees that are shown */

/* Rows that something ends in, and how much of the picture's weight. */
function endsOf({nr, columns: [column], columns}) {
	const {rows, weights} = column, ends = [];

	if (rows) {
		const first = rows[0] === 0 ? 1 : 0;

		return {rows: rows.subarray(first), weights: weights.subarray(first)};
	}
	for (let i = 1, self = isCompared ? eitherSelf({columns}) : column.self; i < nr; i++)
		if (self[i] > 0)
			ends.push(i);
	return rowsWith(ends, column.self);
}

function rowsWith(rows, weights) {
	const ret = new Weights(rows.length);

	for (let i = 0; i < rows.length; i++)
		ret[i] = weights[rows[i]];
	return {rows, weights: ret};
}

/* From the leaf outwards: the root's children are what samples ended in. */
function callersOfAll(base) {
	const merged = makeMerged(base, true, base.fn[0], endsOf(base), "self");

	base.columns.forEach((column, k) => {
		const {total} = column, ofRoot = selfOfRoot(column);

		/* a width is of all that ends somewhere: more than the root's */
		if (!isCompared || k !== WIDTH)
			merged.columns[k].total[0] = total[0];
		else
			merged.columns[k].total[0] += ofRoot;
		merged.columns[k].self[0] = ofRoot;
	});
	return merged;
}

/* A function's frames that are in no other of its name. */
function outermostRows({nr, fn, end}, same) {
	const isIt = new Uint8Array(functions.nr), rows = [];

	functions.same.forEach((of, one) => { isIt[one] = of === same ? 1 : 0; });
	for (let i = 1; i < nr; i++)
		if (isIt[fn[i]]) {
			rows.push(i);
			i = end[i] - 1;
		}
	return rows;
}

/* Of a function, its outermost frame in each stack: so that each sample counts once. */
function callersAndCallees(base, same) {
	const rows = rowsWith(outermostRows(base, same), base.columns[0].total);

	return {callers: makeMerged(base, true, same, rows, "total"),
		callees: makeMerged(base, false, same, rows, "total")};
}
