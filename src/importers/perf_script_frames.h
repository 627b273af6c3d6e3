/* perf_script_frames.h - the frames of a perf script sample as locations */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/memo.h"
#include "importers/perf_script_line.h"
#include "model/capture.h"

/* Set in a memo's value: the location is inlined and waits for its module. */
#define MEMO_INLINED 0x80000000u

/* Those of one sample after the other. Zeroed memory with a capture is empty. */
struct perf_script_frames {
	struct capture *capture; /* borrowed */
	uint32_t *list;		 /* owned: location ids, leaf first */
	size_t nr, alloc;
	size_t inlined_nr; /* at the end of the list, waiting for their module */
	bool has_symbols;  /* the file's frames have a symbol column */
	uint32_t *order;   /* owned: room to turn a stack around */
	size_t order_alloc;
	struct memo leaf_memo, caller_memo; /* frame line -> location, with MEMO_INLINED */
	struct memo symbol_memo; /* symbol and module -> location that is its own symbol */
};

void perf_script_frames_release(struct perf_script_frames *frames);

/* Before the next sample. */
static inline void perf_script_frames_clear(struct perf_script_frames *frames)
{
	frames->nr = 0;
	frames->inlined_nr = 0;
}

/* The name's id, NAME_NONE of an empty one. */
uint32_t perf_script_frames_name(struct capture *capture, struct span span);

/* perf prints "(inlined)" in place of the module, which is that of the next frame outside. */
void perf_script_frames_give_module(struct perf_script_frames *frames, uint32_t module);

/* A frame whose line is in a memo, with this value. */
static inline void perf_script_frames_push(struct perf_script_frames *frames, uint32_t value)
{
	GROW(frames->list, frames->nr + 1, frames->alloc);
	frames->list[frames->nr++] = value & ~MEMO_INLINED;
	if (value & MEMO_INLINED)
		frames->inlined_nr++;
	else if (frames->inlined_nr)
		perf_script_frames_give_module(
			frames, locations_get(&frames->capture->locations, value)->module);
}

/* A frame whose line is seen for the first time; it is in the memo afterwards. */
void perf_script_frames_add(struct perf_script_frames *frames,
			    const struct perf_script_frame *frame, struct memo *memo,
			    struct memo_key key);

/* Its location, which is in no list of frames: that of a line that is a sample by itself. */
uint32_t perf_script_frames_locate(struct perf_script_frames *frames,
				   const struct perf_script_frame *frame);

/*
 * The line below a frame that says where its source is: "  file.c:137", "libc.so.6[27b25]". It is
 * of the last frame, or where there is none of *leaf, which may be LOCATION_NONE.
 */
void perf_script_frames_source(struct perf_script_frames *frames, uint32_t *leaf, const char *at,
			       size_t size);

/* All but the leaf as a stack, at most STACK_FRAMES_MAX of them. */
uint32_t perf_script_frames_callers(struct perf_script_frames *frames, bool *ret_is_deep);
