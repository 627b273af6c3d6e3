/* svg.c - figure -> SVG, with a style for light and dark and a script to walk in it */
#include "renderers/svg.h"

#include <errno.h>
#include <libxml/xmlwriter.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "renderers/character.h"
#include "renderers/figure.h"
#include "renderers/number.h"

#define PAPER_SIZE 65536

/* Without a script a picture grows with its window up to this times its width. */
#define GROWTH_MAX 1.5

static const struct asset {
	const char *name, *text;
} assets[] = {
#include "renderers/assets.inc"
};

static const char *asset_text(const char *name)
{
	for (size_t i = 0; i < sizeof(assets) / sizeof(*assets); i++)
		if (strcmp(assets[i].name, name) == 0)
			return assets[i].text;
	return "";
}

/* What is to be written, a whole buffer at a time. The first error stays. */
struct paper {
	FILE *file;
	int error;
	size_t used;
	char bytes[PAPER_SIZE];
};

static void paper_flush(struct paper *paper)
{
	if (paper->used && !paper->error) {
		errno = 0;
		if (fwrite(paper->bytes, 1, paper->used, paper->file) != paper->used)
			paper->error = errno ? errno : EIO;
	}
	paper->used = 0;
}

/* What does not fit any more. */
static void paper_put_over(struct paper *paper, const char *bytes, size_t size)
{
	while (size > PAPER_SIZE - paper->used) {
		size_t part = PAPER_SIZE - paper->used;

		memcpy(paper->bytes + paper->used, bytes, part);
		paper->used = PAPER_SIZE;
		paper_flush(paper);
		bytes += part;
		size -= part;
	}
	memcpy(paper->bytes + paper->used, bytes, size);
	paper->used += size;
}

/* In place: of what is put most is a few bytes, and known to the compiler. */
__attribute__((always_inline)) static inline void paper_put(struct paper *paper, const char *bytes,
							    size_t size)
{
	if (size > PAPER_SIZE - paper->used) {
		paper_put_over(paper, bytes, size);
		return;
	}
	memcpy(paper->bytes + paper->used, bytes, size);
	paper->used += size;
}

__attribute__((always_inline)) static inline void paper_put_string(struct paper *paper,
								   const char *string)
{
	paper_put(paper, string, strlen(string));
}

static void paper_put_px(struct paper *paper, const char *before, double px)
{
	char number[NUMBER_SIZE];

	paper_put_string(paper, before);
	paper_put(paper, number, number_px(number, px));
}

/* How XML says a byte of text or attribute; NULL: as it is. Other control characters cannot be
 * said. */
static const char *escape_of(unsigned char byte)
{
	switch (byte) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\t':
	case '\n':
	case '\r':
		return " ";
	default:
		return byte < 0x20 ? "\xef\xbf\xbd" : NULL;
	}
}

/* Bytes that are themselves whatever stands beside them: most of all text. */
static bool is_plain(unsigned char byte)
{
	/* but & < > " */
	static const bool plain[256] = {
		[' ' ... '!'] = true, ['#' ... '%'] = true,  ['\'' ... ';'] = true,
		['='] = true,	      ['?' ... 0x7f] = true,
	};

	return plain[byte];
}

/* The highest bit of each byte of a word that equals `byte`; of some behind such a one too. */
static uint64_t bytes_equal(uint64_t word, unsigned char byte)
{
	uint64_t other = word ^ byte * UINT64_C(0x0101010101010101);

	return (other - UINT64_C(0x0101010101010101)) & ~other;
}

/* Are these 8 bytes plain? At one go, since half of a picture is text. */
static bool is_plain_word(const char *text)
{
	uint64_t word, odd;

	memcpy(&word, text, sizeof(word));
	odd = word | ((word - UINT64_C(0x2020202020202020)) & ~word); /* not ASCII; control */
	odd |= bytes_equal(word | UINT64_C(0x0202020202020202), '>'); /* and < */
	odd |= bytes_equal(word | UINT64_C(0x0404040404040404), '&'); /* and " */
	return !(odd & UINT64_C(0x8080808080808080));
}

/* The first byte that is not plain. */
static const char *skip_plain(const char *text, const char *end)
{
	while (end - text >= 8 && is_plain_word(text))
		text += 8;
	while (text < end && is_plain((unsigned char)*text))
		text++;
	return text;
}

