/* unwind.h - registers and a stack dump into a call chain */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/unwinder.h"

struct binaries;
struct trial;

#define UNWIND_THREADS_MAX 64u

/* A caller's frame that begins so far behind its callee's is no frame. */
#define UNWIND_JUMP_MAX (UINT64_C(64) << 20)

/*
 * An unwinder by call-frame information of the files that ran, x86-64 and aarch64. Files come
 * from `binaries`, which is borrowed; NULL: none are looked for. They are opened once each and
 * read by parsers of our own alone, since this is the main process. It is called from one thread.
 * Owned: unwind_free().
 */
struct unwinder *unwind_new(struct binaries *binaries);

/* Somebody who knows, or can find out, whether a file without a build ID is the one that ran. */
struct unwind_judge {
	/*
	 * Called when such a file is first needed. False: it is not used, and what it was to say
	 * is missing; where its verdict in the trial is TRIAL_REFUTED, another is looked for.
	 */
	bool (*accepts)(struct unwind_judge *judge, const char *path);
};

/*
 * Files that no build ID speaks for are judged: their verdicts are those of the trial, or what the
 * judge finds out. Without a judge this unwinder is the one on trial: it uses them, and adds to the
 * trial's evidence. Both are borrowed. Without a trial they are used as they are.
 */
void unwind_set_trial(struct unwinder *unwinder, struct trial *trial, struct unwind_judge *judge);

/*
 * Unwinds many dumps at once (unwind_many) on so many threads, the caller's too: the same frames
 * with any number. Rules and files are shared, what was looked up lately is each thread's own. One
 * that is on trial has none. They end with unwind_free(), which must come before the process forks.
 */
void unwind_set_threads(struct unwinder *unwinder, unsigned threads);
void unwind_free(struct unwinder *unwinder);
