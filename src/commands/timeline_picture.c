/* timeline_picture.c - an incident as panels over one axis of time */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "commands/gather.h"
#include "commands/timeline_embed.h"
#include "commands/timeline_heat.h"
#include "commands/timeline_view.h"
#include "renderers/timeline.h"

/* What the chart points to. */
struct drawing {
	struct timeline_panel *panels; /* owned */
	struct timeline_line *lines;   /* owned, of all panels */
	struct timeline_point *points; /* owned, of all lines */
	struct timeline_mark *marks;   /* owned: phases, then onsets, then what is lost */
	char **words;		       /* owned: of onsets */
	size_t lines_nr, points_nr, marks_nr, words_nr;
	struct text head, foot;
};

static double seconds(const struct timeline_view *view, uint64_t at_ns)
{
	return ((double)at_ns - (double)view->from_ns) / 1e9;
}

/* ---- room: arrays that others point into are made once */

static void make_room(struct drawing *drawing, const struct timeline_view *view)
{
	const struct timeline_panels *panels = view->panels;
	size_t points = 2 * panels->nr, lines = panels->nr, marks = view->phases->nr;
	size_t lost = view->gathered->samples ? view->gathered->samples->samples.lost_nr : 0;

	for (size_t i = 0; i < panels->nr; i++)
		for (size_t k = 0; k < panels->groups[i].nr; k++, lines++)
			points += panels->groups[i].list[k].track->nr;
	marks += panels->nr * view->order->nr + lost;
	drawing->panels = mem_zalloc(panels->nr, sizeof(*drawing->panels));
	drawing->lines = mem_zalloc(lines + 1, sizeof(*drawing->lines));
	drawing->points = mem_alloc((points + 1) * sizeof(*drawing->points));
	drawing->marks = mem_zalloc(marks + 1, sizeof(*drawing->marks));
	drawing->words = mem_zalloc(marks + 1, sizeof(*drawing->words));
}

static void drawing_release(struct drawing *drawing)
{
	free(drawing->panels);
	free(drawing->lines);
	free(drawing->points);
	free(drawing->marks);
	for (size_t i = 0; i < drawing->words_nr; i++)
		free(drawing->words[i]);
	free(drawing->words);
	text_release(&drawing->head);
	text_release(&drawing->foot);
}

/* ---- lines */

/* Points outside of what is shown are left out, but for the gauge's value at its begin, and the
 * reading behind its end, until which the last one holds. */
static bool is_shown(const struct timeline_view *view, const struct track *track, size_t i)
{
	bool is_last_before = i + 1 < track->nr && track->end_ns[i + 1] > view->from_ns;
	bool is_first_after = i && track->end_ns[i - 1] < view->to_ns;

	if (track->kind == TRACK_GAUGE)
		return (track->begin_ns[i] < view->to_ns || is_first_after) &&
		       (track->end_ns[i] > view->from_ns || is_last_before);
	return track->begin_ns[i] < view->to_ns && track->end_ns[i] > view->from_ns;
}

static const enum paint paints[ORIGIN_NR] = {
	[ORIGIN_UNKNOWN] = PAINT_UNKNOWN, [ORIGIN_APP] = PAINT_APP,
	[ORIGIN_LIBRARY] = PAINT_LIBRARY, [ORIGIN_KERNEL] = PAINT_KERNEL,
	[ORIGIN_JIT] = PAINT_JIT,
};

static void add_line(struct drawing *drawing, const struct timeline_view *view,
		     const struct timeline_quantity *quantity, double scale)
{
	const struct track *track = quantity->track;
	struct timeline_line *line = &drawing->lines[drawing->lines_nr++];

	line->name = quantity->name;
	line->is_rate = timeline_is_cpus(quantity) || quantity->is_per_s;
	line->look = quantity->is_area		 ? TIMELINE_AREA
		     : track->kind == TRACK_RATE ? TIMELINE_MEAN
						 : TIMELINE_STEP;
	line->paint = paints[quantity->origin];
	line->points = &drawing->points[drawing->points_nr];
	for (size_t i = 0; i < track->nr; i++) {
		bool is_after = track->begin_ns[i] > view->to_ns;

		if (!is_shown(view, track, i))
			continue;
		drawing->points[drawing->points_nr++] = (struct timeline_point){
			seconds(view, track->begin_ns[i]), seconds(view, track->end_ns[i]),
			is_after ? (double)NAN : track->values[i] * scale};
		line->nr++;
	}
}

