/* line_table.h - the head of a line table: its parameters, and what its file numbers mean */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

struct debug_sections;
struct strings;

#define LINE_FILES_MAX (UINT32_C(1) << 20) /* of one table; directories too */

/* DWARF 5, section 6.2.4. Owned: line_table_release(). */
struct line_table {
	struct bytes code; /* the program; borrowed from the section */
	struct line_file {
		const char *name; /* borrowed from the section */
		uint64_t directory;
		const char *path; /* joined when first asked for */
	} * files;
	size_t files_nr, files_alloc;
	const char **directories; /* borrowed strings */
	size_t directories_nr, directories_alloc;
	const char *comp_dir; /* borrowed; NULL */
	uint16_t version;
	uint8_t instruction_size, operations_max;
	int8_t line_base;
	uint8_t line_range, opcode_base;
	uint8_t opcode_lengths[256]; /* by opcode */
};

/*
 * Reads the head at offset of .debug_line. comp_dir is borrowed. Returns false, and leaves *ret
 * fit for line_table_release(), where it is damaged or its version is not 2 to 5.
 */
bool line_table_read(const struct debug_sections *sections, uint64_t offset, const char *comp_dir,
		     struct line_table *ret);
void line_table_release(struct line_table *table);

/* The whole path; NULL: no such file. Lives as long as strings. */
const char *line_table_path(struct line_table *table, uint64_t number, struct strings *strings);
