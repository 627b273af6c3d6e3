/* top_rows.c - self and total weight per function as a table, CSV or JSON */
#include "commands/top_rows.h"

#include "analysis/top.h"
#include "base/mem.h"
#include "base/text.h"
#include "commands/json.h"
#include "commands/profile.h"
#include "commands/trust_json.h"

static const struct rows_column columns[] = {
	{.head = "self %", .key = "self_percent", .is_number = true, .is_for_people = true},
	{.head = "total %", .key = "total_percent", .is_number = true, .is_for_people = true},
	{.head = "self", .key = "self_text", .is_number = true, .is_for_people = true},
	{.head = "total", .key = "total_text", .is_number = true, .is_for_people = true},
	{.head = "", .key = "self", .is_number = true, .is_for_programs = true},
	{.head = "", .key = "total", .is_number = true, .is_for_programs = true},
	{.head = "origin", .key = "origin"},
	{.head = "function", .key = "name"},
	{.head = "", .key = "lacks_caller", .is_number = true, .is_for_programs = true},
};

/* Times have a unit of their own in each cell, other weights the one of the headline. */
static void add_text(struct rows *rows, const struct profile *profile, weight w)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (strcmp(profile_unit(profile), "ns") == 0)
		units_add_time(&text, w);
	else
		weight_add_grouped(&text, w);
	rows_add(rows, text_string(&text));
}

static void add_row(struct rows *rows, const struct profile *profile, const struct top *top,
		    const struct top_row *row)
{
	const struct function *function = &profile->naming.list[row->function];

	rows_add_percent(rows, weight_share(row->self, top->total));
	rows_add_percent(rows, weight_share(row->total, top->total));
	add_text(rows, profile, row->self);
	add_text(rows, profile, row->total);
	rows_add_weight(rows, row->self);
	rows_add_weight(rows, row->total);
	rows_add(rows, origin_word(function->origin));
	rows_add(rows, names_display(&profile->capture.names, function->name));
	rows_add_weight(rows, row->lacks_caller);
}

static void write_json(const struct profile *profile, const struct rows *rows, weight total,
		       size_t left_out, FILE *out)
{
	struct json json = {.out = out};

	json_begin_object(&json);
	json_member_string(&json, "event", profile_event_name(profile));
	json_member_string(&json, "unit", profile_unit(profile));
	json_member_weight(&json, "total", total);
	json_member_weight(&json, "samples", profile->paths.count);
	json_member_u64(&json, "ignored_lines",
			profile->capture.notes.list[NOTE_INVALID_COUNT].count);
	json_member_u64(&json, "rows_left_out", left_out);
	trust_json_write(profile, &json);
	json_key(&json, "table");
	rows_write_json(rows, &json);
	json_end_object(&json);
	json_finish(&json);
}

static void write_table(const struct profile *profile, const struct rows *rows, weight total,
			size_t left_out, FILE *out)
{
	CLEANUP(text_release) struct text facts = TEXT_INIT;

	profile_add_headline(profile, &facts, total);
	fprintf(out, "# %s\n", text_string(&facts));
	rows_write_table(rows, out);
	if (left_out)
		fprintf(out, "# %zu more function%s left out; --all shows %s\n", left_out,
			left_out == 1 ? " is" : "s are", left_out == 1 ? "it" : "them");
}

void top_rows_write(const struct profile *profile, const struct top *top, size_t limit,
		    enum rows_format format, FILE *out)
{
	CLEANUP(rows_release) struct rows rows;
	size_t left_out = top->nr > limit ? top->nr - limit : 0;

	rows_init(&rows, columns, ARRAY_NR(columns));
	for (size_t i = 0; i < top->nr && i < limit; i++)
		add_row(&rows, profile, top, &top->rows[i]);
	if (format == ROWS_JSON)
		write_json(profile, &rows, top->total, left_out, out);
	else if (format == ROWS_CSV)
		rows_write_csv(&rows, out);
	else
		write_table(profile, &rows, top->total, left_out, out);
}