/* Text of names: escaped, and made well-formed where it is not. */
static void paper_put_text(struct paper *paper, const char *text, size_t size)
{
	const char *end = text + size, *plain = text;

	for (;;) {
		const char *escape;
		size_t step = 1;

		text = skip_plain(text, end);
		if (text == end)
			break;
		escape = escape_of((unsigned char)*text);

		if ((unsigned char)*text >= 0x80) {
			uint32_t code;

			step = character_next(text, &code);
			if (code == CHARACTER_REPLACEMENT || code == 0xfffe || code == 0xffff)
				escape = "\xef\xbf\xbd";
		}
		if (escape) {
			paper_put(paper, plain, (size_t)(text - plain));
			paper_put_string(paper, escape);
			plain = text + step;
		}
		text += step;
	}
	paper_put(paper, plain, (size_t)(end - plain));
}

static void paper_put_label(struct paper *paper, const struct label *label)
{
	paper_put_text(paper, label->text, label->size);
	if (label->is_cut)
		paper_put_string(paper, LABEL_ELLIPSIS);
}

/* As many code units as a script will count; a broken byte comes out as one U+FFFD. */
static size_t utf16_units(const char *text, size_t size)
{
	const char *end = text + size;
	size_t units = 0;

	while (text < end) {
		uint32_t code = (unsigned char)*text;

		text += code < 0x80 ? 1 : character_next(text, &code);
		units += code > 0xffff ? 2 : 1;
	}
	return units;
}

/*
 * Frames do not go through xmlTextWriter, which takes about 4 us for one: there are tens
 * of thousands of them, all alike.
 */
static void put_rect(struct paper *paper, const struct figure_box *box)
{
	paper_put_px(paper, "x=\"", box->x);
	paper_put_px(paper, "\" y=\"", box->y);
	paper_put_px(paper, "\" width=\"", box->width);
	paper_put_px(paper, "\" height=\"", box->height);
	paper_put_string(paper, "\"/>");
}

static void put_class(struct paper *paper, struct fill fill)
{
	char name[] = {palette_letter(fill.paint), (char)('0' + fill.shade), '\0'};

	paper_put_string(paper, " class=\"");
	paper_put_string(paper, name);
	if (fill.hatch) {
		char hatch[] = {' ', palette_hatch_letter(fill.hatch), '\0'};

		paper_put_string(paper, hatch);
	}
	paper_put_string(paper, "\"");
}

/* The whole number that a value starts with, "1,012 samples"; -1 where it is none. */
static double leading_number(const char *value)
{
	double number = 0;
	const char *at = value;

	for (; (*at >= '0' && *at <= '9') || (*at == ',' && at[1] != ' '); at++)
		if (*at != ',')
			number = number * 10 + (*at - '0');
	return at > value && *at == ' ' ? number : -1;
}

/* The script takes a comma and a space for a name's end. */
static bool has_separator(const char *name, size_t size)
{
	const char *end = name + size;

	while ((name = memchr(name, ',', (size_t)(end - name))) && ++name < end)
		if (*name == ' ')
			return true;
	return false;
}

/*
 * The script reads a name up to the tip's first comma, and the weight behind it. Where that
 * would be wrong it gets the weight, the length of the name, and odd places from here.
 */
static void put_facts(struct paper *paper, const struct figure_box *box)
{
	bool is_plain_name = !has_separator(box->tip, box->name_size);
	char number[NUMBER_SIZE];

	if (is_plain_name && !box->is_placed &&
	    leading_number(box->tip + box->name_size + 2) == box->weight)
		return;
	paper_put_string(paper, " data-f=\"");
	paper_put(paper, number, number_exact(number, box->weight));
	paper_put_string(paper, " ");
	paper_put(paper, number,
		  number_exact(number, (double)utf16_units(box->tip, box->name_size)));
	if (box->is_placed) {
		paper_put_string(paper, " ");
		paper_put(paper, number, number_exact(number, box->begin));
		paper_put_string(paper, " ");
		paper_put(paper, number, number_exact(number, box->share));
	}
	paper_put_string(paper, "\"");
}

static void put_symbol(struct paper *paper, const struct figure_box *box)
{
	paper_put_string(paper, "<g role=\"graphics-symbol\"");
	put_class(paper, box->fill);
	put_facts(paper, box);
	paper_put_string(paper, "><title>");
	paper_put_text(paper, box->tip, strlen(box->tip));
	paper_put_string(paper, "</title><rect ");
	put_rect(paper, box);
	if (box->label.size) {
		paper_put_px(paper, "<text x=\"", box->x + 3);
		paper_put_px(paper, "\" y=\"", box->y + 12);
		paper_put_string(paper, "\">");
		paper_put_label(paper, &box->label);
		paper_put_string(paper, "</text>");
	}
	paper_put_string(paper, "</g>\n");
}

