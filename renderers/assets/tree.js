/*
 * tree.js - the whole call tree, read from the picture's own metadata
 *
 * The scripts of a picture share one function scope, in the order of svg.c. Names are untrusted:
 * they become text nodes, nothing else. The picture is whole without its scripts.
 *
 * A tree is arrays with one element per row, the root first, each row's subtree behind it:
 * fn (a function's number), parent, depth, end (the row behind its subtree) and columns of weights
 * {self, total}: the picture's weight, and samples where they are not the same thing.
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

/* ---- numbers: see ROWS_DIGITS in flame_rows.h */

const DIGITS = "!#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`" +
	"abcdefghijklmnopqrstuvwxyz{|}~";
const ENDS = 60, MORE = 30;

const digitOf = new Uint8Array(256);
for (let i = 0; i < DIGITS.length; i++)
	digitOf[DIGITS.charCodeAt(i)] = i;

/* Bytes are read several times as fast as characters. */
function bytesOf(name) {
	return new TextEncoder().encode(dataOf(name));
}

/* The first nr numbers of a column: always doubles, so that the loop is compiled for one kind. */
function decode(bytes, nr) {
	const ret = new Float64Array(nr);
	let at = 0;

	for (let i = 0; i < nr; i++) {
		let digit = digitOf[bytes[at++]];

		if (digit >= ENDS) {
			let high = digit - ENDS;

			while ((digit = digitOf[bytes[at++]]) >= ENDS)
				high = (high + 1) * MORE + digit - ENDS;
			digit += ENDS + high * ENDS;
		}
		ret[i] = digit;
	}
	return ret;
}

function countNumbers(bytes) {
	let nr = 0;

	for (let i = 0; i < bytes.length; i++)
		nr += digitOf[bytes[i]] < ENDS;
	return nr;
}

/* ---- functions */

/*
 * Functions by number, as arrays; 0 is what is left out of the file. Those of one name share
 * `same`, which is the first of them. Transforms add functions of their own at the end.
 */
const functions = {nr: 0, name: [], look: [], source: [], place: [], same: []};
const firstOfName = new Map();

function addFunction(name, look, source, place) {
	const nr = functions.nr++;

	if (!firstOfName.has(name))
		firstOfName.set(name, nr);
	functions.name.push(name);
	functions.look.push(look);
	functions.source.push(source);
	functions.place.push(place);
	functions.same.push(nr ? firstOfName.get(name) : 0);
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
		const [name, place] = line.slice(second + 1).split("\t");
		const look = line.slice(0, 2) + (blank > 2 ? " " + line.slice(2, blank) : "");

		addFunction(name, look, sources[line.slice(blank + 1, second)], place || "");
	}
}

/* ---- rows */

function makeTree(nr, columnsNr) {
	const tree = {
		nr, fn: new Int32Array(nr), parent: new Int32Array(nr), depth: new Int32Array(nr),
		end: new Int32Array(nr), columns: [], left: new Map(), lacking: new Map(),
		deepest: 0,
	};

	for (let i = 0; i < columnsNr; i++)
		tree.columns.push({self: new Float64Array(nr), total: new Float64Array(nr)});
	return tree;
}

/* Sets what follows from parents and self weights, of a tree whose rows are in their order. */
function finishTree(tree) {
	const {nr, parent, end, columns: [{self, total}, ...others]} = tree;

	total.set(self);
	for (let i = nr - 1; i > 0; i--) {
		const up = parent[i];

		if (!end[i])
			end[i] = i + 1;
		if (!end[up])
			end[up] = end[i];
		total[up] += total[i];
	}
	end[0] = nr;
	for (const column of others)
		addUp(parent, column.self, column.total);
	if (isCompared)
		setWidths(tree);
	return tree;
}

function addUp(parent, self, total) {
	total.set(self);
	for (let i = total.length - 1; i > 0; i--)
		total[parent[i]] += total[i];
}

function widened(numbers) {
	const wider = new Int32Array(numbers.length * 2);

	wider.set(numbers);
	return wider;
}

