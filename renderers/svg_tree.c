/* svg_tree.c - the whole tree of a picture as text that a script reads */
#include "renderers/svg_tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "renderers/figure.h"
#include "renderers/flame.h"
#include "renderers/flame_layout.h"
#include "renderers/flame_rows.h"
#include "renderers/number.h"
#include "renderers/paper.h"

/* One letter for each enum flame_verdict. */
#define FLAME_VERDICT_LETTERS "-uboe"

/* A number so that it is read again as the same one; "inf" where it is that. */
#define PRECISE_SIZE 32

static void put_precise(char number[PRECISE_SIZE], double value)
{
	snprintf(number, PRECISE_SIZE, "%.17g", value);
}

/* The characters of a column need no escape, see ROWS_DIGITS. */
static void put_column(struct paper *paper, const char *name, const struct rows_text *text)
{
	paper_begin_data(paper, name);
	paper_put(paper, text->bytes ? text->bytes : "", text->size);
	paper_end_data(paper);
}

static void put_string(struct paper *paper, const char *text)
{
	if (text)
		paper_put_text(paper, text, strlen(text));
}

static void put_fact(struct paper *paper, const char *name, const char *value)
{
	if (!value)
		return;
	paper_put_string(paper, name);
	paper_put_string(paper, "\t");
	put_string(paper, value);
	paper_put_string(paper, "\n");
}

static void put_number_fact(struct paper *paper, const char *name, double value)
{
	char number[PRECISE_SIZE];

	put_precise(number, value);
	put_fact(paper, name, number);
}

/* What renderers/assets/compare.js goes by. */
static void put_comparison_facts(struct paper *paper, const struct flame_comparison *comparison)
{
	static const char letters[] = FLAME_VERDICT_LETTERS;
	char total[] = {letters[comparison->total], '\0'};

	put_fact(paper, "unit", comparison->unit);
	put_fact(paper, "compared", comparison->reading);
	put_fact(paper, "after-step", comparison->after_step);
	put_number_fact(paper, "before-by", comparison->before_by);
	put_number_fact(paper, "after-by", comparison->after_by);
	put_number_fact(paper, "whole", comparison->whole);
	put_number_fact(paper, "after-scale", comparison->after_scale);
	put_number_fact(paper, "points-max", comparison->points_max);
	put_fact(paper, "widths", comparison->widths);
	put_fact(paper, "width-both", comparison->width_words[0]);
	put_fact(paper, "width-after", comparison->width_words[1]);
	put_fact(paper, "width-before", comparison->width_words[2]);
	put_fact(paper, "judged", comparison->is_judged ? "yes" : NULL);
	put_fact(paper, "total", total);
}

/* "key-<letter of a paint or hatch>": the legend's word for it. */
static void put_key(struct paper *paper, char letter, const char *word)
{
	char name[] = {'k', 'e', 'y', '-', letter, '\0'};

	put_fact(paper, name, word);
}

/* The legend of the whole tree, instead of that of what is drawn. */
static void put_keys(struct paper *paper, const struct flame_chart *chart)
{
	const struct flame_whole *whole = chart->whole;
	bool has_paint[PAINT_NR] = {false}, has_mark[HATCH_NR] = {false};

	for (size_t i = 0; i < whole->functions_nr; i++) {
		has_paint[whole->functions[i].paint] = true;
		has_mark[whole->functions[i].mark] = true;
	}
	flame_drop_unkeyed(chart, has_paint);
	for (enum paint paint = 0; paint < PAINT_NR; paint++)
		if (has_paint[paint])
			put_key(paper, palette_letter(paint),
				chart->origin_words[paint] ? chart->origin_words[paint]
							   : palette_word(paint));
	for (enum hatch mark = HATCH_NONE + 1; mark < HATCH_NR; mark++)
		if (has_mark[mark])
			put_key(paper, palette_hatch_letter(mark), chart->mark_words[mark]);
}

static const char *view_of(const struct flame_chart *chart)
{
	if (chart->flags & FLAME_AS_TABLE)
		return "table";
	if (chart->flags & FLAME_IN_TIME)
		return "flamechart";
	if (chart->of)
		return "sandwich";
	if (chart->flags & FLAME_FROM_LEAF)
		return "callers";
	return chart->flags & FLAME_ICICLE ? "icicle" : "flame";
}

