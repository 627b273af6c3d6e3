/* audit_stored.h - the audit of a capture that is in a profile, written into it */
#pragma once

#include "base/error.h"

struct audit;
struct store;
struct store_capture;

/*
 * Looks at the capture as it is stored, with the names that it has by now, and puts what is found
 * in place of what was found before. In the transaction that is open.
 */
ERROR_RESULT struct error *audit_stored(struct store *store, const struct store_capture *capture);

/* What was found already, of the capture that was added last. */
ERROR_RESULT struct error *audit_stored_last(struct store *store, const struct audit *audit);
