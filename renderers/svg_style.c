/* svg_style.c - the palette as rules of a style sheet, and hatches as patterns */
#include "renderers/svg_style.h"

#include <stdbool.h>

#include "renderers/assets.h"
#include "renderers/figure.h"
#include "renderers/flame.h"
#include "renderers/paper.h"
#include "renderers/svg_lines.h"

const char *svg_id(const struct figure *figure)
{
	return figure->chart && figure->chart->id ? figure->chart->id : "";
}

static void put_colours(struct paper *paper, enum palette_family family, bool is_dark,
			bool is_hatched)
{
	uint32_t surface = palette_ink_rgb(INK_SURFACE, is_dark);
	uint32_t text = palette_ink_rgb(INK_TEXT, is_dark);
	uint32_t quiet = palette_ink_rgb(INK_QUIET, is_dark);
	uint32_t search = palette_ink_rgb(INK_SEARCH, is_dark);

	paper_put_rule(paper, ".tephra{background:#%06x;color:#%06x;color-scheme:%s}\n", surface,
		       text, is_dark ? "dark" : "light");
	paper_put_rule(paper, ".tephra .paper{fill:#%06x}.tephra text{fill:#%06x}\n", surface,
		       text);
	paper_put_rule(paper, ".tephra .quiet{fill:#%06x;color:#%06x}\n", quiet, quiet);
	paper_put_rule(paper, ".tephra .ring{stroke:#%06x}.tephra .edge{border-color:#%06x}\n",
		       text, quiet);
	paper_put_rule(
		paper,
		".tephra .crosshair,.tephra .brush{stroke:#%06x}.tephra .brush{fill:#%06x}\n", text,
		text);
	paper_put_rule(paper, ".tephra .menu,.tephra .said,.tephra thead{background:#%06x}\n",
		       surface);
	for (enum paint paint = 0; paint < PAINT_NR; paint++) {
		if (!palette_is_of(paint, family))
			continue;
		for (unsigned int shade = 0; shade < PALETTE_SHADES; shade++)
			paper_put_rule(
				paper, ".tephra .%c%u{fill:#%06x}", palette_letter(paint), shade,
				palette_rgb((struct fill){paint, shade, HATCH_NONE}, is_dark));
		paper_put_string(paper, "\n");
	}
	if (is_hatched)
		paper_put_rule(paper, ".tephra .hatch{stroke:#%06x;stroke-width:1.3px}\n", surface);
	if (family == PALETTE_CHANGES)
		paper_put_rule(paper,
			       ".tephra .new>rect,.tephra .gone>rect{stroke:#%06x}.tephra "
			       ".gone>rect{stroke-dasharray:4 2}\n",
			       text);
	paper_put_rule(paper, ".tephra .brush.cells,.tephra .crosshair.cells{stroke:#%06x}\n",
		       search);
	paper_put_rule(
		paper,
		".tephra .hit rect{stroke:#%06x}.tephra .thin rect,.tephra path.found{fill:#%06x}\n",
		search, search);
}

/*
 * A hatched fill is a pattern of its own, so that a frame stays one rectangle: the fill below, and
 * lines of the paper's colour. Both have classes, and follow the theme.
 */
struct hatched {
	const char *id;
	bool has[HATCH_NR][PAINT_NR][PALETTE_SHADES], is_any;
};

static void add_hatched(struct hatched *hatched, struct fill fill)
{
	hatched->has[fill.hatch][fill.paint][fill.shade] = true;
	hatched->is_any |= fill.hatch != HATCH_NONE;
}

/* Does a script walk in a comparison? */
static bool is_compared(const struct figure *figure)
{
	return figure->chart && figure->chart->whole && figure->chart->whole->comparison;
}

/* Of a comparison that was judged a script may draw every change with either hatch. */
static void add_changes(struct hatched *hatched)
{
	for (enum hatch hatch = HATCH_NONE + 1; hatch < HATCH_NR; hatch++)
		for (unsigned int shade = 0; shade < PALETTE_SHADES; shade++) {
			add_hatched(hatched, (struct fill){PAINT_MORE_THAN, shade, hatch});
			add_hatched(hatched, (struct fill){PAINT_LESS_THAN, shade, hatch});
		}
}

