/* diff_picture.c - a comparison drawn: the differential flamegraph */
#include "commands/diff_picture.h"

#include <math.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "commands/diff_embed.h"
#include "commands/diff_frames.h"
#include "commands/diff_report.h"
#include "commands/output.h"
#include "commands/width.h"

const char *const diff_widths_words[] = {"both", "after", "before", NULL};
const char *const diff_theme_words[] = {"auto", "light", "dark", NULL};

/* What is always there is the root: it fits into this. */
#define SIZE_LEAST (64 << 10)

/* Left and right of the boxes, in pixels: what a frame's least width is counted without. */
#define PADDING_PX 20

/* What makes the comparison doubtful stands in the picture, too. */
static void add_warnings(const struct diff_report *report, struct text *text)
{
	for (size_t i = 0; i < report->facts_nr; i++) {
		if (!report->facts[i].doubt)
			continue;
		text_add(text, " Warning: ");
		diff_facts_add(&report->facts[i], text);
		text_addf(text, ": %s.", report->facts[i].doubt);
	}
}

static void make_head(const struct diff_report *report, struct text *head)
{
	diff_words_add_widths(report, report->tree_options.widths, head);
	text_add(head, " Outlined: new; dashed: vanished. ");
	diff_words_add_sentence(report, head);
	text_add_char(head, ' ');
	diff_words_add_short_basis(report, head);
	text_add_char(head, '.');
	add_warnings(report, head);
}

/* One weight of the after side in weights of the before side, as the leading reading has it. */
static double after_scale(const struct diff *diff)
{
	double before = diff->divisors.before[diff->leading];
	double after = diff->divisors.after[diff->leading];

	return before > 0 && after > 0 ? before / after : 1;
}

static struct error *build_tree(struct diff_report *report,
				const struct diff_picture_options *options)
{
	const struct diff_sides *sides = report->sides;
	struct calltree_options *limits = &report->tree_options;
	double total;
	struct error *err;

	*limits = (struct calltree_options){
		.counts_samples = sides->counts_samples,
		.widths = (enum calltree_widths)options->widths,
		.after_scale = after_scale(&report->diff),
	};
	total = calltree_width(limits, report->diff.before_total, report->diff.after_total);
	if (!(total > 0))
		return error_new(ERROR_INPUT, "the %s side has no weight, nothing can be drawn",
				 diff_widths_words[options->widths]);
	err = width_least("--min-width", options->least ? options->least : "0.25",
			  (double)options->width - PADDING_PX, (weight)(total * 1e9),
			  &limits->least);
	if (err)
		return err;
	calltree_release(&report->tree);
	calltree_build_joint(&report->tree, sides->naming, sides->sources, sides->nr, limits);
	return NULL;
}

static struct error *draw(const struct diff_report *report,
			  const struct diff_picture_options *options,
			  const struct diff_frames *frames, const struct flame_whole *whole,
			  const char *path)
{
	CLEANUP(text_release) struct text head = TEXT_INIT, summary = TEXT_INIT;
	char *title = utf8_cleaned(options->title), *subtitle = utf8_cleaned(options->subtitle);
	struct flame_chart chart = {
		.format = draw_format_of(path),
		.title = title ? title : "Difference: before and after",
		.subtitle = subtitle,
		.origin_words = {[PAINT_MORE_THAN] = text_string(&frames->scale[0]),
				 [PAINT_LESS_THAN] = text_string(&frames->scale[1])},
		.mark_words = {[HATCH_STRIPED] = "not established", [HATCH_CROSSED] = "not judged"},
		.frames = frames->list,
		.frames_nr = report->tree.nr,
		.changes = frames->changes,
		.whole = whole,
		.width_px = (double)options->width,
		.theme = (enum flame_theme)options->theme,
		.flags = options->icicle ? FLAME_ICICLE : 0,
	};
	struct output output;
	struct error *err = output_open(path, &output);

	make_head(report, &head);
	chart.head = text_string(&head);
	chart.summary = text_string(&summary);
	if (!err)
		err = flame_draw(&chart, output.file) ? output_commit(&output)
						      : output_failed(&output);
	free(title);
	free(subtitle);
	return err;
}

/* Bytes of a picture that are neither rows nor functions, about: style, script, what is drawn. */
#define ASSETS_SIZE (190 << 10)
#define WIDE_SIZE   300 /* a frame of a pixel at least */
#define THIN_SIZE   40

static size_t drawn_size(const struct diff_report *report, const struct diff_frames *frames,
			 int64_t width_px)
{
	size_t size = 0;

	for (uint32_t i = 0; i < report->tree.nr; i++)
		size += frames->list[i].width * (double)width_px < 1 ? THIN_SIZE : WIDE_SIZE;
	return size;
}

static struct error *draw_walked(const struct diff_report *report,
				 const struct diff_picture_options *options,
				 const struct diff_frames *frames, const char *path, bool is_quiet)
{
	CLEANUP(diff_embed_release) struct diff_embed embed = {0};
	size_t used = ASSETS_SIZE + drawn_size(report, frames, options->width);
	size_t size_max = (size_t)options->max_size << 20;
	struct error *err;

	diff_embed_build(&embed, report, frames->points_max,
			 size_max > used + SIZE_LEAST ? size_max - used : SIZE_LEAST);
	err = draw(report, options, frames, &embed.whole, path);
	if (!err && embed.note.size && !is_quiet)
		fprintf(stderr, "%s: note: %s\n", report->sides->named->operand,
			text_string(&embed.note));
	return err;
}

struct error *diff_picture_write(struct diff_report *report,
				 const struct diff_picture_options *options, const char *path,
				 bool is_quiet)
{
	CLEANUP(diff_frames_release) struct diff_frames frames = {0};
	struct error *err = build_tree(report, options);

	if (err)
		return err;
	diff_frames_build(&frames, report);
	if (!options->still && draw_format_of(path) == DRAW_SVG)
		return draw_walked(report, options, &frames, path, is_quiet);
	return draw(report, options, &frames, NULL, path);
}
