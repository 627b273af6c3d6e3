/* reading.h - a text read, tallied and named: what analysis begins with */
#pragma once

#include <stddef.h>

#include "analysis/naming.h"
#include "analysis/paths.h"
#include "model/capture.h"
#include "model/tally.h"

struct importer;
struct text;

struct reading {
	struct capture capture;
	struct tally tally;
	struct naming naming;
	struct paths paths;
};

/* Options may be NULL for zeroes; the filter too. The event is the first one. */
void reading_init(struct reading *reading, const struct importer *importer, const char *text,
		  const struct tally_options *tally, const struct naming_options *naming,
		  const struct path_filter *filter);
void reading_release(struct reading *reading);

/* Folded lines of "names count period", sorted. */
void reading_show(const struct reading *reading, struct text *text);
