/* flame_tree_view.c - tephra flame: the views that are a tree of calls */
#include "commands/flame_picture.h"

#include "analysis/calltree_cut.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "commands/flame_embed.h"
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

static struct error *draw(struct flame_picture *picture, const struct flame_frames *frames,
			  const struct flame_frames *callers, const struct flame_whole *whole,
			  const char *path)
{
	const struct flame_options *options = picture->options;
	CLEANUP(text_release) struct text title = TEXT_INIT;
	struct flame_chart chart = {
		.format = draw_format_of(path),
		.unit = picture->count_name ? picture->count_name : profile_unit(picture->profile),
		.title = title_of(picture, &title),
		.subtitle = picture->subtitle,
		.head = text_string(&picture->head),
		.mark_words = FLAME_MARK_WORDS,
		.frames = frames->list,
		.frames_nr = frames->nr,
		.callers = callers->list,
		.callers_nr = callers->nr,
		.whole = whole,
		.of = whole ? picture->of : NULL,
		.id = options->id,
		.width_px = (double)options->width,
		.theme = (enum flame_theme)options->theme,
		.flags = (options->icicle ? FLAME_ICICLE : 0) |
			 (picture->view == FLAME_VIEW_CALLERS ? FLAME_FROM_LEAF : 0) |
			 (options->sort ? FLAME_HEAVIEST_FIRST : 0),
	};
	struct output output;
	struct error *err = output_open(path, &output);

	if (flame_paints_are_by_name(&picture->paints))
		chart.flags |= FLAME_PAINT_NAME;
	memcpy(chart.origin_words, picture->paints.words, sizeof(chart.origin_words));
	if (err)
		return err;
	if (!flame_draw(&chart, output.file))
		return output_failed(&output);
	return output_commit(&output);
}

/* Bytes of what is drawn, about. */
#define WIDE_SIZE 200 /* a frame of a pixel at least */
#define THIN_SIZE 40

static size_t drawn_size(const struct calltree *tree, int64_t width_px)
{
	weight pixel = tree->total / (weight)width_px;
	size_t size = 0;

	for (uint32_t i = 0; i < tree->nr; i++)
		size += tree->nodes[i].value < pixel ? THIN_SIZE : WIDE_SIZE;
	return size;
}

/* What is drawn, and the whole tree in the same walk where both are the same way around. */
static void build(struct calltree *tree, struct flame_embed *embed,
		  const struct calltree_options *limits, const struct flame_options *options)
{
	CLEANUP(calltree_collector_release) struct calltree_collector collector;
	CLEANUP(calltree_cut_release) struct calltree_cut cut;
	bool is_same_walk = !limits->is_reversed && !limits->is_heaviest_first;

	calltree_collector_init(&collector, tree, &embed->profile->paths);
	calltree_cut_init(&cut, limits->least, &collector.visitor);
	if (!is_same_walk)
		calltree_walk(&embed->profile->paths, limits, &collector.visitor);
	flame_embed_walk(embed, 0, is_same_walk ? &cut.visitor : NULL);
	calltree_cut_end(&cut);
	flame_embed_finish(embed, drawn_size(tree, options->width));
}

static void fill(struct flame_picture *picture, struct flame_frames *frames)
{
	for (uint32_t i = 0; i < frames->tree.nr; i++)
		flame_paints_see(&picture->paints, frames->tree.nodes[i].function);
	flame_frames_fill(frames, &picture->words, picture->whole, (double)picture->options->width);
}

static void build_callers(struct flame_picture *picture, struct calltree_options *limits,
			  struct flame_frames *callers)
{
	limits->is_reversed = true;
	calltree_build(&callers->tree, &picture->callers, limits);
	flame_frames_fill(callers, &picture->words, picture->whole,
			  (double)picture->options->width);
}

/* A picture that is walked in, but for what was cut out of the tree: that is a still one. */
static struct error *draw_walked(struct flame_picture *picture, const char *path,
				 struct calltree_options *limits)
{
	CLEANUP(flame_embed_release) struct flame_embed embed = {0};
	CLEANUP(flame_frames_release) struct flame_frames frames = {0};
	CLEANUP(flame_frames_release) struct flame_frames callers = {0};
	const struct flame_options *options = picture->options;
	struct profile entire = flame_picture_entire(picture);
	struct error *err;

	flame_embed_init(&embed, &entire, &picture->paints,
			 ((size_t)options->max_size << 20) - FLAME_EMBED_ASSETS_SIZE);
	if (picture->of) {
		calltree_build(&frames.tree, &picture->profile->paths, limits);
		build_callers(picture, limits, &callers);
		flame_embed_walk(&embed, 0, NULL);
		flame_embed_finish(&embed, drawn_size(&frames.tree, options->width) +
						   drawn_size(&callers.tree, options->width));
		embed.whole.head = text_string(&picture->entire_head);
	} else {
		build(&frames.tree, &embed, limits, options);
	}
	fill(picture, &frames);
	err = draw(picture, &frames, &callers, &embed.whole, path);
	if (!err)
		flame_picture_tell(picture, &embed.note);
	return err;
}

static struct error *draw_still(struct flame_picture *picture, const char *path,
				struct calltree_options *limits)
{
	CLEANUP(flame_frames_release) struct flame_frames frames = {0};
	CLEANUP(flame_frames_release) struct flame_frames callers = {0};

	calltree_build(&frames.tree, &picture->profile->paths, limits);
	fill(picture, &frames);
	if (picture->view == FLAME_VIEW_SANDWICH)
		build_callers(picture, limits, &callers);
	return draw(picture, &frames, &callers, NULL, path);
}

struct error *flame_tree_view(struct flame_picture *picture, const char *path)
{
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
	/* nobody walks in a PNG or PDF, and a sandwich that is walked in is of one name */
	if (options->still || (picture->view == FLAME_VIEW_SANDWICH && !picture->of) ||
	    draw_format_of(path) != DRAW_SVG)
		return draw_still(picture, path, &limits);
	return draw_walked(picture, path, &limits);
}
