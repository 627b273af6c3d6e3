/*
 * paint.js - boxes as elements of the stage
 *
 * Of the rows in the window, boxes that can be pointed at are a group each, of a stock that is
 * used again and again; thin ones are one path for each colour.
 */

const THIN = 3;

const stock = [];	/* {group, title, rect, text, ...what they say} */
let shownNr = 0;

function makeItem(holder) {
	const item = {
		group: make(SVG, "g", {role: "graphics-symbol"}), title: make(SVG, "title", {}),
		rect: make(SVG, "rect", {height: 16}), text: null,
		look: "", tip: "", label: "", x: -1, y: -1, width: -1, edge: 0, isIn: false,
		box: null,
	};

	item.group.append(item.title, item.rect);
	holder.append(item.group);
	item.isIn = true;
	return item;
}

function setLabel(item, label, x, y) {
	if (!label && !item.text)
		return;
	if (!item.text) {
		item.text = make(SVG, "text", {});
		item.group.append(item.text);
	}
	if (item.label !== label) {
		item.text.textContent = label;
		item.label = label;
	}
	if (!label)
		return;
	item.text.setAttribute("x", x.toFixed(2));
	item.text.setAttribute("y", y);
}

/* A match is outlined within its own box; where there is no room for that it is filled. */
function setPlace(item, x, y, width, isHit) {
	const edge = isHit ? 1 : 0;

	if (item.x !== x || item.width !== width || item.edge !== edge) {
		item.rect.setAttribute("x", (x + edge).toFixed(2));
		item.rect.setAttribute("width", Math.max(width - 2 * edge, 0).toFixed(2));
		item.x = x;
		item.width = width;
	}
	if (item.y !== y || item.edge !== edge) {
		item.rect.setAttribute("y", y + edge);
		item.rect.setAttribute("height", 16 - 2 * edge);
		item.y = y;
		item.edge = edge;
	}
}

function nextItem(holder) {
	if (shownNr === stock.length)
		stock.push(makeItem(holder));

	const item = stock[shownNr++];

	if (!item.isIn) {
		holder.append(item.group);
		item.isIn = true;
	}
	return item;
}

/* What a box is: its label and what it says; see dress() for the rest. */
function paintItem(holder, box) {
	const item = nextItem(holder);

	item.box = box;
	if (item.tip !== box.tip) {
		item.title.textContent = box.tip;
		item.tip = box.tip;
	}
	dress(item);
	setLabel(item, cut(box.label, drawnWidth(box) - 2 * INSET, box.isMore), box.x + INSET,
		box.y + 12);
	return item;
}

function drawnWidth(box) {
	return box.width - Math.min(GAP, box.width / 5);
}

/* Its place and look, which depend on whether it was found. */
function dress(item) {
	const {box} = item, drawn = drawnWidth(box), isThin = box.isHit && drawn < 5;
	const look = box.look + (isThin ? " thin" : box.isHit ? " hit" : "") +
		(box.isUnder ? " under" : "");

	if (item.look !== look) {
		item.group.setAttribute("class", look);
		item.look = look;
	}
	setPlace(item, box.x, box.y, isThin ? Math.max(drawn, 1) : drawn, box.isHit && !isThin);
}

/* ---- thin boxes: one path for each colour */

const thinLooks = [];		/* classes of paths, by number */
const thinNumbers = new Map(), thinOf = [];
const thinPaths = [];
const foundPath = make(SVG, "path", {class: "found"});

function thinNumber(look) {
	if (!thinNumbers.has(look)) {
		thinNumbers.set(look, thinLooks.length);
		thinLooks.push(look);
	}
	return thinNumbers.get(look);
}

/* The number of a function's look. */
function thinLook(fn, isUnder) {
	if (isUnder)
		return thinNumber(functions.look[fn].slice(0, 2) + " under");
	if (thinOf[fn] === undefined)
		thinOf[fn] = thinNumber(functions.look[fn].slice(0, 2));
	return thinOf[fn];
}

/* In tenths of a pixel: whole numbers are written much faster than others. */
function outline(x, y, width) {
	const across = Math.round(10 * width) || 1;

	return "M" + Math.round(10 * x) + " " + 10 * y + "h" + across + "v160h-" + across + "z";
}

function setThinPath(holder, look, outlines) {
	if (!thinPaths[look]) {
		if (!outlines)
			return;
		thinPaths[look] = make(SVG, "path", {class: thinLooks[look]});
		holder.prepend(thinPaths[look]);
	}
	thinPaths[look].setAttribute("d", outlines);
}

/* Begins a picture; item(box) for each wide box, thin(...) for each other, then end(). */
function beginPaint(holder, paths) {
	const thin = thinLooks.map(() => "");

	shownNr = 0;
	return {
		item: box => paintItem(holder, box),
		thin(look, x, y, width) {
			thin[look] = (thin[look] || "") + outline(x, y, 0.8 * width);
		},
		end() {
			for (let i = shownNr; i < stock.length && stock[i].isIn; i++) {
				stock[i].group.remove();
				stock[i].isIn = false;
			}
			thin.forEach((outlines, look) => setThinPath(paths, look, outlines));
		},
	};
}

/* Dresses the items anew; isFound(box) says which were found, outlines are those of thin boxes. */
function paintFound(paths, isFound, outlines) {
	for (let i = 0; i < shownNr; i++) {
		const {box} = stock[i], isHit = isFound(box);

		if (box.isHit !== isHit) {
			box.isHit = isHit;
			dress(stock[i]);
		}
	}
	if (outlines || foundPath.isConnected) {
		paths.append(foundPath);
		foundPath.setAttribute("d", outlines);
	}
}
