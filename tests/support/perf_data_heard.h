/* perf_data_heard.h - what the perf.data importer says of a built file, as lines */
#pragma once

#include "base/text.h"
#include "model/capture.h"
#include "tests/support/listener.h"

struct builder;

/*
 * A line a sample: "time comm pid/tid event period leaf caller ...". A frame is its module's path,
 * "+", its address in hex, and in brackets its name where it has one; "?" without a module.
 */
struct heard {
	struct capture capture;
	struct listener listener;
	struct text lines;
};

void heard_file(struct heard *heard, const struct text *file);
void heard_built(struct heard *heard, const struct builder *builder);
void heard_release(struct heard *heard);

/* Adds the lines of what listener and capture hold. */
void heard_add_lines(struct heard *heard);

/* The lines, or the notes ("code count line byte"), must be these. */
void heard_expect(const struct builder *builder, const char *expected);
void heard_expect_notes(const struct builder *builder, const char *expected);
