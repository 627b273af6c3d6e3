/* svg.c - figure -> SVG, with a style for light and dark and a script to walk in it */
#include "renderers/svg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "renderers/assets.h"
#include "renderers/figure.h"
#include "renderers/flame.h"
#include "renderers/paper.h"
#include "renderers/svg_flamechart.h"
#include "renderers/svg_lines.h"
#include "renderers/svg_style.h"
#include "renderers/svg_symbols.h"
#include "renderers/svg_timeline.h"
#include "renderers/svg_tree.h"
#include "renderers/timeline.h"

/* Without a script a picture grows with its window up to this times its width. */
#define GROWTH_MAX 1.5

static void put_id(struct paper *paper, const struct figure *figure)
{
	paper_put_text(paper, svg_id(figure), strlen(svg_id(figure)));
}

/* An element that says something of the whole: a title, a description. */
static void put_words(struct paper *paper, const struct figure *figure, const char *name,
		      const char *text)
{
	paper_put_string(paper, "<");
	paper_put_string(paper, name);
	paper_put_string(paper, " id=\"");
	put_id(paper, figure);
	paper_put_string(paper, name);
	paper_put_string(paper, "\">");
	paper_put_text(paper, text, strlen(text));
	paper_put_string(paper, "</");
	paper_put_string(paper, name);
	paper_put_string(paper, ">");
}

static void put_style(struct paper *paper, const struct figure *figure)
{
	paper_put_string(paper, "<style><![CDATA[");
	svg_put_style(paper, figure);
	paper_put_string(paper, "]]></style>\n");
}

static void put_patterns(struct paper *paper, const struct figure *figure)
{
	if (!svg_has_patterns(figure))
		return;
	paper_put_string(paper, "<defs>\n");
	svg_put_patterns(paper, figure);
	paper_put_string(paper, "</defs>\n");
}

/* Of a call tree; those of two that are compared come behind its first. */
static const char *const first_scripts[] = {"tree.js", NULL};
static const char *const compare_scripts[] = {"compare.js", "compare_words.js", "compare_table.js",
					      NULL};
static const char *const tree_scripts[] = {
	"rows.js",    "words.js",  "transforms.js", "repeats.js", "climb.js",
	"descend.js", "merged.js", "layout.js",	    "search.js",  "page.js",
	"menu.js",    "link.js",   "table.js",	    "paint.js",	  "ring.js",
	"room.js",    "viewer.js", "tell.js",	    "keys.js",	  "hands.js",
	NULL,
};

/* Of a timeline, before and behind those of its tree; without a tree it needs some of them. */
static const char *const panel_scripts[] = {"panels.js", NULL};
static const char *const plain_scripts[] = {"words.js", "page.js", "link.js", NULL};
static const char *const time_scripts[] = {"reading.js", "cells.js", "timeline.js", NULL};
static const char *const range_scripts[] = {"bins.js", NULL};

/* Of a flame chart, with those of a tree that it has a use for. */
static const char *const chart_scripts[] = {
	"tree.js",	  "rows.js",	     "words.js",
	"search.js",	  "page.js",	     "menu.js",
	"link.js",	  "paint.js",	     "chart_samples.js",
	"chart_runs.js",  "chart_words.js",  "chart_axis.js",
	"chart_page.js",  "ring.js",	     "room.js",
	"chart.js",	  "chart_search.js", "keys.js",
	"chart_print.js", "chart_hands.js",  NULL,
};

static void put_scripts(struct paper *paper, const char *const *names)
{
	for (; *names; names++)
		paper_put_string(paper, asset_text(*names));
}

static void put_tree_scripts(struct paper *paper, const struct figure *figure)
{
	const struct timeline_chart *timeline = figure->timeline;
	bool has_tree = !timeline || timeline->flame;

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
}

/* The scripts share a scope of their own: there may be other pictures in the page. */
static void put_script(struct paper *paper, const struct figure *figure)
{
	paper_put_string(paper, "<script><![CDATA[(function () {\n\"use strict\";\n");
	if (figure->flamechart)
		put_scripts(paper, chart_scripts);
	else
		put_tree_scripts(paper, figure);
	paper_put_string(paper, "})();\n]]></script>");
}

/* What a script needs, and the script, behind all that is drawn without it. */
static void put_walk(struct paper *paper, const struct figure *figure)
{
	bool has_tree = figure->chart && figure->chart->whole;

	if (!has_tree && !figure->timeline)
		return;
	if (figure->timeline)
		svg_put_timeline(paper, figure);
	if (has_tree && !svg_put_tree(paper, figure) && !paper->error)
		paper->error = ENOMEM;
	if (figure->flamechart)
		svg_put_flamechart(paper, figure->flamechart);
	put_script(paper, figure);
}

static void put_group(struct paper *paper, const struct figure *figure, const char *name,
		      void (*put)(struct paper *, const struct figure *))
{
	paper_put_string(paper, "<g class=\"");
	paper_put_string(paper, name);
	paper_put_string(paper, "\">\n");
	put(paper, figure);
	paper_put_string(paper, "</g>\n");
}

/* Numbers for viewers that know no style, growth for those that do. */
static void put_size(struct paper *paper, const struct figure *figure)
{
	paper_put_px(paper, " width=\"", figure->width_px);
	paper_put_px(paper, "\" height=\"", figure->height_px);
	paper_put_px(paper, "\" viewBox=\"0 0 ", figure->width_px);
	paper_put_px(paper, " ", figure->height_px);
	paper_put_px(paper, "\" style=\"width:100%;max-width:", figure->width_px * GROWTH_MAX);
	paper_put_string(paper, "px;height:auto\"");
}

static void put_root(struct paper *paper, const struct figure *figure)
{
	paper_put_string(paper, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tephra\" "
				"role=\"graphics-document\" aria-labelledby=\"");
	put_id(paper, figure);
	paper_put_string(paper, "title ");
	put_id(paper, figure);
	paper_put_string(paper, "desc\"");
	put_size(paper, figure);
	paper_put_string(paper, ">\n");
}

static void put_document(struct paper *paper, const struct figure *figure)
{
	paper_put_string(paper, "<?xml version=\"1.0\"?>\n");
	put_root(paper, figure);
	put_words(paper, figure, "title", figure->title);
	put_words(paper, figure, "desc", figure->description);
	paper_put_string(paper, "\n");
	put_style(paper, figure);
	paper_put_string(paper, "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
	put_patterns(paper, figure);
	put_group(paper, figure, "head", svg_put_head);
	if (figure->lines_nr)
		put_group(paper, figure, "lines", svg_put_lines);
	put_group(paper, figure, "frames", svg_put_symbols);
	put_walk(paper, figure);
	paper_put_string(paper, "\n</svg>\n");
}

bool svg_write(const struct figure *figure, FILE *out)
{
	struct paper *paper = calloc(1, sizeof(*paper));
	int error;

	if (!paper)
		return false;
	paper->file = out;
	put_document(paper, figure);
	paper_flush(paper);
	error = paper->error;
	free(paper);
	if (!error && fflush(out) != 0)
		error = errno;
	errno = error;
	return !error;
}