/* The legend shows hatches on grey; that of a table, or of time, is drawn by the script alone. */
static void add_table_keys(struct hatched *hatched, enum hatch hatch)
{
	for (unsigned int shade = 0; shade < PALETTE_SHADES; shade++)
		add_hatched(hatched, (struct fill){PAINT_UNKNOWN, shade, hatch});
}

/* A script may draw what is not drawn yet. */
static void find_hatched(const struct figure *figure, struct hatched *ret)
{
	*ret = (struct hatched){.id = svg_id(figure)};
	if (figure->function_fills && is_compared(figure) &&
	    figure->chart->whole->comparison->is_judged)
		add_changes(ret);
	if (!figure->is_hatched)
		return;
	for (size_t i = 0; i < figure->boxes_nr; i++)
		add_hatched(ret, figure->boxes[i].fill);
	if (!figure->function_fills)
		return;
	for (size_t i = 0; i < figure->chart->whole->functions_nr; i++) {
		add_hatched(ret, figure->function_fills[i]);
		if (figure->chart->flags & (FLAME_AS_TABLE | FLAME_IN_TIME))
			add_table_keys(ret, figure->function_fills[i].hatch);
	}
}

/* Calls put for each hatched fill, with its class and that of its hatch. */
static void each_hatched(struct paper *paper, const struct hatched *hatched,
			 void (*put)(struct paper *paper, const char *id, const char *fill,
				     enum hatch hatch))
{
	for (enum hatch hatch = HATCH_NONE + 1; hatch < HATCH_NR; hatch++)
		for (enum paint paint = 0; paint < PAINT_NR; paint++)
			for (unsigned int shade = 0; shade < PALETTE_SHADES; shade++) {
				char fill[] = {palette_letter(paint), (char)('0' + shade), '\0'};

				if (hatched->has[hatch][paint][shade])
					put(paper, hatched->id, fill, hatch);
			}
}

static void put_hatch_rule(struct paper *paper, const char *id, const char *fill, enum hatch hatch)
{
	char letter = palette_hatch_letter(hatch);

	paper_put_rule(paper, ".tephra .%s.%c{fill:url(#%s%c%s)}\n", fill, letter, id, letter,
		       fill);
}

/* Lines from corner to corner; what sticks out at two corners joins them to the next tile's. */
static void put_pattern(struct paper *paper, const char *id, const char *fill, enum hatch hatch)
{
	paper_put_rule(
		paper,
		"<pattern id=\"%s%c%s\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
		"<rect class=\"%s\" width=\"8\" height=\"8\"/>"
		"<path class=\"hatch\" d=\"M-2 2 2-2M0 8 8 0M6 10 10 6%s\"/></pattern>\n",
		id, palette_hatch_letter(hatch), fill, fill,
		hatch == HATCH_CROSSED ? "M-2 6 2 10M0 0 8 8M6-2 10 2" : "");
}

void svg_put_style(struct paper *paper, const struct figure *figure)
{
	struct hatched hatched;

	find_hatched(figure, &hatched);
	paper_put_string(paper, asset_text("flame.css"));
	if (is_compared(figure))
		paper_put_string(paper, asset_text("compare.css"));
	if (figure->flamechart)
		paper_put_string(paper, asset_text("chart.css"));
	put_colours(paper, figure->family, figure->theme == FLAME_THEME_DARK, hatched.is_any);
	svg_put_line_rules(paper, figure, figure->theme == FLAME_THEME_DARK);
	each_hatched(paper, &hatched, put_hatch_rule);
	if (figure->theme != FLAME_THEME_AUTO)
		return;
	paper_put_string(paper, "@media screen and (prefers-color-scheme: dark) {\n");
	put_colours(paper, figure->family, true, hatched.is_any);
	svg_put_line_rules(paper, figure, true);
	paper_put_string(paper, "}\n");
}

bool svg_has_patterns(const struct figure *figure)
{
	struct hatched hatched;

	find_hatched(figure, &hatched);
	return hatched.is_any;
}

void svg_put_patterns(struct paper *paper, const struct figure *figure)
{
	struct hatched hatched;

	find_hatched(figure, &hatched);
	each_hatched(paper, &hatched, put_pattern);
}
