/* clock_rows.c - the clocks of captures and what ties them, as rows */
#include "commands/clock_rows.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/text.h"
#include "commands/json.h"
#include "model/capture.h"
#include "model/clock_map.h"
#include "store/captures.h"

static const struct rows_column columns[] = {
	{.key = "capture", .head = "capture"},
	{.key = "clock", .head = "clock"},
	{.key = "to", .head = "tied to"},
	{.key = "how", .head = "known by"},
	{.key = "offset", .head = "offset", .is_for_people = true},
	{.key = "error", .head = "to within", .is_for_people = true},
	{.key = "offset_ns", .head = "offset", .is_number = true, .is_for_programs = true},
	{.key = "error_ns", .head = "error", .is_number = true, .is_for_programs = true},
	{.key = "drift_ppb", .head = "drift ppb", .is_number = true},
	{.key = "first_ns", .head = "from", .is_number = true, .is_for_programs = true},
	{.key = "last_ns", .head = "to", .is_number = true, .is_for_programs = true},
};

static void add_offset(struct text *text, int64_t offset_ns)
{
	text_add_char(text, offset_ns < 0 ? '-' : '+');
	units_add_seconds(text, offset_ns < 0 ? -(uint64_t)offset_ns : (uint64_t)offset_ns);
}

static void add_u64(struct rows *rows, uint64_t number)
{
	rows_add_weight(rows, weight_of(number));
}

static void add_tie(const struct clock_map *map, const struct clock_tie *tie, struct rows *rows)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	rows_add(rows, map->sources[tie->source].name);
	rows_add(rows, source_clock_word(map->sources[tie->source].clock));
	rows_add(rows, tie->target == CLOCK_WALL ? "wall time" : map->sources[tie->target].name);
	rows_add(rows, tie_how_word(tie->how));
	add_offset(&text, tie->offset_ns);
	rows_add(rows, text_string(&text));
	text_clear(&text);
	units_add_time(&text, weight_of(tie->error_ns));
	rows_add(rows, text_string(&text));
	text_clear(&text);
	text_addf(&text, "%" PRId64, tie->offset_ns);
	rows_add(rows, text_string(&text));
	add_u64(rows, tie->error_ns);
	add_u64(rows, tie->drift_ppb);
	add_u64(rows, tie->first_ns);
	add_u64(rows, tie->last_ns);
}

/* Wall time is known by itself; of others nothing is. */
static void add_untied(const struct clock_source *source, struct rows *rows)
{
	bool is_wall = source->clock == SOURCE_CLOCK_REALTIME;

	rows_add(rows, source->name);
	rows_add(rows, source_clock_word(source->clock));
	rows_add(rows, is_wall ? "wall time" : "");
	for (size_t i = 3; i < ARRAY_NR(columns); i++)
		rows_add(rows, "");
}

static bool has_tie(const struct clock_map *map, uint32_t source)
{
	for (size_t i = 0; i < map->ties->nr; i++)
		if (map->ties->list[i].source == source || map->ties->list[i].target == source)
			return true;
	return false;
}

void clock_rows_write(const struct clock_map *map, const struct store_captures *captures,
		      enum rows_format format, FILE *out)
{
	CLEANUP(rows_release) struct rows rows;

	rows_init(&rows, columns, ARRAY_NR(columns));
	for (uint32_t i = 0; i < captures->nr; i++) {
		for (size_t j = 0; j < map->ties->nr; j++)
			if (map->ties->list[j].source == i)
				add_tie(map, &map->ties->list[j], &rows);
		if (!has_tie(map, i))
			add_untied(&map->sources[i], &rows);
	}
	rows_write(&rows, "clocks", format, out);
}

/* ---- tephra info */

static void add_row(struct rows *rows, const char *what, const char *value)
{
	rows_add(rows, "clock");
	rows_add(rows, what);
	rows_add(rows, value);
}

void clock_rows_add(const struct capture *capture, struct rows *rows)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (!capture->has_times) /* folded stacks */
		return;
	add_row(rows, "of times", source_clock_text(capture->clock));
	for (size_t i = 0; i < capture->ties.nr; i++) {
		const struct clock_tie *tie = &capture->ties.list[i];

		text_clear(&text);
		text_add(&text, "to within ");
		units_add_time(&text, weight_of(tie->error_ns));
		if (tie->drift_ppb)
			text_addf(&text, ", and %g ppm of the time since",
				  (double)tie->drift_ppb / 1000);
		text_addf(&text, ": %s", tie_how_text(tie->how));
		add_row(rows, "tied to wall time", text_string(&text));
	}
}

void clock_rows_write_json(const struct capture *capture, struct json *json)
{
	json_key(json, "clock");
	json_begin_object(json);
	json_member_string(json, "name", source_clock_word(capture->clock));
	json_key(json, "ties");
	json_begin_array(json);
	for (size_t i = 0; i < capture->ties.nr; i++) {
		const struct clock_tie *tie = &capture->ties.list[i];

		json_begin_object(json);
		json_member_string(json, "how", tie_how_word(tie->how));
		json_key(json, "offset_ns");
		json_i64(json, tie->offset_ns);
		json_member_u64(json, "error_ns", tie->error_ns);
		json_member_u64(json, "drift_ppb", tie->drift_ppb);
		json_member_u64(json, "first_ns", tie->first_ns);
		json_member_u64(json, "last_ns", tie->last_ns);
		json_end_object(json);
	}
	json_end_array(json);
	json_end_object(json);
}
