/* timeline.c - tephra timeline: queues and CPU over one axis of time */
#include <string.h>
#include <unistd.h>

#include "analysis/naming.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "commands/gather.h"
#include "commands/order_evidence.h"
#include "commands/order_queue.h"
#include "commands/output.h"
#include "commands/rows.h"
#include "commands/timeline_heat.h"
#include "commands/timeline_view.h"

/* Rows that a table has where nobody says a step, at most. */
#define ROWS_WANTED 40
#define STEP_MIN_NS UINT64_C(1000000)
#define ROWS_MAX    1000000

enum timeline_format {
	TIMELINE_AUTO,
	TIMELINE_SVG,
	TIMELINE_ROWS, /* and on: ROWS_TABLE, ROWS_CSV, ROWS_JSON */
};

enum timeline_kind {
	TIMELINE_PANELS,
	TIMELINE_HEATMAP,
};

struct timeline_options {
	struct profile_options profile;
	const char *output, *title, *subtitle, *step, *stage, *queue, *phases;
	struct option_texts tracks;
	int64_t width, seed, max_size;
	int format; /* enum timeline_format */
	int chart;  /* enum timeline_kind */
	int theme;  /* enum flame_theme */
};

static const struct timeline_options defaults = {.width = 1200, .seed = 1, .max_size = 4};

static const char *const format_words[] = {"auto", "svg", "table", "csv", "json", NULL};
static const char *const chart_words[] = {"timeline", "heatmap", NULL};
static const char *const theme_words[] = {"auto", "light", "dark", NULL};

static const struct option_entry options_table[] = {
	OPTION_TEXT(
		'o', "output", struct timeline_options, output, "<file>",
		"the picture's file (.svg, .png, .pdf), or rows (.csv, .json); '-' is standard output"),
	OPTION_CHOICE(0, "format", struct timeline_options, format, "svg|table|csv|json",
		      format_words, "a picture or rows; otherwise by the output's ending"),
	OPTION_CHOICE(0, "chart", struct timeline_options, chart, "timeline|heatmap", chart_words,
		      "panels, or when samples came: seconds across, their parts down"),
	OPTION_TEXT(0, "step", struct timeline_options, step, "<time>",
		    "time of a row: 1s, 250ms (so that there are some 40)"),
	OPTION_TEXTS(0, "track", struct timeline_options, tracks, "<name>",
		     "only this: cpu, rates, a role, a series, frame:<regex>"),
	OPTION_TEXT(0, "phases", struct timeline_options, phases, "<file>",
		    "CSV of begin_ns,end_ns,label on the counters' clock"),
	OPTION_TEXT(0, "stage", struct timeline_options, stage, "<comm>",
		    "the threads that work; otherwise those that used most CPU"),
	OPTION_TEXT(0, "queue", struct timeline_options, queue, "<name>",
		    "the queue; otherwise the one whose depth rose most"),
	OPTION_NUMBER(0, "seed", struct timeline_options, seed, "<number>", 0, UINT32_MAX,
		      "of the test for onsets (1)"),
	OPTION_NUMBER('w', "width", struct timeline_options, width, "<px>", 400, 20000,
		      "width of the picture (1200)"),
	OPTION_TEXT(0, "title", struct timeline_options, title, "<text>", "headline"),
	OPTION_TEXT(0, "subtitle", struct timeline_options, subtitle, "<text>", "a line below it"),
	OPTION_NUMBER(0, "max-size", struct timeline_options, max_size, "<MB>", 1, 1000,
		      "about so large may a picture with samples be (4)"),
	OPTION_CHOICE(0, "theme", struct timeline_options, theme, "auto|light|dark", theme_words,
		      "for pictures that stand in a page of one colour"),
	PROFILE_READ_OPTIONS(struct timeline_options),
	SYMBOLS_OPTIONS(struct timeline_options, profile.symbols),
	OPTION_END,
};

/* ---- what is asked for */

static enum timeline_format format_of(const struct timeline_options *options)
{
	const char *dot = options->output ? strrchr(options->output, '.') : NULL;

