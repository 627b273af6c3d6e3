/*
 * timeline.js - a timeline that is read: a crosshair through all panels, a range of time
 *
 * at is where the crosshair is; chosen is the range {from, to}; both in seconds from the axis'
 * begin, and both null where there is none. A range begins and ends at a step of the grid.
 */

const hasTree = facts.has("rows");
const duration = axis.get("duration"), grid = axis.get("grid"), gridBegin = axis.get("grid-begin");
const plotLeft = axis.get("left"), plotWidth = axis.get("width");
const panels = readPanels();
const told = panels.map(linesToTell);
const heat = axis.has("columns") ? heatOf(axis) : null;
const shownSeconds = heat ? heat.columns * heat.column : duration;	/* that the width stands for */

/* As far as one step of an arrow goes: a step of the grid that can be seen, or a cell. */
const stride = heat ? heat.row : Math.max(1, Math.round(duration / 400 / grid)) * grid;
const FAR = 20;		/* strides that Page Up and Down go */
const CLICK_PX = 4;	/* a pointer that moved less has not dragged */

/* Of seconds, that tell two pixels apart. */
const digits = Math.max(0, Math.ceil(-Math.log10(duration / plotWidth)));

let at = null, chosen = null, anchor = null;

/* ---- places */

function clamp(seconds) {
	return Math.min(Math.max(seconds, 0), duration);
}

/* The step of the grid that is nearest, but no farther than the axis goes. */
function snap(seconds) {
	return clamp(Number((gridBegin + Math.round((seconds - gridBegin) / grid) * grid)
		.toFixed(9)));
}

function xOf(seconds) {
	return plotLeft + seconds / shownSeconds * plotWidth;
}

function secondsAt(event) {
	const box = panelsPicture.getBoundingClientRect(), seen = panelsPicture.viewBox.baseVal;
	const scale = seen.width / box.width;
	const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale + seen.y;

	return heat ? cellAt(x, y) : clamp(Number(((x - plotLeft) / plotWidth * duration)
		.toFixed(digits)));
}

/* ---- what is drawn over the panels */

const readings = panelsPicture.querySelector("g.readings");
const brush = make(SVG, "path", {class: heat ? "brush cells" : "brush", display: "none"});
const crosshair = make(SVG, "path", {class: heat ? "crosshair cells" : "crosshair", display: "none"});

function makeReading(top) {
	const paper = make(SVG, "rect", {class: "paper", height: 15, y: top, display: "none"});
	const text = make(SVG, "text", {class: "line", y: top + 12});

	readings.append(paper, text);
	return {paper, text};
}

function setReading({paper, text}, words, x, anchorWord) {
	text.textContent = words;
	paper.setAttribute("display", words ? "inline" : "none");
	if (!words)
		return;
	text.setAttribute("x", x);
	text.setAttribute("text-anchor", anchorWord);

	const box = text.getBBox();

	paper.setAttribute("x", box.x - 6);
	paper.setAttribute("width", box.width + 10);
}

readings.append(brush, crosshair);

const timeReading = makeReading(axis.get("axis"));
const panelReadings = panels.map(panel => makeReading(panel.top));

function lengthWords(range) {
	return secondsWords(range.from) + " to " + secondsWords(range.to) + " (" +
		timeWords((range.to - range.from) * 1e9) + ")";
}

/* While the pointer or a key moves the crosshair it is read, else the range. */
function drawReadings() {
	const range = at === null ? chosen : null, end = plotLeft + plotWidth;
	const words = range ? lengthWords(range) : at === null ? "" : secondsWords(at);
	const x = range ? xOf((range.from + range.to) / 2) : xOf(at || 0);
	const half = 4 * words.length;

	setReading(timeReading, words, Math.min(Math.max(x, plotLeft + half), end - half), "middle");
	panels.forEach((panel, i) => setReading(panelReadings[i], range || at !== null ?
		panelWords(panel, told[i], range, at) : "", end, "end"));
	crosshair.setAttribute("display", at === null ? "none" : "inline");
	if (at !== null)
		crosshair.setAttribute("d", heat ? cellPath(at) : crosshairPath(at));
	brush.setAttribute("display", chosen ? "inline" : "none");
	if (chosen)
		brush.setAttribute("d", heat ? cellsPath(chosen) : brushPath(chosen));
}

