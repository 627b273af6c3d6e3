/* kernel_names.h - the kernel's functions, named by its own list of them */
#pragma once

#include "base/error.h"

struct answer;
struct capture;
struct places;
struct symbolizer_options;

/*
 * Names those places of the kernel and its modules that have no answer yet (answers, per module of
 * places) from a kallsyms file, if one is shown to fit: given by the user; beside the capture;
 * in perf's cache under the kernel's build ID; or this machine's own, where the build ID of the
 * running kernel is the recorded one. Its _text must be where the capture says, or be moved
 * there as a whole. One with neither ID is unverified. An error is that of the file that the
 * user named.
 */
ERROR_RESULT struct error *kernel_names_find(struct capture *capture,
					     const struct symbolizer_options *options,
					     const struct places *places, struct answer *answers);
