/* listener.h - a sink that keeps every sample it hears, and shows them as lines of text */
#pragma once

#include <stddef.h>

#include "model/capture.h"
#include "model/sink.h"

struct importer;
struct text;

struct listener {
	struct sink sink;
	struct sample *list; /* owned */
	size_t nr, alloc;
	size_t fail_after; /* refuse the sample behind so many; 0: never */
};

void listener_init(struct listener *listener);
void listener_release(struct listener *listener);

/*
 * A line a sample, outermost frame first, '-' for what is not there:
 *
 *   comm|pid/tid|cpu|seconds|event|count|period|main;run~;[libc.so.6] read.c:12
 *
 * '~' behind inlined frames, a source line behind a blank, "{jit}" behind frames that were
 * generated; a frame without a symbol is its module in brackets, "[?]" without one.
 */
void listener_show(const struct listener *listener, const struct capture *capture,
		   struct text *text);

/* Notes as lines "code count line byte". */
void listener_show_notes(const struct capture *capture, struct text *text);

/* Reads the text with an importer. capture is released by the caller. */
void listener_hear(struct listener *listener, const struct importer *importer, const void *at,
		   size_t size, struct capture *capture);
