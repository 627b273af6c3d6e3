/* query.c - one SELECT of the user's on a profile, row by row */
#include "store/query.h"

#include <sqlite3.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"
#include "store/store.h"

struct store_query {
	struct store *store; /* borrowed */
	sqlite3_stmt *statement;
};

static bool is_blank_or_comment(const char *sql)
{
	while (*sql == ' ' || *sql == '\t' || *sql == '\n' || *sql == '\r' || *sql == ';')
		sql++;
	if (sql[0] == '-' && sql[1] == '-') {
		sql = strchr(sql, '\n');
		return !sql || is_blank_or_comment(sql);
	}
	return *sql == '\0';
}

struct error *query_begin(struct store *store, const char *sql, struct store_query **ret)
{
	sqlite3_stmt *statement;
	const char *tail;
	int status = sqlite3_prepare_v2(store->db, sql, -1, &statement, &tail);
	struct error *err = NULL;

	if (status != SQLITE_OK)
		return error_new(ERROR_USAGE, "%s", sqlite3_errmsg(store->db));
	if (!statement)
		err = error_new(ERROR_USAGE, "the statement is empty");
	else if (!is_blank_or_comment(tail))
		err = error_new(ERROR_USAGE,
				"one statement at a time; there is more behind it: '%.40s'", tail);
	else if (!sqlite3_stmt_readonly(statement))
		err = error_new(ERROR_USAGE, "the statement would write; 'tephra sql' only reads");
	if (err) {
		sqlite3_finalize(statement);
		return err;
	}
	*ret = mem_alloc(sizeof(**ret));
	**ret = (struct store_query){store, statement};
	return NULL;
}

void query_free(struct store_query *query)
{
	if (!query)
		return;
	sqlite3_finalize(query->statement);
	free(query);
}

size_t query_columns(const struct store_query *query)
{
	return (size_t)sqlite3_column_count(query->statement);
}

const char *query_column_name(const struct store_query *query, size_t column)
{
	const char *name = sqlite3_column_name(query->statement, (int)column);

	return name ? name : "";
}

struct error *query_step(struct store_query *query, bool *ret)
{
	int status = sqlite3_step(query->statement);

	*ret = status == SQLITE_ROW;
	if (status == SQLITE_ROW || status == SQLITE_DONE)
		return NULL;
	return store_error(query->store, status);
}

static void add_hex(struct text *text, const unsigned char *bytes, int size)
{
	text_add(text, "x'");
	for (int i = 0; i < size; i++)
		text_addf(text, "%02x", bytes[i]);
	text_add(text, "'");
}

enum query_type query_add_cell(const struct store_query *query, size_t column, struct text *text)
{
	sqlite3_stmt *row = query->statement;
	int at = (int)column;

	switch (sqlite3_column_type(row, at)) {
	case SQLITE_NULL:
		return QUERY_NULL;
	case SQLITE_INTEGER:
	case SQLITE_FLOAT:
		text_add(text, (const char *)sqlite3_column_text(row, at));
		/* SQLite writes infinity as Inf, which is no number of JSON */
		return strpbrk(text_string(text), "In") ? QUERY_TEXT : QUERY_NUMBER;
	case SQLITE_BLOB:
		add_hex(text, sqlite3_column_blob(row, at), sqlite3_column_bytes(row, at));
		return QUERY_TEXT;
	default:
		utf8_add_clean(text, (const char *)sqlite3_column_text(row, at),
			       (size_t)sqlite3_column_bytes(row, at));
		return QUERY_TEXT;
	}
}