function crosshairPath(seconds) {
	return `M${xOf(seconds).toFixed(2)} ${axis.get("axis") + 16}V${axis.get("bottom")}`;
}

function brushPath({from, to}) {
	const [left, right] = [xOf(from).toFixed(2), xOf(to).toFixed(2)];

	return `M${left} ${axis.get("axis")}H${right}V${axis.get("bottom")}H${left}Z`;
}

/* ---- what is said below them: the range, and to those who do not see */

const said = make(HTML, "div", {class: "reading", role: "status"});
const HELP = (heat ? "Each column goes down. " : "") + "Drag, or Shift with an arrow, chooses a range of time" +
	(hasTree ? ", and draws its flame graph" : "") +
	"; arrows, Page Up and Down, Home and End move the crosshair; Escape ends both.";

function allWords() {
	return panels.map((panel, i) => panel.title + ": " +
		panelWords(panel, told[i], at === null ? chosen : null, at)).join("; ");
}

function commandLine(range) {
	const command = hasTree ? commandOf(range) : "";

	if (!command)
		return "";

	const code = html("code", "", command);

	return html("span", "command", "The same flame graph: ", code, " ",
		button("copy", "copy", "copy the command", () => copy(page, command, "the command")));
}

function tellAll() {
	said.textContent = "";
	if (at === null && !chosen)
		said.append(html("span", "quiet", HELP));
	else
		said.append(html("b", "", (chosen && at === null ? lengthWords(chosen) :
			secondsWords(at)) + " "), html("span", "unseen", allWords()));
	if (chosen)
		said.append(commandLine(chosen));
}

function refresh() {
	drawReadings();
	tellAll();
}

/* ---- the range, which the address holds */

function rangeText(range) {
	return range ? Number(range.from.toFixed(9)) + ".." + Number(range.to.toFixed(9)) : "";
}

/* null where the text is no range of this axis. */
function rangeOf(text) {
	const [from, to] = text.split("..").map(word => word ? snap(Number(word)) : NaN);

	return from < to ? {from, to} : null;
}

function takeRange(text) {
	chosen = rangeOf(text);
	app.classList.toggle("chosen", hasTree && chosen !== null);
	refresh();
}

function choose(range) {
	const text = rangeText(range);

	if (hasTree) {
		changeRange(text);
	} else {
		takeRange(text);
		writeLink(text ? "range=" + text : "", true);
	}
}

function readOwnLink() {
	takeRange(isAlone ? new URLSearchParams(location.hash.slice(1)).get("range") || "" : "");
}

/* ---- hands */

function moveTo(seconds) {
	at = seconds;
	refresh();
}

/* Shift and a key move one end of the range: that which the crosshair is at. */
function extendTo(seconds) {
	const begin = anchor === null ? snap(at === null ? 0 : at) : anchor;
	const [from, to] = rangeBetween(begin, snap(seconds));

	at = snap(seconds);
	anchor = begin;
	choose(from < to ? {from, to} : null);
}

const across = heat ? heat.column : stride;
const moves = {
	ArrowLeft: now => now - across, ArrowRight: now => now + across,
	ArrowUp: now => now - stride, ArrowDown: now => now + stride,
	PageUp: now => now - FAR * stride, PageDown: now => now + FAR * stride,
	Home: () => 0, End: () => duration,
};

function clear() {
	anchor = null;
	at = null;
	if (chosen)
		choose(null);
	else
		refresh();
}

function onPanelsKey(event) {
	panelsPicture.classList.add("by-key");

	const move = Object.prototype.hasOwnProperty.call(moves, event.key) && moves[event.key];

	if (event.ctrlKey || event.metaKey || event.altKey)
		return;
	if (move && event.shiftKey) {
		extendTo(clamp(move(at === null ? 0 : at)));
	} else if (move) {
		anchor = null;
		moveTo(at === null && event.key === "ArrowRight" ? 0 :
			snap(clamp(move(at === null ? duration : at))));
	} else if (event.key === "Escape") {
		clear();
	} else {
		return;
	}
	event.preventDefault();
	event.stopPropagation();
}

