/* kallsyms.h - the kernel's own list of its functions, as /proc/kallsyms shows it */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

#define KALLSYMS_KERNEL UINT32_MAX /* of the kernel itself, not of a module */

struct kallsyms_symbol {
	uint64_t lo, hi; /* run-time addresses */
	uint32_t name;	 /* where it begins in kallsyms.names, NUL-terminated */
	uint32_t module; /* the same, without brackets; KALLSYMS_KERNEL */
	char type;	 /* t T w W */
};

struct kallsyms {
	struct kallsyms_symbol *list; /* owned; by lo, one per address */
	size_t nr, alloc;
	uint64_t *los; /* owned; the lo of each: what is searched */
	struct text names;
	uint64_t text, stext, etext; /* of these symbols; 0: not there */
	uint64_t lines_bad;	     /* lines that are no symbol */
};

/* A file with more lines is no list of a kernel's functions. */
#define KALLSYMS_MAX (16u << 20)

/* The last function of the kernel, or of a module, is taken to be no longer. */
#define KALLSYMS_LAST_MAX 4096

/*
 * Reads "address type name [module]" lines, plain or packed. Kept are functions (t T w W).
 * Each ends where the next begins, those of the kernel at _etext at the latest.
 * It fails where no line is a function, and where all addresses are zero, as
 * kernel.kptr_restrict makes them. *ret is zeroed on failure.
 */
ERROR_RESULT struct error *kallsyms_read(struct kallsyms *ret, const char *path);

/*
 * The same for a few addresses of the list, which rise: of its functions, some 100,000, no more are
 * kept than these need. What kallsyms_find() says of others means nothing.
 */
ERROR_RESULT struct error *kallsyms_read_for(struct kallsyms *ret, const char *path,
					     const uint64_t *addresses, size_t nr);
void kallsyms_release(struct kallsyms *kallsyms);

/* No function that begins before this address reaches beyond it: where a module was mapped to. */
void kallsyms_cut(struct kallsyms *kallsyms, uint64_t end);

/*
 * What to add to the list's addresses so that they fit a capture that recorded `address` for
 * the symbol `reference` ("_text" or "_stext"). False where the list lacks that symbol or
 * the capture its address (0, hidden): then the list cannot be used for it.
 */
bool kallsyms_slide(const struct kallsyms *kallsyms, const char *reference, uint64_t address,
		    uint64_t *ret);

/* The function that holds the address, NULL for none. Borrowed. */
const struct kallsyms_symbol *kallsyms_find(const struct kallsyms *kallsyms, uint64_t address);

static inline const char *kallsyms_name(const struct kallsyms *kallsyms,
					const struct kallsyms_symbol *symbol)
{
	return kallsyms->names.bytes + symbol->name;
}

/* NULL for the kernel itself. */
static inline const char *kallsyms_module(const struct kallsyms *kallsyms,
					  const struct kallsyms_symbol *symbol)
{
	return symbol->module == KALLSYMS_KERNEL ? NULL : kallsyms->names.bytes + symbol->module;
}
