/* importer.h - one input format each: how it is known and how it is read */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/tally.h"

struct capture;
struct reader;
struct sink;

/* How much of an input the sniffers look at. */
#define IMPORTER_SNIFF_SIZE ((size_t)64 << 10)

struct importer {
	const char *name; /* for --input-format */
	const char *summary;
	bool is_counters;	  /* it says points, and no samples */
	bool has_dumps;		  /* its samples may hold stacks that capture->unwinder unwinds */
	enum tally_by default_by; /* the root frame that people expect of this format */

	/* Do these first bytes of an input (unpacked) look like the format? */
	bool (*sniff)(const char *at, size_t size);

	/*
	 * Says all samples of the input to sink, ids from capture, which it fills. What is odd
	 * is noted in capture. Fails where the input cannot be read or sink fails.
	 */
	struct error *(*read)(struct reader *reader, struct capture *capture, struct sink *sink);
};

/* All formats, NULL-terminated, the most particular first. */
extern const struct importer *const importers[];

/* The importer of that name, NULL for none. */
const struct importer *importers_find(const char *name);

/*
 * Looks at the input and chooses. An input that is empty or of a kind that is known but not
 * read fails with words for it.
 */
ERROR_RESULT struct error *importers_sniff(struct reader *reader, const struct importer **ret);
