/* lines.h - which line of which file the addresses of one unit come from */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

struct code_ranges;
struct debug_sections;

/* A line table's head: what its file numbers mean. Owned: line_files_release(). */
struct line_files {
	struct line_file {
		const char *name; /* borrowed from the section */
		uint64_t directory;
		char *path; /* joined when first asked for; owned */
	} * files;
	size_t files_nr, files_alloc;
	const char **directories; /* borrowed strings */
	size_t directories_nr, directories_alloc;
	const char *comp_dir; /* borrowed from libdw; NULL */
	uint16_t version;
};

#define LINE_FILES_MAX (UINT32_C(1) << 20) /* of one table; directories too */

/* The head and what follows it. */
struct line_program {
	struct line_files files;
	struct bytes code;
	uint8_t address_size;
	uint8_t instruction_size;
	int8_t line_base;
	uint8_t line_range, opcode_base;
	uint8_t opcode_lengths[256];
};

/*
 * Reads the head of the table at offset of .debug_line. comp_dir is borrowed. Returns false and
 * leaves *ret fit for line_program_release() where it is damaged, its version is not 2 to 5, or
 * there is none.
 */
bool line_program_read(const struct debug_sections *sections, uint64_t offset, const char *comp_dir,
		       uint8_t address_size, struct line_program *ret);
void line_program_release(struct line_program *program);

/* NULL: no such file. Borrowed from files. */
const char *line_files_path(struct line_files *files, uint64_t number);

struct line_row {
	uint32_t file; /* a number; LINE_NO_FILE */
	uint32_t line; /* 0: none */
};

#define LINE_NO_FILE UINT32_MAX

/*
 * Runs the program once; ret[i] = the row that covers vaddrs[i] (rising). Rows of dropped
 * functions, which begin outside of code, are passed over. False: the program is damaged; what it
 * said before is in ret.
 */
bool line_program_run(const struct line_program *program, const struct code_ranges *code,
		      const uint64_t *vaddrs, size_t nr, struct line_row *ret);
