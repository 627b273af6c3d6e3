/* elf_file.h - what an ELF file says of itself: segments, sections, IDs, links */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/digest.h"
#include "base/error.h"

/*
 * Read from a read-only map through base/bytes.h, in either class and byte order; no libelf,
 * because this runs in the main process on files of strangers. Every count is limited by a
 * name, so that no file makes it loop. The format: System V gABI, chapters 4 and 5.
 */
#define ELF_FILE_SEGMENTS_MAX 512u
#define ELF_FILE_SECTIONS_MAX (1u << 20)
#define ELF_FILE_NAME_MAX     4096u /* of a section or a link; longer ones read as "" */
#define ELF_FILE_NOTES_MAX    10000u
#define ELF_FILE_ID_MAX	      64u /* bytes; real ones have 8, 16, 20 or 32 */

#define ELF_FILE_ID_HEX_SIZE (2 * ELF_FILE_ID_MAX + 1)

/* No mapping of the file is known. */
#define ELF_FILE_OFFSET_UNKNOWN UINT64_MAX

struct elf_segment {
	uint32_t type, flags; /* PT_LOAD, PF_X of elf.h */
	uint64_t offset, vaddr, file_size, mem_size, align;
};

struct elf_section {
	const char *name;	      /* borrowed from the map, "" where it has none */
	uint32_t type, link, info;    /* SHT_* of elf.h */
	uint64_t flags, addr, offset; /* SHF_*; `offset` and `size` are not checked */
	uint64_t size, align, entry_size;
};

struct elf_range {
	uint64_t begin, end;
};

struct elf_file {
	char *path;		  /* owned */
	const unsigned char *map; /* owned, `size` bytes */
	size_t size;
	dev_t device;
	ino_t inode;
	uint16_t type, machine; /* ET_*, EM_* of elf.h */
	bool is_64, is_swapped; /* swapped: its byte order is not ours */
	bool is_mapped, is_debug_only;
	struct elf_segment *segments; /* owned */
	uint32_t segments_nr;
	struct elf_section *sections; /* owned; [0] is the null section */
	uint32_t sections_nr;
	struct elf_range *code; /* owned: addresses of code, sorted, apart from each other */
	uint32_t code_nr;
	char build_id[ELF_FILE_ID_HEX_SIZE]; /* of the first GNU note, lower case; "" for none */
	const char *debuglink;		     /* borrowed from the map; "" for none */
	uint32_t debuglink_crc;
	const char *altlink; /* .gnu_debugaltlink: path of the dwz file; "" for none */
	char altlink_id[ELF_FILE_ID_HEX_SIZE];
};

/*
 * Opens, maps and reads. Fails for what is no regular file, no ELF file, packed (xz, gzip,
 * zstd), or has tables that do not fit into it. The errors name no path: the caller knows it.
 * Release with elf_file_close(), which takes zeroed memory, too. `ret` is untouched on failure.
 */
ERROR_RESULT struct error *elf_file_open(const char *path, struct elf_file *ret);
void elf_file_close(struct elf_file *file);

/* The same from bytes in memory, which are borrowed and must live as long; for tests. */
ERROR_RESULT struct error *elf_file_read(const void *at, size_t size, struct elf_file *ret);

/* The first section of this name, NULL for none. */
const struct elf_section *elf_file_section(const struct elf_file *file, const char *name);

/* Its bytes; NULL where it has none in the file (NOBITS) or reaches beyond the end. */
const unsigned char *elf_file_section_bytes(const struct elf_file *file,
					    const struct elf_section *section);

/*
 * Code is not in the file (objcopy --only-keep-debug, eu-strip -f): executable sections are
 * NOBITS. Its section addresses are right, its program headers need not be.
 */
bool elf_file_is_debug_only(const struct elf_file *file);

/* Has .debug_info (or .zdebug_info) with bytes; has .symtab with bytes. */
bool elf_file_has_dwarf(const struct elf_file *file);
bool elf_file_has_symtab(const struct elf_file *file);

/*
 * The address, as written in the file, of the code at `file_offset` *of the binary that was
 * mapped*. `map_offset` is the lowest file offset of its executable mappings, or
 * ELF_FILE_OFFSET_UNKNOWN. Of the executable PT_LOADs that hold the offset (file size, not
 * memory size) the one that begins where the mapping begins wins. Of a debug-only file,
 * whose offsets are not the binary's, the address is given only where it has one executable
 * segment, which map_offset must be the beginning of.
 * False: no segment, or more than one answer.
 */
bool elf_file_address(const struct elf_file *file, uint64_t file_offset, uint64_t map_offset,
		      uint64_t *ret_vaddr);

/* The bytes that are loaded at vaddr: how many follow in the segment, NULL for none. */
const unsigned char *elf_file_at(const struct elf_file *file, uint64_t vaddr, size_t *ret_left);

/*
 * Is there code at vaddr: inside of an executable section, or of an executable segment where
 * the file has no section table.
 */
bool elf_file_is_text(const struct elf_file *file, uint64_t vaddr);

/*
 * Are they two halves of one link: same machine and class, and the same executable sections
 * (name, address, size)? NULL if so, or if one of them has no sections to compare; else what
 * differs, owned.
 */
char *elf_file_layout_difference(const struct elf_file *binary, const struct elf_file *debug);

/* The SHA-256 of the whole file in hex. */
void elf_file_digest(const struct elf_file *file, char ret[static DIGEST_HEX_SIZE]);
