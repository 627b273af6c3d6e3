/* perf_stat_csv.c - rows of perf stat -x */
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "importers/perf_stat.h"
#include "model/capture.h"

/*
 * tools/perf/Documentation/perf-stat.txt, "CSV FORMAT", fields in this order:
 *   [time] [cpu|core|socket|thread [ncpus]] value unit event [cgroup] [variance%]
 *   run_ns pct_running [metric metric_unit]
 * Nothing is quoted, and an event may hold the separator (cpu/event=0x3c,umask=0x0/), so that a
 * row is taken apart from both its ends.
 */
struct tail {
	size_t at; /* index of run_ns */
	uint64_t running_ns;
	double percent;
};

static bool is_digits(const struct csv_field *field)
{
	for (size_t i = 0; i < field->size; i++)
		if (field->at[i] < '0' || field->at[i] > '9')
			return false;
	return field->size > 0;
}

static bool is_value(const struct csv_field *field)
{
	struct point point;

	return (is_digits(field) || field->size) && *field->at != '+' && *field->at != '-' &&
	       counters_parse_value(field->at, field->size, &point) && point.state != POINT_GAP &&
	       point.state != POINT_NAN;
}

/* "100.00": always with a point. */
static bool take_percent(const struct csv_field *field, double *ret)
{
	struct decimal number;

	if (!memchr(field->at, '.', field->size) || !decimal_parse(field->at, field->size, &number))
		return false;
	*ret = decimal_number(number);
	return *ret >= 0 && *ret <= 100;
}

static bool take_tail_at(const struct csv_fields *fields, size_t at, struct tail *ret)
{
	struct decimal running;

	if (at + 2 > fields->nr || !is_digits(&fields->list[at]) ||
	    !decimal_parse(fields->list[at].at, fields->list[at].size, &running) || running.scale ||
	    !take_percent(&fields->list[at + 1], &ret->percent))
		return false;
	ret->at = at;
	ret->running_ns = (uint64_t)running.digits;
	return true;
}

/* With a metric and its unit at the end or, of an old perf, without. */
static bool take_tail(const struct csv_fields *fields, size_t first, struct tail *ret)
{
	return (fields->nr >= first + 7 && take_tail_at(fields, fields->nr - 4, ret)) ||
	       (fields->nr >= first + 5 && take_tail_at(fields, fields->nr - 2, ret));
}

/* Takes what stands before the value; *ret is the value's index. */
static void take_head(const struct csv_fields *fields, struct perf_stat_row *row, size_t *ret)
{
	size_t i = 0;

	row->has_time = i < fields->nr && perf_stat_time(&fields->list[i], &row->time_ns);
	if (!row->has_time && i < fields->nr && fields->list[i].size == 7)
		row->is_summary = memcmp(fields->list[i].at, "summary", 7) == 0;
	i += row->has_time || row->is_summary;
	if (i < fields->nr && fields->list[i].size && !is_value(&fields->list[i])) {
		row->aggregate = fields->list[i];
		if (perf_stat_aggregate(&row->aggregate, &row->aggregate_key)) {
			i++;
			/* how many CPUs that is; a CPU and a thread are one */
			if (i < fields->nr && is_digits(&fields->list[i]) &&
			    strcmp(row->aggregate_key, "cpu") != 0 &&
			    strcmp(row->aggregate_key, "thread") != 0)
				i++;
		}
	}
	*ret = i;
}

/* An event is whole where its slashes are: "cpu/event=0x3c" goes on behind the comma. */
static size_t slashes(const struct csv_field *field)
{
	size_t nr = 0;

	for (size_t i = 0; i < field->size; i++)
		nr += field->at[i] == '/';
	return nr;
}

/* What is between the unit and run_ns: the event in one or more pieces, a cgroup, a variance. */
static bool take_middle(const struct csv_fields *fields, size_t first, size_t end,
			struct perf_stat_row *row)
{
	const struct csv_field *last = &fields->list[end - 1];
	size_t nr = slashes(&fields->list[first]), at = first;

