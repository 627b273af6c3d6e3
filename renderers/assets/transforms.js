/*
 * transforms.js - a tree made simpler: parts of it dropped, hidden, or put together
 *
 * Each row of a tree has a target in the tree that is made: -1 where its samples are dropped,
 * else the row that stands for it; its self weight goes there. Targets of one parent and one name
 * are one row. A transform is a function that says a row's target when its parent's is known.
 */

/*
 * Room that is used again for the next tree: memory that is touched for the first time costs more
 * than what is done in it. What stands there is anything.
 */
const kept = new Map();

function roomFor(what, Kind, nr) {
	const last = kept.get(what);

	if (!last || last.length < nr || !(last instanceof Kind))
		kept.set(what, new Kind(nr));
	return kept.get(what).subarray(0, nr);
}

/*
 * A tree under construction. A row that only one row of the old tree became has children of
 * different names; only where rows were put together its children have to be looked at.
 */
function makeBuilder(tree) {
	const nr = tree.nr;

	const [fn, parent, child, next] = ["fn", "parent", "child", "next"].map(what =>
		roomFor(what, Int32Array, nr));

	child[0] = next[0] = 0;
	return {
		nr: 1, fn, parent, child, next, isMixed: roomFor("isMixed", Uint8Array, nr).fill(0),
		isAnyMixed: false, indexes: new Map(), left: new Map(), lacking: new Map(),
		self: tree.columns.map((column, k) => roomFor("self" + k, Weights, nr).fill(0)),
	};
}

const INDEX_FROM = 24;	/* so many children are looked at one after the other */

function addRow(builder, parent, fn) {
	const row = builder.nr++;

	builder.fn[row] = fn;
	builder.parent[row] = parent;
	builder.child[row] = 0;
	builder.next[row] = builder.child[parent];
	builder.child[parent] = row;
	return row;
}

function indexChildren(builder, parent) {
	const index = new Map();

	for (let row = builder.child[parent]; row; row = builder.next[row])
		index.set(functions.same[builder.fn[row]], row);
	builder.indexes.set(parent, index);
	return index;
}

function findChild(builder, parent, same) {
	const index = builder.indexes.get(parent);
	let row = builder.child[parent];

	if (index)
		return index.get(same) || 0;
	for (let i = 0; row; row = builder.next[row], i++) {
		if (functions.same[builder.fn[row]] === same)
			return row;
		if (i === INDEX_FROM)
			return indexChildren(builder, parent).get(same) || 0;
	}
	return 0;
}

/* The row of that function under parent, a new one where there is none. */
function childRow(builder, parent, fn) {
	const same = functions.same[fn];
	let row = builder.isMixed[parent] ? findChild(builder, parent, same) : 0;

	if (row)
		return joinRow(builder, row);
	row = addRow(builder, parent, fn);
	if (builder.indexes.size && builder.indexes.has(parent))
		builder.indexes.get(parent).set(same, row);
	return row;
}

/* What a row became stands for other rows, too. */
function joinRow(builder, row) {
	builder.isMixed[row] = 1;
	builder.isAnyMixed = true;
	return row;
}

/* Names in order, as numbers: siblings of a tree that was made stand in the order of their names. */
let ranks = null, nameOfRank = null;

function ranksOfNames() {
	if (!ranks || ranks.length !== functions.nr) {
		const {nr, name, same} = functions, firsts = new Map();

		for (let fn = 1; fn < nr; fn++)
			if (same[fn] === fn)
				firsts.set(name[fn], fn);
		nameOfRank = Array.from(firsts.keys()).sort().map(one => firsts.get(one));
		nameOfRank.push(LEFT_OUT); /* whatever a function is called */
		ranks = new Int32Array(nr);
		nameOfRank.forEach((fn, rank) => { ranks[fn] = rank; });
		for (let fn = 0; fn < nr; fn++)
			ranks[fn] = ranks[same[fn]];
	}
	return ranks;
}

function rankOf(fn) {
	return ranksOfNames()[fn];
}

/* Children of a row as they are read from the last to the first: by name, where they are mixed. */
function childrenBackwards(builder, row) {
	const children = [];

	for (let child = builder.child[row]; child; child = builder.next[child])
		children.push(child);
	if (builder.isMixed[row] && children.length > 1)
		children.sort((a, b) => rankOf(builder.fn[b]) - rankOf(builder.fn[a]));
	return children;
}

