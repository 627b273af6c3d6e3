/*
 * climb.js - from rows to their callers, and to theirs: the way up in merged.js
 *
 * Rows to climb from are "leaves" here, by number, in the order of the tree. A node of a merged tree
 * that goes up has some of them, as a part of `order`; what is in it are parts of that part. Callers
 * that weigh too little to be drawn are no nodes: their leaves stay together at the end, with those
 * that have no caller, from `rest` on. They become nodes when somebody asks for all children.
 *
 * Functions of callers are looked up some levels ahead, leaf by leaf: a caller mostly stands right
 * before the row that it calls, and is in the processor's cache then.
 */

const AHEAD = 8;

/* From rows that weigh so much; the first level is of the rows themselves, or of their callers. */
function makeClimb(base, {rows, weights}, isOfRows) {
	const nr = rows.length, Functions = functions.nr < 0xffff ? Uint16Array : Int32Array;
	const climb = {rows, weights, Functions, levels: [],
		none: Functions.of(-1)[0],	/* the function of those without a caller */
		order: new Int32Array(nr), lengths: null,
		nextRows: Int32Array.from(rows), nextRuns: runsOfRows(base.runs, rows)};

	for (let leaf = 0; leaf < nr; leaf++)
		climb.order[leaf] = leaf;
	if (!isOfRows)
		lookUp(base, climb, [new Functions(nr)]);
	return climb;
}

