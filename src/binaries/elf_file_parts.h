/* elf_file_parts.h - what the files that read an ELF file share among themselves */
#pragma once

#include "base/bytes.h"
#include "binaries/elf_file.h"

/* The part of the file at offset; false where it does not lie in the file. */
bool elf_file_part(const struct elf_file *file, uint64_t offset, uint64_t size, struct bytes *ret);

/* Header, program headers, section headers, names. */
ERROR_RESULT struct error *elf_file_read_tables(struct elf_file *file);

/* Build ID and links; what is not well formed is not there. */
void elf_file_read_identity(struct elf_file *file);

/* ALLOC|EXECINSTR: code is in it, or was before its bytes were taken out. */
bool elf_file_is_code(const struct elf_section *section);

/* Where its code is, by its sections or, where it has none, by its segments. */
void elf_file_read_code(struct elf_file *file);
