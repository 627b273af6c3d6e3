/* unwind.h - registers and a stack dump into a call chain */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/unwinder.h"

struct binaries;

/* A caller's frame that begins so far behind its callee's is no frame. */
#define UNWIND_JUMP_MAX (UINT64_C(64) << 20)

/*
 * An unwinder by call-frame information of the files that ran, x86-64 and aarch64. Files come
 * from `binaries`, which is borrowed; NULL: none are looked for. They are opened once each and
 * read by parsers of our own alone, since this is the main process. Not for several threads.
 * Owned: unwind_free().
 */
struct unwinder *unwind_new(struct binaries *binaries);
void unwind_free(struct unwinder *unwinder);
