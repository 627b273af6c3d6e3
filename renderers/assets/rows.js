/*
 * rows.js - the whole tree as the picture's own metadata has it: see renderers/flame_rows.h
 *
 * Rows are read by the block: a function that is called often is compiled soon, and the numbers of a
 * block stay in the processor's cache. Memory is asked for sparingly, since its first use costs more
 * than reading does.
 */

const DIGITS = "!#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`" +
	"abcdefghijklmnopqrstuvwxyz{|}~";
const ENDS = 60, MORE = 30, BLOCK = 4096;

const digitOf = new Uint8Array(256);
for (let i = 0; i < DIGITS.length; i++)
	digitOf[DIGITS.charCodeAt(i)] = i;

/* A column of numbers: its characters are ASCII, and read faster as bytes. */
function columnOf(name) {
	const text = dataOf(name), bytes = new Uint8Array(text.length);

	new TextEncoder().encodeInto(text, bytes);
	return {bytes, at: 0};
}

/* The next nr numbers: always doubles, so that the loop is compiled for one kind. */
function decode(column, nr, ret) {
	const {bytes} = column;
	let {at} = column;

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
	column.at = at;
}

function decodeAll(name) {
	const column = columnOf(name), {bytes} = column;
	let nr = 0;

	for (let i = 0; i < bytes.length; i++)
		if (digitOf[bytes[i]] < ENDS)
			nr++;

	const numbers = new Float64Array(nr);

	decode(column, nr, numbers);
	return numbers;
}

/*
 * Twice the levels up from a child of the row before, and 1 where there is a self weight. Rows of
 * the way to a row are whole when one is met that is not below them.
 */
function placeRows(tree, way, from, nr, shapes) {
	const {end} = tree, {weights, rows, column: {self, total}} = way;
	let {path, at, used} = way;

	for (let j = 0, i = from; j < nr; j++, i++) {
		const level = i ? at + 1 - (shapes[j] >> 1) : 0;

		for (; at >= level; at--) {
			const row = path[at];

			end[row] = i;
			if (at)
				total[path[at - 1]] += total[row];
		}
		at = level;
		if (at === path.length)
			path = widened(path);
		path[at] = i;
		if (shapes[j] & 1) {
			self[i] = total[i] = weights[used];
			rows[used++] = i;
		}
	}
	Object.assign(way, {path, at, used});
}

/* A second column, of the same rows. */
function spread(tree, rows, numbers, {self, total}) {
	for (let i = 0; i < rows.length; i++)
		self[rows[i]] = numbers[i];
	addUp(tree.parent, self, total);
}

/* Reads rows with their weights into a column; answers which of them have some of their own. */
function readRows(tree, weights, column) {
	const shape = columnOf("shape"), fn = columnOf("function");
	const shapes = new Float64Array(BLOCK), numbers = new Float64Array(BLOCK);
	const way = {path: new Int32Array(1024), at: -1, used: 0, weights, column,
		rows: new Int32Array(weights.length)};
	const {total} = column;

	for (let from = 0; from < tree.nr; from += BLOCK) {
		const nr = Math.min(BLOCK, tree.nr - from);

		decode(shape, nr, shapes);
		decode(fn, nr, numbers);
		tree.fn.set(numbers.subarray(0, nr), from);
		placeRows(tree, way, from, nr, shapes);
	}
	for (let {path, at} = way; at >= 0; at--) {
		tree.end[path[at]] = tree.nr;
		if (at)
			total[path[at - 1]] += total[path[at]];
	}
	return way.rows;
}

/* Per name what ends in it, of the rows that have weight. */
function countSelfs({fn}, rows, weights) {
	const selfs = new Float64Array(functions.nr), {same} = functions;

	for (let i = 0; i < rows.length; i++)
		if (rows[i])
			selfs[same[fn[rows[i]]]] += weights[i];
	return selfs;
}

function readLeftOut(tree) {
	const numbers = decodeAll("more");

	for (let i = 0, at = 0; at < numbers.length; i++)
		if (tree.fn[i] === LEFT_OUT)
			tree.left.set(i, numbers[at++]);
}

/* Of a row's self weight, what is of stacks that may lack a caller: of few rows, or none. */
function readLacking(tree) {
	const numbers = decodeAll("lacking");

	for (let i = 0, row = 0; i < numbers.length; i += 2) {
		row += numbers[i];
		tree.lacking.set(row - 1, numbers[i + 1]);
	}
}

const SMALL = 2 ** 32;

function sumUp(numbers) {
	let sum = 0;

	for (let i = 0; i < numbers.length; i++)
		sum += numbers[i];
	return sum;
}

function readTree() {
	const nr = Number(facts.get("rows")), weights = decodeAll("self");
	const others = isCompared ? decodeAll("after") : decodeAll("samples");

	if (!isCompared && Math.max(sumUp(weights), sumUp(others)) < SMALL)
		Weights = Uint32Array;

	const tree = makeTree(nr, isCompared ? 3 : others.length ? 2 : 1);
	const first = isCompared ? BEFORE : 0;
	const rows = readRows(tree, weights, tree.columns[first]);

	if (others.length)
		spread(tree, rows, others, tree.columns[first + 1]);
	if (isCompared)
		setWidths(tree);
	else
		keepPart(tree, "selfs", countSelfs(tree, rows, weights));
	readLeftOut(tree);
	readLacking(tree);
	return tree;
}
