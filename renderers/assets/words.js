/* words.js - weights as words, names as labels */

function share(part, whole) {
	const percent = whole > 0 ? 100 * part / whole : 0;

	if (percent > 0 && percent < 0.005)
		return "<0.01 %";
	return Number(percent.toFixed(percent < 0.995 ? 2 : 1)) + " %";
}

/* "1,012.5" */
function grouped(number) {
	if (number < 1000 && Number.isInteger(number))
		return String(number);

	const [whole, part] = String(Math.round(number * 1e9) / 1e9).split(".");

	if (whole.includes("e"))
		return whole;
	return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (part ? "." + part : "");
}

/* Four digits: "1.235 s". */
function timeWords(ns) {
	const units = ["ns", "us", "ms", "s"];
	let i = 0;

	while (ns >= 999.95 && i + 1 < units.length) {
		ns /= 1000;
		i++;
	}
	return ns.toFixed(!i || ns >= 1000 ? 0 : ns >= 100 ? 1 : ns >= 10 ? 2 : 3) + " " + units[i];
}

function plural(number, word) {
	return grouped(number) + " " + word + (number === 1 ? "" : "s");
}

/* Of so many steps of the file. */
function weightWords(steps) {
	const weight = steps * step;

	if (unit === "ns")
		return timeWords(weight);
	if (unit === "samples")
		return plural(weight, "sample");
	return grouped(weight) + (unit ? " " + unit : "");
}

/* "1.235 s in 122 samples"; samples alone where they are the weight. */
function valueWords(tree, row) {
	const words = weightWords(tree.columns[0].total[row]), samples = samplesOf(tree, row);

	return samples === undefined ? words : words + " in " + plural(samples, "sample");
}

/* "library libc.so.6" */
function originWords(fn) {
	const {origin, module} = sourceOf(fn);

	return origin && module ? origin + " " + module : origin || module;
}

function statusWords(fn) {
	return sourceOf(fn).status;
}

/* Where frame pointers may have led past the caller of what ends here. */
function lackingWords(tree, row) {
	const lacking = tree.lacking ? tree.lacking.get(row) : 0;

	return lacking ? "the caller may be missing in " +
		share(lacking, tree.columns[0].total[row]) : "";
}

/* With commas between those that are not empty. */
function joined(first, ...words) {
	for (const word of words)
		if (word)
			first += ", " + word;
	return first;
}

/* What an element says of a row to those who point at it or hear it. */
function tipWords(tree, row, all) {
	const fn = tree.fn[row];

	if (isCompared)
		return comparedTip(tree, row);
	return joined(functions.name[fn], valueWords(tree, row),
		share(tree.columns[0].total[row], all), originWords(fn), statusWords(fn),
		lackingWords(tree, row));
}

function moreName(more) {
	return "+ " + grouped(more) + " more";
}

function moreTip(more, weight, all, isHere) {
	const frames = more === 1 ? " frame" : " frames";

	return moreName(more) + " (" + grouped(more) + frames + (isHere ? " too narrow to draw)" :
		" that this file leaves out)") + ", " + weightWords(weight) + ", " +
		share(weight, all);
}

/* ---- labels */

const pen = document.createElementNS(HTML, "canvas").getContext("2d");
let cell = 7.23;

function measureCell(text) {
	const style = getComputedStyle(text);

	pen.font = style.fontSize + " " + style.fontFamily;
	cell = pen.measureText("0".repeat(64)).width / 64 || cell;
}

/* Made when the first label needs it: that takes milliseconds, and most pictures have none. */
let segmenter;

function characters(name) {
	if (segmenter === undefined)
		segmenter = typeof Intl === "object" && Intl.Segmenter ? new Intl.Segmenter() : null;
	return segmenter ? Array.from(segmenter.segment(name), part => part.segment) :
		Array.from(name);
}

function cutWide(name, space) {
	const parts = characters(name.slice(0, 4 * Math.ceil(space / cell) + 64));
	let kept = "", used = 0;

	if (parts.length < 1000 && pen.measureText(name).width <= space)
		return name;
	for (const part of parts) {
		used += pen.measureText(part).width;
		if (used + cell > space)
			break;
		kept += part;
	}
	return kept ? kept + "\u2026" : "";
}

/* As much of a name as there is space for; "+ n more" whole or not at all. */
function cut(name, space, isWhole) {
	const cells = Math.floor(space / cell);

	if (cells < CELLS_MIN)
		return "";
	if (name.length <= cells && /^[\x20-\x7e]*$/.test(name))
		return name;
	if (isWhole)
		return "";
	return /^[\x20-\x7e]*$/.test(name.slice(0, cells)) ? name.slice(0, cells - 1) + "\u2026" :
		cutWide(name, space);
}
