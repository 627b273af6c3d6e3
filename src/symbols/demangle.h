/* demangle.h - raw symbol names as they are shown */
#pragma once

#include <stddef.h>

struct text;

/* What the compiler made of a function besides itself; such suffixes are not shown. */
enum demangle_clone {
	DEMANGLE_ISRA = 1 << 0,	      /* .isra.N: parameters taken apart */
	DEMANGLE_CONSTPROP = 1 << 1,  /* .constprop.N: parameters fixed */
	DEMANGLE_PART = 1 << 2,	      /* .part.N: a part, split off; it is called */
	DEMANGLE_COLD = 1 << 3,	      /* .cold, .cold.N: moved away; it is no callee */
	DEMANGLE_LTO = 1 << 4,	      /* .lto_priv.N: made unique by link-time optimization */
	DEMANGLE_LLVM = 1 << 5,	      /* .llvm.N: the same by LLVM */
	DEMANGLE_LOCALALIAS = 1 << 6, /* .localalias, .localalias.N */
	DEMANGLE_WARM = 1 << 7,	      /* .warm: of BOLT and propeller */
};

/* Bytes of a shown name; of a longer one the beginning and a hash of the raw one are shown. */
#define DEMANGLE_SHOWN_MAX ((size_t)4096)

/* Longer mangled names are shown as they are: the demangler's stack grows with them. */
#define DEMANGLE_RAW_MAX ((size_t)16384)

/*
 * Adds the raw name as it is shown: without version ("@GLIBC_2.2.5"; "@plt" stays) and clone
 * suffixes, and demangled where it is C++, Rust (without hashes) or D, with its parameters,
 * as perf shows it. Anything else, hostile bytes too, is added as it is: the gate for names
 * is names_add(). Returns the clone kinds that were taken off (enum demangle_clone).
 */
unsigned demangle_display(const char *raw, struct text *ret);

/*
 * The length of the raw name without version and clone suffixes: two that are equal so far
 * are one function. *ret_clones, which may be NULL, gets the kinds.
 */
size_t demangle_base(const char *raw, unsigned *ret_clones);
