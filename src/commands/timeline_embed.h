/* timeline_embed.h - the call tree of a timeline's samples, and when they came, for its script */
#pragma once

#include <stdbool.h>

#include "base/text.h"
#include "commands/flame_embed.h"
#include "commands/flame_paints.h"
#include "renderers/timeline.h"

struct gathered_capture;

struct timeline_embed {
	struct flame_paints paints;
	struct flame_embed tree;
	struct rows_text bins; /* owned */
	struct text command, note;
	struct timeline_flame flame; /* borrows from all of the above */
	struct flame_whole whole;
	double begin_s, bin_s; /* where bin 0 begins, from from_ns on, and its width */
};

/*
 * Makes tally, paths and paints of the capture's cells whose time on the axis is within from_ns
 * and to_ns; its naming is set. bin_ns 0: the CPU panel's bins, or wider ones. What is embedded
 * takes about size_max bytes: bins are made wider first, then the smallest frames are left out, and
 * the note says so.
 */
void timeline_embed_make(struct timeline_embed *embed, struct gathered_capture *capture,
			 uint64_t from_ns, uint64_t to_ns, uint64_t bin_ns, size_t size_max);

/* Zeroed memory will do. */
void timeline_embed_release(struct timeline_embed *embed);
