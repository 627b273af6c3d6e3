/*
 * transforms.js - a tree made simpler: parts of it dropped, hidden, or put together
 *
 * Each row of a tree has a target in the tree that is made: -1 where its samples are dropped,
 * else the row that stands for it; its self weight goes there. Targets of one parent and one name
 * are one row. A transform is a function that says a row's target when its parent's is known.
 */

/* A tree under construction: rows by (parent, name), which an open table of numbers finds. */
function makeBuilder(columnsNr) {
	const builder = {
		fn: [LEFT_OUT], parent: [-1], depth: [0], left: new Map(), lacking: new Map(),
		self: [], mask: (1 << 16) - 1, slots: new Int32Array(1 << 16),
	};

	for (let i = 0; i < columnsNr; i++)
		builder.self.push([0]);
	return builder;
}

function slotOf(builder, parent, same) {
	const {slots, mask, fn} = builder;
	let at = (Math.imul(parent, 0x9e3779b1) ^ Math.imul(same, 0x85ebca6b)) >>> 7 & mask;

	for (;; at = at + 1 & mask) {
		const row = slots[at];

		if (!row || (builder.parent[row] === parent && functions.same[fn[row]] === same))
			return at;
	}
}

function growBuilder(builder) {
	builder.mask = builder.mask * 2 + 1;
	builder.slots = new Int32Array(builder.mask + 1);
	for (let row = 1; row < builder.fn.length; row++)
		builder.slots[slotOf(builder, builder.parent[row],
			functions.same[builder.fn[row]])] = row;
}

/* The row of that function under parent, a new one where there is none. */
function childRow(builder, parent, fn) {
	const at = slotOf(builder, parent, functions.same[fn]);
	const found = builder.slots[at], row = builder.fn.length;

	if (found)
		return found;
	builder.slots[at] = row;
	builder.fn.push(fn);
	builder.parent.push(parent);
	builder.depth.push(builder.depth[parent] + 1);
	for (const column of builder.self)
		column.push(0);
	if (row * 2 > builder.mask)
		growBuilder(builder);
	return row;
}

/* Names in order, as numbers: siblings of a tree that was made stand in the order of their names. */
let ranks = null;

function rankOf(fn) {
	if (!ranks || ranks.length !== functions.nr) {
		const order = functions.name.map((name, i) => i);

		order.sort((a, b) => functions.name[a] < functions.name[b] ? -1 :
			functions.name[a] > functions.name[b] ? 1 : a - b);
		ranks = new Int32Array(functions.nr);
		order.forEach((i, rank) => { ranks[i] = rank; });
	}
	return ranks[functions.same[fn]];
}

/* Children of each row, in the order of their names: lists in one array. */
function listChildren(builder) {
	const nr = builder.fn.length, begin = new Int32Array(nr + 1);
	const lists = new Int32Array(nr), at = new Int32Array(nr);

	for (let i = 1; i < nr; i++)
		begin[builder.parent[i] + 1]++;
	for (let i = 0; i < nr; i++)
		begin[i + 1] += begin[i];
	for (let i = 1; i < nr; i++) {
		const parent = builder.parent[i];

		lists[begin[parent] + at[parent]++] = i;
	}
	for (let i = 0; i < nr; i++)
		if (at[i] > 1)
			lists.subarray(begin[i], begin[i + 1]).sort((a, b) =>
				rankOf(builder.fn[a]) - rankOf(builder.fn[b]));
	return {begin, lists};
}

/* Rows in the order of a tree. */
function buildTree(builder) {
	const {begin, lists} = listChildren(builder);
	const tree = makeTree(builder.fn.length, builder.self.length);
	const stack = [0], place = new Int32Array(tree.nr);

	for (let row = 0; stack.length; row++) {
		const from = stack.pop(), depth = builder.depth[from];

		place[from] = row;
		tree.fn[row] = builder.fn[from];
		tree.depth[row] = depth;
		tree.parent[row] = row ? place[builder.parent[from]] : -1;
		tree.deepest = Math.max(tree.deepest, depth);
		builder.self.forEach((column, i) => { tree.columns[i].self[row] = column[from]; });
		for (const what of ["left", "lacking"])
			if (builder[what].has(from))
				tree[what].set(row, builder[what].get(from));
		for (let i = begin[from + 1] - 1; i >= begin[from]; i--)
			stack.push(lists[i]);
	}
	return finishTree(tree);
}