	if (options->format != TIMELINE_AUTO)
		return (enum timeline_format)options->format;
	if (dot && strcmp(dot, ".csv") == 0)
		return TIMELINE_ROWS + ROWS_CSV;
	if (dot && strcmp(dot, ".json") == 0)
		return TIMELINE_ROWS + ROWS_JSON;
	if (!options->output && isatty(STDOUT_FILENO))
		return TIMELINE_ROWS + ROWS_TABLE;
	return TIMELINE_SVG;
}

/* The frames among the tracks, for which their cost is made. */
static void take_frames(const struct option_texts *tracks, struct option_texts *ret)
{
	ret->list = mem_alloc((tracks->nr + 1) * sizeof(*ret->list));
	for (size_t i = 0; i < tracks->nr; i++)
		if (strncmp(tracks->list[i], "frame:", 6) == 0)
			ret->list[ret->nr++] = tracks->list[i] + 6;
}

/* 1, 2 or 5 times a power of ten, so that there are not more rows than wanted. */
static uint64_t round_step(uint64_t length_ns)
{
	uint64_t step = STEP_MIN_NS;
	static const unsigned factors[] = {2, 5, 10};

	for (uint64_t power = STEP_MIN_NS;; power *= 10) {
		for (size_t i = 0; i < 3; i++) {
			if (length_ns / step < ROWS_WANTED)
				return step;
			step = power * factors[i];
		}
	}
}

static struct error *take_step(const struct timeline_options *options,
			       const struct timeline_view *view, uint64_t *ret)
{
	uint64_t length_ns = view->to_ns - view->from_ns;

	*ret = round_step(length_ns);
	if (options->step &&
	    (!units_parse_time(options->step, strlen(options->step), ret) || !*ret))
		return error_new(ERROR_USAGE, "--step takes a time such as 1s or 250ms, not '%s'",
				 options->step);
	if (length_ns / *ret > ROWS_MAX)
		return error_new(ERROR_LIMIT, "--step=%s would be more than %d rows", options->step,
				 ROWS_MAX);
	return NULL;
}

/* Rows begin with the first sample, as they count from it; its bin begins before, and is drawn. */
static uint64_t first_shown(const struct gathered *gathered, const struct timeline_panels *panels,
			    bool is_picture)
{
	uint64_t bin_ns = gathered->samples ? gathered->samples->samples.bin_ns : 0;
	bool is_near = !is_picture && panels->from_ns < gathered->start_ns &&
		       gathered->start_ns - panels->from_ns <= bin_ns;

	return is_near ? gathered->start_ns : panels->from_ns;
}

static struct error *take_range(const struct gathered *gathered, bool is_picture,
				struct timeline_view *view)
{
	const struct timeline_panels *panels = view->panels;

	view->from_ns =
		gathered->has_from ? gathered->from_ns : first_shown(gathered, panels, is_picture);
	view->to_ns = gathered->has_to ? gathered->to_ns : panels->to_ns;
	if (view->from_ns >= view->to_ns)
		return error_hint(
			error_new(ERROR_USAGE, "the range leaves no time"),
			"with a '+' before, times count from the first sample, or from the "
			"first counter where there are no samples");
	return NULL;
}

/* ---- writing */

static struct error *write_out(const struct timeline_options *options,
			       const struct timeline_view *view)
{
	enum timeline_format format = format_of(options);
	struct output output;
	uint64_t step_ns;
	struct error *err = take_step(options, view, &step_ns);

	if (!err)
		err = output_open(options->output, &output);
	if (err)
		return err;
	if (format >= TIMELINE_ROWS && view->cells)
		timeline_cells_write(view->cells, (int)(format - TIMELINE_ROWS), output.file);
	else if (format >= TIMELINE_ROWS)
		timeline_rows_write(view, step_ns, (int)(format - TIMELINE_ROWS), output.file);
	else if (!timeline_picture_write(view, output.file))
		return output_failed(&output);
	return output_commit(&output);
}

static struct error *write_titled(const struct timeline_options *options,
				  struct timeline_view *view)
{
	char *title = utf8_cleaned(options->title), *subtitle = utf8_cleaned(options->subtitle);
	struct error *err;

