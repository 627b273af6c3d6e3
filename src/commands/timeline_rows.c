/* timeline_rows.c - an incident as rows: a step of time each */
#include <math.h>
#include <string.h>

#include "analysis/naming.h"
#include "base/mem.h"
#include "base/text.h"
#include "commands/gather.h"
#include "commands/rows.h"
#include "commands/timeline_view.h"

/* A column of the table: a quantity, or one of the three that stand before them. */
struct timeline_columns {
	struct rows_column *list; /* owned */
	size_t nr;
	const struct timeline_quantity **quantities; /* owned, behind the first three */
	const struct timeline_group **groups;	     /* owned: theirs */
	size_t quantities_nr;
	char **heads; /* owned */
};

#define COLUMNS_BEFORE 4

/* "queue.admitted" -> "queue_admitted_per_s": keys of JSON and CSV carry units. */
static char *key_of(const struct timeline_group *group, const struct timeline_quantity *quantity)
{
	CLEANUP(text_release) struct text key = TEXT_INIT;

	for (const char *at = quantity->name; *at; at++)
		text_add_char(&key, *at == '.' || *at == ' ' ? '_' : *at);
	if (timeline_is_cpus(quantity))
		text_add(&key, "_cpus");
	else if (group->unit == TIMELINE_PANEL_NS)
		text_add(&key, "_ns");
	else if (group->unit == TIMELINE_PANEL_BYTES)
		text_add(&key, "_bytes");
	if (quantity->is_per_s)
		text_add(&key, "_per_s");
	return mem_strdup(text_string(&key));
}

/* Columns of the table are narrow: most of what is shown is of a queue. */
static char *head_of(const struct timeline_quantity *quantity)
{
	CLEANUP(text_release) struct text head = TEXT_INIT;
	bool is_queue = strncmp(quantity->name, "queue.", 6) == 0;

	text_add(&head, quantity->name + (is_queue ? 6 : 0));
	if (quantity->is_per_s)
		text_add(&head, "/s");
	return mem_strdup(text_string(&head));
}

/* Kinds of code that never ran take no room in the table. */
static bool is_seen(const struct timeline_quantity *quantity)
{
	for (size_t i = 0; i < quantity->track->nr; i++)
		if (quantity->track->values[i] > 0)
			return true;
	return !quantity->is_area;
}

static void set_column(struct timeline_columns *columns, size_t at,
		       const struct timeline_group *group, const struct timeline_quantity *quantity)
{
	columns->groups[at] = group;
	columns->quantities[at] = quantity;
	columns->heads[2 * at] = key_of(group, quantity);
	columns->heads[2 * at + 1] = head_of(quantity);
	columns->list[COLUMNS_BEFORE + at] = (struct rows_column){
		.key = columns->heads[2 * at],
		.head = columns->heads[2 * at + 1],
		.is_number = true,
		.is_for_programs = !is_seen(quantity),
	};
}

static void columns_init(struct timeline_columns *columns, const struct timeline_view *view)
{
	static const struct rows_column before[COLUMNS_BEFORE] = {
		{.key = "from_ns", .is_number = true, .is_for_programs = true},
		{.key = "to_ns", .is_number = true, .is_for_programs = true},
		{.key = "from_s", .head = "time", .is_number = true, .is_for_people = true},
		{.key = "function", .head = "widest function"},
	};
	const struct timeline_panels *panels = view->panels;
	size_t nr = 0;

	for (size_t i = 0; i < panels->nr; i++)
		nr += panels->groups[i].nr;
	columns->nr = nr + COLUMNS_BEFORE;
	columns->list = mem_zalloc(columns->nr, sizeof(*columns->list));
	columns->quantities = mem_zalloc(nr, sizeof(*columns->quantities));
	columns->groups = mem_zalloc(nr, sizeof(*columns->groups));
	columns->heads = mem_zalloc(2 * nr, sizeof(*columns->heads));
	memcpy(columns->list, before, sizeof(before));
	columns->list[COLUMNS_BEFORE - 1].is_for_programs = !view->naming;
	for (size_t i = 0, at = 0; i < panels->nr; i++)
		for (size_t k = 0; k < panels->groups[i].nr; k++, at++)
			set_column(columns, at, &panels->groups[i], &panels->groups[i].list[k]);
	columns->quantities_nr = nr;
}

static void columns_release(struct timeline_columns *columns)
{
	for (size_t i = 0; i < 2 * columns->quantities_nr; i++)
		free(columns->heads[i]);
	free(columns->heads);
	free(columns->list);
	free(columns->quantities);
	free(columns->groups);
}

/* ---- the widest function of a step */

/* The cells of a step, as they lie in the order of time. */
struct cells {
	const struct utilisation_cell *begin, *end;
};

static struct cells cells_of(const struct utilisation *samples, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t times_ns[2] = {from_ns, to_ns};
	size_t at[2];

	/* a slot belongs to the step that it begins in */
	for (int i = 0; i < 2; i++) {
		uint64_t time_ns = times_ns[i] - (uint64_t)samples->offset_ns;

		at[i] = utilisation_find(samples,
					 (time_ns + UTILISATION_SLOT_NS - 1) / UTILISATION_SLOT_NS);
	}
	return (struct cells){samples->cells + at[0], samples->cells + at[1]};
}

