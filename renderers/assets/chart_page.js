/* chart_page.js - what stands around the lanes: head, tools, axis, details */

const ROW = 17, PADDING = 10, GAP = 1, INSET = 3, CELLS_MIN = 3;
const SEEN = 0.75;	/* a shorter box is drawn so wide */
const LANE_GAP = 6;

function makeChartTools(page, on) {
	page.back = button("back", "back", "the range before (Backspace, Escape)", on.back);
	page.reset = button("reset", "all", "the whole time (0)", on.reset);
	page.nearer = button("nearer", "+", "zoom in (+)", () => on.scale(1 / 2));
	page.nearer.setAttribute("aria-label", "zoom in");
	page.farther = button("farther", "\u2212", "zoom out (-)", () => on.scale(2));
	page.farther.setAttribute("aria-label", "zoom out");
	page.link = button("link", "copy link", "the address of just this view", on.link);
	return html("div", "tools", page.farther, page.nearer, page.back, page.reset, page.link);
}

function makeChartPage(head, on) {
	const page = {
		found: make(HTML, "div", {class: "found", role: "status"}),
		said: make(HTML, "div", {class: "said edge", role: "status", hidden: ""}),
		details: make(HTML, "div", {class: "details edge"}),
		axis: make(SVG, "svg", {class: "axis", height: ROW, "aria-hidden": "true"}),
		stage: make(SVG, "svg", {class: "stage", role: "application",
			preserveAspectRatio: "xMidYMin", "aria-label": "runs over time: arrows walk, " +
			"Enter zooms, Escape goes out, Shift and arrows move in time"}),
		grid: make(SVG, "path", {class: "m0"}),
		frames: make(SVG, "g", {class: "frames"}),
		names: make(SVG, "g", {class: "names"}),
		paths: make(SVG, "g", {class: "frames paths", "aria-hidden": "true",
			transform: "scale(.1)"}),
		marks: make(SVG, "g", {class: "frames marks", "aria-hidden": "true",
			transform: "scale(.1)"}),
		brush: make(SVG, "rect", {class: "brush", display: "none"}),
		ring: make(SVG, "rect", {class: "ring", display: "none"}),
	};
	const tools = makeChartTools(page, on), searching = makeSearchTools(page, on);

	page.keys = factKeys();
	page.stage.append(page.grid, page.paths, page.frames, page.marks, page.names, page.brush,
		page.ring);
	page.view = html("div", "view", page.stage);
	page.range = html("div", "range quiet");
	page.left = html("div", "left quiet");
	page.app = html("div", "app charted",
		html("div", "top", headWords(head), html("div", "hands", searching, page.found)),
		html("div", "bar", page.keys, page.range, tools), page.left, html("div", "times", page.axis),
		html("div", "body", page.view), page.details, page.said);
	page.frame = make(SVG, "foreignObject", {x: 0, y: 0, width: "100%", height: "100%"},
		page.app);
	return page;
}
