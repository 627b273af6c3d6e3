/* audits.h - what a capture cannot say, in table audit */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct store;

/* A row of it. Borrowed. */
struct store_finding {
	const char *code, *verdict, *what, *answers, *avoid;
	double share; /* below 0: not known */
};

/* Puts these in place of what is there of the capture. In a transaction that is open. */
ERROR_RESULT struct error *store_audit_replace(struct store *store, int64_t capture,
					       const struct store_finding *list, size_t nr);
