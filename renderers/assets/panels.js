/*
 * panels.js - a timeline's panels taken out of the picture, before other scripts take it over
 *
 * What is below the head becomes a picture of its own, with a place for what is read from it: the
 * others find a head and no frames.
 */

const picture = document.currentScript.closest("svg");

/* "name<tab>number" lines of the axis. */
function axisOf(text) {
	return new Map(text.split("\n").slice(0, -1).map(line => {
		const [name, number] = line.split("\t");

		return [name, Number(number)];
	}));
}

const axis = axisOf(picture.querySelector("metadata.axis").textContent);
const panelsTop = axis.get("top"), panelsBottom = axis.get("bottom") + 4;

function takePanels() {
	const space = "http://www.w3.org/2000/svg", width = picture.getAttribute("width");
	const panels = document.createElementNS(space, "svg");
	const part = name => {
		const group = document.createElementNS(space, "g");

		group.setAttribute("class", name);
		panels.append(group);
		return group;
	};
	const lines = picture.querySelector("g.lines"), texts = part("words");
	const frames = picture.querySelector("g.frames");

	panels.setAttribute("class", "panels");
	panels.setAttribute("viewBox",
		`0 ${panelsTop} ${width} ${panelsBottom - panelsTop}`);
	for (const text of picture.querySelectorAll("g.head text"))
		if (Number(text.getAttribute("y")) > panelsTop)
			texts.append(text);
	panels.prepend(lines);
	part("frames marks").append(...frames.childNodes);
	part("readings");
	return panels;
}

const panelsPicture = takePanels();
