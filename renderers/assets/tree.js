/*
 * tree.js - the whole call tree, and what it is asked
 *
 * The scripts of a picture share one function scope, in the order of svg.c. Names are untrusted:
 * they become text nodes, nothing else. The picture is whole without its scripts.
 *
 * A tree is arrays with one element per row, the root first, each row's subtree behind it:
 * fn (a function's number), parent, end (the row behind its subtree) and columns of weights
 * {self, total}: the picture's weight, in steps of the file, and samples where they do not follow
 * from weights.
 */

const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";

const root = document.currentScript.closest("svg");
const isAlone = document.documentElement === root;

/* The function of rows that stand for frames which are left out of the file. */
const LEFT_OUT = 0;

function dataOf(name) {
	const element = root.querySelector("metadata." + name);

	return element ? element.textContent : "";
}

function linesOf(name) {
	return dataOf(name).split("\n").slice(0, -1);
}

/* ---- functions */

/*
 * Functions by number, as arrays; 0 is what is left out of the file. Those of one name share
 * `same`, which is the first of them. Transforms add functions of their own at the end.
 */
const functions = {nr: 0, name: [], look: [], source: [], place: [], same: []};
const firstOfName = new Map();

function addFunction(name, look, source, place) {
	const nr = functions.nr++, first = firstOfName.get(name);

	if (first === undefined)
		firstOfName.set(name, nr);
	functions.name.push(name);
	functions.look.push(look);
	functions.source.push(source);
	functions.place.push(place);
	functions.same.push(first === undefined ? nr : first);
	return nr;
}

/* The function of a name, undefined where there is none. */
function functionNamed(name) {
	const found = firstOfName.get(name), at = found === undefined ?
		functions.name.indexOf(name, 1) : found;

	return at < 0 ? undefined : at;
}

/* Where a name comes from: origin, module and how far it is to be trusted; "" is not known. */
const sources = linesOf("sources").map(line => {
	const [origin, module, status] = line.split("\t");

	return {origin, module, status};
});
const noSource = {origin: "", module: "", status: ""};

function sourceOf(fn) {
	return functions.source[fn] || noSource;
}

/* A frame that is no code, but the thread, process or CPU that its stacks are of. */
function isRoot(fn) {
	return sourceOf(fn).origin === "root";
}

/* "a1 3 name", "a1s 3 name<tab>file.c:12": letter of the paint, shade, hatch; source; name. */
function readFunctions() {
	addFunction("[left out of this file]", "m0", noSource, "");
	firstOfName.clear();
	for (const line of linesOf("functions")) {
		const blank = line.indexOf(" "), second = line.indexOf(" ", blank + 1);
		const tab = line.indexOf("\t", second), end = tab < 0 ? line.length : tab;
		const look = line.slice(0, 2) + (blank > 2 ? " " + line.slice(2, blank) : "");

		addFunction(line.slice(second + 1, end), look, sources[line.slice(blank + 1, second)],
			line.slice(end + 1));
	}
}

/* ---- trees */

/* Said by the file, which keeps weights as multiples of a step: so are they here. */
const facts = new Map(linesOf("facts").map(line => line.split("\t")));
const isCompared = facts.has("compared");	/* rows have two weights, see compare.js */
const unit = facts.get("unit") || "";
const step = Number(facts.get("step")) || 1;
const perSample = Number(facts.get("samples-step")) || 0;	/* steps, where they are all alike */

function keepPart(tree, name, value) {
	Object.defineProperty(tree, name, {value, writable: true});
	return value;
}

/* Widths of a comparison are others by and by. */
function keepCount(tree, name, value) {
	return isCompared ? value : keepPart(tree, name, value);
}

/* What a tree of rows is asked for later, or never, is worked out then, and kept. */
const treeParts = {
	get parent() { return keepPart(this, "parent", parentsOf(this)); },
	get runs() { return keepPart(this, "runs", runsOf(this)); },
	get singles() { return keepPart(this, "singles", singlesOf(this)); },
	get selfs() { return keepCount(this, "selfs", selfsOf(this)); },
	get lines() { return keepCount(this, "lines", countFunctions(this)); },
};

function parentsOf({nr, runs: {starts, parents}}) {
	const parent = new Int32Array(nr);

	for (let run = 0; run < starts.length; run++) {
		const last = run + 1 < starts.length ? starts[run + 1] : nr;

		parent[starts[run]] = parents[run];
		for (let i = starts[run] + 1; i < last; i++)
			parent[i] = i - 1;
	}
	return parent;
}

/* The rows on the way from the root, which is none of them, to a row, itself the last. */
function pathTo(tree, row) {
	const {end} = tree, path = [];

	if (tree.isMerged) {
		for (let at = row; at > 0; at = tree.parent[at])
			path.push(at);
		return path.reverse();
	}
	for (let at = 1; at <= row;)
		if (end[at] > row)
			path.push(at++);
		else
			at = end[at];
	return path;
}

function depthOf(tree, row) {
	return tree.isMerged ? tree.depth[row] : pathTo(tree, row).length;
}

/* Of one row, without asking for those of all; the root has -1. */
function parentOf(tree, row) {
	if (tree.isMerged || row <= 0)
		return row > 0 ? tree.parent[row] : -1;
	return pathTo(tree, row).at(-2) || 0;
}

function isWithin(tree, row, ancestor) {
	if (!tree.isMerged)
		return row >= ancestor && row < tree.end[ancestor];
	for (; row > ancestor; row = tree.parent[row])
		;
	return row === ancestor;
}