/* Where rows of a builder go in the order of a tree; they stand in it already if none is mixed. */
function placesOf(builder) {
	const {nr, child: firsts, next, isMixed} = builder;
	const places = roomFor("places", Int32Array, nr), stack = [0];

	for (let row = 0; stack.length; row++) {
		const from = stack.pop();

		places[from] = row;
		if (isMixed[from]) {
			for (const child of childrenBackwards(builder, from))
				stack.push(child);
			continue;
		}
		for (let child = firsts[from]; child; child = next[child])
			stack.push(child);
	}
	return places;
}

function placed(numbers, places, ret) {
	for (let from = 0; from < places.length; from++)
		ret[places[from]] = numbers[from];
	return ret;
}

/* Places of parents are those that were given to them. */
function placedParents({nr, parent}, places) {
	const ret = new Int32Array(nr);

	for (let from = 1; from < nr; from++)
		ret[places[from]] = places[parent[from]];
	return ret;
}

/* Rows in the order of a tree. */
function buildTree(builder) {
	const {nr, fn, parent, self: selfs} = builder;
	const places = builder.isAnyMixed ? placesOf(builder) : null;
	const tree = makeTree(nr, places ? placed(fn.subarray(0, nr), places, new Int32Array(nr)) :
		fn.slice(0, nr));

	keepPart(tree, "parent", places ? placedParents(builder, places) : parent.slice(0, nr));
	tree.parent[0] = -1;
	tree.columns = selfs.map(self => ({total: new Weights(nr), self: places ?
		placed(self, places, new Weights(nr)) : self.slice(0, nr)}));
	for (const what of ["left", "lacking"])
		for (const [from, number] of builder[what])
			tree[what].set(places ? places[from] : from, number);
	return finishTree(tree);
}

/* A stack whose frames are all hidden is shown as one without any, and not lost in the root. */
function keepEmptied(builder) {
	const name = "[no stack]";

	if (!builder.self.some(self => self[0] > 0))
		return;

	const fn = functionNamed(name), row = childRow(builder, joinRow(builder, 0),
		fn === undefined ? addFunction(name, "u0", noSource, "") : fn);

	for (const self of builder.self) {
		self[row] += self[0];
		self[0] = 0;
	}
}

/* Weights of rows go to their targets. */
function sendWeights(column, targets, ret) {
	const {rows, weights} = column;

	if (rows) {
		for (let i = 0; i < rows.length; i++)
			if (targets[rows[i]] >= 0)
				ret[targets[rows[i]]] += weights[i];
		return;
	}
	for (let i = 0, {self} = column; i < targets.length; i++)
		if (self[i] && targets[i] >= 0)
			ret[targets[i]] += self[i];
}

function sendNumbers(numbers, targets, ret) {
	for (const [row, number] of numbers)
		if (row && targets[row] >= 0)
			ret.set(targets[row], (ret.get(targets[row]) || 0) + number);
}

/* Makes a tree of targets; targetOf(row, builder, targets) says a row's, see above. */
function mapTree(tree, targetOf) {
	const builder = makeBuilder(tree), targets = roomFor("targets", Int32Array, tree.nr);

	builder.fn[0] = tree.fn[0];
	targets[0] = 0;
	for (let i = 1; i < tree.nr; i++)
		targets[i] = targetOf(i, builder, targets);
	targets[0] = -1;
	tree.columns.forEach((column, k) => sendWeights(column, targets, builder.self[k]));
	sendNumbers(tree.left, targets, builder.left);
	sendNumbers(tree.lacking, targets, builder.lacking);
	keepEmptied(builder);
	tree.columns.forEach((column, k) => { builder.self[k][0] += selfOfRoot(column); });
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
	const {parent} = tree;
	const focused = mapTree(tree, (row, builder, targets) => {
		const up = parent[row];

		inside[row] = inside[up] || functions.same[tree.fn[row]] === same ? 1 : 0;
		if (!inside[row])
			return -1;
		return childRow(builder, inside[up] ? targets[up] : joinRow(builder, 0),
			tree.fn[row]);
	});

	return withoutSelf(tree, focused);
}

