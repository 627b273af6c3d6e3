/* kinds.h - what kind of work costs: allocation, copying, locking, the kernel's parts */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

struct paths;

enum kind {
#define KIND(code, word, where, names) KIND_##code,
#define ENTRY(names)
#include "analysis/kinds.def"
#undef ENTRY
#undef KIND
	KIND_OWN,     /* the program's own code, and nothing above by name */
	KIND_LIBRARY, /* the same of libraries, the kernel, generated code */
	KIND_KERNEL,
	KIND_JIT,
	KIND_UNKNOWN, /* in no module that is known, or without any frame */
	KIND_NR,
};

/* Each sample is of one kind: what they are, sums to the whole. */
struct kinds {
	weight by_kind[KIND_NR];
	weight total;
};

void kinds_count(const struct paths *paths, bool counts_samples, struct kinds *ret);

/* The kinds with some weight, heaviest first: their number. */
size_t kinds_sorted(const struct kinds *kinds, enum kind ret[KIND_NR]);

/* "allocation": a key of JSON, never renamed. */
const char *kind_word(enum kind kind);

/* Is it on the way to everything, as main and start_thread are? */
bool kinds_is_entry(const char *name);

/* The kind of a function with this name, of the kernel or not; KIND_NR: its name says none. */
enum kind kinds_of_name(const char *name, bool is_kernel);
