/* write.h - the store as a sink: a capture's samples and names into a profile's tables */
#pragma once

#include "base/error.h"
#include "model/sink.h"
#include "model/tally.h"

struct capture;
struct store;
struct store_writer;

/* What is known of a capture beside its samples. Borrowed for the call. */
struct store_about {
	const char *name;	  /* unique in the profile */
	const char *sha256;	  /* of the file, in hex */
	uint64_t size_bytes;	  /* of the file */
	const char *const *facts; /* "NAME=VALUE", given by the user */
	size_t facts_nr;
};

/*
 * Begins a capture in a store that can be written to. Samples are said to the writer's sink;
 * the capture is borrowed until store_write_end(), which writes all that its ids mean.
 */
ERROR_RESULT struct error *store_write_begin(struct store *store, struct capture *capture,
					     struct store_writer **ret);
struct sink *store_write_sink(struct store_writer *writer);

/* Registers and stacks are not kept, even where a file was not there to unwind them by. */
void store_write_drop_stacks(struct store_writer *writer);

/*
 * Is the same file in the profile already? Then nothing of the new one stays in it and
 * *ret_name is the other's name, owned; else NULL. To be asked before store_write_end().
 */
ERROR_RESULT struct error *store_write_drop_twin(struct store_writer *writer, const char *sha256,
						 char **ret_name);

/*
 * Writes what is left: names, stacks, facts, notes, the derived tables. Samples that came
 * out of time order are put into it. Frees the writer, also on error and when err is given:
 * then nothing more is written and err is returned. (about is NULL where nothing is to be written.)
 */
ERROR_RESULT struct error *store_write_end(struct store_writer *writer,
					   const struct store_about *about, struct error *err);

/* They by task, borrowed until store_write_end(). */
const struct tally *store_write_tally(const struct store_writer *writer);

/* Samples that were said until now. */
weight store_write_samples(const struct store_writer *writer);

/* Is the name taken? */
ERROR_RESULT struct error *store_has_name(struct store *store, const char *name, bool *ret);
