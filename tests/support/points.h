/* points.h - a sink that keeps the points of counters as lines of text */
#pragma once

#include <stddef.h>

#include "base/text.h"
#include "model/capture.h"
#include "model/sink.h"

struct importer;

struct points {
	struct sink sink;
	struct capture *capture;
	struct text text; /* "depth{queue="a"} 2.5 12\n": name, end in seconds, value or state */
};

/*
 * Reads the text with the importer, by way of a selection as the commands do; capture->
 * counter_options may be set before. Returns the error's text and hint as "text (hint)", owned,
 * or NULL. Both are released by the caller.
 */
char *points_hear(struct points *points, const struct importer *importer, const void *at,
		  size_t size, struct capture *capture);
void points_release(struct points *points);

/* The series as lines "name role kind unit source points/missing/resets". */
void points_show_series(const struct capture *capture, struct text *text);