/* Twice the levels up from a child of the row before, and 1 where there is a self weight. */
function readShapes(tree, shapes) {
	const {nr, depth, parent} = tree;
	let path = new Int32Array(1024);
	let at = 0, deepest = 0, weights = 0;

	for (let i = 0; i < nr; i++) {
		at = i ? at + 1 - (shapes[i] >> 1) : 0;
		weights += shapes[i] & 1;
		depth[i] = at;
		if (at === path.length)
			path = widened(path);
		path[at] = i;
		parent[i] = at ? path[at - 1] : -1;
		if (at > deepest)
			deepest = at;
	}
	tree.deepest = deepest;
	return weights;
}

function spread(shapes, numbers, step, ret) {
	for (let i = 0, at = 0; i < shapes.length; i++)
		if (shapes[i] & 1)
			ret[i] = numbers[at++] * step;
}

const facts = new Map(linesOf("facts").map(line => line.split("\t")));
const unit = facts.get("unit") || "";
const isCompared = facts.has("compared");	/* rows have two weights, see compare.js */

function readLeftOut(tree) {
	const rows = [];

	const bytes = bytesOf("more");

	for (let i = 0; bytes.length && i < tree.nr; i++)
		if (tree.fn[i] === LEFT_OUT)
			rows.push(i);
	decode(bytes, rows.length).forEach((nr, i) =>
		tree.left.set(rows[i], nr));
}

/* Of a row's self weight, what is of stacks that may lack a caller: of few rows, or none. */
function readLacking(tree, step) {
	const bytes = bytesOf("lacking");
	const numbers = decode(bytes, countNumbers(bytes));

	for (let i = 0, row = 0; i < numbers.length; i += 2) {
		row += numbers[i];
		tree.lacking.set(row - 1, numbers[i + 1] * step);
	}
}

function readTree() {
	const nr = Number(facts.get("rows")), step = Number(facts.get("step"));
	const shapes = decode(bytesOf("shape"), nr);
	const samples = bytesOf("samples"), perSample = Number(facts.get("samples-step"));
	const tree = makeTree(nr, isCompared ? 3 : samples.length || perSample ? 2 : 1);
	const weightsNr = readShapes(tree, shapes);
	const weights = decode(bytesOf("self"), weightsNr);

	tree.fn.set(decode(bytesOf("function"), nr));
	if (isCompared) {
		spread(shapes, weights, 1, tree.columns[BEFORE].self);
		spread(shapes, decode(bytesOf("after"), weightsNr), 1, tree.columns[AFTER].self);
		readLeftOut(tree);
		return finishTree(tree);
	}
	spread(shapes, weights, step, tree.columns[0].self);
	if (perSample)
		spread(shapes, weights, 1 / perSample, tree.columns[1].self);
	else if (samples.length)
		spread(shapes, decode(samples, weightsNr), 1, tree.columns[1].self);
	readLeftOut(tree);
	readLacking(tree, step);
	return finishTree(tree);
}

/* ---- what trees of rows are asked */

function childrenOf(tree, row) {
	const children = [], end = tree.end[row];

	for (let at = row + 1; at < end; at = tree.end[at])
		children.push(at);
	return children;
}

/* Calls visit(row) for each outermost row of those that isIt() holds for; skips what is in it. */
function eachOutermost(tree, from, end, isIt, visit) {
	for (let i = from; i < end; i++) {
		if (!isIt[functions.same[tree.fn[i]]])
			continue;
		visit(i);
		i = tree.end[i] - 1;
	}
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
	const path = [];
	let [high, low] = SEEDS;

	for (let at = row; at > 0; at = tree.parent[at])
		path.push(nameHash(tree.fn[at]));
	for (let depth = 1; path.length; depth++) {
		const word = path.pop();

		high = mix(high, word);
		low = mix(low, word ^ depth);
	}
	return (high >>> 0).toString(36) + "." + (low >>> 0).toString(36);
}

/* The row of that hash, -1 where there is none. */
function rowOfHash(tree, id) {
	const [high, low] = id.split(".").map(half => parseInt(half, 36) | 0);
	const highs = new Int32Array(tree.nr), lows = new Int32Array(tree.nr);

	[highs[0], lows[0]] = SEEDS;
	for (let i = 0; i < tree.nr; i++) {
		const word = i ? nameHash(tree.fn[i]) : 0, up = tree.parent[i];

		if (i) {
			highs[i] = mix(highs[up], word);
			lows[i] = mix(lows[up], word ^ tree.depth[i]);
		}
		if (highs[i] === high && lows[i] === low)
			return i;
	}
	return -1;
}
