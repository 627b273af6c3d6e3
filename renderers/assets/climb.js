/*
 * climb.js - from rows to their callers, and to theirs: the way up in merged.js
 *
 * Rows to climb from are "leaves" here, by number, in the order of the tree. A node of a merged tree
 * that goes up has some of them, as a part of `order`; what is in it are parts of that part. Names of
 * callers are looked up some levels ahead, leaf by leaf: a caller mostly stands right before the row
 * that it calls, and is in the processor's cache then, which it would no longer be level by level.
 */

const AHEAD = 8;

/* From rows that weigh so much; the first level is of the rows themselves, or of their callers. */
function makeClimb(base, {rows, weights}, isOfRows) {
	const nr = rows.length, Functions = functions.nr < 0xffff ? Uint16Array : Int32Array;
	const climb = {rows, weights, isOfRows, Functions, levels: [],
		none: Functions.of(-1)[0],	/* the function of those without a caller */
		order: new Int32Array(nr), lengths: null,
		nextRows: Int32Array.from(rows), nextRuns: runsOfRows(base.runs, rows)};

	for (let leaf = 0; leaf < nr; leaf++)
		climb.order[leaf] = leaf;
	if (!isOfRows)
		lookUp(base, climb, [], 0, nr);
	return climb;
}

/* Fills levels for a part of the order, and leaves it at the row behind the last of them. */
function lookUp({runs: {starts, parents, above}, fn}, climb, levels, begin, end) {
	const {order, nextRows, nextRuns, none} = climb, nr = levels.length || 1;

	for (let i = begin; i < end; i++) {
		const leaf = order[i];
		let row = nextRows[leaf], run = nextRuns[leaf];

		for (let k = 0; k < nr; k++) {
			if (levels.length)
				levels[k][leaf] = row > 0 ? fn[row] : none;
			if (row <= 0)
				continue;
			if (row > starts[run]) {
				row--;
			} else {
				row = parents[run];
				run = above[run];
			}
		}
		nextRows[leaf] = row;
		nextRuns[leaf] = run;
	}
}

/* Functions of all leaves on a level; those of a part of the order are there. */
function levelOf(base, climb, level, begin, end) {
	const {levels, Functions} = climb;

	for (let i = levels.length; i < level + AHEAD && level % AHEAD === 0; i++)
		levels.push(new Functions(climb.rows.length));
	if (level % AHEAD === 0)
		lookUp(base, climb, levels.slice(level, level + AHEAD), begin, end);
	return levels[level];
}

/*
 * Counts the names on the level of a node's children. Loops over many rows are the last thing that
 * a function does: the first time it runs, what stands behind the loop was never reached when it is
 * compiled, so that each end of the loop throws away what was compiled.
 */
function countCallers(merged, node) {
	const {climb} = merged, end = merged.end[node];
	const level = levelOf(merged.base, climb, merged.depth[node], merged.begin[node], end);
	const begin = countRepeated(merged, node);

	way.nr = end - begin;
	countLevel(climb, level, way, begin, end);
}

function countLevel({order, weights, none}, level, {rows, names, counts, sums, found}, begin, end) {
	const {same} = functions;

	for (let i = begin; i < end; i++) {
		const leaf = order[i], fn = level[leaf], name = fn === none ? -1 : same[fn];

		rows[i - begin] = leaf;
		names[i - begin] = name;
		if (name < 0)
			continue;
		if (!counts[name])
			found[way.foundNr++] = name;
		counts[name]++;
		sums[name] += weights[leaf];
	}
}

/* Puts a node's leaves together by name; counts[name] is where the next one goes. */
function groupCallers({order}, rest) {
	const {nr, rows, names, counts} = way;

	for (let i = 0; i < nr; i++)
		order[names[i] < 0 ? rest++ : counts[names[i]]++] = rows[i];
}

/* ---- functions that call themselves, see repeats.js: as far as names were looked up */

function findRepeats({climb, depth, begin: begins, end: ends, fn}, node) {
	const level = depth[node], next = level - level % AHEAD + AHEAD;
	const levels = climb.levels.slice(level, next);
	const repeats = makeRepeats(level, levels.length), begin = begins[node], end = ends[node];

	climb.lengths = climb.lengths || new Uint8Array(climb.order.length);
	way.rows.set(climb.order.subarray(begin, end));
	measureRepeats(climb, fn[node], levels, repeats, begin, end);
	sumRepeats(repeats.sums);
	if (endRepeats(repeats, begin))
		orderByRepeats(climb, way.rows, repeatPlaces(repeats, begin), end - begin);
	return repeats;
}

function measureRepeats({order, weights, lengths}, fn, levels, {ends, sums}, begin, end) {
	for (let i = begin, nr = levels.length; i < end; i++) {
		const leaf = order[i];
		let times = 0;

		while (times < nr && levels[times][leaf] === fn)
			times++;
		lengths[leaf] = times;
		ends[times]++;
		sums[times] += weights[leaf];
	}
}

function orderByRepeats({order, lengths}, leaves, places, nr) {
	for (let i = 0; i < nr; i++)
		order[places[lengths[leaves[i]]]++] = leaves[i];
}

/* What leaves of a node weigh from one of them on: as the node does, or in samples. */
function weighLeaves({base, climb: {rows, weights, order}, weigh, end}, node, k, from) {
	const others = k && base.columns[k][weigh];
	let sum = 0;

	for (let i = from; i < end[node]; i++)
		sum += k ? others[rows[order[i]]] : weights[order[i]];
	return sum;
}
