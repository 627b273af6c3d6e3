/*
 * merged.js - trees of a tree: who calls a function, and what it calls, over all places
 *
 * Such a tree is opened only where it is shown, since it can be far larger than the one it is
 * made of. A node holds the rows it is of: going up, each with the row whose weight it carries.
 * It is read like a tree: fn, parent, depth, columns; its children come from childrenOfMerged().
 */

function makeMerged(base, isUp, fn, rows, weigh) {
	const merged = {
		base, isUp, weigh, isMerged: true, work: 0, left: new Map(), lacking: new Map(),
		fn: [], parent: [], depth: [], children: [], at: [], pool: null,
		columns: base.columns.map(() => ({self: [], total: []})),
	};
	const weights = base.columns[0][weigh], pool = takePool(merged, rows.length);

	pool.rows.set(rows);
	if (isUp) {
		pool.froms.set(rows);
		for (let i = 0; i < rows.length; i++)
			pool.weights[i] = weights[rows[i]];
	}
	pool.used = rows.length;
	addNode(merged, -1, fn, {pool, begin: 0, end: rows.length});
	return merged;
}

/* Arrays with room for so many more rows: many nodes share them. */
const POOL = 1 << 17;

function takePool(merged, nr) {
	let {pool} = merged;

	if (!pool || pool.rows.length - pool.used < nr) {
		const size = Math.max(nr, POOL), isUp = merged.isUp;

		pool = merged.pool = {used: 0, rows: new Int32Array(size),
			froms: new Int32Array(isUp ? size : 0),
			weights: new Float64Array(isUp ? size : 0)};
	}
	return pool;
}

/*
 * A node's rows are a part of a pool: {pool, begin, end}. Its first weight is asked for at once, the
 * others seldom: see selfOf() and samplesOf().
 */
function addNode(merged, parent, fn, at) {
	const node = merged.fn.length;

	merged.fn.push(fn);
	merged.parent.push(parent);
	merged.depth.push(parent < 0 ? 0 : merged.depth[parent] + 1);
	merged.children.push(null);
	merged.at.push(at);
	merged.columns[0].total.push(sumOf(merged, at));
	return node;
}

function sumOf({base, isUp}, {pool, begin, end}) {
	const {rows, weights} = pool, {total} = base.columns[0];
	let sum = 0;

	if (isUp)
		for (let i = begin; i < end; i++)
			sum += weights[i];
	else
		for (let i = begin; i < end; i++)
			sum += total[rows[i]];
	return sum;
}

/* What ends in a row, of a column; going up, the weight of what has no caller. */
function selfOf(tree, row, k = 0) {
	const {self} = tree.columns[k];

	if (tree.isMerged && self[row] === undefined) {
		const {pool: {rows, froms}, begin, end} = tree.at[row], {base} = tree;
		const selfs = base.columns[k].self, weights = base.columns[k][tree.weigh];

		self[row] = 0;
		for (let i = begin; i < end; i++)
			self[row] += !tree.isUp ? selfs[rows[i]] :
				base.parent[rows[i]] > 0 ? 0 : weights[froms[i]];
	}
	return self[row];
}

/* What a column has of a row and all that is in it. */
function totalOf(tree, row, k) {
	const {total} = tree.columns[k];

	if (tree.isMerged && total[row] === undefined) {
		const {pool: {rows, froms}, begin, end} = tree.at[row];
		const weights = tree.base.columns[k][tree.weigh], of = tree.isUp ? froms : rows;

		total[row] = 0;
		for (let i = begin; i < end; i++)
			total[row] += weights[of[i]];
	}
	return total[row];
}

/* How many samples a row has; undefined where they are the weight. */
function samplesOf(tree, row) {
	return tree.columns[1] && totalOf(tree, row, 1);
}

/* Rows on the way from a node to its children. */
let scratch = new Int32Array(1024), scratchNames = new Int32Array(1024);

