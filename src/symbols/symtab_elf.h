/* symtab_elf.h - the symbol tables of one ELF file, read into a table that is not sorted yet */
#pragma once

#include <stdint.h>

#include <libelf.h>

#include "symbols/symtab.h"

/*
 * Adds the functions of .symtab (source FULL or MINI) or .dynsym (DYNAMIC), with `bias` added
 * to their addresses. Their names are offsets into symtab->names yet; hi of those without size
 * is the end of their section. Returns how many were added.
 */
uint32_t symtab_elf_read(struct symtab *symtab, Elf *elf, enum symtab_source source, uint64_t bias);

/* Makes a symbol one of an old version: shown where there is none that is linked with now. */
void symtab_elf_set_old(struct symtab_symbol *symbol);

/* Unpacks .gnu_debugdata, where the file has it, and adds the functions in it. */
void symtab_elf_read_mini(struct symtab *symtab, Elf *elf);

/* What to add to an address of `from` to have it in `to`: how far apart their .text are. */
uint64_t symtab_elf_bias(Elf *from, Elf *to);

/* Adds one. The name is copied, or cut at its version. */
void symtab_elf_add(struct symtab *symtab, struct symtab_symbol symbol, const char *name,
		    size_t size);
