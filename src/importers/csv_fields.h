/* csv_fields.h - a line of a CSV file in fields */
#pragma once

#include <stddef.h>

/* More columns are no counters that somebody looks at. */
#define CSV_FIELDS_MAX ((size_t)4096)

struct csv_field {
	const char *at; /* borrowed from the line, without the quotes around it */
	size_t size;
};

struct csv_fields {
	struct csv_field *list; /* owned */
	size_t nr, alloc;
};

void csv_fields_release(struct csv_fields *fields);

/*
 * Takes the line apart at separators. What is in double quotes or, in a header, in braces
 * (depth{queue="a",host="b"}) is one field; doubled quotes within quotes become one, in place.
 * Blanks around a field are taken off. What is beyond CSV_FIELDS_MAX is in the last one.
 */
void csv_fields_split(struct csv_fields *fields, char *at, size_t size, char separator);

/* The one of "," ";" tab that the line has most, outside of quotes and braces; 0 for none. */
char csv_fields_separator(const char *at, size_t size);
