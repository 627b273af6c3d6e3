/* flame_tree_view.c - tephra flame: the views that are a tree of calls */
#include "commands/flame_picture.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "commands/output.h"
#include "commands/width.h"

/* Left and right of the boxes, in pixels: what a frame's least width is counted without. */
#define PADDING_PX 20

static const char *title_of(const struct flame_picture *picture, struct text *text)
{
	if (picture->title)
		return picture->title;
	if (picture->view == FLAME_VIEW_CALLERS)
		return "Callers: flame graph from the leaf";
	if (picture->view != FLAME_VIEW_SANDWICH)
		return NULL;
	utf8_add_clean(text, picture->options->of, strlen(picture->options->of));
	text_add(text, ": callers above, callees below");
	return text_string(text);
}

static struct error *draw(const struct flame_picture *picture, const struct flame_frames *frames,
			  const struct flame_frames *callers, const char *path)
{
	const struct flame_options *options = picture->options;
	CLEANUP(text_release) struct text title = TEXT_INIT;
	struct flame_chart chart = {
		.unit = picture->count_name ? picture->count_name : profile_unit(picture->profile),
		.title = title_of(picture, &title),
		.subtitle = picture->subtitle,
		.head = text_string(&picture->head),
		.mark_words = FLAME_MARK_WORDS,
		.frames = frames->list,
		.frames_nr = frames->tree.nr,
		.callers = callers->list,
		.callers_nr = callers->tree.nr,
		.width_px = (double)options->width,
		.theme = (enum flame_theme)options->theme,
		.flags = (options->icicle ? FLAME_ICICLE : 0) |
			 (picture->view == FLAME_VIEW_CALLERS ? FLAME_FROM_LEAF : 0) |
			 (flame_paints_are_by_name(&picture->paints) ? FLAME_PAINT_NAME : 0),
	};
	struct output output;
	struct error *err = output_open(path, &output);

	memcpy(chart.origin_words, picture->paints.words, sizeof(chart.origin_words));
	if (err)
		return err;
	if (!flame_write_svg(&chart, output.file))
		return output_failed(&output);
	return output_commit(&output);
}

struct error *flame_tree_view(struct flame_picture *picture, const char *path)
{
	CLEANUP(flame_frames_release) struct flame_frames frames = {0};
	CLEANUP(flame_frames_release) struct flame_frames callers = {0};
	const struct profile *profile = picture->profile;
	const struct flame_options *options = picture->options;
	struct calltree_options limits = {
		.is_reversed = picture->view == FLAME_VIEW_CALLERS,
		.is_heaviest_first = options->sort,
		.counts_samples = profile->counts_samples,
	};
	struct error *err =
		width_least("--min-width", options->least ? options->least : "0.25",
			    (double)options->width - PADDING_PX, picture->whole, &limits.least);

	if (err)
		return err;
	flame_frames_build(&frames, &picture->words, &profile->paths, &limits, picture->whole);
	for (uint32_t i = 0; i < frames.tree.nr; i++)
		flame_paints_see(&picture->paints, frames.tree.nodes[i].function);
	if (picture->view == FLAME_VIEW_SANDWICH) {
		limits.is_reversed = true;
		flame_frames_build(&callers, &picture->words, &picture->callers, &limits,
				   picture->whole);
	}
	return draw(picture, &frames, &callers, path);
}
