/* elf_builder.h - ELF files written byte by byte, good ones and bad ones */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define ELF_BUILDER_SECTIONS_MAX 24
#define ELF_BUILDER_SEGMENTS_MAX 8

struct elf_builder_section {
	const char *name;
	uint32_t type;
	uint64_t flags, addr, offset, size, align; /* offset 0: after what was there before */
	struct text bytes;			   /* NOBITS: none */
};

struct elf_builder_segment {
	uint32_t type, flags;
	uint64_t offset, vaddr, file_size, mem_size, align;
};

/* Zeroed memory is a 64-bit little-endian file of type 0 for machine 0. */
struct elf_builder {
	bool is_32, is_big;
	bool lacks_sections;	/* as after sstrip */
	bool has_many_sections; /* their number stands in the first section */
	uint16_t type, machine;
	struct elf_builder_section sections[ELF_BUILDER_SECTIONS_MAX];
	unsigned sections_nr;
	struct elf_builder_segment segments[ELF_BUILDER_SEGMENTS_MAX];
	unsigned segments_nr;
};

void elf_builder_release(struct elf_builder *builder);

/* The section that was added, to be changed before the end. bytes NULL: NOBITS of that size. */
struct elf_builder_section *elf_builder_section(struct elf_builder *builder, const char *name,
						uint32_t type, uint64_t flags, uint64_t addr,
						const void *bytes, size_t size);
void elf_builder_segment(struct elf_builder *builder, struct elf_builder_segment segment);

/* ---- numbers in the byte order of the file */
void elf_builder_u16(const struct elf_builder *builder, struct text *to, uint16_t number);
void elf_builder_u32(const struct elf_builder *builder, struct text *to, uint32_t number);

/* A note as a section holds it: name, type, what it says. pad is 4 or 8. */
void elf_builder_note(const struct elf_builder *builder, struct text *to, const char *name,
		      uint32_t type, const void *bytes, size_t size, unsigned pad);

/* ---- sections of a usual file */
void elf_builder_build_id(struct elf_builder *builder, const char *hex);
void elf_builder_debuglink(struct elf_builder *builder, const char *name, uint32_t crc);
void elf_builder_altlink(struct elf_builder *builder, const char *path, const char *hex);

/* Names of functions and DWARF, as far as a look from outside goes. */
void elf_builder_debug_info(struct elf_builder *builder);
void elf_builder_symtab(struct elf_builder *builder);

/* The whole file. Owned by the caller's text. */
void elf_builder_finish(const struct elf_builder *builder, struct text *ret);

/* ---- a usual program: x86-64, code of calls at PROGRAM_OFFSET, which is PROGRAM_VADDR */
#define PROGRAM_OFFSET	0x1000u
#define PROGRAM_VADDR	0x402000u
#define PROGRAM_CALLS	40u /* a call ends every 16 bytes: at 5, 21, 37 ... from the beginning */
#define PROGRAM_SIZE	(16 * PROGRAM_CALLS)
#define PROGRAM_MAX_RET (PROGRAM_CALLS)

struct program_kind {
	const char *build_id; /* NULL for none */
	bool is_debug_only;   /* objcopy --only-keep-debug: with DWARF, without code */
	bool has_dwarf, has_symtab;
	bool lacks_frame_pointers;
	unsigned shift;	       /* bytes by which the calls were moved */
	unsigned extra_size;   /* of the code: another layout */
	const char *debuglink; /* NULL for none */
	uint32_t debuglink_crc;
	const char *altlink, *altlink_id;
	char salt; /* another file with all else the same */
};

/* The whole file. Owned by the caller's text. */
void program_build(const struct program_kind *kind, struct text *ret);

/* File offset of the nth return address of a program that was not shifted. */
uint64_t program_return(unsigned nr);
