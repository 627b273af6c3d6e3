/* series_rows.c - the counters of a capture or profile as rows */
#include "commands/series_rows.h"

#include "base/mem.h"
#include "base/text.h"
#include "commands/output.h"
#include "commands/profile.h"
#include "commands/rows.h"
#include "model/capture.h"
#include "store/captures.h"
#include "store/series.h"
#include "store/store.h"

static const struct rows_column columns[] = {
	{.key = "capture", .head = "capture"},
	{.key = "series", .head = "series"},
	{.key = "role", .head = "role"},
	{.key = "role_source", .head = "known by"},
	{.key = "kind", .head = "kind"},
	{.key = "unit", .head = "unit"},
	{.key = "points", .head = "points", .is_number = true},
	{.key = "missing", .head = "missing", .is_number = true},
	{.key = "resets", .head = "resets", .is_number = true},
	{.key = "clock", .head = "clock"},
	{.key = "start_ns", .head = "from", .is_number = true, .is_for_programs = true},
	{.key = "last_ns", .head = "to", .is_number = true, .is_for_programs = true},
	{.key = "every", .head = "every", .is_for_people = true},
};

/* The mean distance of two points. */
static void add_distance(struct text *text, const struct series *series)
{
	uint64_t nr = series->points + series->missing;

	if (nr > 1)
		units_add_time(text, weight_of((series->last_ns - series->start_ns) / (nr - 1)));
}

static void add_time(struct rows *rows, const struct series *series, uint64_t ns)
{
	if (series->points || series->missing)
		rows_add_weight(rows, weight_of(ns));
	else
		rows_add(rows, "");
}

static void add_row(struct rows *rows, const char *capture_name, const struct capture *capture,
		    const struct series *series)
{
	CLEANUP(text_release) struct text name = TEXT_INIT, every = TEXT_INIT;

	series_add_display(&name, series, &capture->names);
	add_distance(&every, series);
	rows_add(rows, capture_name);
	rows_add(rows, text_string(&name));
	rows_add(rows, series_role_word(series->role));
	rows_add(rows, role_source_word(series->role_source));
	rows_add(rows, series_kind_word(series->kind));
	rows_add(rows,
		 series->unit == NAME_NONE ? "" : names_display(&capture->names, series->unit));
	rows_add_weight(rows, weight_of(series->points));
	rows_add_weight(rows, weight_of(series->missing));
	rows_add_weight(rows, weight_of(series->resets));
	rows_add(rows, source_clock_word(capture->clock));
	add_time(rows, series, series->start_ns);
	add_time(rows, series, series->last_ns);
	rows_add(rows, text_string(&every));
}

static void add_rows(struct rows *rows, const char *capture_name, const struct capture *capture)
{
	for (uint32_t i = 0; i < capture->series.nr; i++)
		add_row(rows, capture_name, capture, &capture->series.list[i]);
}

/* ---- what they are of */

static struct error *add_stored(struct store *store, const struct store_capture *from,
				struct rows *rows)
{
	struct capture capture = {.clock = from->clock};
	int64_t first;
	struct error *err = store_series_read(store, from->id, &capture, &first);

	if (!err)
		add_rows(rows, from->name, &capture);
	capture_release(&capture);
	return err;
}

static struct error *add_profile(const struct profile_options *options, const char *path,
				 struct rows *rows)
{
	const char *wanted = options->capture;
	struct store_captures captures = {0};
	struct store *store = NULL;
	struct error *err = store_open(path, &store);
	bool is_found = !wanted || strcmp(wanted, "all") == 0;

	if (!err)
		err = store_captures(store, &captures);
	for (size_t i = 0; !err && i < captures.nr; i++) {
		bool is_wanted = !wanted || strcmp(wanted, "all") == 0 ||
				 strcmp(wanted, captures.list[i].name) == 0;

		is_found |= is_wanted;
		if (is_wanted)
			err = add_stored(store, &captures.list[i], rows);
	}
	if (!err && !is_found)
		err = error_new(ERROR_USAGE, "there is no capture '%s' in '%s'", wanted, path);
	store_captures_release(&captures);
	store_close(store);
	return err;
}

static struct error *ignore_sample(struct sink *sink, const struct sample *sample)
{
	(void)sink;
	(void)sample;
	return NULL;
}

static struct error *add_capture(const struct profile_options *options, int argc, char **argv,
				 struct rows *rows)
{
	CLEANUP(profile_release)
	struct profile profile = {.selection = {.all_events = true}, .needs_samples = true};
	struct sink sink = {.sample = ignore_sample};
	struct error *err = profile_read(options, argc, argv, &profile, &sink);

	if (!err)
		add_rows(rows, "", &profile.capture);
	return err;
}

static struct error *write_rows(const struct rows *rows, const char *path, int format)
{
	struct output output;
	struct error *err = output_open(path, &output);

	if (err)
		return err;
	rows_write(rows, "series", format, output.file);
	return output_commit(&output);
}

struct error *series_rows_run(const struct profile_options *options, int argc, char **argv,
			      const char *output, int format)
{
	CLEANUP(rows_release) struct rows rows;
	struct error *err;

	rows_init(&rows, columns, ARRAY_NR(columns));
	if (argc == 1 && store_is_sqlite_file(argv[0]))
		err = add_profile(options, argv[0], &rows);
	else
		err = add_capture(options, argc, argv, &rows);
	if (!err && !rows.cells_nr)
		err = error_hint(
			error_new(ERROR_INPUT, "'%s' holds no counters", argc ? argv[0] : "-"),
			"tephra import counters.csv --add -o <profile> adds some");
	return err ? err : write_rows(&rows, output, format);
}
