/* csv_columns.c - what the columns of a counter file are: times, values, labels */
#include "importers/csv_columns.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/counter_time.h"
#include "importers/counters.h"
#include "importers/csv_fields.h"
#include "importers/csv_maps.h"
#include "importers/csv_queues.h"
#include "model/capture.h"

void csv_columns_release(struct csv_columns *columns)
{
	for (size_t i = 0; i < columns->nr; i++)
		free(columns->list[i].series.labels);
	free(columns->list);
	*columns = (struct csv_columns){0};
}

/* ---- names */

static void add_label(struct series *series, uint32_t key, uint32_t value)
{
	if (series->labels_nr == SERIES_LABELS_MAX)
		return;
	series->labels =
		mem_realloc(series->labels, series->labels_nr + 1, sizeof(*series->labels));
	series->labels[series->labels_nr++] = (struct series_label){key, value};
}

/* queue="classify",host=a: behind the brace of a name. */
static void take_labels(struct names *names, const char *at, const char *end, struct series *series)
{
	while (at < end) {
		const char *equals = memchr(at, '=', (size_t)(end - at));
		const char *value = equals ? equals + 1 : end, *close;
		bool is_quoted = value < end && *value == '"';

		if (!equals)
			return;
		value += is_quoted;
		close = memchr(value, is_quoted ? '"' : ',', (size_t)(end - value));
		if (!close)
			close = end;
		add_label(series, names_add(names, at, (size_t)(equals - at)),
			  names_add(names, value, (size_t)(close - value)));
		at = close + (is_quoted && close < end);
		while (at < end && (*at == ',' || *at == ' '))
			at++;
	}
}

static void take_name(struct capture *capture, const struct csv_field *field,
		      struct csv_column *column)
{
	const char *brace = memchr(field->at, '{', field->size);
	const char *end = field->at + field->size;

	if (brace && end[-1] == '}')
		take_labels(&capture->names, brace + 1, end - 1, &column->series);
	else
		brace = end;
	column->series.name = names_add(&capture->names, field->at, (size_t)(brace - field->at));
	column->series.unit = NAME_NONE;
}

/* The name of the column as the header has it, for messages: the bytes, not the labels. */
static const char *name_of(const struct counters *counters, const struct csv_column *column)
{
	return names_display(&counters->capture->names, column->series.name);
}

static void guess_value(struct counters *counters, struct csv_column *column)
{
	struct capture *capture = counters->capture;
	const struct name *name = names_get(&capture->names, column->series.name);
	struct counter_guess guess = counter_names_guess(name->bytes, name->size);

	column->series.role = guess.role;
	column->series.kind = guess.kind;
	column->series.role_source = guess.role == ROLE_NONE ? ROLE_SOURCE_NONE : ROLE_SOURCE_NAME;
	if (guess.unit)
		column->series.unit = names_add_string(&capture->names, guess.unit);
	column->owner = guess.owner;
	column->owner_size = guess.owner_size;
	column->words_unused = guess.words_unused;
}

/* ---- what the first line of values says */

static bool is_number_or_state(const struct csv_field *field)
{
	struct point point;

	return counters_parse_value(field->at, field->size, &point);
}

static void guess_column(struct counters *counters, struct csv_column *column,
			 const struct csv_field *value)
{
	const struct name *name = names_get(&counters->capture->names, column->series.name);
	uint64_t ns;
	bool has_zone;

	column->is_date = value && counter_time_parse(value->at, value->size, &ns, &has_zone);
	if (counter_names_time(name->bytes, name->size, &column->time) || column->is_date) {
		column->use = CSV_CLOCK;
		if (column->is_date)
			column->time = (struct counter_time){
				has_zone ? SOURCE_CLOCK_REALTIME : SOURCE_CLOCK_LOCAL, 0};
		return;
	}
	guess_value(counters, column);
	/* texts in a column that is called like a counter are no labels but damage */
	if (counter_names_label(name->bytes, name->size) ||
	    (value && !is_number_or_state(value) && column->series.role == ROLE_NONE &&
	     column->series.unit == NAME_NONE))
		column->use = CSV_LABEL;
}

/* Where the unit is not known the size of the number tells; the time of day is larger than an
 * uptime. */
static void guess_time(struct counter_time *time, bool is_date, const struct csv_field *value)
{
	struct decimal number;
	double seconds;

	if (is_date || !value || !decimal_parse(value->at, value->size, &number))
		return;
	seconds = decimal_number(number);
	if (time->exponent > 0)
		time->exponent = seconds >= 1e17 ? -9 : seconds >= 1e14 ? -6 : 0;
	if (!time->exponent && seconds >= 1e11 && seconds < 1e14)
		time->exponent = -3;
	for (int exponent = time->exponent; exponent < 0; exponent++)
		seconds /= 10;
	/* from 2001 to 2096: a machine that is up for so long does not exist */
	if (time->clock == SOURCE_CLOCK_UNKNOWN && seconds >= 1e9 && seconds < 4e9)
		time->clock = SOURCE_CLOCK_REALTIME;
}

