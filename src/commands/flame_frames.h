/* flame_frames.h - a tree of calls as the frames of a picture: their words, colours and places */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "analysis/calltree.h"
#include "base/text.h"
#include "commands/flame_paints.h"
#include "renderers/flame.h"

struct capture;
struct function;
struct profile;

/* What the words and colours of frames need to know. Borrowed. */
struct flame_words {
	const struct profile *profile;
	const char *count_name; /* what weights are called; NULL: their unit */
	const struct flame_paints *paints;
};

/* "1.235 s", "12 bytes" where weights are called bytes. */
void flame_words_add_weight(const struct flame_words *words, struct text *text, weight w);

/* Strings of frames lie in one text; frames of the same words have the same string. */
struct flame_frames {
	struct calltree tree;	  /* until the frames are filled */
	struct flame_frame *list; /* owned, one for each of its nodes */
	size_t nr;
	struct text strings;
};

/*
 * What the tree's nodes say and where they stand, the whole width of the picture standing for
 * `whole`. The tree is released. Words are set where flame_has_words() in a picture of that width.
 * Zeroed frames can be released.
 */
void flame_frames_fill(struct flame_frames *frames, const struct flame_words *words, weight whole,
		       double width_px);
void flame_frames_release(struct flame_frames *frames);

/* What hatches mean, for a chart's mark_words. */
#define FLAME_MARK_WORDS                                                                      \
	{                                                                                     \
		[HATCH_STRIPED] = "named by a file that is not shown to be the one that ran", \
		[HATCH_CROSSED] = "no name: the file here is another build",                  \
	}

/* By how far its name is shown to be right. */
enum hatch flame_frames_mark(const struct capture *capture, const struct function *function);
