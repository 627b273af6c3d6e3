/* flame_chart_view.c - tephra flame --flamechart: stacks in order of time, a lane per thread */
#include <inttypes.h>

#include "analysis/flamechart.h"
#include "analysis/flamechart_tree.h"
#include "analysis/trust.h"
#include "base/mem.h"
#include "commands/flame_chart_embed.h"
#include "commands/flame_embed.h"
#include "commands/flame_picture.h"
#include "commands/output.h"
#include "commands/width.h"
#include "renderers/flamechart.h"

#define PADDING_PX 20

/* Strings of boxes and lanes lie in one text, one after the other. */
struct chart {
	struct flamechart of;
	struct flamechart_box *boxes; /* owned, as many as runs */
	struct flamechart_row *rows;  /* owned, as many as lanes */
	struct text strings, foot;
	size_t *at; /* owned: where the strings of a box begin, those of lanes behind them */
};

static void chart_release(struct chart *chart)
{
	flamechart_release(&chart->of);
	free(chart->boxes);
	free(chart->rows);
	free(chart->at);
	text_release(&chart->strings);
	text_release(&chart->foot);
}

/* ---- words */

static void add_samples(struct text *text, uint64_t samples)
{
	weight_add_grouped(text, weight_of(samples));
	text_add(text, samples == 1 ? " sample" : " samples");
}

/* Nothing where it stands for several. */
static void add_origin(const struct profile *profile, const struct flamechart_run *run,
		       struct text *text)
{
	const struct capture *capture = &profile->capture;
	const struct function *function;

	if (run->function == FUNCTION_NONE)
		return;
	function = &profile->naming.list[run->function];
	if (function->origin != ORIGIN_UNKNOWN)
		text_addf(text, ", %s", origin_word(function->origin));
	if (function->module != MODULE_NONE)
		text_addf(text, "%s%s", function->origin != ORIGIN_UNKNOWN ? " " : ", ",
			  names_display(&capture->names,
					capture->modules.list[function->module].basename));
	if (trust_grade(capture, function) != TRUST_SHOWN)
		text_addf(text, ", %s", trust_grade_words(capture, function));
}

/* "12.00 ms from 1.250 s on, 12 samples, library libc.so.6" */
static void add_tip(const struct flame_picture *picture, const struct flamechart *chart,
		    const struct flamechart_run *run, struct text *text)
{
	units_add_time(text, weight_of(run->end_ns - run->begin_ns));
	text_add(text, " from ");
	units_add_time(text, weight_of(run->begin_ns - chart->begin_ns));
	text_add(text, " on, ");
	add_samples(text, run->samples);
	add_origin(picture->profile, run, text);
}

/* What several short runs are called: they may be of one function. */
static void add_name(const struct flame_picture *picture, const struct flamechart_run *run,
		     struct text *text)
{
	const struct profile *profile = picture->profile;

	if (run->runs > 1)
		text_addf(text, "%" PRIu32 " short runs%s", run->runs,
			  run->function == FUNCTION_NONE ? "" : " of ");
	if (run->function != FUNCTION_NONE)
		text_add(text, names_display(&profile->capture.names,
					     profile->naming.list[run->function].name));
}

static void add_id(struct text *text, char before, int32_t id)
{
	if (id != TASK_ID_NONE)
		text_addf(text, "%c%" PRId32, before, id);
}

static void add_lane_name(const struct flame_picture *picture, uint32_t task_id, struct text *text)
{
	const struct capture *capture = &picture->profile->capture;
	const struct task *task;

	if (task_id == TASK_NONE) {
		text_add(text, "samples of no thread");
		return;
	}
	task = &capture->tasks.list[task_id];
	if (task->comm != NAME_NONE)
		text_add(text, names_display(&capture->names, task->comm));
	add_id(text, ' ', task->pid);
	add_id(text, task->pid == TASK_ID_NONE ? ' ' : '/', task->tid);
}

/* ---- boxes and lanes */

static double share_of(const struct flamechart *chart, uint64_t ns)
{
	return (double)(ns - chart->begin_ns) / (double)(chart->end_ns - chart->begin_ns);
}

