/* debug_image.h - a file whose debug sections are packed, unpacked in memory for libdw */
#pragma once

#include <libelf.h>
#include <stdbool.h>

/*
 * libdw unpacks all debug sections when a Dwarf is begun, with zlib: of a C library's debug file
 * that is 12 MB, and most of what naming a few of its addresses costs. libdeflate, which needs
 * packed and unpacked bytes as a whole, takes less than half of the time.
 */
struct debug_image {
	unsigned char *bytes; /* owned */
	size_t size;
	Elf *elf; /* owned; what libdw is to read instead */
};

/* So many bytes may one byte unpack to: the most that DEFLATE can say. */
#define DEBUG_IMAGE_RATIO_MAX 1032u

/*
 * Makes an ELF file of the sections that libdw reads, after debug_sections_hide(), all others
 * without bytes. False where that is not needed or would not be the same: where nothing is packed
 * with zlib, where a section is damaged, where libdw would look for files beside this one
 * (dwz, .dwo), where there are relocations, or too little memory. Then the file itself is to be
 * read. elf is borrowed, for the call.
 */
bool debug_image_make(Elf *elf, struct debug_image *ret);
void debug_image_release(struct debug_image *image);