/* Fills the next levels, and leaves each leaf at the row behind the last of them. */
function lookUp({runs: {starts, parents, above}, fn}, {nextRows, nextRuns}, levels) {
	for (let leaf = 0; leaf < nextRows.length; leaf++) {
		let row = nextRows[leaf], run = nextRuns[leaf];

		for (let k = 0; k < levels.length && row > 0; k++) {
			levels[k][leaf] = fn[row];
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

/* Functions of all leaves on a level. */
function levelOf(base, climb, level) {
	const {levels, Functions, none} = climb;

	while (level >= levels.length) {
		const next = [];

		for (let i = 0; i < AHEAD; i++)
			next.push(new Functions(climb.rows.length).fill(none));
		lookUp(base, climb, next);
		levels.push(...next);
	}
	return levels[level];
}

/*
 * Opens nodes of one level as far as their callers weigh so much at least, 0 for all of them. Those
 * that are open already are opened further.
 */
function openCallers(merged, nodes, least) {
	const {climb, depth, begin, end, rest, children} = merged;
	const level = levelOf(merged.base, climb, depth[nodes[0]]);
	const oldNrs = nodes.map(node => children[node] ? children[node].length : 0);
	let nr = 0;

	for (const node of nodes) {
		makeWayRoom(end[node] - begin[node]);
		if (!children[node])
			rest[node] = openRepeated(merged, node, least);
		nr += end[node] - rest[node];
		merged.thinNr[node] = merged.thinSum[node] = 0;
		merged.least[node] = least;
	}

	const some = nodes.filter(node => rest[node] < end[node]);

	makeWayRoom(nr);
	makeGroupsRoom(nr + nodes.length);
	findGroups(climb, level, rest, end, some, nr);
	placeGroups(merged, some, least);
	moveLeaves(climb, nr);
	nodes.forEach((node, n) => nameChildren(merged, node, level, oldNrs[n]));
	merged.work += nr;
}

/* Makes a node of those that repeat; answers where the others begin. */
function openRepeated(merged, node, least) {
	const {begin, children, depth, fn} = merged, repeats = repeatsOf(merged, node);
	const times = repeats && depth[node] - repeats.depth + 1;

	children[node] = [];
	if (!repeats || repeats.ends[times] === begin[node] || repeats.sums[times] < least)
		return begin[node];
	children[node].push(addNode(merged, node, fn[node], repeats.sums[times], null, begin[node],
		repeats.ends[times]));
	merged.repeats.set(children[node][0], repeats);
	return repeats.ends[times];
}

/*
 * A group is the leaves of a node whose callers have one name. All nodes of a level are grouped in a
 * few long loops: when they run for the first time, what goes on for long is compiled first.
 */
const groups = {
	nr: 0, name: null, count: null, sum: null,
	node: null,	/* by its place among the nodes */
	at: null,	/* where its next leaf goes in the order */
	target: null,	/* the group its leaves go to: the node's first where it weighs too little */
	ofName: null,	/* by name the last group of it */
};

function makeGroupsRoom(nr) {
	if (!groups.name || groups.name.length < nr) {
		for (const what of ["name", "count", "node", "at", "target"])
			groups[what] = new Int32Array(nr);
		groups.sum = new Float64Array(nr);
	}
	if (!groups.ofName || groups.ofName.length <= functions.nr)
		groups.ofName = new Int32Array(functions.nr + 1);
	groups.ofName.fill(-1);
	groups.nr = 0;
}

/*
 * The first group of a node is of leaves without a caller, of which there may be none. What begins a
 * node stands within the loop over leaves, so that it has run before the loop is compiled: it would
 * be compiled anew otherwise.
 */
function findGroups({order, weights, none}, level, begins, ends, nodes, nr) {
	const {rows, names: groupOf} = way, {name: names, count, sum, node: nodeOf, ofName} = groups;
	const {same, nr: nowhere} = functions;

	for (let to = 0, n = -1, first = 0, i = 0, end = 0; to < nr; to++, i++) {
		if (i === end) {
			n++;
			i = begins[nodes[n]];
			end = ends[nodes[n]];
			first = groups.nr;
			ofName[nowhere] = addGroup(nowhere, n);
		}

		const leaf = order[i], fn = level[leaf], name = fn === none ? nowhere : same[fn];
		let group = ofName[name];

		if (group < first)
			group = ofName[name] = addGroup(name, n);
		rows[to] = leaf;
		groupOf[to] = group;
		count[group]++;
		sum[group] += weights[leaf];
	}
}

function addGroup(name, node) {
	const {nr} = groups;

	groups.name[nr] = name;
	groups.node[nr] = node;
	groups.count[nr] = groups.sum[nr] = 0;
	return groups.nr++;
}

/* Makes nodes of groups that weigh enough; behind them there is room for the leaves of the others. */
function placeGroups(merged, nodes, least) {
	const {name, count, sum, node: nodeOf, at, target} = groups, {children, rest} = merged;
	const {thinNr, thinSum} = merged;
	let first = 0;

	for (let group = 0; group < groups.nr; group++) {
		const node = nodes[nodeOf[group]], from = rest[node];

		target[group] = group;
		if (name[group] === functions.nr) {
			first = group;
		} else if (sum[group] >= least || name[group] === LEFT_OUT) {
			rest[node] += count[group];
			children[node].push(addNode(merged, node, name[group], sum[group], null, from,
				rest[node]));
			at[group] = from;
		} else {
			target[group] = first;
			thinNr[node]++;
			thinSum[node] += sum[group];
		}
		at[first] = rest[node];
	}
}

function moveLeaves({order}, nr) {
	const {rows, names: groupOf} = way, {at, target} = groups;

	for (let i = 0; i < nr; i++)
		order[at[target[groupOf[i]]]++] = rows[i];
}

/* Functions of one name may differ: that of the first leaf. Children are in the order of names. */
function nameChildren({climb: {order, rows}, base, begin, end, children, fn, left}, node, level,
	oldNr) {
	for (const child of children[node].slice(oldNr)) {
		fn[child] = level[order[begin[child]]];
		/* it calls nothing: here it is a leaf itself */
		if (fn[child] === LEFT_OUT)
			left.set(child, order.subarray(begin[child], end[child]).reduce((nr, leaf) =>
				nr + (base.left.get(rows[leaf]) || 0), 0));
	}
	sortByName(children[node], fn);
}

/* In place; what is left out of the file comes last, whatever it is called. */
function sortByName(nodes, fn) {
	const {name} = functions;
	const isBefore = (a, b) => fn[a] !== LEFT_OUT &&
		(fn[b] === LEFT_OUT || name[fn[a]] < name[fn[b]]);

	if (nodes.length > FEW) {
		nodes.sort((a, b) => isBefore(a, b) ? -1 : 1);
		return;
	}
	for (let i = 1; i < nodes.length; i++) {
		const node = nodes[i];
		let at = i;

		for (; at && isBefore(node, nodes[at - 1]); at--)
			nodes[at] = nodes[at - 1];
		nodes[at] = node;
	}
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
