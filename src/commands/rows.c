/* rows.c - rows for people and programs: a table, CSV, or an array in JSON */
#include "commands/rows.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"
#include "commands/json.h"

const char *const rows_format_words[] = {"table", "csv", "json", NULL};

struct rows_line {
	size_t cells_nr; /* it stands behind so many cells */
	char *text;
};

void rows_init(struct rows *rows, const struct rows_column *columns, size_t columns_nr)
{
	*rows = (struct rows){.columns = columns, .columns_nr = columns_nr};
}

void rows_release(struct rows *rows)
{
	for (size_t i = 0; i < rows->cells_nr; i++)
		free(rows->cells[i]);
	free(rows->cells);
	for (size_t i = 0; i < rows->lines_nr; i++)
		free(rows->lines[i].text);
	free(rows->lines);
	*rows = (struct rows){0};
}

static void take(struct rows *rows, char *cell)
{
	GROW(rows->cells, rows->cells_nr + 1, rows->cells_alloc);
	rows->cells[rows->cells_nr++] = cell;
}

void rows_add(struct rows *rows, const char *s)
{
	take(rows, mem_strdup(s));
}

void rows_add_weight(struct rows *rows, weight w)
{
	struct text text = TEXT_INIT;

	weight_add(&text, w);
	take(rows, text_take(&text));
}

void rows_add_percent(struct rows *rows, double share)
{
	struct text text = TEXT_INIT;

	units_add_percent(&text, share, 2);
	take(rows, text_take(&text));
}

void rows_add_line(struct rows *rows, const char *s)
{
	GROW(rows->lines, rows->lines_nr + 1, rows->lines_alloc);
	rows->lines[rows->lines_nr++] = (struct rows_line){rows->cells_nr, mem_strdup(s)};
}

static size_t width_of(const struct rows *rows, size_t column)
{
	size_t width = utf8_columns(rows->columns[column].head);

	for (size_t i = column; i < rows->cells_nr; i += rows->columns_nr) {
		size_t cell = utf8_columns(rows->cells[i]);

		if (cell > width)
			width = cell;
	}
	return width;
}

static void write_cell(FILE *out, const char *cell, size_t width, bool is_number, bool is_last)
{
	size_t columns = utf8_columns(cell);
	int pad = (int)(width > columns ? width - columns : 0);

	if (is_number)
		fprintf(out, "%*s%s", pad, "", cell);
	else
		fprintf(out, "%s%*s", cell, is_last ? 0 : pad, "");
	fputs(is_last ? "\n" : "  ", out);
}

/* One line of the table: the heads (cells NULL) or a row. Some column is for people. */
static void write_line(const struct rows *rows, char **cells, const size_t *widths, FILE *out)
{
	size_t last = rows->columns_nr - 1;

	/* no blanks at the end of a line */
	while (last && (rows->columns[last].is_for_programs || (cells && !*cells[last])))
		last--;
	for (size_t i = 0; i <= last; i++) {
		const struct rows_column *column = &rows->columns[i];

		if (!column->is_for_programs)
			write_cell(out, cells ? cells[i] : column->head, widths[i],
				   column->is_number, i == last);
	}
}

void rows_write_table(const struct rows *rows, FILE *out)
{
	size_t nr = rows->columns_nr;
	size_t *widths = mem_zalloc(nr, sizeof(*widths)), line = 0;

	for (size_t i = 0; i < nr; i++)
		widths[i] = rows->columns[i].is_for_programs ? 0 : width_of(rows, i);
	write_line(rows, NULL, widths, out);
	for (size_t i = 0; i < rows->cells_nr; i += nr) {
		write_line(rows, rows->cells + i, widths, out);
		for (; line < rows->lines_nr && rows->lines[line].cells_nr == i + nr; line++)
			fprintf(out, "%s\n", rows->lines[line].text);
	}
	free(widths);
}

void rows_write_csv_field(FILE *out, const char *s)
{
	if (!s[strcspn(s, ",\"\r\n")]) {
		fputs(s, out);
		return;
	}
	fputc('"', out);
	for (; *s; s++) {
		if (*s == '"')
			fputc('"', out);
		fputc(*s, out);
	}
	fputc('"', out);
}

void rows_write_csv(const struct rows *rows, FILE *out)
{
	size_t nr = rows->columns_nr;
	bool is_first = true;

	for (size_t i = 0; i < nr; i++) {
		if (rows->columns[i].is_for_people)
			continue;
		fprintf(out, "%s%s", is_first ? "" : ",", rows->columns[i].key);
		is_first = false;
	}
	for (size_t i = 0; i < rows->cells_nr; i++) {
		if (i % nr == 0) {
			fputc('\n', out);
			is_first = true;
		}
		if (rows->columns[i % nr].is_for_people)
			continue;
		if (!is_first)
			fputc(',', out);
		rows_write_csv_field(out, rows->cells[i]);
		is_first = false;
	}
	fputc('\n', out);
}

void rows_write_json(const struct rows *rows, struct json *json)
{
	json_begin_array(json);
	for (size_t i = 0; i < rows->cells_nr; i++) {
		const struct rows_column *column = &rows->columns[i % rows->columns_nr];

		if (i % rows->columns_nr == 0)
			json_begin_object(json);
		if (!column->is_for_people) {
			json_key(json, column->key);
			if (column->is_number && !*rows->cells[i])
				json_null(json);
			else if (column->is_number)
				json_number(json, rows->cells[i]);
			else
				json_string(json, rows->cells[i]);
		}
		if ((i + 1) % rows->columns_nr == 0)
			json_end_object(json);
	}
	json_end_array(json);
}

void rows_write(const struct rows *rows, const char *key, enum rows_format format, FILE *out)
{
	struct json json = {.out = out};

	if (format == ROWS_CSV) {
		rows_write_csv(rows, out);
	} else if (format == ROWS_TABLE) {
		rows_write_table(rows, out);
	} else {
		if (key) {
			json_begin_object(&json);
			json_key(&json, key);
		}
		rows_write_json(rows, &json);
		if (key)
			json_end_object(&json);
		json_finish(&json);
	}
}
