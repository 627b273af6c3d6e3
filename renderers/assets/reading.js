/*
 * reading.js - what a timeline's panels say: at a moment, and over a range of time
 *
 * A line is arrays with one element for each stretch of time in which its value is known: begin,
 * end (seconds), least, mean, most. Where nothing is known there is no stretch, which is not zero.
 */

/* "@begin ~width least/mean/most ...", in microseconds; what is as before is not said. */
function readLine(text) {
	const line = {begin: [], end: [], least: [], mean: [], most: []};
	let at = 0, width = 0;

	for (const token of text ? text.split(" ") : []) {
		if (token[0] === "@") {
			at = Number(token.slice(1));
		} else if (token[0] === "~") {
			width = Number(token.slice(1));
		} else {
			const [least, mean, most] = token.split("/").map(Number);

			line.begin.push(at / 1e6);
			line.end.push((at + width) / 1e6);
			line.least.push(least);
			line.mean.push(mean === undefined ? least : mean);
			line.most.push(most === undefined ? least : most);
			at += width;
		}
	}
	return line;
}

function readPanels() {
	const panels = [];

	for (const text of linesOf("series")) {
		const [what, ...words] = text.split("\t");

		if (what === "panel") {
			const [unit, top, title] = words;

			panels.push({unit, top: Number(top), title, lines: []});
		} else {
			const [look, name, values] = words;
			const [kind, rate] = look.split(" ");

			panels[panels.length - 1].lines.push(Object.assign(readLine(values),
				{name, kind, isRate: rate === "rate"}));
		}
	}
	return panels;
}

/* The first stretch that ends after a time. */
function stretchAfter(line, at) {
	let low = 0, high = line.end.length;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (line.end[middle] <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* {least, mean, most, known}; known is in seconds. null: nothing is known. */
function readRange(line, from, to) {
	let least = Infinity, most = -Infinity, sum = 0, known = 0;

	for (let i = stretchAfter(line, from); i < line.end.length && line.begin[i] < to; i++) {
		const time = Math.min(line.end[i], to) - Math.max(line.begin[i], from);

		if (time <= 1e-9)
			continue;
		least = Math.min(least, line.least[i]);
		most = Math.max(most, line.most[i]);
		sum += line.mean[i] * time;
		known += time;
	}
	return known > 0 ? {least, mean: sum / known, most, known} : null;
}

function readMoment(line, at) {
	const i = stretchAfter(line, at);

	return i < line.end.length && line.begin[i] <= at ?
		{least: line.least[i], mean: line.mean[i], most: line.most[i]} : null;
}

/* Areas lie upon each other and have the same stretches: their sum as a line of its own. */
function areasTogether(lines) {
	const [first] = lines, sum = {name: "all", kind: "area", isRate: first.isRate};

	for (const what of ["begin", "end"])
		sum[what] = first[what];
	for (const what of ["least", "mean", "most"])
		sum[what] = first[what].map((value, i) =>
			lines.reduce((all, line) => all + (line[what][i] || 0), 0));
	return sum;
}

/* ---- words */

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

function bytesWords(bytes) {
	let i = 0;

	while (Math.abs(bytes) >= 1024 && i + 1 < BYTE_UNITS.length) {
		bytes /= 1024;
		i++;
	}
	return Number(bytes.toPrecision(4)) + " " + BYTE_UNITS[i];
}

function quantityWords(unit, value) {
	if (unit === "seconds")
		return value < 0 ? "-" + timeWords(-value * 1e9) : timeWords(value * 1e9);
	if (unit === "bytes")
		return bytesWords(value);
	if (unit === "cpus")
		return value.toFixed(2);
	return grouped(Number(value.toPrecision(Math.abs(value) >= 1000 ? 6 : 4)));
}

/* What a rate adds up to over the time in which it is known. */
function totalWords(panel, {mean, known}) {
	if (panel.unit === "cpus")
		return timeWords(mean * known * 1e9) + " of CPU";
	/* of cells the value is a number, not one a second */
	if (panel.unit === "cells")
		return grouped(Math.round(mean * known / (axis.get("column") / axis.get("rows")))) +
			" in all";
	const total = mean * known;

	return quantityWords(panel.unit, panel.unit === "count" && total >= 100 ? Math.round(total) :
		total) + " in all";
}

function momentWords(panel, line, read) {
	if (!read)
		return line.name + " not known";
	return line.name + " " + (read.least === read.most ? quantityWords(panel.unit, read.mean) :
		quantityWords(panel.unit, read.least) + " to " + quantityWords(panel.unit, read.most));
}

function rangeWords(panel, line, read) {
	if (!read)
		return line.name + " not known";
	if (line.kind === "limit" || read.least === read.most)
		return line.name + " " + quantityWords(panel.unit, read.mean) +
			(line.isRate && read.mean ? ", " + totalWords(panel, read) : "");
	return line.name + " mean " + quantityWords(panel.unit, read.mean) + " (" +
		quantityWords(panel.unit, read.least) + " to " + quantityWords(panel.unit, read.most) +
		")" + (line.isRate ? ", " + totalWords(panel, read) : "");
}

/* Kinds of code that never ran are not told; of several areas their sum is. */
function linesToTell(panel) {
	const seen = panel.lines.filter(line => line.kind !== "area" ||
		line.most.some(value => value > 0));
	const areas = seen.filter(line => line.kind === "area");

	return areas.length > 1 ? [areasTogether(areas)].concat(seen) : seen;
}

/* Of areas the sum in full, the mean of the others. */
function panelWords(panel, told, range, at) {
	return told.map(line => {
		if (!range)
			return momentWords(panel, line, readMoment(line, at));

		const read = readRange(line, range.from, range.to);

		return line.kind === "area" && line !== told[0] && read ?
			line.name + " " + quantityWords(panel.unit, read.mean) :
			rangeWords(panel, line, read);
	}).join(" \u00b7 ");
}

/* "+4.25 s", no more digits than it takes to tell the grid's steps apart. */
function secondsWords(seconds) {
	return "+" + Number(seconds.toFixed(6)) + " s";
}
