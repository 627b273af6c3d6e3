/* flame_words.js - weights as words, names as labels */

function share(part, whole) {
	const percent = whole > 0 ? 100 * part / whole : 0;

	if (percent > 0 && percent < 0.005)
		return "<0.01 %";
	return Number(percent.toFixed(percent < 0.995 ? 2 : 1)) + " %";
}

function scaled(number, step, units) {
	let i = 0;

	while (number >= step && i + 1 < units.length) {
		number /= step;
		i++;
	}
	return Number(number.toPrecision(4)) + " " + units[i];
}

function grouped(number) {
	return number.toLocaleString("en-US", {maximumFractionDigits: 2});
}

/* The unit that the root's own words have, if they say its weight as it is. */
function unitOf(frame) {
	const said = root.getAttribute("data-unit");
	const words = /^([\d,]+(?:\.\d+)?) ([^,]+), /.exec(frame.about);

	if (said)
		return said;
	return words && Number(words[1].replace(/,/g, "")) === frame.weight ? words[2] : null;
}

/* "4 of 12 samples"; "" where the unit is not known. */
function partOf(part, whole, unit) {
	if (unit === "ns")
		return scaled(part, 1000, ["ns", "us", "ms", "s"]) + " of " +
			scaled(whole, 1000, ["ns", "us", "ms", "s"]);
	if (unit === "bytes")
		return scaled(part, 1024, ["bytes", "KiB", "MiB", "GiB", "TiB"]) + " of " +
			scaled(whole, 1024, ["bytes", "KiB", "MiB", "GiB", "TiB"]);
	return unit ? grouped(part) + " of " + grouped(whole) + " " + unit : "";
}

/* ---- labels */

const pen = document.createElementNS(HTML, "canvas").getContext("2d");
const segmenter = typeof Intl === "object" && Intl.Segmenter ? new Intl.Segmenter() : null;
let cell = 7.23;

function measureCell(text) {
	const style = getComputedStyle(text);

	pen.font = style.fontSize + " " + style.fontFamily;
	cell = pen.measureText("0".repeat(64)).width / 64 || cell;
}

function characters(name) {
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

function cut(frame, space) {
	const cells = Math.floor(space / cell), name = frame.label;

	if (cells < CELLS_MIN)
		return "";
	if (!frame.isPlain)
		return cutWide(name, space);
	if (name.length <= cells)
		return name;
	return frame.isMore ? "" : name.slice(0, cells - 1) + "\u2026";
}
