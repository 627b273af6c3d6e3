/*
 * rows.js - the whole tree as the picture's own metadata has it: see renderers/flame_rows.h
 *
 * Memory is asked for sparingly, since its first use costs more than reading does: what few rows
 * have is kept for these rows, and spread over all of them when somebody asks for that.
 */

const DIGITS = "!#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`" +
	"abcdefghijklmnopqrstuvwxyz{|}~";
const ENDS = 60, MORE = 30;

const digitOf = new Uint8Array(256);
for (let i = 0; i < DIGITS.length; i++)
	digitOf[DIGITS.charCodeAt(i)] = i;

/* A column of numbers: its characters are ASCII, and read faster as bytes. */
function columnOf(name) {
	const text = dataOf(name), bytes = new Uint8Array(text.length);

	new TextEncoder().encodeInto(text, bytes);
	return {bytes, at: 0};
}

function nextNumber(column) {
	const {bytes} = column;
	let {at} = column, digit = digitOf[bytes[at++]];

	if (digit >= ENDS) {
		let high = digit - ENDS;

		while ((digit = digitOf[bytes[at++]]) >= ENDS)
			high = (high + 1) * MORE + digit - ENDS;
		digit += ENDS + high * ENDS;
	}
	column.at = at;
	return digit;
}

function decodeAll(name) {
	const column = columnOf(name), {length} = column.bytes, numbers = new Float64Array(length);
	let nr = 0;

	while (column.at < length)
		numbers[nr++] = nextNumber(column);
	return numbers.subarray(0, nr);
}

/* Per row its function's number. */
function readFunctionsOfRows(nr) {
	const fn = functions.nr <= 0x10000 ? new Uint16Array(nr) : new Int32Array(nr);
	const column = columnOf("function");

	for (let i = 0; i < nr; i++)
		fn[i] = nextNumber(column);
	return fn;
}

/*
 * Sets where rows end, and totals; answers which rows have weights of their own. A row's number is
 * twice the levels up from a child of the row before, and 1 where it has such a weight. Rows of the
 * way to a row are whole when one is met that is not below them.
 */
function placeRows({nr, end}, weights, total) {
	const shape = columnOf("shape"), rows = new Int32Array(weights.length);
	let path = new Int32Array(1024), at = -1, used = 0;

	for (let i = 0; i < nr; i++) {
		const turn = nextNumber(shape);

		for (const above = at - (turn >> 1); at > above; at--) {
			end[path[at]] = i;
			total[path[at - 1]] += total[path[at]];
		}
		if (++at === path.length)
			path = widened(path);
		path[at] = i;
		if (turn & 1) {
			total[i] = weights[used];
			rows[used++] = i;
		}
	}
	for (; at > 0; at--) {
		end[path[at]] = nr;
		total[path[at - 1]] += total[path[at]];
	}
	end[0] = nr;
	return rows;
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

/* Columns of the file are of the rows that have weight, on either side of a comparison. */
function readTree() {
	const nr = Number(facts.get("rows")), weights = decodeAll("self");
	const others = isCompared ? decodeAll("after") : decodeAll("samples");

	if (!isCompared && Math.max(sumUp(weights), sumUp(others)) < SMALL)
		Weights = Uint32Array;

	const tree = makeTree(nr, readFunctionsOfRows(nr)), total = new Weights(nr);
	const rows = placeRows(tree, weights, total);

	if (isCompared)
		tree.columns.push(makeColumn(nr));
	tree.columns.push(fewOf(tree, rows, weights, total));
	if (others.length)
		tree.columns.push(fewOf(tree, rows, others));
	if (isCompared)
		setWidths(tree);
	readLeftOut(tree);
	readLacking(tree);
	return tree;
}
