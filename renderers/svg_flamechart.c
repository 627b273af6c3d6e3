/* svg_flamechart.c - the samples of a flame chart as text that a script reads */
#include "renderers/svg_flamechart.h"

#include <inttypes.h>

#include "renderers/flame_rows.h"
#include "renderers/flamechart.h"
#include "renderers/paper.h"

/* "name<tab>number" lines */
static void put_chart(struct paper *paper, const struct flamechart_walk *walk)
{
	paper_begin_data(paper, "chart");
	paper_put_rule(paper, "step\t%" PRIu64 "\nduration\t%" PRIu64 "\nusual\t%" PRIu64 "\n",
		       walk->step_ns, walk->duration, walk->usual);
	paper_put_rule(paper, "least\t%.17g\n", walk->least_share);
	paper_end_data(paper);
}

/* "groups<tab>name" lines, from the first lane to the last */
static void put_lanes(struct paper *paper, const struct flamechart_chart *chart)
{
	paper_begin_data(paper, "lanes");
	for (size_t i = 0; i < chart->rows_nr; i++) {
		paper_put_rule(paper, "%zu\t", chart->walk->groups_of[i]);
		paper_put_text(paper, chart->rows[i].name, strlen(chart->rows[i].name));
		paper_put_string(paper, "\n");
	}
	paper_end_data(paper);
}

static void put_column(struct paper *paper, const char *name, const struct rows_text *text)
{
	paper_begin_data(paper, name);
	paper_put(paper, text->bytes ? text->bytes : "", text->size);
	paper_end_data(paper);
}

void svg_put_flamechart(struct paper *paper, const struct flamechart_chart *chart)
{
	const struct flamechart_walk *walk = chart->walk;

	put_chart(paper, walk);
	put_lanes(paper, chart);
	put_column(paper, "times", walk->times);
	put_column(paper, "ends", walk->ends);
	if (walk->groups->size)
		put_column(paper, "groups", walk->groups);
}