/* Makes a tree of targets; targetOf(row, builder, targets) says a row's, see above. */
function mapTree(tree, targetOf) {
	const builder = makeBuilder(tree.columns.length);
	const targets = new Int32Array(tree.nr);

	builder.fn[0] = tree.fn[0];
	for (let i = 1; i < tree.nr; i++) {
		const target = targetOf(i, builder, targets);

		targets[i] = target;
		if (target < 0)
			continue;
		tree.columns.forEach(({self}, k) => { builder.self[k][target] += self[i]; });
		for (const what of ["left", "lacking"])
			if (tree[what].has(i))
				builder[what].set(target,
					(builder[what].get(target) || 0) + tree[what].get(i));
	}
	tree.columns.forEach(({self}, k) => { builder.self[k][0] += self[0]; });
	return buildTree(builder);
}

function keep(tree, row, builder, targets) {
	const up = targets[tree.parent[row]];

	return up < 0 ? -1 : childRow(builder, up, tree.fn[row]);
}

/* ---- the transforms */

/* Stacks begin at the outermost frame of the function; those without one are dropped. */
function focusFunction(tree, same) {
	const inside = new Uint8Array(tree.nr);
	const focused = mapTree(tree, (row, builder, targets) => {
		const up = tree.parent[row];

		inside[row] = inside[up] || functions.same[tree.fn[row]] === same ? 1 : 0;
		if (!inside[row])
			return -1;
		return childRow(builder, inside[up] ? targets[up] : 0, tree.fn[row]);
	});

	return withoutSelf(tree, focused);
}

/* The root's own samples have no frame: where frames are asked for they are dropped, too. */
function withoutSelf(tree, made) {
	made.columns.forEach(({self, total}, k) => {
		total[0] -= tree.columns[k].self[0];
		self[0] -= tree.columns[k].self[0];
	});
	return made;
}

/* What is in one row of the tree, and the way to it. */
function focusRow(tree, id) {
	const kept = rowOfHash(tree, id);

	if (kept <= 0)
		return tree;

	const end = tree.end[kept];
	const focused = mapTree(tree, (row, builder, targets) => {
		if (row < kept || row >= end)
			return -1;
		return row === kept ? childRow(builder, 0, tree.fn[row]) :
			keep(tree, row, builder, targets);
	});

	return withoutSelf(tree, focused);
}

function dropFunction(tree, same) {
	return mapTree(tree, (row, builder, targets) =>
		functions.same[tree.fn[row]] === same ? -1 : keep(tree, row, builder, targets));
}

function hideWhere(tree, isHidden) {
	return mapTree(tree, (row, builder, targets) =>
		isHidden[tree.fn[row]] ? targets[tree.parent[row]] : keep(tree, row, builder, targets));
}

function hideFunction(tree, same) {
	return hideWhere(tree, functions.same.map(other => other === same ? 1 : 0));
}

function hideModule(tree, module) {
	return hideWhere(tree, functions.source.map(source => source.module === module ? 1 : 0));
}

/* Names that occur twice on the way to some row. */
function findRecursive(tree) {
	const endOf = new Int32Array(functions.nr), isRecursive = new Uint8Array(functions.nr);
	let isAny = false;

	for (let i = 1; i < tree.nr; i++) {
		const same = functions.same[tree.fn[i]];

		if (i < endOf[same])
			isAny = isRecursive[same] = true;
		else
			endOf[same] = tree.end[i];
	}
	return isAny ? isRecursive : null;
}

/* From a function's outermost frame to its innermost: one frame. Roots that are no code stay. */
function collapseRecursion(tree) {
	const isRecursive = findRecursive(tree);

	if (!isRecursive)
		return tree;
	return mapTree(tree, (row, builder, targets) => {
		const same = functions.same[tree.fn[row]], up = targets[tree.parent[row]];

		if (isRecursive[same] && functions.look[tree.fn[row]][0] !== "r")
			for (let at = up; at > 0; at = builder.parent[at])
				if (functions.same[builder.fn[at]] === same)
					return at;
		return up < 0 ? -1 : childRow(builder, up, tree.fn[row]);
	});
}