/* "name<tab>value" lines; what is not known has none. */
static void put_facts(struct paper *paper, const struct flame_chart *chart)
{
	char rows[NUMBER_SIZE], drawn[NUMBER_SIZE];

	number_exact(rows, (double)chart->whole->rows->nr);
	paper_begin_data(paper, "facts");
	put_fact(paper, "rows", rows);
	put_fact(paper, "unit", chart->unit);
	put_fact(paper, "step", chart->whole->step);
	put_fact(paper, "samples-step", chart->whole->samples_step);
	put_fact(paper, "note", chart->whole->note);
	put_fact(paper, "head", chart->whole->head);
	put_fact(paper, "view", view_of(chart));
	put_fact(paper, "of", chart->of);
	put_fact(paper, "direction", chart->flags & FLAME_ICICLE ? "down" : "up");
	put_fact(paper, "order", chart->flags & FLAME_HEAVIEST_FIRST ? "weight" : NULL);
	if (!chart->of && chart->frames_nr && chart->frames[0].width < 1) {
		number_exact(drawn, chart->frames[0].width);
		put_fact(paper, "drawn", drawn);
	}
	/* what is drawn has other lines, too, than those of its head */
	if (chart->flags & (FLAME_AS_TABLE | FLAME_IN_TIME))
		put_fact(paper, "subtitle", chart->subtitle);
	if (chart->flags & (FLAME_AS_TABLE | FLAME_IN_TIME) ||
	    (chart->of && !chart->whole->comparison))
		put_keys(paper, chart);
	if (chart->whole->comparison)
		put_comparison_facts(paper, chart->whole->comparison);
	paper_end_data(paper);
}

/* ---- functions: what several of them say the same stands in a list of its own, and once */

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool has_same_source(const struct flame_function *a, const struct flame_function *b)
{
	return is_same(a->origin, b->origin) && is_same(a->module, b->module) &&
	       is_same(a->status, b->status);
}