static void put_head(struct paper *paper, const struct figure *figure)
{
	static const char *const classes[] = {
		[FIGURE_TITLE] = "title",
		[FIGURE_LINE] = "line",
		[FIGURE_QUIET] = "quiet",
		[FIGURE_KEY] = "key",
	};

	for (size_t i = 0; i < figure->boxes_nr; i++) {
		if (figure->boxes[i].tip)
			continue;
		paper_put_string(paper, "<rect");
		put_class(paper, figure->boxes[i].fill);
		paper_put_string(paper, " ");
		put_rect(paper, &figure->boxes[i]);
		paper_put_string(paper, "\n");
	}
	for (size_t i = 0; i < figure->labels_nr; i++) {
		const struct figure_label *label = &figure->labels[i];

		paper_put_string(paper, "<text class=\"");
		paper_put_string(paper, classes[label->style]);
		paper_put_px(paper, "\" x=\"", label->x);
		paper_put_px(paper, "\" y=\"", label->y);
		paper_put_string(paper, "\">");
		paper_put_label(paper, &label->text);
		paper_put_string(paper, "</text>\n");
	}
}

static void put_symbols(struct paper *paper, const struct figure *figure)
{
	for (size_t i = 0; i < figure->boxes_nr; i++)
		if (figure->boxes[i].tip)
			put_symbol(paper, &figure->boxes[i]);
}

__attribute__((format(printf, 2, 3))) static void put_rule(struct paper *paper, const char *format,
							   ...)
{
	char rule[256];
	va_list values;

	va_start(values, format);
	vsnprintf(rule, sizeof(rule), format, values);
	va_end(values);
	paper_put_string(paper, rule);
}

static void put_colours(struct paper *paper, bool is_dark, bool is_hatched)
{
	uint32_t surface = palette_ink_rgb(INK_SURFACE, is_dark);
	uint32_t text = palette_ink_rgb(INK_TEXT, is_dark);
	uint32_t quiet = palette_ink_rgb(INK_QUIET, is_dark);
	uint32_t search = palette_ink_rgb(INK_SEARCH, is_dark);

	put_rule(paper, ".tephra{background:#%06x;color:#%06x;color-scheme:%s}\n", surface, text,
		 is_dark ? "dark" : "light");
	put_rule(paper, ".tephra .paper{fill:#%06x}.tephra text{fill:#%06x}\n", surface, text);
	put_rule(paper, ".tephra .quiet{fill:#%06x;color:#%06x}\n", quiet, quiet);
	put_rule(paper, ".tephra .ring{stroke:#%06x}.tephra .edge{border-color:#%06x}\n", text,
		 quiet);
	for (enum paint paint = 0; paint < PAINT_NR; paint++) {
		for (unsigned int shade = 0; shade < PALETTE_SHADES; shade++)
			put_rule(paper, ".tephra .%c%u{fill:#%06x}", palette_letter(paint), shade,
				 palette_rgb((struct fill){paint, shade, HATCH_NONE}, is_dark));
		paper_put_string(paper, "\n");
	}
	if (is_hatched)
		put_rule(paper, ".tephra .hatch{stroke:#%06x;stroke-width:1.3px}\n", surface);
	put_rule(paper, ".tephra .hit rect{stroke:#%06x}.tephra .thin rect{fill:#%06x}\n", search,
		 search);
}

/*
 * A hatched fill is a pattern of its own, so that a frame stays one rectangle: the fill below, and
 * lines of the paper's colour. Both have classes, and follow the theme.
 */
struct hatched {
	bool has[HATCH_NR][PAINT_NR][PALETTE_SHADES], is_any;
};

static void find_hatched(const struct figure *figure, struct hatched *ret)
{
	*ret = (struct hatched){0};
	for (size_t i = 0; i < figure->boxes_nr; i++) {
		struct fill fill = figure->boxes[i].fill;

		ret->has[fill.hatch][fill.paint][fill.shade] = true;
		ret->is_any |= fill.hatch != HATCH_NONE;
	}
}

/* Calls put for each hatched fill, with its class and that of its hatch. */
static void each_hatched(struct paper *paper, const struct hatched *hatched,
			 void (*put)(struct paper *paper, const char *fill, enum hatch hatch))
{
	for (enum hatch hatch = HATCH_NONE + 1; hatch < HATCH_NR; hatch++)
		for (enum paint paint = 0; paint < PAINT_NR; paint++)
			for (unsigned int shade = 0; shade < PALETTE_SHADES; shade++) {
				char fill[] = {palette_letter(paint), (char)('0' + shade), '\0'};

				if (hatched->has[hatch][paint][shade])
					put(paper, fill, hatch);
			}
}