	if (end - first > 1 && last->size > 1 && last->at[last->size - 1] == '%') {
		row->has_variance = decimal_parse(last->at, last->size - 1, &row->variance);
		end--;
	}
	while (nr % 2 && at + 1 < end)
		nr += slashes(&fields->list[++at]);
	row->event = fields->list[first];
	row->event.size = (size_t)(fields->list[at].at + fields->list[at].size - row->event.at);
	if (++at < end)
		row->cgroup = fields->list[at++];
	return at == end && row->event.size;
}

static struct error *decimal_comma(struct perf_stat *stat)
{
	struct error *err = counters_refuse(
		&stat->counters, NOTE_COUNTER_FIELDS,
		"a comma is the decimal mark and the separator, so that nothing tells which is "
		"which");

	return err ? error_hint(err, "LC_ALL=C perf stat -x, ... or perf stat -x\\; ...") : NULL;
}

/* Digits, and behind them a field of digits alone: halves of a number, which C's locale has not. */
static bool has_decimal_comma(const struct perf_stat *stat, const struct csv_fields *fields,
			      size_t first)
{
	if (stat->separator != ',')
		return false;
	for (size_t i = first; i + 1 < fields->nr; i++)
		if (is_digits(&fields->list[i]) && is_digits(&fields->list[i + 1]))
			return true;
	return false;
}

static struct error *refuse(struct perf_stat *stat, const struct csv_fields *fields)
{
	return counters_refuse(
		&stat->counters, NOTE_COUNTER_FIELDS,
		"%zu fields are no row of perf stat -x: expected value, unit, event, "
		"run time and its share",
		fields->nr);
}

static struct error *take_fields(struct perf_stat *stat, const struct csv_fields *fields)
{
	struct perf_stat_row row = {0};
	struct tail tail;
	size_t first;

	take_head(fields, &row, &first);
	/* a further metric of the row above, or one without an event */
	if (first >= fields->nr || !fields->list[first].size) {
		notes_add(&stat->counters.capture->notes, NOTE_COUNTER_METRIC, 1,
			  stat->counters.line_nr, 0);
		return NULL;
	}
	if (has_decimal_comma(stat, fields, first))
		return decimal_comma(stat);
	if (!is_value(&fields->list[first]) || !take_tail(fields, first, &tail) ||
	    !take_middle(fields, first + 2, tail.at, &row))
		return refuse(stat, fields);
	counters_parse_value(fields->list[first].at, fields->list[first].size, &row.value);
	row.unit = fields->list[first + 1];
	row.running_ns = tail.running_ns;
	row.percent_running = tail.percent;
	return perf_stat_say(stat, &row);
}

struct error *perf_stat_csv(struct perf_stat *stat, char *at, size_t size)
{
	CLEANUP(csv_fields_release) struct csv_fields fields = {0};

	csv_fields_split(&fields, at, size, stat->separator);
	return take_fields(stat, &fields);
}

/* A row of commas: value, unit and event are three fields, or four where the value is in halves. */
static bool is_broken_row(const struct csv_fields *fields, size_t first, char separator)
{
	const struct csv_field *event = &fields->list[first + 2];

	if (separator != ',' || fields->nr < first + 7)
		return false;
	if (is_digits(&fields->list[first + 1]))
		return event->size && !is_digits(event);
	return event->size && !is_value(event) && is_digits(&fields->list[first + 3]);
}

/* A row with its end, or one with decimal commas, which is refused in words for it. */
bool perf_stat_csv_sniff(const char *at, size_t size, char separator)
{
	CLEANUP(csv_fields_release) struct csv_fields fields = {0};
	struct perf_stat_row row = {0};
	struct tail tail;
	char *copy;
	size_t first;
	bool is_row;

	if (!memchr(at, separator, size))
		return false;
	copy = mem_memdup(at, size);
	csv_fields_split(&fields, copy, size, separator);
	take_head(&fields, &row, &first);
	is_row = first < fields.nr && is_value(&fields.list[first]) &&
		 (take_tail(&fields, first, &tail) || is_broken_row(&fields, first, separator));
	free(copy);
	return is_row;
}
