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

/* Numbers of two characters by the word that these are as bytes; PLACES of them are rare ones. */
const PLACES = ENDS + MORE, RARE = PLACES * (PLACES - 1);

function makePairs() {
	const pairs = new Uint16Array(0x10000), bytes = new Uint8Array(2);
	const word = new Uint16Array(bytes.buffer);

	for (let number = 0; number < PLACES * PLACES; number++) {
		bytes[0] = DIGITS.charCodeAt(number / PLACES);
		bytes[1] = DIGITS.charCodeAt(number % PLACES);
		pairs[word[0]] = number;
	}
	return pairs;
}

/* Per row its function's number, mostly in the place of the word that said it. */
function readFunctionsOfRows(nr) {
	const words = new Uint16Array(columnOf("function").bytes.buffer, 0, nr);
	const fn = functions.nr <= 0x10000 ? words : new Int32Array(nr);
	const rare = columnOf("rare"), pairs = makePairs();

	for (let i = 0; i < nr; i++) {
		const number = pairs[words[i]];

		fn[i] = number < RARE ? number : number + PLACES * nextNumber(rare);
	}
	return fn;
}

/*
 * What is left of pieces on the way to a row, as a stack: rows from begins to ends, and the weight
 * of all that stands upon the last of them. Rows that are done together end together, and weigh the
 * same.
 */
function closeRows(way, levels, row, tree, total) {
	const {begins, ends, sums} = way, {end} = tree;

	while (levels > 0 && way.top >= 0) {
		const {top} = way, sum = sums[top], last = ends[top];
		const from = Math.max(begins[top], last - levels);

		for (let i = from; i < last; i++) {
			end[i] = row;
			total[i] = sum;
		}
		levels -= last - from;
		ends[top] = from;
		if (from > begins[top])
			return;
		way.top--;
		if (top)
			sums[top - 1] += sum;
	}
}

const PIECE_ROWS = 3;

/*
 * Sets where rows end, totals and runs; answers which rows have weights of their own. A piece is
 * rows each of which is a child of the one before, see renderers/flame_rows.c.
 */
function placeRows(tree, weights, total) {
	const shape = columnOf("shape"), rows = new Int32Array(weights.length);
	const [starts, parents, above] = [0, 0, 0].map(() => new Int32Array(shape.bytes.length));
	const way = {top: -1, begins: [], ends: [], sums: [], pieces: []};
	let row = 0, used = 0, piece = 0;

	while (row < tree.nr) {
		const code = nextNumber(shape), more = code >> 1 & PIECE_ROWS;

		closeRows(way, code >> 3, row, tree, total);
		starts[piece] = row;
		parents[piece] = row ? way.ends[way.top] - 1 : -1;
		above[piece] = row ? way.pieces[way.top] : -1;
		way.top++;
		way.begins[way.top] = row;
		row += 1 + more + (more < PIECE_ROWS ? 0 : nextNumber(shape));
		way.ends[way.top] = row;
		way.pieces[way.top] = piece++;
		way.sums[way.top] = code & 1 ? weights[used] : 0;
		if (code & 1)
			rows[used++] = row - 1;
	}
	closeRows(way, Infinity, row, tree, total);
	keepPart(tree, "runs", {areBare: true, starts: starts.subarray(0, piece),
		parents: parents.subarray(0, piece), above: above.subarray(0, piece)});
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