/* Where each row of a node goes, 0 where it ends: into scratch. */
function stepUp({base}, {pool: {rows}, begin, end}) {
	const {parent} = base;

	if (scratch.length < end - begin)
		scratch = new Int32Array(2 * (end - begin));
	for (let i = begin; i < end; i++)
		scratch[i - begin] = parent[rows[i]];
	return end - begin;
}

function stepDown({base}, {pool: {rows}, begin, end}) {
	const ends = base.end;
	let nr = 0;

	for (let i = begin; i < end; i++)
		for (let row = rows[i] + 1; row < ends[rows[i]]; row = ends[row]) {
			if (nr === scratch.length)
				scratch = widened(scratch);
			scratch[nr++] = row;
		}
	return nr;
}

/* Per function where the rows of its name go, while a node is opened; 0 in between. */
let countOf = new Int32Array(0);

function countRows(base, nr) {
	const {fn} = base, {same} = functions, names = [];

	if (countOf.length < functions.nr)
		countOf = new Int32Array(functions.nr);
	if (scratchNames.length < nr)
		scratchNames = new Int32Array(2 * nr);
	for (let i = 0; i < nr; i++) {
		const name = scratch[i] > 0 ? same[fn[scratch[i]]] : -1;

		scratchNames[i] = name;
		if (name >= 0 && !countOf[name]++)
			names.push(name);
	}
	return names.length > 1 ? names.sort((a, b) => rankOf(a) - rankOf(b)) : names;
}

/* Puts scratch into the pool, rows of one name together; says where each name's rows end. */
function groupRows(merged, nr, names, pool, at) {
	const {isUp} = merged;
	let begin = pool.used;

	for (const name of names) {
		const of = countOf[name];

		countOf[name] = begin;
		begin += of;
	}
	for (let i = 0; i < nr; i++) {
		if (scratchNames[i] < 0)
			continue;

		const to = countOf[scratchNames[i]]++;

		pool.rows[to] = scratch[i];
		if (isUp) {
			pool.froms[to] = at.pool.froms[at.begin + i];
			pool.weights[to] = at.pool.weights[at.begin + i];
		}
	}
	return names.map(name => {
		const end = countOf[name];

		countOf[name] = 0;
		return end;
	});
}

/* The root of all stacks from the leaf: its rows are its children's already. */
function isRootOfLeaves(merged, node) {
	return merged.isUp && node === 0 && merged.weigh === "self";
}

function takeStep(merged, node) {
	const at = merged.at[node];

	if (!isRootOfLeaves(merged, node))
		return merged.isUp ? stepUp(merged, at) : stepDown(merged, at);
	scratch = at.pool.rows.slice(0, at.end);
	return at.end;
}

function openMerged(merged, node) {
	const nr = takeStep(merged, node), names = countRows(merged.base, nr);
	const at = merged.at[node], pool = takePool(merged, nr), first = pool.used;
	const ends = groupRows(merged, nr, names, pool, at);

	pool.used += nr;
	merged.work += nr;
	merged.children[node] = names.map((name, i) => {
		const begin = i ? ends[i - 1] : first;
		const child = addNode(merged, node, merged.base.fn[pool.rows[begin]],
			{pool, begin, end: ends[i]});

		if (name === LEFT_OUT)
			merged.left.set(child, pool.rows.subarray(begin, ends[i]).reduce((sum, row) =>
				sum + (merged.base.left.get(row) || 0), 0));
		return child;
	});
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

function outermostRows(base, same) {
	const rows = [], isIt = new Uint8Array(functions.nr);

	isIt[same] = 1;
	eachOutermost(base, 1, base.nr, isIt, row => rows.push(row));
	return Int32Array.from(rows);
}

/* Of a function, its outermost frame in each stack: so that each sample counts once. */
function callersOf(base, same) {
	return makeMerged(base, true, same, outermostRows(base, same), "total");
}

function calleesOf(base, same) {
	return makeMerged(base, false, same, outermostRows(base, same), "total");
}
