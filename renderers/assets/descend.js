/*
 * descend.js - from rows to what they call: the way down in merged.js
 *
 * Rows of nodes and what each weighs lie in pools that many nodes share. Where a function calls
 * itself a node's rows are those of its parent or before, each `shift` rows further on; what those
 * weigh is not known then.
 */

const POOL = 1 << 16;

function takePool(merged, nr) {
	const {last} = merged, room = Math.max(nr, POOL);

	if (last && last.rows.length - last.used >= nr)
		return last;
	merged.last = {used: 0, shift: 0, rows: new Int32Array(room), weights: new Weights(room)};
	return merged.last;
}

/* The root's pool, with all of its rows. */
function poolOf(merged, {rows, weights}) {
	const pool = takePool(merged, rows.length);

	pool.rows.set(rows);
	pool.weights.set(weights);
	pool.used = rows.length;
	return pool;
}

/* The same rows, each of them one further on. */
function nextPool({rows, weights, shift}) {
	return {rows, weights, shift: shift + 1};
}

/* What rows of a node have together of what is said of rows. */
function sumBelow({pool, begin, end}, node, numbers) {
	const {rows, shift} = pool[node];
	let sum = 0;

	for (let i = begin[node]; i < end[node]; i++)
		sum += numbers[rows[i] + shift];
	return sum;
}

/*
 * Bits of rows that have one child and nothing that ends in them: what is to be known of the child
 * is its function.
 */
function singlesOf(tree) {
	return tree.runs.areBare ? singlesOfPieces(tree) : singlesOfRows(tree);
}

function singlesOfRows(tree) {
	const {nr, end} = tree, isEnd = markEnds(tree), bits = new Uint8Array((nr >> 3) + 1);

	for (let row = 0; row + 1 < nr; row++)
		if (end[row + 1] === end[row] && !isEnd[row])
			bits[row >> 3] |= 1 << (row & 7);
	return bits;
}

/* All but the last row of a piece, and those that other pieces stand upon. */
function singlesOfPieces({nr, runs: {starts, parents}}) {
	const bits = new Uint8Array((nr >> 3) + 1).fill(0xff);
	const clear = row => { bits[row >> 3] &= ~(1 << (row & 7)); };

	for (let piece = 1; piece < starts.length; piece++) {
		clear(starts[piece] - 1);
		clear(parents[piece]);
	}
	clear(nr - 1);
	return bits;
}

/*
 * Counts what a node's rows call. What repeats is counted at once, if no other row of the node
 * leads to the same function.
 */
function countCallees(merged, node) {
	const begin = merged.begin[node], end = merged.end[node];
	const from = countRepeated(merged, node), repeatedNr = from - begin;

	stepDown(merged, node, from, end);
	if (way.repeated < 0 || way.counts[way.repeated] === repeatedNr)
		return;
	merged.mixed.add(way.repeated);
	for (let i = 0; i < way.foundNr; i++)
		way.counts[way.found[i]] = way.sums[way.found[i]] = 0;
	makeNamesRoom();
	stepDown(merged, node, begin, end);
}

/* Counts rows that lead to the node's own function; answers where the others begin. */
function countRepeated(merged, node) {
	const {depth, begin, fn} = merged, repeats = repeatsOf(merged, node);
	const times = repeats && depth[node] - repeats.depth + 1;

	way.repeated = -1;
	if (!repeats || repeats.ends[times] === begin[node])
		return begin[node];
	way.repeats = repeats;
	way.repeated = way.found[way.foundNr++] = fn[node];
	way.counts[fn[node]] = repeats.ends[times] - begin[node];
	way.sums[fn[node]] = repeats.sums[times];
	return repeats.ends[times];
}

/*
 * A loop over many rows is the last thing that a function does: the first time it runs, what stands
 * behind the loop was never reached when it is compiled, so that each end of the loop throws away
 * what was compiled.
 */
function stepDown({base, pool: pools}, node, begin, end) {
	const {end: ends, fn, columns: [{total}], singles} = base;
	const {rows: from, weights, shift} = pools[node], {same} = functions, isKnown = !shift;

	way.nr = 0;
	for (let i = begin; i < end; i++) {
		const above = from[i] + shift, isSingle = singles[above >> 3] >> (above & 7) & 1;
		const last = isSingle ? above + 2 : ends[above];

		for (let row = above + 1; row < last; row = isSingle ? last : ends[row])
			addToWay(row, same[fn[row]], isSingle && isKnown ? weights[i] : total[row]);
	}
}

function addToWay(row, name, weight) {
	const nr = way.nr++;

	if (nr === way.rows.length)
		makeWayRoom(nr + 1);
	way.rows[nr] = row;
	way.names[nr] = name;
	way.weights[nr] = weight;
	countName(name, weight);
}

/* Puts them into a pool, those of one name together; counts[name] is where its next one goes. */
function groupNames(pool) {
	const {nr, rows, weights, names, counts} = way;

	for (let i = 0; i < nr; i++) {
		const to = counts[names[i]]++;

		pool.rows[to] = rows[i];
		pool.weights[to] = weights[i];
	}
}

