/* rename.h - new names for a capture that a profile holds, without the capture's file */
#pragma once

#include "base/error.h"

struct capture;
struct store;
struct store_capture;
struct tally;

/* Gives capture->frames and the modules' files, as symbolizer_run() does. */
typedef struct error *store_name(void *context, struct capture *capture, const struct tally *tally);

/*
 * Reads the capture whole, lets `name` name its places, and writes what follows from names anew:
 * all or nothing, in the transaction of store_change(). Samples, places and stacks stay as they
 * are. The tally is by task, and lives for the call.
 */
ERROR_RESULT struct error *store_rename(struct store *store, const struct store_capture *from,
					store_name *name, void *context);