	view->title = title;
	view->subtitle = subtitle;
	err = write_out(options, view);
	free(title);
	free(subtitle);
	return err;
}

static struct error *show(const struct timeline_options *options, const struct gathered *gathered,
			  const struct order_evidence *evidence, struct timeline_view *view)
{
	CLEANUP(timeline_panels_release) struct timeline_panels panels = {0};
	CLEANUP(phases_release) struct phases phases = {0};
	struct ordering order;
	struct error *err =
		timeline_panels_make(gathered, view->naming, evidence, &options->tracks, &panels);

	view->panels = &panels;
	view->phases = &phases;
	view->order = &order;
	if (!err && options->phases)
		err = phases_read(options->phases, &phases);
	if (!err)
		err = take_range(gathered, format_of(options) == TIMELINE_SVG, view);
	if (err)
		return err;
	ordering_make(&evidence->set.evidence, evidence->more, evidence->more_nr,
		      (uint64_t)options->seed, &order);
	err = write_titled(options, view);
	ordering_release(&order);
	return err;
}

/* Samples alone: the axis is as long as they are. */
static struct error *show_heat(const struct timeline_options *options,
			       const struct gathered *gathered, struct timeline_view *view)
{
	CLEANUP(timeline_cells_release) struct timeline_cells cells = {.row_ns = 0};
	CLEANUP(phases_release) struct phases phases = {0};
	struct timeline_panels panels = {0};
	const struct ordering order = {0};
	struct error *err = NULL;

	if (!gathered->samples || !gathered->samples->samples.nr)
		return error_new(ERROR_USAGE, "a heat map is of samples, and there are none");
	if (options->tracks.nr || options->step)
		return error_new(ERROR_USAGE, "--track and --step are for panels, a heat map has "
					      "the samples alone");
	timeline_heat_range(gathered->samples, &panels.from_ns, &panels.to_ns);
	view->panels = &panels;
	view->phases = &phases;
	view->order = &order;
	view->cells = &cells;
	if (options->phases)
		err = phases_read(options->phases, &phases);
	if (!err)
		err = take_range(gathered, true, view);
	if (err)
		return err;
	timeline_cells_make(&cells, gathered->samples, view->from_ns, view->to_ns);
	view->from_ns = cells.from_ns;
	return write_titled(options, view);
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct timeline_options *options = options_of;
	struct order_evidence evidence = {.ignored = 0};
	struct option_texts frames = {0};
	const struct order_wanted wanted = {
		.stage = options->stage, .queue = options->queue, .frames = &frames};
	bool is_heat = options->chart == TIMELINE_HEATMAP;
	struct gathered gathered;
	struct timeline_view view = {
		.gathered = &gathered,
		.width_px = (double)options->width,
		.size_max = (size_t)options->max_size << 20,
		.theme = (enum flame_theme)options->theme,
		.format = draw_format_of(options->output),
	};
	struct error *err;

	(void)ret_status;
	take_frames(&options->tracks, &frames);
	err = gather_run(&options->profile, GATHER_WHOLE, argc, argv, &gathered);
	if (!err && !is_heat)
		err = order_evidence_make(&gathered, &wanted, &evidence);
	if (!err && !is_heat && !options->profile.quiet) {
		gather_tell_untied(&gathered, "not drawn", "not drawn");
		order_queue_tell(&evidence);
	}
	if (!err && gathered.samples && (is_heat || !gathered.samples->untied)) {
		struct profile *profile = &gathered.samples->profile;

		naming_init(&profile->naming, &profile->capture,
			    &(struct naming_options){.unknown = NAMING_UNKNOWN_MODULE});
		view.naming = &profile->naming;
	}
	if (!err && is_heat)
		err = show_heat(options, &gathered, &view);
	else if (!err)
		err = show(options, &gathered, &evidence, &view);
	order_evidence_release(&evidence);
	free(frames.list);
	gather_release(&gathered);
	return err;
}

const struct command command_timeline = {
	.name = "timeline",
	.args = "[<profile or capture>...]",
	.summary = "draw queues and CPU over one axis of time",
	.options = options_table,
	.size = sizeof(struct timeline_options),
	.defaults = &defaults,
	.run = run,
};
