/* chart_print.js - a flame chart on paper: the lanes that are on the screen, as many as can be read */

const PAPER_SHAPE = 0.5;	/* height to width of what the head leaves of a page */

const paperAxis = make(SVG, "g", {class: "axis"});

/* Lanes of which nothing is between two heights. */
function lanesBeside(top, bottom) {
	return lanes.filter(({y, rows}) => y >= bottom || y + ROW * (1 + rows) <= top).length;
}

/* The axis stands in the picture of the lanes there, which is scaled as a whole. */
function placeOnPaper() {
	const room = Math.max(Math.round(width * PAPER_SHAPE), 4 * ROW);
	const top = Math.max(0, Math.min(scrolledTo, height - room));
	const shown = Math.min(height - top, room), left = lanesBeside(top, top + shown);

	paperAxis.setAttribute("transform", `translate(0 ${top - ROW})`);
	paperAxis.replaceChildren(make(SVG, "rect", {class: "paper", width, height: ROW}),
		...Array.from(page.axis.children, child => child.cloneNode(true)));
	stage.append(paperAxis);
	stage.setAttribute("height", shown + ROW);
	stage.setAttribute("viewBox", `0 ${top - ROW} ${width} ${shown + ROW}`);
	page.left.textContent = left ? "+ " + plural(left, "thread") + " more, for which the page " +
		"has no room" : "";
}

let scrolledTo = 0;

function onBeforePrint() {
	scrolledTo = view.scrollTop;
	isPrinting = true;
	draw();
}

function onAfterPrint() {
	isPrinting = false;
	paperAxis.remove();
	stage.setAttribute("height", height);
	view.scrollTop = scrolledTo;
	draw();
}