let drag = null;

/* A range of cells ends behind the last. */
function rangeBetween(one, other) {
	const [from, to] = [one, other].sort((a, b) => a - b);
	const last = heat ? Math.min(to + heat.row, duration) : to;

	return [snap(from), snap(last)];
}

/* Near an end of the range it is that end that moves. */
function anchorFor(seconds) {
	if (heat)
		return seconds;

	const near = CLICK_PX / plotWidth * duration;

	if (chosen && Math.abs(seconds - chosen.from) < near)
		return chosen.to;
	if (chosen && Math.abs(seconds - chosen.to) < near)
		return chosen.from;
	return seconds;
}

function onDown(event) {
	if (event.button)
		return;

	const seconds = secondsAt(event);

	panelsPicture.classList.remove("by-key");
	drag = {x: event.clientX, y: event.clientY, anchor: anchorFor(seconds), before: chosen, isMoved: false};
	panelsPicture.setPointerCapture(event.pointerId);
}

function onMove(event) {
	const seconds = secondsAt(event);

	if (drag && (drag.isMoved || Math.hypot(event.clientX - drag.x,
		event.clientY - drag.y) >= CLICK_PX)) {
		const ends = rangeBetween(drag.anchor, seconds);

		drag.isMoved = true;
		at = null;
		chosen = ends[0] < ends[1] ? {from: ends[0], to: ends[1]} : null;
		refresh();
	} else {
		moveTo(seconds);
	}
}

function onUp(event) {
	const was = drag, range = chosen;

	drag = null;
	anchor = null;
	if (!was)
		return;
	if (was.isMoved) {
		chosen = was.before;
		choose(range);
	} else {
		moveTo(secondsAt(event));
	}
}

function onCancel() {
	if (drag)
		chosen = drag.before;
	drag = null;
	refresh();
}

function onLeave() {
	if (drag || document.activeElement === panelsPicture)
		return;
	at = null;
	refresh();
}

function makePlainApp() {
	const words = picture.querySelector("g.head");
	const plain = html("div", "app", html("div", "top", headWords(words)),
		html("div", "bar", headKeys(words)));

	picture.removeAttribute("viewBox");
	picture.setAttribute("width", "100%");
	picture.setAttribute("style", isAlone ? "width:100%;height:100%" : "width:100%");
	if (isAlone)
		picture.setAttribute("height", "100%");
	words.remove();
	picture.querySelector("g.frames").remove();
	picture.append(make(SVG, "foreignObject", {x: 0, y: 0, width: "100%", height: "100%"}, plain));
	return plain;
}

const app = hasTree ? page.app : makePlainApp();
const place = html("div", "time", panelsPicture);

app.classList.add("timed");
app.querySelector(".bar").before(place, said);
place.before(app.querySelector(".keys"));
for (const [name, value] of [["tabindex", "0"], ["role", "application"], ["aria-label",
	"panels over time: arrows move the crosshair, Shift and arrows choose a range"]])
	panelsPicture.setAttribute(name, value);
panelsPicture.style.maxWidth = panelsPicture.viewBox.baseVal.width * 1.5 + "px";
panelsPicture.addEventListener("keydown", onPanelsKey);
panelsPicture.addEventListener("pointerdown", onDown);
panelsPicture.addEventListener("pointermove", onMove);
panelsPicture.addEventListener("pointerup", onUp);
panelsPicture.addEventListener("pointercancel", onCancel);
panelsPicture.addEventListener("pointerleave", onLeave);
if (hasTree) {
	startRanges();
} else {
	if (!isAlone)
		picture.setAttribute("height", app.offsetHeight);
	addEventListener("hashchange", readOwnLink);
	addEventListener("popstate", readOwnLink);
	readOwnLink();
}