static void put_hatch_rule(struct paper *paper, const char *fill, enum hatch hatch)
{
	char letter = palette_hatch_letter(hatch);

	put_rule(paper, ".tephra .%s.%c{fill:url(#%c%s)}\n", fill, letter, letter, fill);
}

/* Lines from corner to corner; what sticks out at two corners joins them to the next tile's. */
static void put_pattern(struct paper *paper, const char *fill, enum hatch hatch)
{
	put_rule(paper,
		 "<pattern id=\"%c%s\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
		 "<rect class=\"%s\" width=\"8\" height=\"8\"/>"
		 "<path class=\"hatch\" d=\"M-2 2 2-2M0 8 8 0M6 10 10 6%s\"/></pattern>\n",
		 palette_hatch_letter(hatch), fill, fill,
		 hatch == HATCH_CROSSED ? "M-2 6 2 10M0 0 8 8M6-2 10 2" : "");
}

static void put_style(struct paper *paper, const struct figure *figure,
		      const struct hatched *hatched)
{
	paper_put_string(paper, asset_text("flame.css"));
	put_colours(paper, figure->theme == FLAME_THEME_DARK, hatched->is_any);
	each_hatched(paper, hatched, put_hatch_rule);
	if (figure->theme != FLAME_THEME_AUTO)
		return;
	paper_put_string(paper, "@media screen and (prefers-color-scheme: dark) {\n");
	put_colours(paper, true, hatched->is_any);
	paper_put_string(paper, "}\n");
}

/* From here on the document, which xmlTextWriter keeps well-formed. */
static const xmlChar *xml(const char *text)
{
	return (const xmlChar *)text;
}

static int write_paper(void *context, const char *bytes, int size)
{
	paper_put(context, bytes, (size_t)size);
	return size;
}

/* Text that stands in an element of its own: cleaned first, since the writer only escapes. */
static void write_text(xmlTextWriter *writer, struct paper *paper, const char *text)
{
	xmlTextWriterWriteString(writer, xml(""));
	xmlTextWriterFlush(writer);
	paper_put_text(paper, text, strlen(text));
}

static void write_titles(xmlTextWriter *writer, struct paper *paper, const struct figure *figure)
{
	xmlTextWriterStartElement(writer, xml("title"));
	xmlTextWriterWriteAttribute(writer, xml("id"), xml("title"));
	write_text(writer, paper, figure->title);
	xmlTextWriterEndElement(writer);
	xmlTextWriterStartElement(writer, xml("desc"));
	xmlTextWriterWriteAttribute(writer, xml("id"), xml("desc"));
	write_text(writer, paper, figure->description);
	xmlTextWriterEndElement(writer);
}

static void write_style(xmlTextWriter *writer, struct paper *paper, const struct figure *figure,
			const struct hatched *hatched)
{
	xmlTextWriterStartElement(writer, xml("style"));
	xmlTextWriterStartCDATA(writer);
	xmlTextWriterFlush(writer);
	put_style(paper, figure, hatched);
	xmlTextWriterEndCDATA(writer);
	xmlTextWriterEndElement(writer);
}

static void write_patterns(xmlTextWriter *writer, struct paper *paper,
			   const struct hatched *hatched)
{
	if (!hatched->is_any)
		return;
	xmlTextWriterStartElement(writer, xml("defs"));
	xmlTextWriterWriteString(writer, xml("\n"));
	xmlTextWriterFlush(writer);
	each_hatched(paper, hatched, put_pattern);
	xmlTextWriterEndElement(writer);
	xmlTextWriterWriteString(writer, xml("\n"));
}

/* The scripts share a scope of their own: there may be other pictures in the page. */
static void write_script(xmlTextWriter *writer, struct paper *paper)
{
	xmlTextWriterStartElement(writer, xml("script"));
	xmlTextWriterStartCDATA(writer);
	xmlTextWriterFlush(writer);
	paper_put_string(paper, "(function () {\n\"use strict\";\n");
	paper_put_string(paper, asset_text("flame_model.js"));
	paper_put_string(paper, asset_text("flame_words.js"));
	paper_put_string(paper, asset_text("flame_page.js"));
	paper_put_string(paper, asset_text("flame.js"));
	paper_put_string(paper, "})();\n");
	xmlTextWriterEndCDATA(writer);
	xmlTextWriterEndElement(writer);
}

static bool has_symbols(const struct figure *figure)
{
	for (size_t i = 0; i < figure->boxes_nr; i++)
		if (figure->boxes[i].tip)
			return true;
	return false;
}

