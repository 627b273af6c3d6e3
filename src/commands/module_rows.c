/* module_rows.c - the modules of a capture: their files, and how far these are shown to be right */
#include "commands/module_rows.h"

#include <string.h>

#include "analysis/summary.h"
#include "base/mem.h"
#include "base/text.h"
#include "commands/json.h"
#include "commands/rows.h"
#include "model/capture.h"

/* ---- order */

struct order {
	const struct capture *capture;
	const struct summary_module *counts;
};

static int compare(const void *a, const void *b, void *order_of)
{
	const struct order *order = order_of;
	const struct module *list = order->capture->modules.list;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int by_path;

	if (order->counts[x].samples != order->counts[y].samples)
		return order->counts[x].samples > order->counts[y].samples ? -1 : 1;
	by_path = names_compare(&order->capture->names, list[x].path, list[y].path);
	return by_path ? by_path : (x > y) - (x < y);
}

uint32_t *module_rows_sorted(const struct capture *capture, const struct summary *summary)
{
	struct summary_module *counts = summary_modules(summary);
	uint32_t nr = capture->modules.nr, *sorted = mem_alloc(nr * sizeof(*sorted));

	for (uint32_t i = 0; i < nr; i++)
		sorted[i] = i;
	qsort_r(sorted, nr, sizeof(*sorted), compare, &(struct order){capture, counts});
	free(counts);
	return sorted;
}

/* ---- JSON */

static void write_name(struct json *json, const struct capture *capture, const char *key,
		       uint32_t name)
{
	json_key(json, key);
	if (name == NAME_NONE)
		json_null(json);
	else
		json_string(json, names_display(&capture->names, name));
}

static void write_candidates(const struct capture *capture, uint32_t module, struct json *json)
{
	const struct modules *modules = &capture->modules;

	json_key(json, "candidates");
	json_begin_array(json);
	for (size_t i = 0; i < modules->candidates_nr; i++) {
		if (modules->candidates[i].module != module)
			continue;
		json_begin_object(json);
		write_name(json, capture, "path", modules->candidates[i].path);
		write_name(json, capture, "reason", modules->candidates[i].reason);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_module(const struct capture *capture, uint32_t id,
			 const struct summary_module *count, struct json *json)
{
	const struct module *module = &capture->modules.list[id];

	json_begin_object(json);
	write_name(json, capture, "path", module->path);
	write_name(json, capture, "build_id", module->build_id);
	json_member_string(json, "id_source", module_id_source_word(module->id_source));
	json_member_string(json, "origin", origin_word(module->origin));
	json_member_string(json, "status", module_status_word(module->status));
	write_name(json, capture, "file", module->file);
	write_name(json, capture, "debug_file", module->debug_file);
	write_name(json, capture, "detail", module->detail);
	json_member_weight(json, "samples", count->samples);
	json_member_weight(json, "named", count->named);
	write_candidates(capture, id, json);
	json_end_object(json);
}

void module_rows_write_json(const struct capture *capture, const struct summary *summary,
			    const uint32_t *order, struct json *json)
{
	struct summary_module *counts = summary_modules(summary);

	json_key(json, "modules");
	json_begin_array(json);
	for (uint32_t i = 0; i < capture->modules.nr; i++) {
		uint32_t id = order ? order[i] : i;

		write_module(capture, id, &counts[id], json);
	}
	json_end_array(json);
	free(counts);
}

/* ---- table */

static const struct rows_column table_columns[] = {
	{.key = "samples", .head = "samples", .is_number = true},
	{.key = "named", .head = "named", .is_number = true},
	{.key = "status", .head = "status"},
	{.key = "build_id", .head = "build ID"},
	{.key = "path", .head = "module"},
};

static const char *display(const struct capture *capture, uint32_t name)
{
	return name == NAME_NONE ? "" : names_display(&capture->names, name);
}

/* The share of samples that have a name; nothing where there are none to be named. */
static void add_share(struct rows *rows, const struct summary_module *count)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (count->samples)
		units_add_percent(&text, weight_share(count->named, count->samples), 1);
	rows_add(rows, text_string(&text));
}

/* A line below a module: "why: its build ID is the recorded one". */
static void add_line(struct rows *rows, const char *word, const char *what, const char *reason)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	text_addf(&text, "         %s: %s%s%s", word, what, *reason ? ": " : "", reason);
	rows_add_line(rows, text_string(&text));
}