static uint32_t function_of(const struct timeline_view *view, const struct utilisation_cell *cell)
{
	return cell->leaf == LOCATION_NONE ? FUNCTION_NONE : view->naming->of_location[cell->leaf];
}

/* Ties are settled by name, as ids differ between a capture and its profile. */
static bool is_wider(const struct naming *naming, const double *by_function, uint32_t function,
		     uint32_t than)
{
	if (than == FUNCTION_NONE || by_function[function] != by_function[than])
		return than == FUNCTION_NONE || by_function[function] > by_function[than];
	return names_compare(&naming->capture->names, naming->list[function].name,
			     naming->list[than].name) < 0;
}

/*
 * Of the samples of a step, the function that ran itself most; share of them all. by_function is
 * zeroed, and is so again afterwards.
 */
static uint32_t widest(const struct timeline_view *view, uint64_t from_ns, uint64_t to_ns,
		       double *by_function, double *ret_share)
{
	struct cells cells = cells_of(&view->gathered->samples->samples, from_ns, to_ns);
	uint32_t best = FUNCTION_NONE;
	double all = 0;

	for (const struct utilisation_cell *cell = cells.begin; cell < cells.end; cell++) {
		uint32_t function = function_of(view, cell);

		all += cell->count;
		if (function == FUNCTION_NONE)
			continue;
		by_function[function] += cell->count;
		if (is_wider(view->naming, by_function, function, best))
			best = function;
	}
	*ret_share = best == FUNCTION_NONE ? 0 : by_function[best] / all;
	for (const struct utilisation_cell *cell = cells.begin; cell < cells.end; cell++)
		if (function_of(view, cell) != FUNCTION_NONE)
			by_function[function_of(view, cell)] = 0;
	return best;
}

static void add_widest(const struct timeline_view *view, uint64_t from_ns, uint64_t to_ns,
		       double *by_function, struct rows *rows)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	uint32_t function = FUNCTION_NONE;
	double share;

	if (view->naming)
		function = widest(view, from_ns, to_ns, by_function, &share);
	if (function != FUNCTION_NONE) {
		text_add(&text, names_display(&view->naming->capture->names,
					      view->naming->list[function].name));
		text_addf(&text, " %.0f %%", 100 * share);
	}
	rows_add(rows, text_string(&text));
}

/* ---- values */

/* A rate's mean over the step; of what was read the last value in it. NAN: nothing is known. */
static double value_of(const struct track *track, uint64_t from_ns, uint64_t to_ns)
{
	size_t end;

	if (track->kind == TRACK_RATE)
		return track_mean(track, from_ns, to_ns);
	end = track_first_after(track, to_ns);
	return end > track_first_after(track, from_ns) ? track->values[end - 1] : (double)NAN;
}

static void add_value(const struct timeline_group *group, double value, int format,
		      struct rows *rows)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (isnan(value)) {
		rows_add(rows, format == ROWS_TABLE ? "-" : "");
		return;
	}
	if (format != ROWS_TABLE)
		text_addf(&text, "%.6g", value);
	else if (group->unit == TIMELINE_PANEL_NS && value > 0)
		units_add_time(&text, weight_of((uint64_t)value));
	else if (group->unit == TIMELINE_PANEL_BYTES)
		text_addf(&text, "%.1f MiB", value / 1048576);
	else
		text_addf(&text, value < 10 && value != floor(value) ? "%.2f" : "%.0f", value);
	rows_add(rows, text_string(&text));
}

static void add_row(const struct timeline_view *view, const struct timeline_columns *columns,
		    uint64_t from_ns, uint64_t to_ns, double *by_function, int format,
		    struct rows *rows)
{
	CLEANUP(text_release) struct text time = TEXT_INIT;

	text_addf(&time, "%+.3f", ((double)from_ns - (double)view->gathered->start_ns) / 1e9);
	rows_add_weight(rows, weight_of(from_ns));
	rows_add_weight(rows, weight_of(to_ns));
	rows_add(rows, text_string(&time));
	add_widest(view, from_ns, to_ns, by_function, rows);
	for (size_t i = 0; i < columns->quantities_nr; i++)
		add_value(columns->groups[i],
			  value_of(columns->quantities[i]->track, from_ns, to_ns), format, rows);
}

void timeline_rows_write(const struct timeline_view *view, uint64_t step_ns, int format, FILE *out)
{
	CLEANUP(rows_release) struct rows rows;
	struct timeline_columns columns;
	double *by_function =
		view->naming ? mem_zalloc(view->naming->nr, sizeof(*by_function)) : NULL;

	columns_init(&columns, view);
	rows_init(&rows, columns.list, columns.nr);
	for (uint64_t at = view->from_ns; at < view->to_ns; at += step_ns) {
		uint64_t to_ns = view->to_ns - at < step_ns ? view->to_ns : at + step_ns;

		add_row(view, &columns, at, to_ns, by_function, format, &rows);
	}
	rows_write(&rows, NULL, format, out);
	free(by_function);
	columns_release(&columns);
}