/* The same where all have one name. */
function copyWay(pool, begin) {
	pool.rows.set(way.rows.subarray(0, way.nr), begin);
	pool.weights.set(way.weights.subarray(0, way.nr), begin);
}

/* Those that were found, in their order. */
function sortNames({found, foundNr: nr}) {
	const ranks = nr > 1 ? ranksOfNames() : null;

	if (nr > FEW)
		return found.slice(0, nr).map(name => ranks[name]).sort()
			.map(rank => nameOfRank[rank]);
	for (let i = 1; i < nr; i++) {
		const name = found[i];
		let at = i;

		for (; at && ranks[found[at - 1]] > ranks[name]; at--)
			found[at] = found[at - 1];
		found[at] = name;
	}
	return found.subarray(0, nr);
}

/*
 * Makes nodes of the names that were counted, in a row; their rows will lie so, too, but those that
 * repeat, which stay where they are.
 */
function addChildNodes(merged, node, found, pool) {
	const {counts, sums, repeated} = way, children = merged.children[node] = [];
	let next = pool.used;

	for (let i = 0; i < found.length; i++) {
		const name = found[i], isAgain = name === repeated;
		const from = isAgain ? merged.begin[node] : next, end = from + counts[name];
		const of = isAgain ? nextPool(merged.pool[node]) : pool;

		children.push(addNode(merged, node, 0, sums[name], of, from, end));
		if (isAgain)
			merged.repeats.set(children[i], way.repeats);
		else
			next = end;
		counts[name] = from;
		sums[name] = 0;
	}
}

function openCallees(merged, node) {
	makeWayRoom(merged.end[node] - merged.begin[node]);
	makeNamesRoom();
	countCallees(merged, node);

	const found = sortNames(way), pool = takePool(merged, way.nr);
	const isOne = found.length === 1 && way.counts[found[0]] >= way.nr;

	addChildNodes(merged, node, found, pool);
	if (isOne)
		copyWay(pool, pool.used);
	else
		groupNames(pool);
	for (let i = 0; i < found.length; i++) {
		way.counts[found[i]] = 0;
		setFunction(merged, merged.children[node][i]);
	}
	pool.used += way.nr;
	merged.work += way.nr;
}

/* Functions of one name may differ: that of the first row. */
function setFunction({base, fn, begin, left, pool, end}, node) {
	const {rows, shift} = pool[node];

	fn[node] = base.fn[rows[begin[node]] + shift];
	if (fn[node] === LEFT_OUT)
		left.set(node, rows.subarray(begin[node], end[node]).reduce((nr, row) => nr +
			(base.left.get(row + shift) || 0), 0));
}

/*
 * Opens nodes below one, too, as far as some levels and while they weigh enough to be drawn: rows
 * that are few lie in the processor's cache, and are soon gone from it when others come between.
 */
const FEW_ROWS = 4096;

function openAhead(merged, node, least, levels) {
	if (merged.children[node] || merged.end[node] - merged.begin[node] > FEW_ROWS)
		return;

	const {depth, columns: [{total}]} = merged;
	const open = [node];

	while (open.length) {
		const at = open.pop();

		for (const child of childrenOfMerged(merged, at))
			if (total[child] >= least && depth[child] < levels)
				open.push(child);
	}
}

/* ---- functions that call themselves, see repeats.js */

const FURTHER = 32;

/* A row repeats as long as it has one child alone, which is of its own function. */
function findRepeatsBelow({base, pool, depth, begin: begins, end: ends, fn}, node) {
	const begin = begins[node], end = ends[node], {rows, weights, shift} = pool[node];
	const repeats = makeRepeats(depth[node], FURTHER);

	way.rows.set(rows.subarray(begin, end));
	way.weights.set(weights.subarray(begin, end));
	measureRepeatsBelow(base, fn[node], shift, repeats, end - begin);
	if (endRepeats(repeats, begin))
		orderRepeatsBelow(pool[node], repeatPlaces(repeats, begin), end - begin);
	return repeats;
}

function measureRepeatsBelow({fn: fns, end, columns: [{total}]}, fn, shift, {ends, sums}, nr) {
	const {rows, names: lengths} = way;

	for (let i = 0; i < nr; i++) {
		let row = rows[i] + shift, times = 0;
		const last = end[row], most = Math.min(last - row - 1, FURTHER);

		while (times < most && end[row + 1] === last && fns[row + 1] === fn)
			sums[++times] += total[++row];
		lengths[i] = times;
		ends[times]++;
	}
}

function orderRepeatsBelow(pool, places, nr) {
	const {rows, weights, names: lengths} = way;

	for (let i = 0; i < nr; i++) {
		const to = places[lengths[i]]++;

		pool.rows[to] = rows[i];
		pool.weights[to] = weights[i];
	}
}
