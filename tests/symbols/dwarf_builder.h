/* dwarf_builder.h - DWARF for tests, written byte by byte */
#pragma once

#include <stdint.h>
#include <string.h>

#include "base/text.h"

/* Little-endian; what a compiler would write, with operations of at most 8 bytes of address. */
static inline void put(struct text *text, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		text_add_char(text, (char)(value >> (8 * i)));
}

static inline void put_string(struct text *text, const char *string)
{
	text_add_bytes(text, string, strlen(string) + 1);
}

/* The fields from minimum_instruction_length on, with line_base -5, line_range 14, opcode_base 13.
 */
static inline void put_parameters(struct text *text, unsigned version)
{
	static const unsigned char lengths[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};

	put(text, 1, 1);
	if (version >= 4)
		put(text, 1, 1);
	put(text, 1, 1);
	put(text, (unsigned char)-5, 1);
	put(text, 14, 1);
	put(text, 13, 1);
	text_add_bytes(text, lengths, sizeof(lengths));
}

/* lists: what follows the parameters; code: the program. */
static inline void put_table(struct text *text, unsigned version, const struct text *lists,
			     const struct text *code)
{
	struct text head = TEXT_INIT, rest = TEXT_INIT;

	put_parameters(&head, version);
	text_add_bytes(&head, text_string(lists), lists->size);
	put(&rest, version, 2);
	if (version >= 5)
		put(&rest, 8, 2);
	put(&rest, head.size, 4);
	text_add_bytes(&rest, text_string(&head), head.size);
	text_add_bytes(&rest, text_string(code), code->size);
	put(text, rest.size, 4);
	text_add_bytes(text, text_string(&rest), rest.size);
	text_release(&head);
	text_release(&rest);
}

/* ---- the program's operations */

static inline void put_address(struct text *code, uint64_t address)
{
	put(code, 0, 1);
	put(code, 9, 1);
	put(code, 2, 1);
	put(code, address, 8);
}

static inline void put_end(struct text *code)
{
	put(code, 0, 1);
	put(code, 1, 1);
	put(code, 1, 1);
}

/* A special operation: a row after the address and the line have moved. */
static inline void put_row(struct text *code, unsigned address, int line)
{
	put(code, (unsigned)(line + 5) + 14 * address + 13, 1);
}

static inline void put_file(struct text *code, unsigned file)
{
	put(code, 4, 1);
	put(code, file, 1);
}