static int compare_strings(const char *a, const char *b)
{
	if (a == b || !a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

/* A function that says what it says as the first one in these strings. */
struct source {
	const struct flame_function *function;
	uint32_t id;
};

#define SOURCE_SLOTS_LOG 8

static size_t source_slot(const struct flame_function *function)
{
	uint64_t mixed = (uint64_t)(uintptr_t)function->origin;

	mixed = mixed * 31 + (uint64_t)(uintptr_t)function->module;
	mixed = mixed * 31 + (uint64_t)(uintptr_t)function->status;
	return (size_t)(mixed * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SOURCE_SLOTS_LOG));
}

/*
 * Most functions say what another one has said, in the same strings: one of each is kept, or some
 * where they fall into one slot. id_of[function] is its number. Returns how many are kept.
 */
static uint32_t find_sources(const struct flame_whole *whole, struct source *sources,
			     uint32_t *id_of)
{
	uint32_t last_of[1 << SOURCE_SLOTS_LOG] = {0}, nr = 0; /* one more than the id */

	for (size_t i = 0; i < whole->functions_nr; i++) {
		const struct flame_function *function = &whole->functions[i], *last;
		uint32_t *slot = &last_of[source_slot(function)];

		last = *slot ? sources[*slot - 1].function : NULL;
		if (!last || last->origin != function->origin || last->module != function->module ||
		    last->status != function->status) {
			sources[nr] = (struct source){function, nr};
			*slot = ++nr;
		}
		id_of[i] = *slot - 1;
	}
	return nr;
}

static int compare_sources(const void *a, const void *b)
{
	const struct flame_function *x = ((const struct source *)a)->function;
	const struct flame_function *y = ((const struct source *)b)->function;
	int order = compare_strings(x->origin, y->origin);

	if (!order)
		order = compare_strings(x->module, y->module);
	return order ? order : compare_strings(x->status, y->status);
}

/* "origin<tab>module<tab>status" lines; line_of[id of a source] is its line. */
static void put_source_lines(struct paper *paper, const struct source *sources, uint32_t nr,
			     uint32_t *line_of)
{
	uint32_t line = 0;

	paper_begin_data(paper, "sources");
	for (uint32_t i = 0; i < nr; i++) {
		const struct flame_function *function = sources[i].function;

		if (!i || !has_same_source(sources[i - 1].function, function)) {
			put_string(paper, function->origin);
			paper_put_string(paper, "\t");
			put_string(paper, function->module);
			paper_put_string(paper, "\t");
			put_string(paper, function->status);
			paper_put_string(paper, "\n");
			line++;
		}
		line_of[sources[i].id] = line - 1;
	}
	paper_end_data(paper);
}

/* The lines of all; source_of[function] is its line. */
static bool put_sources(struct paper *paper, const struct flame_whole *whole, uint32_t *source_of)
{
	struct source *sources = calloc(whole->functions_nr + 1, sizeof(*sources));
	uint32_t *line_of = calloc(whole->functions_nr + 1, sizeof(*line_of));
	bool is_done = sources && line_of;

	if (is_done) {
		uint32_t nr = find_sources(whole, sources, source_of);

		qsort(sources, nr, sizeof(*sources), compare_sources);
		put_source_lines(paper, sources, nr, line_of);
		for (size_t i = 0; i < whole->functions_nr; i++)
			source_of[i] = line_of[source_of[i]];
	}
	free(sources);
	free(line_of);
	return is_done;
}

/* "class source name" lines, "<tab>place" behind the name where it is known. */
static void put_function(struct paper *paper, const struct flame_function *function,
			 struct fill fill, uint32_t source)
{
	char number[NUMBER_SIZE];
	char classes[] = {palette_letter(fill.paint), (char)('0' + fill.shade), '\0', '\0'};

	if (fill.hatch)
		classes[2] = palette_hatch_letter(fill.hatch);
	paper_put_string(paper, classes);
	paper_put_string(paper, " ");
	paper_put(paper, number, number_exact(number, source));
	paper_put_string(paper, " ");
	put_string(paper, function->name);
	if (function->place) {
		paper_put_string(paper, "\t");
		put_string(paper, function->place);
	}
	paper_put_string(paper, "\n");
}

/* "letter before after smallest words" lines, in the order of functions; tabs between them. */
static void put_judged(struct paper *paper, const struct flame_judged *judged)
{
	static const char letters[] = FLAME_VERDICT_LETTERS;
	char line[4 * PRECISE_SIZE], smallest[PRECISE_SIZE];
	int size;

	put_precise(smallest, judged->smallest);
	size = snprintf(line, sizeof(line), "%c\t%" PRIu64 "\t%" PRIu64 "\t%s\t",
			letters[judged->verdict], judged->before, judged->after, smallest);
	paper_put(paper, line, (size_t)size);
	put_string(paper, judged->words);
	paper_put_string(paper, "\n");
}

static void put_verdicts(struct paper *paper, const struct flame_comparison *comparison,
			 const uint32_t *order, size_t nr)
{
	paper_begin_data(paper, "verdicts");
	for (size_t i = 0; i < nr; i++)
		put_judged(paper, &comparison->functions[order[i]]);
	paper_end_data(paper);
}

static bool put_functions(struct paper *paper, const struct figure *figure, const uint32_t *order,
			  size_t nr)
{
	const struct flame_whole *whole = figure->chart->whole;
	uint32_t *source_of = calloc(whole->functions_nr + 1, sizeof(*source_of));
	bool is_done = source_of && put_sources(paper, whole, source_of);

	if (is_done) {
		paper_begin_data(paper, "functions");
		for (size_t i = 0; i < nr; i++)
			put_function(paper, &whole->functions[order[i]],
				     figure->function_fills[order[i]], source_of[order[i]]);
		paper_end_data(paper);
	}
	free(source_of);
	return is_done;
}

bool svg_put_tree(struct paper *paper, const struct figure *figure)
{
	const struct flame_rows *rows = figure->chart->whole->rows;
	struct rows_functions functions = {0};
	bool is_done = !rows->is_short_of_memory && flame_rows_functions(rows, &functions);

	if (!is_done)
		return false;
	put_facts(paper, figure->chart);
	is_done = put_functions(paper, figure, functions.order, rows->functions_nr);
	if (is_done && figure->chart->whole->comparison)
		put_verdicts(paper, figure->chart->whole->comparison, functions.order,
			     rows->functions_nr);
	put_column(paper, "shape", &rows->shape);
	put_column(paper, "function", &functions.text);
	if (functions.rare.size)
		put_column(paper, "rare", &functions.rare);
	put_column(paper, "self", &rows->self);
	if (rows->has_after)
		put_column(paper, "after", &rows->after);
	if (rows->has_samples)
		put_column(paper, "samples", &rows->samples);
	put_column(paper, "more", &rows->more);
	if (rows->lacking.size)
		put_column(paper, "lacking", &rows->lacking);
	rows_functions_release(&functions);
	return is_done;
}
