/*
 * merged.js - trees of a tree: who calls a function, and what it calls, over all places
 *
 * Such a tree is opened only where it is shown, since it can be far larger than the one it is
 * made of. A node holds the rows it is of.
 * It is read like a tree: fn, parent, depth, columns; its children come from childrenOfMerged().
 */

/* A node of these rows; going up each carries its weight all the way. */
function makeMerged(base, isUp, fn, rows, weigh) {
	const merged = {
		base, isUp, weigh, isMerged: true, work: 0, left: new Map(), lacking: new Map(),
		fn: [], parent: [], depth: [], children: [], pool: [], begin: [], end: [], last: null,
		columns: base.columns.map(() => ({self: [], total: []})),
	};
	const weights = base.columns[0][weigh], pool = takePool(merged, rows.length);
	let sum = 0;

	pool.rows.set(rows);
	pool.froms.set(base.columns.length > 1 ? rows : []);
	for (let i = 0; i < rows.length; i++) {
		pool.weights[i] = weights[rows[i]];
		sum += pool.weights[i];
	}
	pool.used = rows.length;
	addNode(merged, -1, fn, sum, {pool, begin: 0, end: rows.length});
	return merged;
}

/*
 * Rows of nodes, and what each weighs, lie in pools that many nodes share; and, where there are
 * samples, the rows whose samples they are.
 */
const POOL = 1 << 16;

function takePool(merged, nr) {
	const {last} = merged, room = Math.max(nr, POOL);

	if (last && last.rows.length - last.used >= nr)
		return last;
	merged.last = {used: 0, rows: new Int32Array(room), weights: new Float64Array(room),
		froms: new Int32Array(merged.base.columns.length > 1 ? room : 0)};
	return merged.last;
}

/* Its own weight and its samples are seldom asked for: see selfOf() and samplesOf(). */
function addNode(merged, parent, fn, weight, {pool, begin, end}) {
	merged.parent.push(parent);
	merged.depth.push(parent < 0 ? 0 : merged.depth[parent] + 1);
	merged.children.push(null);
	merged.pool.push(pool);
	merged.begin.push(begin);
	merged.end.push(end);
	merged.columns[0].total.push(weight);
	return merged.fn.push(fn) - 1;
}

/* What ends in a row, of a column; going up, the weight of what has no caller. */
function selfOf(tree, row, k = 0) {
	const {self} = tree.columns[k];

	if (tree.isMerged && self[row] === undefined) {
		const {rows, froms, weights: carried} = tree.pool[row], {base} = tree;
		const selfs = base.columns[k].self, weights = base.columns[k][tree.weigh];

		self[row] = 0;
		for (let i = tree.begin[row]; i < tree.end[row]; i++)
			self[row] += !tree.isUp ? selfs[rows[i]] : base.parent[rows[i]] > 0 ? 0 :
				k ? weights[froms[i]] : carried[i];
	}
	return self[row];
}

