/* flame_frames.c - a tree of calls as the frames of a picture: their words, colours and places */
#include "commands/flame_frames.h"

#include "analysis/trust.h"
#include "base/mem.h"
#include "commands/frame_words.h"
#include "commands/profile.h"

void flame_words_add_weight(const struct flame_words *words, struct text *text, weight w)
{
	if (!words->count_name) {
		profile_add_weight(words->profile, text, w);
		return;
	}
	weight_add_grouped(text, w);
	text_addf(text, " %s", words->count_name);
}

/* "1.235 s in 122 samples"; samples alone where they are the weight. */
static void add_value(const struct flame_words *words, struct text *text, weight value,
		      weight count)
{
	flame_words_add_weight(words, text, value);
	if (words->profile->counts_samples)
		return;
	text_add(text, " in ");
	weight_add_grouped(text, count);
	text_add(text, count == WEIGHT_ONE ? " sample" : " samples");
}

enum hatch flame_frames_mark(const struct capture *capture, const struct function *function)
{
	static const enum hatch marks[] = {
		[TRUST_SHOWN] = HATCH_NONE,
		[TRUST_DOUBTED] = HATCH_STRIPED,
		[TRUST_REFUSED] = HATCH_CROSSED,
	};

	return marks[trust_grade(capture, function)];
}

static enum hatch mark_of(const struct profile *profile, const struct calltree_node *node)
{
	if (node->doubted == FUNCTION_NONE)
		return HATCH_NONE;
	return flame_frames_mark(&profile->capture, &profile->naming.list[node->doubted]);
}

/* What ends here and came by frame pointers that may have led past the caller. */
static void add_lacking(const struct calltree_node *node, struct text *text)
{
	if (!node->lacks_caller)
		return;
	text_add(text, ", the caller may be missing in ");
	units_add_percent(text, weight_share(node->lacks_caller, node->value), 1);
}

static void add_strings(struct flame_frames *frames, const struct flame_words *words, uint32_t i)
{
	const struct profile *profile = words->profile;
	const struct calltree_node *node = &frames->tree.nodes[i];
	struct text *strings = &frames->strings;

	frames->value_at[i] = strings->size;
	add_value(words, strings, node->value, node->count);
	text_add_char(strings, '\0');
	frames->origin_at[i] = strings->size;
	if (node->function != FUNCTION_NONE)
		frame_words_add_origin(&profile->naming, node->function, strings);
	if (node->doubted != FUNCTION_NONE) {
		text_add(strings, ", ");
		frame_words_add_doubt(&profile->naming, node->function, node->doubted, strings);
	}
	add_lacking(node, strings);
	text_add_char(strings, '\0');
}

static void set_frame(struct flame_frames *frames, const struct flame_words *words, weight whole,
		      uint32_t i)
{
	const struct profile *profile = words->profile;
	const struct calltree_node *node = &frames->tree.nodes[i];
	struct flame_frame *frame = &frames->list[i];
	const char *origin = frames->strings.bytes + frames->origin_at[i];

	*frame = (struct flame_frame){
		.name = i ? "" : "all",
		.value = frames->strings.bytes + frames->value_at[i],
		.origin = *origin ? origin : NULL,
		.weight = weight_number(node->value),
		.width = weight_share(node->value, whole),
		.parent = i ? node->parent : FLAME_NO_PARENT,
		.depth = node->depth,
		.more = node->more,
		.paint = node->more ? PAINT_MORE : PAINT_ROOT,
	};
	if (i)
		frame->begin = frames->list[node->parent].begin + weight_share(node->before, whole);
	if (node->function == FUNCTION_NONE)
		return;
	frame->name =
		names_display(&profile->capture.names, profile->naming.list[node->function].name);
	frame->paint = words->paints->of[node->function];
	frame->mark = mark_of(profile, node);
}

void flame_frames_fill(struct flame_frames *frames, const struct flame_words *words, weight whole)
{
	uint32_t nr = frames->tree.nr;

	frames->list = mem_zalloc(nr, sizeof(*frames->list));
	frames->value_at = mem_alloc(nr * sizeof(*frames->value_at));
	frames->origin_at = mem_alloc(nr * sizeof(*frames->origin_at));
	for (uint32_t i = 0; i < nr; i++)
		add_strings(frames, words, i);
	for (uint32_t i = 0; i < nr; i++)
		set_frame(frames, words, whole, i);
}

void flame_frames_release(struct flame_frames *frames)
{
	calltree_release(&frames->tree);
	free(frames->list);
	free(frames->value_at);
	free(frames->origin_at);
	text_release(&frames->strings);
}
