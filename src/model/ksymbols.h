/* ksymbols.h - code that came into the kernel at run time: BPF programs, trampolines, slots */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

enum ksymbol_kind {
	KSYMBOL_UNKNOWN,
	KSYMBOL_BPF,
	KSYMBOL_OUT_OF_LINE, /* ftrace trampolines, slots of kprobes */
};

/* A stretch of the kernel's memory that had this name from one time to another. */
struct ksymbol {
	uint64_t begin;
	uint32_t size;
	uint32_t name; /* name id */
	enum ksymbol_kind kind;
	uint32_t program;	 /* the kernel's id of a BPF program, 0 where it was not said */
	uint64_t from_ns, to_ns; /* 0: before the recording, and to its end */
};

/* In the order in which they came. */
struct ksymbols {
	struct ksymbol *list; /* owned */
	uint32_t nr;
	size_t alloc;
	struct map map; /* begin -> the latest one there */
};

/* What is beyond it is refused. */
#define KSYMBOLS_MAX (1u << 20)

void ksymbols_release(struct ksymbols *ksymbols);

/* Adds one that came. False where there are too many. */
bool ksymbols_add(struct ksymbols *ksymbols, const struct ksymbol *ksymbol);

/* The latest one that came at this address, NULL for none. It went where its to_ns is set. */
struct ksymbol *ksymbols_find(struct ksymbols *ksymbols, uint64_t begin);
