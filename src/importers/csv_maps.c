/* csv_maps.c - columns that somebody says the meaning of */
#include "importers/csv_maps.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/counters.h"
#include "importers/csv_columns.h"
#include "importers/csv_fields.h"
#include "model/capture.h"
#include "model/counter_options.h"

/* The parts behind "COLUMN=", each its own text; empty where it is not there. */
struct column_map {
	const char *whole;
	struct text column, role, unit, kind;
};

static void column_map_release(struct column_map *map)
{
	text_release(&map->column);
	text_release(&map->role);
	text_release(&map->unit);
	text_release(&map->kind);
}

/* The last "=" divides: a column may have one in its labels, a role has none. */
static struct error *parse(const char *s, struct column_map *map)
{
	const char *equals = strrchr(s, '=');
	struct text *parts[] = {&map->role, &map->unit, &map->kind};
	size_t nr = 0;

	map->whole = s;
	if (!equals || equals == s)
		return error_new(ERROR_USAGE, "--map takes <column>=<role>,<unit>,<kind>, not '%s'",
				 s);
	text_add_bytes(&map->column, s, (size_t)(equals - s));
	for (s = equals + 1;; s++) {
		size_t size = strcspn(s, ",");

		if (nr == ARRAY_NR(parts))
			return error_new(ERROR_USAGE, "--map %s: there are more than three parts",
					 map->whole);
		text_add_bytes(parts[nr++], s, size);
		s += size;
		if (!*s)
			return NULL;
	}
}

static struct error *unknown_role(const struct column_map *map)
{
	CLEANUP(text_release) struct text there = TEXT_INIT;

	for (int role = ROLE_NONE + 1; role < ROLE_NR; role++)
		text_addf(&there, " %s", series_role_word(role));
	return error_hint(error_new(ERROR_USAGE, "--map %s: there is no role '%s'", map->whole,
				    text_string(&map->role)),
			  "there is: time label ignore none%s", text_string(&there));
}

static struct error *apply_time(const struct column_map *map, struct csv_column *column)
{
	const char *unit = text_string(&map->unit), *clock = text_string(&map->kind);

	column->use = CSV_CLOCK;
	if (*unit && !counter_names_time_unit(unit, strlen(unit), &column->time.exponent))
		return error_new(ERROR_USAGE, "--map %s: a time is in s, ms, us or ns, not '%s'",
				 map->whole, unit);
	if (!*unit && column->time.exponent > 0)
		column->time.exponent = 0;
	if (!*clock)
		return NULL;
	column->time.clock = source_clock_of_word(clock);
	if (column->time.clock < SOURCE_CLOCK_NONE)
		return NULL;
	return error_hint(
		error_new(ERROR_USAGE, "--map %s: there is no clock '%s'", map->whole, clock),
		"there is: monotonic monotonic_raw boottime realtime tai perf local start "
		"unknown");
}

static struct error *apply_value(const struct column_map *map, struct names *names,
				 struct csv_column *column)
{
	const char *role = text_string(&map->role), *kind = text_string(&map->kind);
	struct series *series = &column->series;
	enum series_role found = strcmp(role, "none") == 0 ? ROLE_NONE : series_role_of_word(role);

	column->use = CSV_VALUE;
	if (*role && found == ROLE_NR)
		return unknown_role(map);
	if (*role && found != series->role)
		series->kind = series_role_kind(found);
	if (*role) {
		series->role = found;
		series->role_source = found == ROLE_NONE ? ROLE_SOURCE_NONE : ROLE_SOURCE_USER;
	}
	if (map->unit.size)
		series->unit = names_add(names, map->unit.bytes, map->unit.size);
	if (!*kind)
		return NULL;
	series->kind = series_kind_of_word(kind);
	if (series->kind < SERIES_KIND_NR)
		return NULL;
	return error_new(ERROR_USAGE,
			 "--map %s: a kind is gauge, cumulative, delta or rate, not '%s'",
			 map->whole, kind);
}

static struct error *apply(const struct column_map *map, struct names *names,
			   struct csv_column *column)
{
	const char *role = text_string(&map->role);

	column->is_given = true;
	if (strcmp(role, "time") == 0)
		return apply_time(map, column);
	if (strcmp(role, "label") == 0)
		column->use = CSV_LABEL;
	else if (strcmp(role, "ignore") == 0)
		column->use = CSV_IGNORED;
	else
		return apply_value(map, names, column);
	return NULL;
}

static struct error *no_column(const struct counters *counters, const struct csv_fields *header,
			       const struct column_map *map)
{
	CLEANUP(text_release) struct text there = TEXT_INIT;

	for (size_t i = 0; i < header->nr && i < 40; i++)
		text_addf(&there, "%s%.*s", i ? ", " : "", (int)header->list[i].size,
			  header->list[i].at);
	return error_hint(error_new(ERROR_USAGE, "%s: line %" PRIu64 ": there is no column '%s'",
				    counters->reader->name, counters->line_nr,
				    text_string(&map->column)),
			  "there is: %s", text_string(&there));
}

/* "depth" means every depth{...}, too. */
static bool is_called(const struct csv_field *field, const struct text *name)
{
	return field->size >= name->size && memcmp(field->at, name->bytes, name->size) == 0 &&
	       (field->size == name->size || field->at[name->size] == '{');
}

static struct error *apply_one(struct counters *counters, const struct csv_fields *header,
			       struct csv_columns *columns, const char *s)
{
	CLEANUP(column_map_release) struct column_map map = {0};
	struct error *err = parse(s, &map);
	bool is_found = false;

	for (size_t i = 0; !err && i < header->nr; i++) {
		if (!is_called(&header->list[i], &map.column))
			continue;
		is_found = true;
		err = apply(&map, &counters->capture->names, &columns->list[i]);
	}
	return err || is_found ? err : no_column(counters, header, &map);
}

struct error *csv_maps_apply(struct counters *counters, const struct csv_fields *header,
			     struct csv_columns *columns)
{
	const struct counter_options *options = counters->capture->counter_options;
	struct error *err = NULL;

	for (size_t i = 0; !err && options && i < options->maps_nr; i++)
		err = apply_one(counters, header, columns, options->maps[i]);
	return err;
}