/* The detail of a mismatch is what speaks against its only candidate. */
static bool is_told(const struct capture *capture, const struct module *module,
		    const struct module_candidate *candidate)
{
	const char *detail = display(capture, module->detail);

	return strstr(detail, display(capture, candidate->path)) &&
	       strstr(detail, display(capture, candidate->reason));
}

static void add_lines(struct rows *rows, const struct capture *capture, uint32_t id)
{
	const struct modules *modules = &capture->modules;
	const struct module *module = &modules->list[id];

	if (module->file != NAME_NONE && module->file != module->path)
		add_line(rows, "file", display(capture, module->file), "");
	if (module->debug_file != NAME_NONE)
		add_line(rows, "debug file", display(capture, module->debug_file), "");
	if (module->detail != NAME_NONE)
		add_line(rows, "why", display(capture, module->detail), "");
	for (size_t i = 0; i < modules->candidates_nr; i++) {
		const struct module_candidate *candidate = &modules->candidates[i];

		if (candidate->module == id && !is_told(capture, module, candidate))
			add_line(rows, "not", display(capture, candidate->path),
				 display(capture, candidate->reason));
	}
}

void module_rows_write_table(const struct capture *capture, const struct summary *summary,
			     const uint32_t *order, FILE *out)
{
	struct summary_module *counts = summary_modules(summary);
	CLEANUP(rows_release) struct rows rows;

	rows_init(&rows, table_columns, ARRAY_NR(table_columns));
	for (uint32_t i = 0; i < capture->modules.nr; i++) {
		const struct module *module = &capture->modules.list[order[i]];
		CLEANUP(text_release) struct text samples = TEXT_INIT;

		weight_add_grouped(&samples, counts[order[i]].samples);
		rows_add(&rows, text_string(&samples));
		add_share(&rows, &counts[order[i]]);
		rows_add(&rows, module_status_word(module->status));
		rows_add(&rows, display(capture, module->build_id));
		rows_add(&rows, display(capture, module->path));
		add_lines(&rows, capture, order[i]);
	}
	free(counts);
	rows_write_table(&rows, out);
}

/* ---- CSV */

static const struct rows_column csv_columns[] = {
	{.key = "path"},
	{.key = "build_id"},
	{.key = "id_source"},
	{.key = "origin"},
	{.key = "status"},
	{.key = "file"},
	{.key = "debug_file"},
	{.key = "detail"},
	{.key = "samples", .is_number = true},
	{.key = "named", .is_number = true},
	{.key = "candidates"},
};

static void add_candidates(struct rows *rows, const struct capture *capture, uint32_t id)
{
	const struct modules *modules = &capture->modules;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	for (size_t i = 0; i < modules->candidates_nr; i++) {
		if (modules->candidates[i].module != id)
			continue;
		text_addf(&text, "%s%s: %s", text.size ? "; " : "",
			  display(capture, modules->candidates[i].path),
			  display(capture, modules->candidates[i].reason));
	}
	rows_add(rows, text_string(&text));
}

void module_rows_write_csv(const struct capture *capture, const struct summary *summary,
			   const uint32_t *order, FILE *out)
{
	struct summary_module *counts = summary_modules(summary);
	CLEANUP(rows_release) struct rows rows;

	rows_init(&rows, csv_columns, ARRAY_NR(csv_columns));
	for (uint32_t i = 0; i < capture->modules.nr; i++) {
		const struct module *module = &capture->modules.list[order[i]];

		rows_add(&rows, display(capture, module->path));
		rows_add(&rows, display(capture, module->build_id));
		rows_add(&rows, module_id_source_word(module->id_source));
		rows_add(&rows, origin_word(module->origin));
		rows_add(&rows, module_status_word(module->status));
		rows_add(&rows, display(capture, module->file));
		rows_add(&rows, display(capture, module->debug_file));
		rows_add(&rows, display(capture, module->detail));
		rows_add_weight(&rows, counts[order[i]].samples);
		rows_add_weight(&rows, counts[order[i]].named);
		add_candidates(&rows, capture, order[i]);
	}
	free(counts);
	rows_write_csv(&rows, out);
}
