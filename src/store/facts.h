/* facts.h - facts that come to a capture after its import */
#pragma once

#include "base/error.h"

struct facts;
struct store;
struct store_capture;

/*
 * Puts facts, whose names all begin with the prefix, behind the capture's others, in place of those
 * with that prefix that were put there before. In the transaction of store_change().
 */
ERROR_RESULT struct error *store_facts_replace(struct store *store,
					       const struct store_capture *capture,
					       const char *prefix, const struct facts *facts);
