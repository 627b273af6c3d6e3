/* order_write.h - what tephra order found, as a table, CSV or JSON */
#pragma once

#include <stdio.h>

#include "analysis/ordering.h"

struct order_evidence;

/* What is said beside the result. Strings are borrowed. */
struct order_facts {
	const char *clock; /* a word; see source_clock.h */
	uint64_t start_ns; /* of the first point: what times for people count from */
	uint64_t tick_ns;  /* of the queue's counters, else of the coarsest series; 0: unknown */
	int64_t seed;
};

/* format is an enum rows_format. */
void order_write(const struct ordering *order, const struct order_evidence *evidence,
		 const struct order_facts *facts, int format, FILE *out);