/* The root's own samples have no frame: where frames are asked for they are dropped, too. */
function withoutSelf(tree, made) {
	made.columns.forEach(({self, total}, k) => {
		total[0] -= selfOfRoot(tree.columns[k]);
		self[0] -= selfOfRoot(tree.columns[k]);
	});
	if (isCompared)
		setWidths(made);
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
		isHidden[tree.fn[row]] && targets[tree.parent[row]] >= 0 ?
			joinRow(builder, targets[tree.parent[row]]) :
			keep(tree, row, builder, targets));
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

		if (isRecursive[same] && !isRoot(tree.fn[row]))
			for (let at = up; at > 0; at = builder.parent[at])
				if (functions.same[builder.fn[at]] === same)
					return joinRow(builder, at);
		return up < 0 ? -1 : childRow(builder, up, tree.fn[row]);
	});
}

/* ---- modules: a function stands for each */

const moduleFunctions = new Map();

function moduleFunction(fn) {
	const source = sourceOf(fn), module = source.module;
	const key = module || functions.look[fn][0];

	if (fn === LEFT_OUT || isRoot(fn))
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
		if (fn !== tree.fn[row]) {
			joinRow(builder, up);	/* siblings become one, too */
			if (up > 0 && builder.fn[up] === fn)
				return up;
		}
		return childRow(builder, up, fn);
	});
}

/* ---- chains: frames that only call each other */

const chainFunctions = new Map();

function chainFunction(first, last, nr) {
	const key = (functions.same[first] * 0x200000 + functions.same[last]) * 256 +
		Math.min(nr, 255);
	const made = chainFunctions.get(key);

	if (made !== undefined && nr < 255)
		return made;

	const name = functions.name[first] + " \u2026 " + functions.name[last] +
		" (" + nr + " frames)";
	const a = sourceOf(first), b = sourceOf(last), isSame = a.origin === b.origin;
	const fn = nr < 255 ? functions.nr : addFunction(name, "", noSource, "");

	if (fn === functions.nr)
		addUnlisted(name);
	functions.look[fn] = isSame ? functions.look[first] : "u0";
	functions.source[fn] = {origin: isSame ? a.origin : "", status: a.status || b.status,
		module: a.module === b.module ? a.module : ""};
	chainFunctions.set(key, fn);
	return fn;
}

/* A function whose name no other has, and that is seldom asked for by its name. */
function addUnlisted(name) {
	functions.name.push(name);
	functions.look.push("");
	functions.source.push(noSource);
	functions.place.push("");
	functions.same.push(functions.nr++);
}

/* Per row 1 where something ends in it. */
function markEnds({nr, columns}) {
	const isEnd = new Uint8Array(nr);

	for (const column of columns) {
		const {rows, weights} = column;

		if (rows)
			rows.forEach((row, i) => { isEnd[row] |= weights[i] ? 1 : 0; });
		else
			column.self.forEach((weight, row) => { isEnd[row] |= weight ? 1 : 0; });
	}
	return isEnd;
}

function isChained({fn, end}, isEnd, row) {
	const child = row + 1;

	return !isEnd[row] && child < end[row] && end[child] === end[row] &&
		fn[child] !== LEFT_OUT && !isRoot(fn[row]);
}

/* A frame with one child and no weight of its own is joined to it. */
function collapseChains(tree) {
	const last = new Int32Array(tree.nr), isEnd = markEnds(tree);

	for (let i = tree.nr - 1; i > 0; i--)
		last[i] = isChained(tree, isEnd, i) ? last[i + 1] : i;
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
	return (tree, name) => functionNamed(name) === undefined ? tree :
		transform(tree, functionNamed(name));
}

const transforms = {
	focus: {say: name => "only " + name, apply: ofFunction(focusFunction)},
	subtree: {say: (id, name) => "only this " + (name || "frame"), apply: focusRow},
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
	return list.reduce((made, step) => {
		const [word, value] = step, row = word === "subtree" ? rowOfHash(made, value) : 0;

		if (row > 0)
			step[2] = functions.name[made.fn[row]];
		return transforms[word].apply(made, value);
	}, tree);
}