static void add_limit(struct drawing *drawing, const struct timeline_view *view, double limit)
{
	struct timeline_line *line = &drawing->lines[drawing->lines_nr++];

	line->name = "capacity";
	line->look = TIMELINE_LIMIT;
	line->points = &drawing->points[drawing->points_nr];
	line->nr = 2;
	drawing->points[drawing->points_nr++] = (struct timeline_point){0, 0, limit};
	drawing->points[drawing->points_nr++] = (struct timeline_point){
		seconds(view, view->to_ns), seconds(view, view->to_ns), limit};
}

/* ---- marks */

static bool is_of(const struct timeline_group *group, const struct milestone *milestone)
{
	if (strcmp(group->key, "cpu") == 0)
		return strcmp(milestone->role, "cpu.process") == 0 ||
		       strcmp(milestone->role, "cpu.util") == 0;
	for (size_t i = 0; i < group->nr; i++)
		if (strcmp(group->list[i].name, milestone->role) == 0)
			return true;
	return false;
}

/* Of several quantities in a panel the last word of its role says which: "rejected onset". */
static const char *add_word(struct drawing *drawing, const struct timeline_group *group,
			    const struct milestone *milestone)
{
	const char *dot = strrchr(milestone->role, '.');
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (group->nr > 1)
		text_addf(&text, "%s ", dot ? dot + 1 : milestone->role);
	text_add(&text, milestone_word(milestone->what));
	drawing->words[drawing->words_nr] = mem_strdup(text_string(&text));
	return drawing->words[drawing->words_nr++];
}

static void add_milestones(struct drawing *drawing, const struct timeline_view *view,
			   const struct timeline_group *group, struct timeline_panel *panel)
{
	panel->marks = &drawing->marks[drawing->marks_nr];
	for (size_t i = 0; i < view->order->nr; i++) {
		const struct milestone *milestone = &view->order->milestones[i];

		if (!is_of(group, milestone) || milestone->until_ns < view->from_ns ||
		    milestone->after_ns > view->to_ns)
			continue;
		drawing->marks[drawing->marks_nr++] = (struct timeline_mark){
			seconds(view, milestone->after_ns), seconds(view, milestone->until_ns),
			add_word(drawing, group, milestone)};
		panel->marks_nr++;
	}
}

/* Seconds in which too much was lost or throttled. */
static void add_lost(struct drawing *drawing, const struct timeline_view *view,
		     struct timeline_panel *panel)
{
	const struct utilisation *samples = &view->gathered->samples->samples;

	panel->lost = &drawing->marks[drawing->marks_nr];
	for (size_t i = 0; i < samples->lost_nr; i++) {
		double at_s = seconds(view, samples->lost[i] * UINT64_C(1000000000) +
						    (uint64_t)samples->offset_ns);

		if (at_s + 1 < 0 || at_s > seconds(view, view->to_ns))
			continue;
		drawing->marks[drawing->marks_nr++] =
			(struct timeline_mark){at_s, at_s + 1, "samples were lost or throttled"};
		panel->lost_nr++;
	}
}

/* ---- panels */

static void add_panel(struct drawing *drawing, const struct timeline_view *view,
		      const struct timeline_group *group, struct timeline_panel *panel)
{
	static const enum timeline_unit units[] = {
		[TIMELINE_PANEL_COUNT] = TIMELINE_COUNT,
		[TIMELINE_PANEL_NS] = TIMELINE_SECONDS,
		[TIMELINE_PANEL_BYTES] = TIMELINE_BYTES,
	};
	double scale = group->unit == TIMELINE_PANEL_NS ? 1e-9 : 1;

	panel->title = group->title;
	panel->unit = units[group->unit];
	if (strcmp(group->key, "cpu") == 0 || timeline_is_cpus(&group->list[0]))
		panel->unit = TIMELINE_CPUS;
	panel->is_tall = group->list[0].is_area;
	panel->lines = &drawing->lines[drawing->lines_nr];
	for (size_t i = 0; i < group->nr; i++)
		add_line(drawing, view, &group->list[i], scale);
	if (!isnan(group->limit) && group->limit > 0)
		add_limit(drawing, view, group->limit);
	panel->lines_nr = (size_t)(&drawing->lines[drawing->lines_nr] - panel->lines);
	add_milestones(drawing, view, group, panel);
	if (panel->is_tall)
		add_lost(drawing, view, panel);
}

