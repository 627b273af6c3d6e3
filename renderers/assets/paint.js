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
		group: make(SVG, "g", {role: "graphics-symbol"}), title: make(SVG, "title"),
		rect: make(SVG, "rect", {height: 16}), text: null,
		look: "", tip: "", label: "", x: -1, y: -1, width: -1, edge: 0, isIn: false,
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

/* What a box is: its place, look, label and what it says. */
function paintItem(holder, box) {
	const item = nextItem(holder);
	const drawn = box.width - Math.min(GAP, box.width / 5);
	const isThin = box.isHit && drawn < 5;
	const look = box.look + (isThin ? " thin" : box.isHit ? " hit" : "") +
		(box.isUnder ? " under" : "");

	if (item.look !== look) {
		item.group.setAttribute("class", look);
		item.look = look;
	}
	if (item.tip !== box.tip) {
		item.title.textContent = box.tip;
		item.tip = box.tip;
	}
	setPlace(item, box.x, box.y, isThin ? Math.max(drawn, 1) : drawn, box.isHit && !isThin);
	setLabel(item, cut(box.label, drawn - 2 * INSET, box.isMore), box.x + INSET, box.y + 12);
	return item;
}

/* In tenths of a pixel: whole numbers are written much faster than others. */
function outline(box) {
	const width = Math.round(10 * (box.isHit ? Math.max(box.width, 1) : box.width * 0.8)) || 1;

	return "M" + Math.round(10 * box.x) + " " + 10 * box.y + "h" + width + "v160h-" + width + "z";
}

/* Begins a picture; add(box) for each box, then end(). */
function beginPaint(holder, paths) {
	const thin = new Map();

	shownNr = 0;
	return {
		add(box) {
			if (box.width >= THIN || box.isCurrent)
				return paintItem(holder, box);

			const look = box.isHit ? "found" : box.look.slice(0, 2) +
				(box.isUnder ? " under" : "");

			if (!thin.has(look))
				thin.set(look, []);
			thin.get(look).push(outline(box));
			return null;
		},
		end() {
			for (let i = shownNr; i < stock.length && stock[i].isIn; i++) {
				stock[i].group.remove();
				stock[i].isIn = false;
			}
			paths.textContent = "";
			for (const [look, parts] of thin)
				paths.append(make(SVG, "path", {class: look, d: parts.join("")}));
		},
	};
}
