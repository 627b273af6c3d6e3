/* query.h - one SELECT of the user's on a profile, row by row */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct store;
struct store_query;
struct text;

enum query_type {
	QUERY_NULL,
	QUERY_NUMBER,
	QUERY_TEXT
};

/*
 * Begins one statement, which may only read. A second statement behind it is refused.
 * Owned: query_free().
 */
ERROR_RESULT struct error *query_begin(struct store *store, const char *sql,
				       struct store_query **ret);
void query_free(struct store_query *query);

size_t query_columns(const struct store_query *query);
const char *query_column_name(const struct store_query *query, size_t column);

/* The next row; *ret is false behind the last one. */
ERROR_RESULT struct error *query_step(struct store_query *query, bool *ret);

/* Adds a cell of the row as clean UTF-8: a BLOB as x'hex', NULL as nothing. */
enum query_type query_add_cell(const struct store_query *query, size_t column, struct text *text);
