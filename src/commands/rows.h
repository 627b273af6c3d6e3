/* rows.h - rows for people and programs: a table, CSV, or an array in JSON */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/units.h"

struct json;

enum rows_format {
	ROWS_TABLE,
	ROWS_CSV,
	ROWS_JSON
};

/* The words of --format, for OPTION_CHOICE. */
extern const char *const rows_format_words[];

struct rows_column {
	const char *key;      /* of JSON and the head of CSV; never renamed */
	const char *head;     /* of the table */
	bool is_number;	      /* right-aligned, bare in JSON; an empty cell is null there */
	bool is_for_people;   /* in the table only: it says another column in other words */
	bool is_for_programs; /* in CSV and JSON only */
};

/* Cells are kept until they are written: a table must know its widths. */
struct rows {
	const struct rows_column *columns; /* borrowed */
	size_t columns_nr;
	char **cells; /* owned */
	size_t cells_nr, cells_alloc;
	struct rows_line *lines; /* owned, see rows_add_line() */
	size_t lines_nr, lines_alloc;
};

void rows_init(struct rows *rows, const struct rows_column *columns, size_t columns_nr);
void rows_release(struct rows *rows);

/* The next cell, from left to right. s must be clean UTF-8. */
void rows_add(struct rows *rows, const char *s);
void rows_add_weight(struct rows *rows, weight w);
void rows_add_percent(struct rows *rows, double share);

/* A line of the table that stands below the last row as it is, and in no other form. */
void rows_add_line(struct rows *rows, const char *s);

void rows_write_table(const struct rows *rows, FILE *out);
void rows_write_csv(const struct rows *rows, FILE *out);
void rows_write_json(const struct rows *rows, struct json *json);

/* In a form, as all that is printed: JSON is an object that has them by the key, or, where that is
 * NULL, the array itself. */
void rows_write(const struct rows *rows, const char *key, enum rows_format format, FILE *out);

/* One field of CSV (RFC 4180), quoted where it must be. */
void rows_write_csv_field(FILE *out, const char *s);
