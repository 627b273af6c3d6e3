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

/*
 * What frames say, found again: in most trees long chains of frames have one weight, and many
 * leaves the same. A slot holds what was said last of all that falls into it. Strings are known by
 * where they lie in `strings`, which moves.
 */
#define SLOTS_NR 256

struct said_value {
	weight value, count;
	size_t at; /* + 1; 0: nothing was said yet */
};

struct said_origin {
	const struct function *function;
	size_t at; /* the same */
};

struct said {
	const struct flame_words *words;
	struct text *strings;
	struct said_value values[SLOTS_NR];
	struct said_origin origins[SLOTS_NR];
};

/* Where the words of one frame lie. */
struct frame_words {
	size_t value, origin;
};

static size_t say_value(struct said *said, const struct calltree_node *node)
{
	uint64_t mixed = ((uint64_t)node->value ^ (uint64_t)node->count << 1) * 0x9e3779b97f4a7c15u;
	struct said_value *slot = &said->values[mixed >> 32 & (SLOTS_NR - 1)];
	size_t at = said->strings->size;

	if (slot->at && slot->value == node->value && slot->count == node->count)
		return slot->at - 1;
	add_value(said->words, said->strings, node->value, node->count);
	text_add_char(said->strings, '\0');
	*slot = (struct said_value){node->value, node->count, at + 1};
	return at;
}

/* Of a frame about which its function says all that there is to say. */
static size_t say_plain_origin(struct said *said, uint32_t id)
{
	const struct naming *naming = &said->words->profile->naming;
	const struct function *function = &naming->list[id];
	struct said_origin *slot = &said->origins[function->module & (SLOTS_NR - 1)];
	size_t at = said->strings->size;

	if (slot->at && frame_words_have_one_origin(slot->function, function))
		return slot->at - 1;
	frame_words_add_origin(naming, id, said->strings);
	text_add_char(said->strings, '\0');
	*slot = (struct said_origin){function, at + 1};
	return at;
}

static size_t say_origin(struct said *said, const struct calltree_node *node)
{
	const struct naming *naming = &said->words->profile->naming;
	struct text *strings = said->strings;
	size_t at = strings->size;

	if (node->function != FUNCTION_NONE && node->doubted == FUNCTION_NONE &&
	    !node->lacks_caller)
		return say_plain_origin(said, node->function);
	if (node->function != FUNCTION_NONE)
		frame_words_add_origin(naming, node->function, strings);
	if (node->doubted != FUNCTION_NONE) {
		text_add(strings, ", ");
		frame_words_add_doubt(naming, node->function, node->doubted, strings);
	}
	add_lacking(node, strings);
	text_add_char(strings, '\0');
	return at;
}

static void set_frame(struct flame_frames *frames, const struct flame_words *words, weight whole,
		      uint32_t i)
{
	const struct profile *profile = words->profile;
	const struct calltree_node *node = &frames->tree.nodes[i];
	struct flame_frame *frame = &frames->list[i];

	*frame = (struct flame_frame){
		.name = i ? "" : "all",
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

/* Of those frames alone of which the picture tells words. */
static void add_words(struct flame_frames *frames, const struct flame_words *words, double width_px)
{
	uint32_t nr = frames->tree.nr;
	const struct flame_chart chart = {.frames_nr = nr, .width_px = width_px};
	struct frame_words *at = mem_alloc(nr * sizeof(*at));
	struct said *said = mem_zalloc(1, sizeof(*said));

	said->words = words;
	said->strings = &frames->strings;
	for (uint32_t i = 0; i < nr; i++)
		if (flame_has_words(&chart, &frames->list[i]))
			at[i] = (struct frame_words){say_value(said, &frames->tree.nodes[i]),
						     say_origin(said, &frames->tree.nodes[i])};
	for (uint32_t i = 0; i < nr; i++) {
		struct flame_frame *frame = &frames->list[i];

		if (!flame_has_words(&chart, frame))
			continue;
		frame->value = frames->strings.bytes + at[i].value;
		if (frames->strings.bytes[at[i].origin])
			frame->origin = frames->strings.bytes + at[i].origin;
	}
	free(said);
	free(at);
}

void flame_frames_fill(struct flame_frames *frames, const struct flame_words *words, weight whole,
		       double width_px)
{
	frames->list = mem_alloc(frames->tree.nr * sizeof(*frames->list));
	for (uint32_t i = 0; i < frames->tree.nr; i++)
		set_frame(frames, words, whole, i);
	frames->nr = frames->tree.nr;
	add_words(frames, words, width_px);
	calltree_release(&frames->tree); /* before the picture needs as much memory */
}

void flame_frames_release(struct flame_frames *frames)
{
	calltree_release(&frames->tree);
	free(frames->list);
	text_release(&frames->strings);
}
