/* symtab.h - the functions of one module by address, from all symbol tables that its files have */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

#include "base/text.h"

/* Which table a symbol stands in. */
enum symtab_source {
	SYMTAB_FULL,	/* .symtab of the debug file, else of the binary */
	SYMTAB_MINI,	/* .symtab within .gnu_debugdata (minidebuginfo) */
	SYMTAB_DYNAMIC, /* .dynsym */
	SYMTAB_PLT,	/* no symbol: a stub that jumps to one of another module */
};

enum symtab_flags {
	SYMTAB_SIZELESS = 1 << 0, /* the table gives no size: it ends where the next begins */
	SYMTAB_RESOLVER = 1 << 1, /* STT_GNU_IFUNC: the code is that of the resolver */
	SYMTAB_LABEL = 1 << 2,	  /* STT_NOTYPE: of hand-written assembly */
	SYMTAB_OLD = 1 << 3,	  /* of a version that nothing is linked with any more: cfree */
};

struct symtab_symbol {
	uint64_t lo, hi;  /* addresses as in the file: lo <= address < hi */
	const char *name; /* raw, without "@VERSION"; of the table, which outlives the Elf */
	uint16_t rank;	  /* the lower of two at one address is the one to show */
	uint8_t source;	  /* enum symtab_source */
	uint8_t flags;	  /* enum symtab_flags */
	uint8_t padding;  /* bytes behind hi that align the next function, under 16 */
};

/* What was not taken into the table, by reason. */
struct symtab_refused {
	uint64_t outside; /* their address is not in their section: left behind by the linker */
	uint64_t names;	  /* names outside of the string table, or too much of it */
	bool mini;	  /* .gnu_debugdata cannot be unpacked or read */
};

/* An address where symbols begin. */
struct symtab_place {
	uint64_t lo;
	uint64_t reach; /* how far what begins here or before goes: behind it nobody is */
	uint32_t first; /* of its symbols, which go on to those of the next place */
};

struct symtab {
	struct symtab_symbol *list; /* owned; by lo, then as they are to be shown */
	uint32_t nr;
	size_t list_alloc;
	struct symtab_place *places; /* owned; ascending, one more at the end */
	uint32_t places_nr;
	uint32_t *buckets; /* owned; where in places each 1 << shift bytes begin; one more */
	unsigned shift;
	struct text names; /* what symbols' names point into */
	struct symtab_refused refused;
};

/* Bytes that .gnu_debugdata may unpack to. */
#define SYMTAB_MINI_MAX ((size_t)256 << 20)

/* So many places before an address are looked at for a function around it. */
#define SYMTAB_ENCLOSING_MAX 16

/*
 * Reads .symtab (debug file, else binary), .dynsym, .gnu_debugdata and the PLT stubs. Each
 * file may be NULL or both the same; they are only read during the call. Kept are functions,
 * indirect functions and labels in executable sections; an ELF object (ET_REL, a kernel
 * module) gives those of its .text, by their offset in it. Where the debug file has a section
 * at another address than the binary (prelink), the binary's counts.
 * What cannot be read is counted in `refused`; a file without symbols is an empty table.
 */
void symtab_build(struct symtab *ret, Elf *binary, Elf *debug);
void symtab_release(struct symtab *symtab);

/*
 * The function that holds the address (as in the file), NULL for none: the one that begins
 * closest before it and reaches it, else one that holds it from further away, else one whose
 * alignment padding it is. Borrowed from the table.
 */
const struct symtab_symbol *symtab_find(const struct symtab *symtab, uint64_t address);

/* How many symbols, itself included, begin where this one does; they follow symtab_first(). */
uint32_t symtab_aliases(const struct symtab *symtab, const struct symtab_symbol *symbol,
			const struct symtab_symbol **ret_first);

/* The address of the symbol with this raw name. Linear. */
bool symtab_address(const struct symtab *symtab, const char *name, uint64_t *ret);

/* "symtab", "minidebuginfo", "dynsym", "plt" */
const char *symtab_source_word(enum symtab_source source);
