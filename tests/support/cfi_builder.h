/* cfi_builder.h - call-frame information written byte by byte, and files around it */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "binaries/elf_file.h"
#include "unwind/rules.h"

/* The world's file: all code is in [CFI_TEXT, CFI_TEXT + CFI_TEXT_SIZE). */
#define CFI_TEXT      0x10000u
#define CFI_TEXT_SIZE 0x10000u
#define CFI_EH_FRAME  0x30000u
#define CFI_HEADER    0x40000u

/* Bytes as arguments: BYTES(1, 2) is an array and its size. */
#define BYTES(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})
#define NO_BYTES   NULL, 0

/* Zeroed memory is .eh_frame at address 0. */
struct cfi_builder {
	bool is_debug_frame, is_wide; /* wide: 64-bit DWARF */
	uint64_t vaddr, data_base;
	uint8_t encoding; /* of the last CIE */
	uint8_t version, segment_size;
	bool has_augmentation;
	uint32_t cie; /* where the last one begins */
	struct text bytes;
};

void cfi_builder_release(struct cfi_builder *builder);

/*
 * A CIE with code alignment 1 and data alignment -8, in version 1 unless the builder says so. The
 * letters' data: of "R" the encoding, of "L" and "P" made up. FDEs that follow are of it.
 */
void cfi_builder_cie(struct cfi_builder *builder, const char *letters, uint8_t encoding, uint8_t ra,
		     const uint8_t *program, size_t size);

/* x86-64: "zR" with pcrel sdata4, the CFA is rsp + 8, the return address below it. */
void cfi_builder_usual_cie(struct cfi_builder *builder);

/* Returns where it begins. */
uint32_t cfi_builder_fde(struct cfi_builder *builder, uint64_t start, uint64_t size,
			 const uint8_t *program, size_t program_size);

/* ---- a file with it */

struct cfi_world {
	struct text bytes;
	struct elf_file file;
	struct rules *rules;
};

struct cfi_kind {
	uint16_t machine; /* 0: EM_X86_64 */
	bool is_32, is_big, lacks_sections, is_object;
	const struct text *eh_frame, *debug_frame, *header; /* borrowed; NULL for none */
	const char *debug_name;				    /* NULL: ".debug_frame" */
	uint64_t debug_flags;
	const struct text *code; /* borrowed: what .text begins with; NULL: zeroes alone */
};

/* All of it, added to ret. */
void cfi_file_build(const struct cfi_kind *kind, struct text *ret);

/* The file; rules are NULL. */
void cfi_world_file(const struct cfi_kind *kind, struct cfi_world *ret);
/* The rules of it, too. The test fails where they cannot be opened. */
void cfi_world_open(const struct cfi_kind *kind, struct cfi_world *ret);
/* Of one .eh_frame for x86-64; takes the builder's bytes. */
void cfi_world_of(struct cfi_builder *builder, struct cfi_world *ret);
void cfi_world_close(struct cfi_world *world);
