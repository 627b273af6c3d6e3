/* facts.h - facts that come to a capture after its import */
#pragma once

#include "base/error.h"

struct facts;
struct store;
struct store_capture;

/*
 * Puts facts, whose names all begin with the prefix, behind the capture's others, in place of those
 * with that prefix and of that source that were put there before: "user" told them, or they are of
 * the "capture" itself. In the transaction of store_change().
 */
ERROR_RESULT struct error *store_facts_replace(struct store *store,
					       const struct store_capture *capture,
					       const char *source, const char *prefix,
					       const struct facts *facts);
