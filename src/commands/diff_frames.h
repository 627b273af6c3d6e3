/* diff_frames.h - the joint call tree of a comparison as the frames of a picture */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "renderers/flame.h"

struct diff_report;

/* Frames of report->tree; their strings lie in one text. */
struct diff_frames {
	struct flame_frame *list;     /* owned, one per node */
	struct flame_change *changes; /* owned, the same */
	struct text strings;
	struct text scale[2]; /* the legend's words for more and for less */
	double points_max;    /* of the strongest colour */
};

#define DIFF_ROW_NONE SIZE_MAX

/* Per name of the joint naming its row of report->diff.functions; owned by the caller. */
size_t *diff_frames_rows(const struct diff_report *report);

/*
 * The widths are those of report->tree_options. Frames that have no words in a picture of this
 * width get none. Release it in any case; zeroed memory will do.
 */
void diff_frames_build(struct diff_frames *frames, const struct diff_report *report,
		       double width_px);
void diff_frames_release(struct diff_frames *frames);
