/*
 * merged.js - trees of a tree: who calls a function, and what it calls, over all places
 *
 * Such a tree is opened only where it is shown, since it can be far larger than the one it is
 * made of. A node holds the rows it is of: going up, each with the row whose weight it carries.
 * It is read like a tree: fn, parent, depth, columns; its children come from childrenOfMerged().
 */

function makeMerged(base, isUp, fn, rows, weigh) {
	const merged = {
		base, isUp, weigh, isMerged: true, work: 0, left: new Map(),
		fn: [fn], parent: [-1], depth: [0], children: [null],
		at: [Int32Array.from(rows)], from: [null],
		columns: base.columns.map(() => ({self: [0], total: [0]})),
	};

	if (isUp)
		merged.from[0] = merged.at[0];
	weighNode(merged, 0);
	return merged;
}

/* What ends in a node: its rows' own weight; going up, that of rows without a caller. */
function weighNode(merged, node) {
	const {base, isUp, weigh} = merged;
	const at = merged.at[node], rows = isUp ? merged.from[node] : at;

	base.columns.forEach((column, k) => {
		const weights = column[weigh];
		let total = 0, self = 0;

		for (let i = 0; i < rows.length; i++) {
			total += weights[rows[i]];
			if (!isUp)
				self += column.self[rows[i]];
			else if (base.parent[at[i]] <= 0)
				self += weights[rows[i]];
		}
		merged.columns[k].total[node] = total;
		merged.columns[k].self[node] = self;
	});
}

/* Where each row of a node goes, and whose weight it takes with it. */
function stepUp(merged, node) {
	const {parent} = merged.base;
	const at = merged.at[node], from = merged.from[node];
	const ups = new Int32Array(at.length), froms = new Int32Array(at.length);
	let nr = 0;

	for (let i = 0; i < at.length; i++) {
		const up = parent[at[i]];

		if (up > 0) {
			ups[nr] = up;
			froms[nr++] = from[i];
		}
	}
	return {rows: ups.subarray(0, nr), froms: froms.subarray(0, nr)};
}

function stepDown(merged, node) {
	const {base} = merged, rows = [];

	for (const row of merged.at[node])
		for (let at = row + 1, end = base.end[row]; at < end; at = base.end[at])
			rows.push(at);
	return {rows: Int32Array.from(rows), froms: null};
}

/* Puts rows of one name together: [name, rows, froms] in the order of the names. */
function groupRows(base, {rows, froms}) {
	const counts = new Map();

	for (let i = 0; i < rows.length; i++) {
		const same = functions.same[base.fn[rows[i]]];

		counts.set(same, (counts.get(same) || 0) + 1);
	}

	const groups = Array.from(counts, ([same, nr]) => ({same, nr: 0,
		rows: new Int32Array(nr), froms: froms ? new Int32Array(nr) : null}));
	const groupOf = new Map(groups.map(group => [group.same, group]));

	for (let i = 0; i < rows.length; i++) {
		const group = groupOf.get(functions.same[base.fn[rows[i]]]);

		group.rows[group.nr] = rows[i];
		if (froms)
			group.froms[group.nr] = froms[i];
		group.nr++;
	}
	return groups.sort((a, b) => rankOf(a.same) - rankOf(b.same));
}

function openMerged(merged, node) {
	const step = merged.isUp && node === 0 && merged.weigh === "self" ?
		{rows: merged.at[0], froms: merged.from[0]} :
		merged.isUp ? stepUp(merged, node) : stepDown(merged, node);

	merged.work += step.rows.length;
	merged.children[node] = groupRows(merged.base, step).map(group => {
		const child = merged.fn.length;

		merged.fn.push(merged.base.fn[group.rows[0]]);
		merged.parent.push(node);
		merged.depth.push(merged.depth[node] + 1);
		merged.children.push(null);
		merged.at.push(group.rows);
		merged.from.push(group.froms);
		weighNode(merged, child);
		if (group.same === LEFT_OUT)
			merged.left.set(child, group.rows.reduce((sum, row) =>
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
	const {self} = base.columns[0], rows = [];

	for (let i = 1; i < base.nr; i++)
		if (self[i] > 0)
			rows.push(i);

	const merged = makeMerged(base, true, base.fn[0], rows, "self");

	base.columns.forEach(({self, total}, k) => {
		merged.columns[k].total[0] = total[0];
		merged.columns[k].self[0] = self[0];
	});
	return merged;
}

function outermostRows(base, same) {
	const rows = [], isIt = new Uint8Array(functions.nr);

	isIt[same] = 1;
	eachOutermost(base, 1, base.nr, isIt, row => rows.push(row));
	return rows;
}

/* Of a function, its outermost frame in each stack: so that each sample counts once. */
function callersOf(base, same) {
	return makeMerged(base, true, same, outermostRows(base, same), "total");
}

function calleesOf(base, same) {
	return makeMerged(base, false, same, outermostRows(base, same), "total");
}