/* ---- which of the times is that of the points */

static int rank(const struct csv_column *column)
{
	static const enum source_clock order[] = {
		SOURCE_CLOCK_MONOTONIC, SOURCE_CLOCK_BOOTTIME, SOURCE_CLOCK_MONOTONIC_RAW,
		SOURCE_CLOCK_PERF,	SOURCE_CLOCK_TAI,      SOURCE_CLOCK_REALTIME,
		SOURCE_CLOCK_LOCAL,	SOURCE_CLOCK_START,
	};
	size_t i = 0;

	if (column->is_given)
		return -1;
	while (i < ARRAY_NR(order) && order[i] != column->time.clock)
		i++;
	return (int)i;
}

static void make_clock_series(struct counters *counters, struct csv_column *column)
{
	struct series *series = &column->series;

	series->kind = SERIES_GAUGE;
	series->unit = names_add_string(&counters->capture->names, "ns");
	series->role = column->time.clock == SOURCE_CLOCK_REALTIME    ? ROLE_CLOCK_REALTIME
		       : column->time.clock == SOURCE_CLOCK_MONOTONIC ? ROLE_CLOCK_MONOTONIC
								      : ROLE_NONE;
	series->role_source = series->role == ROLE_NONE ? ROLE_SOURCE_NONE : ROLE_SOURCE_NAME;
}

static struct error *no_time(const struct counters *counters, const struct csv_columns *columns)
{
	CLEANUP(text_release) struct text there = TEXT_INIT;

	for (size_t i = 0; i < columns->nr && i < 12; i++)
		text_addf(&there, "%s%s", i ? ", " : "", name_of(counters, &columns->list[i]));
	return error_hint(
		error_new(ERROR_INPUT, "%s: line %" PRIu64 ": no column is a time; there is: %s",
			  counters->reader->name, counters->line_nr, text_string(&there)),
		"--map %s=time,s,realtime says that one is", name_of(counters, columns->list));
}

static struct error *choose_time(struct counters *counters, struct csv_columns *columns)
{
	struct csv_column *best = NULL;

	for (size_t i = 0; i < columns->nr; i++) {
		struct csv_column *column = &columns->list[i];

		if (column->use == CSV_CLOCK && (!best || rank(column) < rank(best)))
			best = column;
	}
	if (!best)
		return no_time(counters, columns);
	best->use = CSV_TIME;
	columns->time = (size_t)(best - columns->list);
	counters->capture->clock = best->time.clock;
	for (size_t i = 0; i < columns->nr; i++)
		if (columns->list[i].use == CSV_CLOCK)
			make_clock_series(counters, &columns->list[i]);
	return NULL;
}

/* ---- all of it */

static struct error *check_names(const struct counters *counters, const struct csv_fields *header)
{
	for (size_t i = 0; i < header->nr; i++)
		if (!header->list[i].size)
			return error_new(
				ERROR_INPUT, "%s: line %" PRIu64 ": column %zu of %zu has no name",
				counters->reader->name, counters->line_nr, i + 1, header->nr);
	return NULL;
}

struct error *csv_columns_read(struct counters *counters, const struct csv_fields *header,
			       const struct csv_fields *first, struct csv_columns *ret)
{
	struct error *err = check_names(counters, header);

	if (err)
		return err;
	for (size_t i = 0; i < header->nr; i++) {
		const struct csv_field *value = i < first->nr ? &first->list[i] : NULL;
		struct csv_column column = {.use = CSV_VALUE};

		take_name(counters->capture, &header->list[i], &column);
		guess_column(counters, &column, value);
		if (column.use == CSV_CLOCK)
			guess_time(&column.time, column.is_date, value);
		GROW(ret->list, ret->nr + 1, ret->alloc);
		ret->list[ret->nr++] = column;
	}
	err = csv_maps_apply(counters, header, ret);
	if (!err)
		err = choose_time(counters, ret);
	if (err)
		return err;
	csv_queues_label(counters->capture, ret);
	for (size_t i = 0; i < ret->nr; i++)
		ret->has_labels |= ret->list[i].use == CSV_LABEL;
	return NULL;
}

bool csv_columns_time(const struct csv_column *column, const struct csv_field *field,
		      uint64_t *ret_ns)
{
	struct decimal number;
	bool has_zone;
	int64_t ns;

	if (column->is_date)
		return counter_time_parse(field->at, field->size, ret_ns, &has_zone);
	if (!decimal_parse(field->at, field->size, &number) ||
	    !decimal_shifted(number, 9 + column->time.exponent, &ns) || ns < 0)
		return false;
	*ret_ns = (uint64_t)ns;
	return true;
}
