/* chart_axis.js - round times along the axis of a flame chart, as renderers/axis.c has them */

const TICK_SPACE = 101, TICK = 5, UNIT_MAX = 10000;

/* 1, 2 or 5 times a power of ten, no less than this. */
function roundStep(least) {
	for (let power = 1e-3; power < 1e19; power *= 10)
		for (const times of [1, 2, 5])
			if (power * times >= least)
				return power * times;
	return least;
}

/* The unit that steps are whole in, or a larger one where numbers would be long. */
function tickUnit(stepNs, endNs) {
	const units = [["ns", 1], ["us", 1e3], ["ms", 1e6], ["s", 1e9]];
	const fit = units.filter(([, ns]) => stepNs >= 0.99 * ns).pop() || units[0];

	return units.slice(units.indexOf(fit)).find(([, ns]) => endNs / ns < UNIT_MAX) || units[3];
}

/* {x, label} of each tick within a range that is so wide. */
function ticksOf({from, to}, left, inner) {
	const step = roundStep((to - from) * TICK_SPACE / inner), [unit, ns] = tickUnit(step, to);
	const digits = Math.max(0, Math.round(Math.log10(ns / step) + 0.7)), ticks = [];

	for (let i = Math.ceil(from / step - 1e-9); i * step <= to * (1 + 1e-12); i++)
		ticks.push({x: left + (i * step - from) / (to - from) * inner,
			label: Number((i * step / ns).toFixed(digits)) + " " + unit});
	return ticks;
}

function drawTicks(axis, grid, range, {left, inner, height}) {
	const right = left + inner, ticks = ticksOf(range, left, inner);

	axis.replaceChildren(...ticks.map(({x, label}) => x + TICK_SPACE > right ? "" :
		make(SVG, "text", {class: "quiet", x: (x + INSET).toFixed(2), y: 12}, label)),
	make(SVG, "path", {class: "m0", d: ticks.map(({x}) =>
		`M${x.toFixed(2)} ${ROW - TICK}h1v${TICK}h-1z`).join("")}));
	grid.setAttribute("d", ticks.map(({x}) => `M${x.toFixed(2)} 0h1v${height}h-1z`).join(""));
}