/* ---- modules: a function stands for each */

const moduleFunctions = new Map();

function moduleFunction(fn) {
	const source = sourceOf(fn), module = source.module;
	const key = module || functions.look[fn][0];

	if (fn === LEFT_OUT || functions.look[fn][0] === "r")
		return fn;
	if (!moduleFunctions.has(key))
		moduleFunctions.set(key, addFunction(module || "[no module]",
			functions.look[fn][0] + "1",
			{origin: source.origin, module, status: ""}, ""));
	return moduleFunctions.get(key);
}

/* Frames of such a module that call each other are one frame; of all modules where it is null. */
function collapseModule(tree, module) {
	const stand = [];

	for (let fn = 0, nr = functions.nr; fn < nr; fn++)
		stand.push(module === null || functions.source[fn].module === module ?
			moduleFunction(fn) : fn);
	return mapTree(tree, (row, builder, targets) => {
		const fn = stand[tree.fn[row]], up = targets[tree.parent[row]];

		if (up < 0)
			return -1;
		if (fn !== tree.fn[row] && up > 0 && builder.fn[up] === fn)
			return up;
		return childRow(builder, up, fn);
	});
}

/* ---- chains: frames that only call each other */

const chainFunctions = new Map();

function chainFunction(first, last, nr) {
	const name = functions.name[first] + " \u2026 " + functions.name[last] +
		" (" + nr + " frames)";

	if (!chainFunctions.has(name)) {
		const a = sourceOf(first), b = sourceOf(last);
		const isSame = a.origin === b.origin;

		chainFunctions.set(name, addFunction(name,
			isSame ? functions.look[first] : "u0",
			{origin: isSame ? a.origin : "", status: a.status || b.status,
				module: a.module === b.module ? a.module : ""}, ""));
	}
	return chainFunctions.get(name);
}

function isChained(tree, row) {
	const child = row + 1;

	return child < tree.end[row] && tree.end[child] === tree.end[row] &&
		tree.columns[0].self[row] === 0 && tree.fn[child] !== LEFT_OUT &&
		functions.look[tree.fn[row]][0] !== "r";
}

/* A frame with one child and no weight of its own is joined to it. */
function collapseChains(tree) {
	const last = new Int32Array(tree.nr);

	for (let i = tree.nr - 1; i > 0; i--)
		last[i] = isChained(tree, i) ? last[i + 1] : i;
	return mapTree(tree, (row, builder, targets) => {
		const up = tree.parent[row], nr = last[row] - row + 1;

		if (up > 0 && last[up] >= row && last[row] === last[up])
			return targets[up];
		return childRow(builder, targets[up], nr > 1 ?
			chainFunction(tree.fn[row], tree.fn[last[row]], nr) : tree.fn[row]);
	});
}

/* ---- as links and buttons know them: a word, and what it is of */

function ofFunction(transform) {
	return (tree, name) => firstOfName.has(name) ?
		transform(tree, firstOfName.get(name)) : tree;
}

const transforms = {
	focus: {say: name => "only " + name, apply: ofFunction(focusFunction)},
	subtree: {say: (id, name) => "only this " + name, apply: focusRow},
	ignore: {say: name => "without " + name, apply: ofFunction(dropFunction)},
	hide: {say: name => "hidden: " + name, apply: ofFunction(hideFunction)},
	"hide-module": {say: module => "hidden: all of " + module, apply: hideModule},
	recursion: {say: () => "recursion collapsed", apply: collapseRecursion},
	chains: {say: () => "chains collapsed", apply: collapseChains},
	module: {say: module => "collapsed: " + module, apply: collapseModule},
	modules: {say: () => "by module", apply: tree => collapseModule(tree, null)},
};

/* Applies all of a list of [word, value, label] in turn. */
function transformed(tree, list) {
	return list.reduce((made, [word, value]) => transforms[word].apply(made, value), tree);
}
