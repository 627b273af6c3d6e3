/* dwarf_names.h - functions, inlined ones too, and lines of a batch of addresses, by DWARF */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One function at an address. Strings are borrowed from the struct dwarf_names (or from its
 * Dwarf) and live as long as it; equal functions have equal pointers.
 */
struct dwarf_frame {
	/* The linkage name; else DW_AT_name after its scopes ("ns::f::<lambda()>::operator()").
	 * NULL: there is a line but no function. */
	const char *raw_name;
	/* Where this function was at: for the innermost one the line table's row, for the others
	 * the place of the call. After DW_AT_comp_dir where it is relative. NULL: unknown. */
	const char *file;
	const char *decl_file; /* where the function is declared; NULL: unknown */
	uint32_t line;	       /* 0: none (the compiler's own code, or unknown) */
	bool is_inlined; /* false in the last frame of a chain, the function in the symbol table */
	bool is_linkage_name; /* raw_name is meant for a demangler */
};

enum dwarf_names_flags {
	DWARF_NAMES_LINES = 1 << 0,   /* file and line of each frame */
	DWARF_NAMES_INLINES = 1 << 1, /* else only the last frame of each chain */
	DWARF_NAMES_DECLS = 1 << 2,   /* decl_file */
};

/* What could not be read. None of it ends the reading of the rest. */
enum dwarf_fact {
	DWARF_FACT_COMPRESSION, /* a section is compressed in a way that libelf does not read (zstd)
				 */
	DWARF_FACT_NO_DWO, /* a unit's functions are in a .dwo file that is not there or differs */
	DWARF_FACT_NO_ALT, /* names are in a dwz file that is not there */
	DWARF_FACT_WRONG_ALT, /* the dwz file that was found has another build ID: it is not used */
	DWARF_FACT_DAMAGED,   /* a unit or line table ends too soon or contradicts itself */
	DWARF_FACT_LIMIT,     /* one of this program's limits */
	DWARF_FACTS_NR,
};

/* How often each was met, and the first place it was met at: static or owned by the holder. */
struct dwarf_facts {
	uint32_t nr[DWARF_FACTS_NR];
	char first[DWARF_FACTS_NR][128]; /* as "unit 0x2f: lib/a.dwo"; "" when nr is 0 */
};

/* What the fact means, in words, as "split debug data (.dwo) is missing". */
const char *dwarf_fact_text(enum dwarf_fact fact);
void dwarf_fact_add(struct dwarf_facts *facts, enum dwarf_fact fact, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Looks for DWARF_FACT_COMPRESSION. To be asked before dwarf_begin_elf(), which answers "no
 * debug information" to sections that it cannot decompress.
 */
void dwarf_names_check_elf(Elf *elf, struct dwarf_facts *facts);

struct dwarf_names;

/*
 * Never NULL. The Dwarf is borrowed and must outlive it; nobody else may use it, or an Elf of it,
 * at the same time. A dwz file that is known to be the right one is given to libdw
 * (dwarf_setalt()) before; one that libdw finds by itself is used only when its build ID is right.
 */
struct dwarf_names *dwarf_names_new(Dwarf *dwarf);
void dwarf_names_free(struct dwarf_names *names);

/*
 * Called once for each address of which something is known, units in their order, addresses
 * in theirs within one: vaddrs[at] has frames_nr >= 1 frames, frames[0] the innermost. The
 * array is borrowed for the call.
 */
typedef void dwarf_names_chain(void *context, size_t at, const struct dwarf_frame *frames,
			       size_t frames_nr);

/*
 * vaddrs: addresses as the ELF file counts them, rising, each once; of a return address the one
 * before it. flags: of enum dwarf_names_flags. What is damaged or missing is told by the facts.
 */
void dwarf_names_resolve(struct dwarf_names *names, const uint64_t *vaddrs, size_t nr,
			 unsigned flags, dwarf_names_chain *chain, void *context);

/* Of everything resolved so far; borrowed. */
const struct dwarf_facts *dwarf_names_facts(const struct dwarf_names *names);
