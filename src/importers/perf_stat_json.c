/* perf_stat_json.c - rows of perf stat -j: an object a line */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "importers/perf_stat.h"
#include "model/capture.h"

/* Keys that say whose a row is, by the aggregation that was asked for. */
static const char *const aggregates[] = {"cpu",	  "core",   "die",  "cluster",
					 "cache", "socket", "node", "thread"};

static struct csv_field text_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_string(value))
		return (struct csv_field){"", 0};
	return (struct csv_field){json_string_value(value), json_string_length(value)};
}

/* A number, or a number as a string: perf has had both. False where it is neither. */
static bool number_of(const json_t *object, const char *key, double *ret)
{
	const json_t *value = json_object_get(object, key);
	struct csv_field text = text_of(object, key);
	struct decimal number;

	if (json_is_number(value)) {
		*ret = json_number_value(value);
		return true;
	}
	if (!text.size || !decimal_parse(text.at, text.size, &number))
		return false;
	*ret = decimal_number(number);
	return true;
}

static bool take_value(const json_t *object, struct perf_stat_row *row)
{
	struct csv_field text = text_of(object, "counter-value");
	double number;

	if (text.size)
		return counters_parse_value(text.at, text.size, &row->value);
	if (!number_of(object, "counter-value", &number) || !isfinite(number))
		return false;
	row->value.value = decimal_of_number(number);
	return true;
}

static void take_whose(const json_t *object, struct perf_stat_row *row)
{
	for (size_t i = 0; i < ARRAY_NR(aggregates); i++) {
		struct csv_field text = text_of(object, aggregates[i]);

		if (!text.size)
			continue;
		row->aggregate_key = aggregates[i];
		row->aggregate = text;
	}
	row->cgroup = text_of(object, "cgroup");
}

/* Times beyond what nanoseconds count are no times. */
static bool take_times(const json_t *object, struct perf_stat_row *row)
{
	double number;

	row->has_time = number_of(object, "interval", &number);
	if (row->has_time && !(number >= 0 && number < 9e9))
		return false;
	if (row->has_time)
		row->time_ns = (uint64_t)llround(number * 1e9);
	if (number_of(object, "event-runtime", &number) && number >= 0 && number < 9e18)
		row->running_ns = (uint64_t)llround(number);
	if (number_of(object, "pcnt-running", &number) && number > 0 && number <= 100)
		row->percent_running = number;
	return true;
}

static struct error *take_object(struct perf_stat *stat, const json_t *object)
{
	struct perf_stat_row row = {.unit = text_of(object, "unit"),
				    .event = text_of(object, "event")};
	double number;

	if (!row.event.size || !json_object_get(object, "counter-value")) {
		notes_add(&stat->counters.capture->notes, NOTE_COUNTER_METRIC, 1,
			  stat->counters.line_nr, 0);
		return NULL;
	}
	if (!take_value(object, &row))
		return counters_refuse(&stat->counters, NOTE_COUNTER_VALUE,
				       "\"counter-value\" of '%.*s' is no number",
				       (int)row.event.size, row.event.at);
	if (!take_times(object, &row))
		return counters_refuse(&stat->counters, NOTE_COUNTER_VALUE,
				       "\"interval\" is no time");
	take_whose(object, &row);
	row.has_variance = number_of(object, "variance", &number) && isfinite(number);
	if (row.has_variance)
		row.variance = decimal_of_number(number);
	return perf_stat_say(stat, &row);
}

struct error *perf_stat_json(struct perf_stat *stat, char *at, size_t size)
{
	json_error_t why;
	json_t *object = json_loadb(at, size, JSON_REJECT_DUPLICATES, &why);
	struct error *err;

	if (!json_is_object(object))
		err = counters_refuse(&stat->counters, NOTE_COUNTER_FIELDS,
				      "no JSON object: %s, column %d",
				      object ? "something else" : why.text, why.column);
	else
		err = take_object(stat, object);
	json_decref(object);
	return err;
}