/* Per name what ends in it. */
function selfsOf({nr, fn, columns: [column]}) {
	const selfs = new Float64Array(functions.nr), {same} = functions, {rows, weights} = column;

	if (rows) {
		for (let i = 0; i < rows.length; i++)
			selfs[same[fn[rows[i]]]] += rows[i] ? weights[i] : 0;
		return selfs;
	}
	for (let i = 1, {self} = column; i < nr; i++)
		if (self[i])
			selfs[same[fn[i]]] += self[i];
	return selfs;
}

/* Whole numbers take half the room, and half the time to get it. */
let Weights = Float64Array;

function makeColumn(nr) {
	return {self: new Weights(nr), total: new Weights(nr)};
}

/* A column whose self weights are of some rows, in their order. */
const fewParts = {
	get self() { return keepPart(this, "self", spread(this)); },
	get total() { return keepPart(this, "total", addUp(this.tree.parent, this.self,
		new Weights(this.tree.nr))); },
	get sums() { return keepPart(this, "sums", sumsOf(this.weights)); },
};

/* The totals where they are known. */
function fewOf(tree, rows, weights, total) {
	const column = Object.assign(Object.create(fewParts), {tree, rows, weights});

	if (total)
		keepPart(column, "total", total);
	return column;
}

function spread({tree, rows, weights}) {
	const self = new Weights(tree.nr);

	for (let i = 0; i < rows.length; i++)
		self[rows[i]] = weights[i];
	return self;
}

function selfOfRoot(column) {
	const {rows, weights} = column;

	return !rows ? column.self[0] : rows[0] === 0 ? weights[0] : 0;
}

/* What those before each of them come to; and all of them. */
function sumsOf(weights) {
	const sums = new Float64Array(weights.length + 1);

	for (let i = 0; i < weights.length; i++)
		sums[i + 1] = sums[i] + weights[i];
	return sums;
}

/* How many of sorted numbers are smaller. */
function countBelow(numbers, number) {
	let low = 0, high = numbers.length;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (numbers[middle] < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The total of one row, without asking for those of all. */
function sumWithin({rows, sums}, row, end) {
	return sums[countBelow(rows, end)] - sums[countBelow(rows, row)];
}

function makeTree(nr, fn) {
	return Object.assign(Object.create(treeParts), {
		nr, fn, end: new Int32Array(nr), columns: [], left: new Map(), lacking: new Map(),
	});
}

/* Sets what follows from parents and self weights, of a tree whose rows are in their order. */
function finishTree(tree) {
	const {nr, parent, end, columns} = tree;

	for (let i = nr - 1; i > 0; i--) {
		const up = parent[i];

		if (!end[i])
			end[i] = i + 1;
		if (!end[up])
			end[up] = end[i];
	}
	end[0] = nr;
	for (const {self, total} of columns)
		addUp(parent, self, total);
	if (isCompared)
		setWidths(tree);
	return tree;
}

function addUp(parent, self, total) {
	total.set(self);
	for (let i = total.length - 1; i > 0; i--)
		if (total[i])
			total[parent[i]] += total[i];
	return total;
}

function widened(numbers) {
	const wider = new Int32Array(numbers.length * 2);

	wider.set(numbers);
	return wider;
}

/* ---- what trees of rows are asked */

function childrenOf(tree, row) {
	const children = [], end = tree.end[row];

	for (let at = row + 1; at < end; at = tree.end[at])
		children.push(at);
	return children;
}

function mix(hash, word) {
	hash = Math.imul(hash ^ word, 0x5bd1e995);
	return hash ^ hash >>> 15;
}

function hashText(hash, text) {
	for (let i = 0; i < text.length; i++)
		hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
	return hash;
}

/*
 * What links call a row: a hash of the names on the way to it, so that a link holds in a picture
 * drawn anew. Two halves of 32 bits.
 */
const nameHashes = [];

function nameHash(fn) {
	const same = functions.same[fn];

	if (nameHashes[same] === undefined)
		nameHashes[same] = hashText(2166136261, functions.name[same]);
	return nameHashes[same];
}

const SEEDS = [40389, 2166136261];

function pathHash(tree, row) {
	let [high, low] = SEEDS;

	pathTo(tree, row).forEach((at, above) => {
		const word = nameHash(tree.fn[at]);

		high = mix(high, word);
		low = mix(low, word ^ above + 1);
	});
	return (high >>> 0).toString(36) + "." + (low >>> 0).toString(36);
}

/* The row of that hash, -1 where there is none. */
function rowOfHash(tree, id) {
	const [high, low] = id.split(".").map(half => parseInt(half, 36) | 0);
	const hashes = Int32Array.from(functions.name, (name, fn) => nameHash(fn));
	const {nr, fn, end} = tree;
	let [path, highs, lows] = [1024, 1024, 1024].map(room => new Int32Array(room));

	[highs[0], lows[0]] = SEEDS;
	for (let i = 1, at = 0; i < nr; i++) {
		const word = hashes[fn[i]];

		while (end[path[at]] <= i)
			at--;
		if (++at === path.length)
			[path, highs, lows] = [path, highs, lows].map(widened);
		path[at] = i;
		highs[at] = mix(highs[at - 1], word);
		lows[at] = mix(lows[at - 1], word ^ at);
		if (highs[at] === high && lows[at] === low)
			return i;
	}
	return -1;
}