static void add_phases(struct drawing *drawing, const struct timeline_view *view,
		       struct timeline_chart *chart)
{
	chart->phases = drawing->marks;
	for (size_t i = 0; i < view->phases->nr; i++) {
		const struct phase *phase = &view->phases->list[i];

		if (phase->end_ns < view->from_ns || phase->begin_ns > view->to_ns)
			continue;
		drawing->marks[drawing->marks_nr++] = (struct timeline_mark){
			seconds(view, phase->begin_ns), seconds(view, phase->end_ns), phase->label};
	}
	chart->phases_nr = drawing->marks_nr;
}

/* ---- words */

static void add_words(struct drawing *drawing, const struct timeline_view *view)
{
	const struct gathered *gathered = view->gathered;
	/* a heat map has the samples alone, and their clock where it is tied to no other */
	const struct gathered_capture *axis =
		view->cells && gathered->samples->untied ? gathered->samples : gathered->axis;
	struct text *head = &drawing->head;

	text_add(head, "Seconds from ");
	units_add_seconds(head, view->from_ns);
	text_addf(head, " of the clock %s.", source_clock_word(axis->profile.capture.clock));
	if (view->cells)
		return;
	if (gathered->samples && !gathered->samples->untied) {
		const struct utilisation *samples = &gathered->samples->samples;

		text_add(head, " CPU from samples, a bin is ");
		units_add_time(head, weight_of(samples->bin_ns));
		text_add(head, samples->is_estimated
				       ? ", a sample's time is taken from the distance of samples."
				       : ".");
	}
	for (size_t i = 0; i < gathered->nr; i++)
		if (gathered->list[i]->untied)
			text_addf(head, " Not drawn: %s, whose clock is tied to no other.",
				  gathered->list[i]->name);
	if (view->panels->left_out)
		text_addf(&drawing->foot,
			  "+ %zu more series, drawn with --track (tephra info --series)",
			  view->panels->left_out);
}

/* Bytes of a picture that are no tree, about: style and scripts; what the lines say. */
#define ASSETS_SIZE (280 << 10)
#define LINE_SIZE   (24 << 10)

/* The tree of the samples, for those who choose a range of time in a browser. */
static void add_flame(const struct timeline_view *view, size_t lines_nr,
		      struct timeline_embed *embed, struct timeline_chart *chart)
{
	size_t used = ASSETS_SIZE + lines_nr * LINE_SIZE;
	size_t least = view->size_max / 4;

	if (view->format != DRAW_SVG || !view->naming)
		return;
	timeline_embed_make(embed, view->gathered->samples, view->from_ns, view->to_ns,
			    view->cells ? view->cells->row_ns : 0,
			    used + least < view->size_max ? view->size_max - used : least);
	chart->flame = &embed->flame;
	chart->grid_begin_s = embed->begin_s;
	chart->grid_s = embed->bin_s;
}

bool timeline_picture_write(const struct timeline_view *view, FILE *out)
{
	const struct gathered *gathered = view->gathered;
	CLEANUP(timeline_embed_release) struct timeline_embed embed = {.begin_s = 0};
	struct drawing drawing = {0};
	struct timeline_chart chart = {
		.title = view->title,
		.subtitle = view->subtitle,
		.duration_s = seconds(view, view->to_ns),
		.clock_error_s = gathered->samples ? (double)gathered->samples->error_ns / 1e9 : 0,
		.width_px = view->width_px,
		.theme = view->theme,
		.format = view->format,
	};
	bool is_written;

	make_room(&drawing, view);
	add_phases(&drawing, view, &chart);
	for (size_t i = 0; i < view->panels->nr; i++)
		add_panel(&drawing, view, &view->panels->groups[i], &drawing.panels[i]);
	add_words(&drawing, view);
	add_flame(view, drawing.lines_nr, &embed, &chart);
	chart.heat = view->cells ? &view->cells->heat : NULL;
	chart.panels = drawing.panels;
	chart.panels_nr = view->panels->nr;
	chart.head = text_string(&drawing.head);
	chart.foot = drawing.foot.size ? text_string(&drawing.foot) : NULL;
	is_written = timeline_draw(&chart, out);
	drawing_release(&drawing);
	return is_written;
}
