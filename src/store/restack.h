/* restack.h - stacks of a capture in a profile, unwound again by files that turned up */
#pragma once

#include <stdbool.h>

#include "base/error.h"

struct store;
struct store_capture;
struct unwinder;

/*
 * Unwinds the dumps that were kept with the capture, in the transaction of store_change(): its
 * samples get other stacks, locations and ids of them, and what could be unwound needs its dump
 * no more. What follows from names is gone then: store_rename() comes next, of the capture
 * as store_captures() has it now. *ret_is_changed: false where there is no dump, and all is as it
 * was.
 */
ERROR_RESULT struct error *store_restack(struct store *store, const struct store_capture *from,
					 struct unwinder *unwinder, bool *ret_is_changed);