static void set_box(struct chart *chart, const struct flame_picture *picture, uint32_t i)
{
	const struct profile *profile = picture->profile;
	const struct flamechart_run *run = &chart->of.runs[i];
	struct flamechart_box *box = &chart->boxes[i];

	box->name = chart->strings.bytes + chart->at[i];
	box->tip = box->name + strlen(box->name) + 1;
	box->begin = share_of(&chart->of, run->begin_ns);
	box->end = share_of(&chart->of, run->end_ns);
	box->depth = run->depth;
	box->more = run->runs > 1 ? run->runs : 0;
	box->paint = PAINT_MORE;
	if (run->function != FUNCTION_NONE && !box->more) {
		const struct function *function = &profile->naming.list[run->function];

		box->paint = picture->paints.of[run->function];
		box->mark = flame_frames_mark(&profile->capture, function);
	}
}

static void set_row(struct chart *chart, size_t i)
{
	const struct flamechart_lane *lane = &chart->of.lanes[i];
	struct flamechart_row *row = &chart->rows[i];

	row->name = chart->strings.bytes + chart->at[chart->of.runs_nr + i];
	row->fact = row->name + strlen(row->name) + 1;
	row->begin = lane->begin;
	row->nr = lane->nr;
	row->depth = lane->depth < FLAME_LEVELS_MAX ? lane->depth : FLAME_LEVELS_MAX;
}

static void make(struct chart *chart, const struct flame_picture *picture)
{
	const struct flamechart *of = &chart->of;
	struct text *strings = &chart->strings;

	chart->boxes = mem_zalloc(of->runs_nr, sizeof(*chart->boxes));
	chart->rows = mem_zalloc(of->lanes_nr, sizeof(*chart->rows));
	chart->at = mem_alloc((of->runs_nr + of->lanes_nr) * sizeof(*chart->at));
	for (uint32_t i = 0; i < of->runs_nr; i++) {
		chart->at[i] = strings->size;
		add_name(picture, &of->runs[i], strings);
		text_add_char(strings, '\0');
		add_tip(picture, of, &of->runs[i], strings);
		text_add_char(strings, '\0');
	}
	for (size_t i = 0; i < of->lanes_nr; i++) {
		chart->at[of->runs_nr + i] = strings->size;
		add_lane_name(picture, of->lanes[i].task, strings);
		text_add_char(strings, '\0');
		add_samples(strings, of->lanes[i].samples);
		if (of->lanes[i].depth > FLAME_LEVELS_MAX)
			text_addf(strings, "; %" PRIu32 " levels more, too deep to be drawn here",
				  of->lanes[i].depth - FLAME_LEVELS_MAX);
		text_add_char(strings, '\0');
	}
	for (uint32_t i = 0; i < of->runs_nr; i++)
		set_box(chart, picture, i);
	for (size_t i = 0; i < of->lanes_nr; i++)
		set_row(chart, i);
	if (of->lanes_left_out) {
		text_addf(&chart->foot, "+ %zu more thread%s with ", of->lanes_left_out,
			  of->lanes_left_out == 1 ? "" : "s");
		add_samples(&chart->foot, of->samples_left_out);
	}
}

/* "Width: time, 10.25 s from 701.467456358 on. A sample stands for ..." */
static void make_head(struct flame_picture *picture, const struct flamechart *chart)
{
	struct text *head = &picture->head;

	text_add(head, "Width: time, ");
	units_add_time(head, weight_of(chart->end_ns - chart->begin_ns));
	text_add(head, " from ");
	units_add_seconds(head, chart->begin_ns);
	text_add(head, " on. A sample stands for what ran before it, mostly ");
	units_add_time(head, weight_of(chart->interval_ns));
	text_add(head, "; what is empty has none. ");
	if (picture->recorder.without_time) {
		weight_add_grouped(head, picture->recorder.without_time);
		text_add(head, " samples have no time, and are not drawn. ");
	}
	profile_add_facts(picture->profile, head);
	text_add_char(head, '.');
}

