/* sql.c - tephra sql: one SELECT on a profile */
#include <stdio.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/json.h"
#include "commands/output.h"
#include "commands/rows.h"
#include "store/query.h"
#include "store/store.h"

struct sql_options {
	const char *output;
	int format;
};

static const struct option_entry options_table[] = {
	OPTION_TEXT('o', "output", struct sql_options, output, "<file>",
		    "write to this file, '-' is standard output"),
	OPTION_CHOICE(0, "format", struct sql_options, format, "table|csv|json", rows_format_words,
		      "form of the output"),
	OPTION_END,
};

/* A statement that is read from standard input is not longer than this. */
#define STATEMENT_MAX ((size_t)1 << 20)

static struct error *read_statement(struct text *sql)
{
	struct reader *reader;
	struct error *err = reader_open("-", &reader);

	if (err)
		return err;
	err = reader_fill(reader, STATEMENT_MAX);
	if (!err && reader->end == STATEMENT_MAX)
		err = error_new(ERROR_LIMIT, "the statement is longer than %zu bytes",
				STATEMENT_MAX);
	if (!err)
		text_add_bytes(sql, reader->buf, reader->end);
	reader_close(reader);
	return err;
}

static struct rows_column *columns_of(const struct store_query *query)
{
	size_t nr = query_columns(query);
	struct rows_column *columns = mem_zalloc(nr, sizeof(*columns));

	for (size_t i = 0; i < nr; i++)
		columns[i].key = columns[i].head = query_column_name(query, i);
	return columns;
}

static void write_json_row(const struct store_query *query, struct json *json)
{
	CLEANUP(text_release) struct text cell = TEXT_INIT;

	json_begin_object(json);
	for (size_t i = 0; i < query_columns(query); i++) {
		enum query_type type;

		text_clear(&cell);
		type = query_add_cell(query, i, &cell);
		json_key(json, query_column_name(query, i));
		if (type == QUERY_NULL)
			json_null(json);
		else if (type == QUERY_NUMBER)
			json_number(json, text_string(&cell));
		else
			json_string(json, text_string(&cell));
	}
	json_end_object(json);
}

static struct error *write_json(struct store_query *query, FILE *out)
{
	struct json json = {.out = out};
	struct error *err = NULL;
	bool is_row = true;

	json_begin_array(&json);
	while (!err && is_row) {
		err = query_step(query, &is_row);
		if (!err && is_row)
			write_json_row(query, &json);
	}
	json_end_array(&json);
	json_finish(&json);
	return err;
}

/* In a table a column of numbers alone is aligned to the right. */
static struct error *write_rows(struct store_query *query, int format, FILE *out)
{
	size_t nr = query_columns(query);
	struct rows_column *columns = columns_of(query);
	CLEANUP(text_release) struct text cell = TEXT_INIT;
	CLEANUP(rows_release) struct rows rows;
	struct error *err = NULL;
	bool is_row = true;

	for (size_t i = 0; i < nr; i++)
		columns[i].is_number = true;
	rows_init(&rows, columns, nr);
	while (!err && is_row) {
		err = query_step(query, &is_row);
		for (size_t i = 0; !err && is_row && i < nr; i++) {
			text_clear(&cell);
			if (query_add_cell(query, i, &cell) == QUERY_TEXT)
				columns[i].is_number = false;
			rows_add(&rows, text_string(&cell));
		}
	}
	if (!err && format == ROWS_CSV)
		rows_write_csv(&rows, out);
	else if (!err)
		rows_write_table(&rows, out);
	free(columns);
	return err;
}

static struct error *write_answer(const struct sql_options *options, struct store_query *query)
{
	struct output output;
	struct error *err = output_open(options->output, &output);

	if (err)
		return err;
	if (options->format == ROWS_JSON)
		err = write_json(query, output.file);
	else
		err = write_rows(query, options->format, output.file);
	if (err) {
		output_abort(&output);
		return err;
	}
	return output_commit(&output);
}

static void tell_how(const char *path)
{
	printf("The tables and views of '%s' are described in schema/README.md; the views to begin\n"
	       "with are sample_named, path_frame, stack_frame, task_named and location_named.\n\n"
	       "  tephra sql '%s' 'SELECT leaf, count(*) FROM sample_named GROUP BY leaf'\n"
	       "  sqlite3 -readonly '%s'\n",
	       path, path, path);
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct sql_options *options = options_of;
	CLEANUP(text_release) struct text sql = TEXT_INIT;
	struct store_query *query = NULL;
	struct store *store = NULL;
	struct error *err = NULL;

	(void)ret_status;
	if (argc < 1 || argc > 2)
		return error_new(ERROR_USAGE, "needs a profile and one statement in quotes");
	if (argc == 2 && strcmp(argv[1], "-") == 0)
		err = read_statement(&sql);
	else if (argc == 2)
		text_add(&sql, argv[1]);
	if (!err)
		err = store_open(argv[0], &store);
	if (!err && argc == 1)
		tell_how(argv[0]);
	if (!err && argc == 2)
		err = query_begin(store, text_string(&sql), &query);
	if (!err && query)
		err = write_answer(options, query);
	query_free(query);
	store_close(store);
	return err;
}

const struct command command_sql = {
	.name = "sql",
	.args = "<profile> [<statement>|-]",
	.summary = "ask a profile's tables",
	.options = options_table,
	.size = sizeof(struct sql_options),
	.run = run,
};