/* What a column has of a row and all that is in it. */
function totalOf(tree, row, k) {
	const {total} = tree.columns[k];

	if (tree.isMerged && total[row] === undefined) {
		const {froms} = tree.pool[row], weights = tree.base.columns[k][tree.weigh];

		total[row] = 0;
		for (let i = tree.begin[row]; i < tree.end[row]; i++)
			total[row] += weights[froms[i]];
	}
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
 * The rows that a node's rows lead to, the ranks of their names (-1: nowhere), what they weigh and
 * whose samples they have. By rank: how many and how much of it there are, 0 in between.
 */
const way = {
	nr: 0, rows: new Int32Array(1024), froms: new Int32Array(1024), names: new Int32Array(1024),
	weights: new Float64Array(1024), counts: null, sums: null, found: null,
};

function makeWayRoom(nr) {
	if (way.rows.length >= nr)
		return;
	for (const name of ["rows", "froms", "names", "weights"]) {
		const wider = new way[name].constructor(2 * nr);

		wider.set(way[name]);
		way[name] = wider;
	}
}

/*
 * Per row its parent and the rank of that one's name, side by side: in a large tree it is not
 * computing but waiting for memory that takes time.
 */
function callersOfRows({nr, fn, parent}) {
	const callers = new Int32Array(2 * nr), ranks = ranksOfNames();

	for (let i = 0; i < nr; i++) {
		const up = parent[i];

		callers[2 * i] = up;
		callers[2 * i + 1] = up > 0 ? ranks[fn[up]] : -1;
	}
	return callers;
}

/* To callers; at the root of all leaves, to its rows themselves. */
function stepUp(merged, node) {
	const {callers, fn} = merged.base, pool = merged.pool[node], ranks = ranksOfNames();
	const begin = merged.begin[node], end = merged.end[node];

	makeWayRoom(end - begin);
	way.nr = end - begin;
	way.weights.set(pool.weights.subarray(begin, end));
	way.froms.set(pool.froms.subarray(begin, end));

	const {rows, names} = way, from = pool.rows;

	if (node === 0 && merged.weigh === "self")
		for (let i = begin; i < end; i++) {
			rows[i - begin] = from[i];
			names[i - begin] = ranks[fn[from[i]]];
		}
	else
		for (let i = begin; i < end; i++) {
			rows[i - begin] = callers[2 * from[i]];
			names[i - begin] = callers[2 * from[i] + 1];
		}
}

function stepDown(merged, node) {
	const {end: ends, fn, columns: [{total}]} = merged.base, from = merged.pool[node].rows;
	const ranks = ranksOfNames();
	let nr = 0;

	for (let i = merged.begin[node]; i < merged.end[node]; i++) {
		const end = ends[from[i]];

		for (let row = from[i] + 1; row < end; row = ends[row]) {
			if (nr === way.rows.length)
				makeWayRoom(nr + 1);
			way.rows[nr] = row;
			way.names[nr] = ranks[fn[row]];
			way.weights[nr++] = total[row];
		}
	}
	way.froms.set(way.rows.subarray(0, nr));
	way.nr = nr;
}

/* Counts what way leads to, name by name; answers the names in their order, as ranks. */
function countNames() {
	if (!way.counts || way.counts.length <= functions.nr) {
		way.counts = new Int32Array(functions.nr + 1);
		way.sums = new Float64Array(functions.nr + 1);
		way.found = new Int32Array(functions.nr + 1);
	}

	const {nr, weights, names, counts, sums, found} = way;
	let foundNr = 0;

	for (let i = 0; i < nr; i++) {
		const name = names[i];

		if (name < 0)
			continue;
		if (!counts[name])
			found[foundNr++] = name;
		counts[name]++;
		sums[name] += weights[i];
	}
	return foundNr > 1 ? found.subarray(0, foundNr).sort() : found.subarray(0, foundNr);
}

/* Puts them into a pool, those of one name together; counts[name] is where its next one goes. */
function groupNames(pool) {
	const {nr, rows, weights, froms, names, counts} = way;
	const hasFroms = pool.froms.length > 0;

	for (let i = 0; i < nr; i++) {
		if (names[i] < 0)
			continue;

		const to = counts[names[i]]++;

		pool.rows[to] = rows[i];
		pool.weights[to] = weights[i];
		if (hasFroms)
			pool.froms[to] = froms[i];
	}
}

/* Makes nodes of the names that were counted, in a row; their rows will lie so, too. */
function addChildNodes(merged, node, found, pool) {
	const {counts, sums} = way, children = [];
	let begin = pool.used;

	for (const name of found) {
		const end = begin + counts[name];

		children.push(addNode(merged, node, 0, sums[name], {pool, begin, end}));
		counts[name] = begin;
		sums[name] = 0;
		begin = end;
	}
	return children;
}

function openMerged(merged, node) {
	if (merged.isUp)
		stepUp(merged, node);
	else
		stepDown(merged, node);

	const found = countNames(), pool = takePool(merged, way.nr), {base, fn} = merged;
	const children = merged.children[node] = addChildNodes(merged, node, found, pool);

	groupNames(pool);
	for (const name of found)
		way.counts[name] = 0;
	for (const child of children) {
		fn[child] = base.fn[pool.rows[merged.begin[child]]];
		if (fn[child] === LEFT_OUT)
			merged.left.set(child, leftOutOf(merged, child));
	}
	pool.used += way.nr;
	merged.work += way.nr;
}

function leftOutOf({base, pool, begin, end}, node) {
	let nr = 0;

	for (const row of pool[node].rows.subarray(begin[node], end[node]))
		nr += base.left.get(row) || 0;
	return nr;
}

function childrenOfMerged(merged, node) {
	if (!merged.children[node])
		openMerged(merged, node);
	return merged.children[node];
}

/* ---- the trees that are shown */

/* From the leaf outwards: the root's children are what samples ended in. */
function callersOfAll(base) {
	const self = isCompared ? eitherSelf(base) : base.columns[0].self;
	const rows = new Int32Array(base.nr);
	let nr = 0;

	for (let i = 1; i < base.nr; i++)
		if (self[i] > 0)
			rows[nr++] = i;

	const merged = makeMerged(base, true, base.fn[0], rows.subarray(0, nr), "self");

	base.columns.forEach(({self, total}, k) => {
		/* a width is of all that ends somewhere: more than the root's */
		if (!isCompared || k !== WIDTH)
			merged.columns[k].total[0] = total[0];
		else
			merged.columns[k].total[0] += self[0];
		merged.columns[k].self[0] = self[0];
	});
	return merged;
}

/* A function's frames that are in no other of its name. */
function outermostRows(base, same) {
	const {nr, fn, end} = base, rows = [];
	const isIt = Uint8Array.from(functions.same, of => of === same ? 1 : 0);

	for (let i = 1; i < nr; i++)
		if (isIt[fn[i]]) {
			rows.push(i);
			i = end[i] - 1;
		}
	return Int32Array.from(rows);
}

/* Of a function, its outermost frame in each stack: so that each sample counts once. */
function callersOf(base, same) {
	return makeMerged(base, true, same, outermostRows(base, same), "total");
}

function calleesOf(base, same) {
	return makeMerged(base, false, same, outermostRows(base, same), "total");
}
