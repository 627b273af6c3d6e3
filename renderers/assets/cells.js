/*
 * cells.js - where the cells of a heat map are: columns of time from left to right, rows downwards
 *
 * Times are those that cells begin at, in seconds. A range of cells goes down its first column,
 * through all of the columns between, and ends in its last.
 */

function heatOf(numbers) {
	const [columns, rows, column, top, height] =
		["columns", "rows", "column", "cells", "height"].map(name => numbers.get(name));

	return {columns, rows, column, top, height, row: column / rows, width:
		numbers.get("width") / columns, left: numbers.get("left"), cell: height / rows};
}

function withinOf(number, nr) {
	return Math.min(Math.max(Math.floor(number), 0), nr - 1);
}

/* The time of the cell at a place, which is one that was recorded. */
function cellAt(x, y) {
	const column = withinOf((x - heat.left) / heat.width, heat.columns);
	const row = withinOf((y - heat.top) / heat.cell, heat.rows);
	const last = Math.ceil(duration / heat.row - 1e-6) - 1;

	return Math.min(column * heat.rows + row, last) * heat.row;
}

function placeOfCell(seconds) {
	const cell = Math.round(seconds / heat.row);
	const column = Math.floor(cell / heat.rows);

	return {x: heat.left + column * heat.width, y: heat.top +
		(cell - column * heat.rows) * heat.cell, column};
}

function cellPath(seconds) {
	const {x, y} = placeOfCell(seconds);

	return `M${x.toFixed(2)} ${y.toFixed(2)}h${heat.width.toFixed(2)}v${heat.cell}` +
		`h-${heat.width.toFixed(2)}z`;
}

/* Around all cells of a range: a box where they are of one column, else with a step at each end. */
function cellsPath({from, to}) {
	const begin = placeOfCell(from), last = placeOfCell(Math.max(from, to - heat.row));
	const end = last.y + heat.cell, right = last.x + heat.width;
	const {top} = heat, bottom = heat.top + heat.height, next = begin.x + heat.width;

	if (begin.column === last.column)
		return `M${begin.x} ${begin.y}H${right}V${end}H${begin.x}Z`;
	return `M${begin.x} ${begin.y}H${next}V${top}H${right}V${end}H${last.x}V${bottom}H${begin.x}Z`;
}