static struct error *draw(const struct flame_picture *picture, const struct chart *chart,
			  const struct flamechart_walk *walk, const char *path)
{
	const struct flame_options *options = picture->options;
	struct flamechart_chart drawn = {
		.format = draw_format_of(path),
		.title = picture->title,
		.subtitle = picture->subtitle,
		.head = text_string(&picture->head),
		.foot = chart->foot.size ? text_string(&chart->foot) : NULL,
		.paint_words = picture->paints.words,
		.mark_words = FLAME_MARK_WORDS,
		.rows = chart->rows,
		.rows_nr = chart->of.lanes_nr,
		.boxes = chart->boxes,
		.duration_s = (double)(chart->of.end_ns - chart->of.begin_ns) / 1e9,
		.walk = walk,
		.id = options->id,
		.width_px = (double)options->width,
		.theme = (enum flame_theme)options->theme,
		.flags = flame_paints_are_by_name(&picture->paints) ? FLAME_PAINT_NAME : 0,
	};
	struct output output;
	struct error *err = output_open(path, &output);

	if (err)
		return err;
	if (!flamechart_draw(&drawn, output.file))
		return output_failed(&output);
	return output_commit(&output);
}

/* A run's least width as a share of the time. */
static struct error *take_least(const struct flame_options *options, double *ret)
{
	const weight whole = weight_of(1000000000);
	weight least;
	struct error *err = width_least("--min-width", options->least ? options->least : "1",
					(double)options->width - PADDING_PX, whole, &least);

	if (!err)
		*ret = weight_share(least, whole);
	return err;
}

/* Bytes of a box that is drawn, about. */
#define BOX_SIZE 200

/* Colours go by what is drawn, or where that is short runs alone, by what a script may draw. */
static void see_paints(struct flame_picture *picture, const struct flamechart *chart,
		       const struct flamechart_tree *tree)
{
	for (uint32_t i = 0; i < chart->runs_nr; i++)
		flame_paints_see(&picture->paints, chart->runs[i].function);
	if (!picture->paints.seen)
		for (uint32_t i = 1; i < tree->nr; i++)
			flame_paints_see(&picture->paints, tree->nodes[i].function);
}

/* All that is not in the file; the foot is not there when the picture is walked in. */
static void add_left_out(const struct chart *chart, const struct text *note, struct text *ret)
{
	if (chart->foot.size)
		text_addf(ret, "%s, not drawn", text_string(&chart->foot));
	if (note->size)
		text_addf(ret, "%s%s", ret->size ? "; " : "", text_string(note));
}

static struct error *draw_walked(struct flame_picture *picture, struct chart *chart,
				 double least_share, const char *path)
{
	CLEANUP(flame_chart_embed_release) struct flame_chart_embed embed = {0};
	CLEANUP(text_release) struct text note = TEXT_INIT;
	size_t size_max = ((size_t)picture->options->max_size << 20) - FLAME_EMBED_ASSETS_SIZE;
	size_t used = chart->of.runs_nr * (size_t)BOX_SIZE;
	struct error *err;

	flame_chart_embed_make(&embed, picture->profile, &picture->paints, &chart->of,
			       used < size_max / 2 ? size_max - used : size_max / 2);
	see_paints(picture, &chart->of, &embed.tree);
	make(chart, picture);
	add_left_out(chart, &embed.note, &note);
	embed.whole.note = note.size ? text_string(&note) : NULL;
	embed.whole.head = text_string(&picture->head);
	embed.walk.least_share = least_share;
	err = draw(picture, chart, &embed.walk, path);
	if (!err)
		flame_picture_tell(picture, &embed.note);
	return err;
}

struct error *flame_chart_view(struct flame_picture *picture, const char *path)
{
	CLEANUP(chart_release) struct chart chart = {0};
	const struct profile *profile = picture->profile;
	const struct event *event = &profile->capture.events.list[profile->event];
	struct flamechart_options wanted = {
		.has_duration = event->unit == UNIT_NS && event->has_periods,
	};
	struct error *err = take_least(picture->options, &wanted.least_share);

	if (err)
		return err;
	if (!picture->recorder.nr)
		return error_hint(
			error_new(ERROR_INPUT,
				  "the samples of '%s' have no times, which a flame chart needs",
				  profile->operand),
			"without --flamechart it is drawn as a flame graph");
	wanted.keeps_moments = !picture->options->still && draw_format_of(path) == DRAW_SVG;
	flamechart_build(&chart.of, &picture->recorder, &profile->paths, &wanted);
	make_head(picture, &chart.of);
	if (wanted.keeps_moments)
		return draw_walked(picture, &chart, wanted.least_share, path);
	see_paints(picture, &chart.of, &(struct flamechart_tree){0});
	make(&chart, picture);
	return draw(picture, &chart, NULL, path);
}
