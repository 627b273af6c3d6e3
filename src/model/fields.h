/* fields.h - named values of a tracepoint sample */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum field_kind {
	FIELD_UNSIGNED,
	FIELD_SIGNED,
	FIELD_TEXT,
	FIELD_NUMBERS
};

struct field {
	const char *name; /* borrowed from the importer */
	enum field_kind kind;
	uint64_t number; /* its bits, for both kinds of numbers */
	size_t text_begin,
		text_size; /* FIELD_TEXT: in fields->text, as it was; FIELD_NUMBERS: "1,2,3" */
};

/* The fields of one sample. Memory is kept from one to the next. */
struct fields {
	struct field *list; /* owned */
	size_t nr, alloc;
	struct text text;
};

void fields_clear(struct fields *fields);
void fields_release(struct fields *fields);

void fields_add_number(struct fields *fields, const char *name, uint64_t number, bool is_signed);
void fields_add_text(struct fields *fields, const char *name, const char *at, size_t size,
		     enum field_kind kind);

/* The first field of that name, NULL for none. */
const struct field *fields_find(const struct fields *fields, const char *name);
