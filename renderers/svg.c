/* svg.c - figure -> SVG, with a style for light and dark and a script to walk in it */
#include "renderers/svg.h"

#include <errno.h>
#include <libxml/xmlwriter.h>
#include <string.h>

#include "renderers/assets.h"
#include "renderers/figure.h"
#include "renderers/flame.h"
#include "renderers/number.h"
#include "renderers/paper.h"
#include "renderers/svg_lines.h"
#include "renderers/svg_style.h"
#include "renderers/svg_symbols.h"
#include "renderers/svg_timeline.h"
#include "renderers/svg_tree.h"
#include "renderers/timeline.h"

/* Without a script a picture grows with its window up to this times its width. */
#define GROWTH_MAX 1.5

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
	xmlTextWriterWriteFormatAttribute(writer, xml("id"), "%stitle", svg_id(figure));
	write_text(writer, paper, figure->title);
	xmlTextWriterEndElement(writer);
	xmlTextWriterStartElement(writer, xml("desc"));
	xmlTextWriterWriteFormatAttribute(writer, xml("id"), "%sdesc", svg_id(figure));
	write_text(writer, paper, figure->description);
	xmlTextWriterEndElement(writer);
}

static void write_style(xmlTextWriter *writer, struct paper *paper, const struct figure *figure)
{
	xmlTextWriterStartElement(writer, xml("style"));
	xmlTextWriterStartCDATA(writer);
	xmlTextWriterFlush(writer);
	svg_put_style(paper, figure);
	xmlTextWriterEndCDATA(writer);
	xmlTextWriterEndElement(writer);
}

static void write_patterns(xmlTextWriter *writer, struct paper *paper, const struct figure *figure)
{
	if (!svg_has_patterns(figure))
		return;
	xmlTextWriterStartElement(writer, xml("defs"));
	xmlTextWriterWriteString(writer, xml("\n"));
	xmlTextWriterFlush(writer);
	svg_put_patterns(paper, figure);
	xmlTextWriterEndElement(writer);
	xmlTextWriterWriteString(writer, xml("\n"));
}

/* Of a call tree; those of two that are compared come behind its first. */
static const char *const first_scripts[] = {"tree.js", NULL};
static const char *const compare_scripts[] = {"compare.js", "compare_words.js", "compare_table.js",
					      NULL};
static const char *const tree_scripts[] = {
	"rows.js",   "words.js",  "transforms.js", "merged.js", "layout.js",
	"search.js", "page.js",	  "menu.js",	   "link.js",	"table.js",
	"paint.js",  "viewer.js", "tell.js",	   "hands.js",	NULL,
};

/* Of a timeline, before and behind those of its tree; without a tree it needs some of them. */
static const char *const panel_scripts[] = {"panels.js", NULL};
static const char *const plain_scripts[] = {"words.js", "page.js", "link.js", NULL};
static const char *const time_scripts[] = {"reading.js", "cells.js", "timeline.js", NULL};
static const char *const range_scripts[] = {"bins.js", NULL};

static void put_scripts(struct paper *paper, const char *const *names)
{
	for (; *names; names++)
		paper_put_string(paper, asset_text(*names));
}

/* The scripts share a scope of their own: there may be other pictures in the page. */
static void write_script(xmlTextWriter *writer, struct paper *paper, const struct figure *figure)
{
	const struct timeline_chart *timeline = figure->timeline;
	bool has_tree = !timeline || timeline->flame;

	xmlTextWriterStartElement(writer, xml("script"));
	xmlTextWriterStartCDATA(writer);
	xmlTextWriterFlush(writer);
	paper_put_string(paper, "(function () {\n\"use strict\";\n");
	if (timeline)
		put_scripts(paper, panel_scripts);
	put_scripts(paper, first_scripts);
	if (has_tree && figure->chart && figure->chart->whole->comparison)
		put_scripts(paper, compare_scripts);
	put_scripts(paper, has_tree ? tree_scripts : plain_scripts);
	if (timeline && timeline->flame)
		put_scripts(paper, range_scripts);
	if (timeline)
		put_scripts(paper, time_scripts);
	paper_put_string(paper, "})();\n");
	xmlTextWriterEndCDATA(writer);
	xmlTextWriterEndElement(writer);
}

/* What a script needs, and the script, behind all that is drawn without it. */
static void write_walk(xmlTextWriter *writer, struct paper *paper, const struct figure *figure)
{
	bool has_tree = figure->chart && figure->chart->whole;

	if (!has_tree && !figure->timeline)
		return;
	xmlTextWriterFlush(writer);
	if (figure->timeline)
		svg_put_timeline(paper, figure);
	if (has_tree && !svg_put_tree(paper, figure) && !paper->error)
		paper->error = ENOMEM;
	write_script(writer, paper, figure);
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
	xmlTextWriterStartDocument(writer, NULL, NULL, NULL);
	xmlTextWriterStartElement(writer, xml("svg"));
	xmlTextWriterWriteAttribute(writer, xml("xmlns"), xml("http://www.w3.org/2000/svg"));
	xmlTextWriterWriteAttribute(writer, xml("class"), xml("tephra"));
	xmlTextWriterWriteAttribute(writer, xml("role"), xml("graphics-document"));
	xmlTextWriterWriteFormatAttribute(writer, xml("aria-labelledby"), "%stitle %sdesc",
					  svg_id(figure), svg_id(figure));
	write_size(writer, figure);
	xmlTextWriterWriteString(writer, xml("\n"));
	write_titles(writer, paper, figure);
	xmlTextWriterWriteString(writer, xml("\n"));
	write_style(writer, paper, figure);
	xmlTextWriterWriteString(writer, xml("\n"));
	write_paper_box(writer);
	xmlTextWriterWriteString(writer, xml("\n"));
	write_patterns(writer, paper, figure);
	write_group(writer, paper, figure, "head", svg_put_head);
	xmlTextWriterWriteString(writer, xml("\n"));
	if (figure->lines_nr) {
		write_group(writer, paper, figure, "lines", svg_put_lines);
		xmlTextWriterWriteString(writer, xml("\n"));
	}
	write_group(writer, paper, figure, "frames", svg_put_symbols);
	xmlTextWriterWriteString(writer, xml("\n"));
	write_walk(writer, paper, figure);
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