static void write_paper_box(xmlTextWriter *writer)
{
	xmlTextWriterStartElement(writer, xml("rect"));
	xmlTextWriterWriteAttribute(writer, xml("class"), xml("paper"));
	xmlTextWriterWriteAttribute(writer, xml("width"), xml("100%"));
	xmlTextWriterWriteAttribute(writer, xml("height"), xml("100%"));
	xmlTextWriterEndElement(writer);
}

static void write_group(xmlTextWriter *writer, struct paper *paper, const struct figure *figure,
			const char *name, void (*put)(struct paper *, const struct figure *))
{
	xmlTextWriterStartElement(writer, xml("g"));
	xmlTextWriterWriteAttribute(writer, xml("class"), xml(name));
	xmlTextWriterWriteString(writer, xml("\n"));
	xmlTextWriterFlush(writer);
	put(paper, figure);
	xmlTextWriterEndElement(writer);
}

static void write_unit(xmlTextWriter *writer, struct paper *paper, const char *unit)
{
	if (!unit)
		return;
	xmlTextWriterStartAttribute(writer, xml("data-unit"));
	xmlTextWriterFlush(writer);
	paper_put_text(paper, unit, strlen(unit));
	xmlTextWriterEndAttribute(writer);
}

/* Numbers for viewers that know no style, growth for those that do. */
static void write_size(xmlTextWriter *writer, const struct figure *figure)
{
	char width[NUMBER_SIZE], height[NUMBER_SIZE], most[NUMBER_SIZE];

	number_px(width, figure->width_px);
	number_px(height, figure->height_px);
	number_px(most, figure->width_px * GROWTH_MAX);
	xmlTextWriterWriteAttribute(writer, xml("width"), xml(width));
	xmlTextWriterWriteAttribute(writer, xml("height"), xml(height));
	xmlTextWriterWriteFormatAttribute(writer, xml("viewBox"), "0 0 %s %s", width, height);
	xmlTextWriterWriteFormatAttribute(writer, xml("style"),
					  "width:100%%;max-width:%spx;height:auto", most);
}

static void write_document(xmlTextWriter *writer, struct paper *paper, const struct figure *figure)
{
	struct hatched hatched;

	find_hatched(figure, &hatched);
	xmlTextWriterStartDocument(writer, NULL, NULL, NULL);
	xmlTextWriterStartElement(writer, xml("svg"));
	xmlTextWriterWriteAttribute(writer, xml("xmlns"), xml("http://www.w3.org/2000/svg"));
	xmlTextWriterWriteAttribute(writer, xml("class"), xml("tephra"));
	xmlTextWriterWriteAttribute(writer, xml("role"), xml("graphics-document"));
	xmlTextWriterWriteAttribute(writer, xml("aria-labelledby"), xml("title desc"));
	write_unit(writer, paper, figure->unit);
	write_size(writer, figure);
	xmlTextWriterWriteString(writer, xml("\n"));
	write_titles(writer, paper, figure);
	xmlTextWriterWriteString(writer, xml("\n"));
	write_style(writer, paper, figure, &hatched);
	xmlTextWriterWriteString(writer, xml("\n"));
	write_paper_box(writer);
	xmlTextWriterWriteString(writer, xml("\n"));
	write_patterns(writer, paper, &hatched);
	write_group(writer, paper, figure, "head", put_head);
	xmlTextWriterWriteString(writer, xml("\n"));
	write_group(writer, paper, figure, "frames", put_symbols);
	xmlTextWriterWriteString(writer, xml("\n"));
	if (has_symbols(figure))
		write_script(writer, paper);
	xmlTextWriterWriteString(writer, xml("\n"));
	xmlTextWriterEndElement(writer);
	xmlTextWriterEndDocument(writer);
	xmlTextWriterFlush(writer);
}

bool svg_write(const struct figure *figure, FILE *out)
{
	struct paper paper = {.file = out};
	xmlOutputBuffer *buffer = xmlOutputBufferCreateIO(write_paper, NULL, &paper, NULL);
	xmlTextWriter *writer = buffer ? xmlNewTextWriter(buffer) : NULL;

	if (!writer) {
		if (buffer)
			xmlOutputBufferClose(buffer);
		errno = ENOMEM;
		return false;
	}
	write_document(writer, &paper, figure);
	xmlFreeTextWriter(writer);
	paper_flush(&paper);
	if (!paper.error && fflush(out) != 0)
		paper.error = errno;
	errno = paper.error;
	return !paper.error;
}
