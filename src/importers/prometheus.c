/* prometheus.c - answers of Prometheus' HTTP API: query and query_range */
#include "importers/prometheus.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/counters.h"
#include "importers/importer.h"
#include "importers/metric_names.h"
#include "model/capture.h"
#include "model/counter_options.h"

/*
 * https://prometheus.io/docs/prometheus/latest/querying/api/:
 *   {"status":"success","data":{"resultType":"matrix","result":[
 *     {"metric":{"__name__":"depth","queue":"a"},"values":[[1796006213.668,"44"],...]}]}}
 * or of an instant query "vector" with one "value" each.
 */

/* What a document may be long: all of it is in memory, some ten times as large. */
#define DOCUMENT_MAX ((size_t)256 << 20)

/* A server that is asked at regular times gives the last value of so long before. */
#define LOOKBACK_NS (UINT64_C(300) * 1000000000)

/* What has no name is the value of an expression: rate(x[1m]). */
static const char expression[] = "expression";

struct prometheus {
	struct counters counters;
	uint64_t scrape_ns; /* how often the server reads, 0: not said */
};

/* ---- a series */

static void take_labels(struct prometheus *prometheus, json_t *metric, struct series *series)
{
	struct names *names = &prometheus->counters.capture->names;
	const char *key;
	json_t *value;

	series->name = names_add_string(names, expression);
	json_object_foreach(metric, key, value)
	{
		uint32_t text;

		if (!json_is_string(value))
			continue;
		text = names_add(names, json_string_value(value), json_string_length(value));
		if (strcmp(key, "__name__") == 0)
			series->name = text;
		else if (series->labels_nr < SERIES_LABELS_MAX)
			series->labels[series->labels_nr++] =
				(struct series_label){names_add_string(names, key), text};
	}
}

/* Times have milliseconds. False where it is no time that nanoseconds can count. */
static bool take_time(const json_t *pair, uint64_t *ret_ns)
{
	const json_t *time = json_array_get(pair, 0);
	double seconds = json_number_value(time);

	if (!json_is_number(time) || !(seconds >= 0 && seconds < 9e9))
		return false;
	*ret_ns = (uint64_t)llround(seconds * 1000) * 1000000;
	return true;
}

static bool take_value(const json_t *pair, struct point *ret)
{
	const json_t *value = json_array_get(pair, 1);

	return json_is_string(value) &&
	       counters_parse_value(json_string_value(value), json_string_length(value), ret);
}

static struct error *refuse_pair(struct prometheus *prometheus, const struct series *series,
				 size_t at)
{
	CLEANUP(text_release) struct text name = TEXT_INIT;

	series_add_display(&name, series, &prometheus->counters.capture->names);
	return counters_refuse(&prometheus->counters, NOTE_COUNTER_VALUE,
			       "value %zu of %s is no pair of a time and a number in quotes",
			       at + 1, text_string(&name));
}

static struct error *say_pair(struct prometheus *prometheus, uint32_t id, const json_t *pair,
			      size_t at)
{
	struct counters *counters = &prometheus->counters;
	struct point point = {0};
	struct error *err;
	bool is_good;

	if (!take_time(pair, &point.end_ns) || !take_value(pair, &point))
		return refuse_pair(prometheus, &counters->capture->series.list[id], at);
	point.begin_ns = point.end_ns;
	err = counters_check_time(counters, id, point.end_ns, &is_good);
	return err || !is_good ? err : counters_say(counters, id, &point);
}

/* ---- are its times those of a query? */

/* The step that all distances are multiples of; 0 where there is none. Scrapes are never so even.
 */
static uint64_t step_of(const json_t *values)
{
	uint64_t least = UINT64_MAX, last = 0, now;
	size_t nr = json_array_size(values);

	for (size_t i = 0; i < nr; i++, last = now) {
		if (!take_time(json_array_get(values, i), &now))
			return 0;
		if (i && now > last && now - last < least)
			least = now - last;
	}
	for (size_t i = 0; i < nr && nr > 2; i++, last = now) {
		take_time(json_array_get(values, i), &now);
		if (i && (now - last) % least)
			return 0;
	}
	return nr > 2 && least != UINT64_MAX ? least : 0;
}

/* How long the last value is repeated. */
static uint64_t tail_of(const json_t *values)
{
	size_t nr = json_array_size(values);
	const json_t *last = json_array_get(json_array_get(values, nr - 1), 1);
	uint64_t begin = 0, end = 0;

	take_time(json_array_get(values, nr - 1), &end);
	for (begin = end; nr-- > 0;) {
		const json_t *pair = json_array_get(values, nr);

		if (!json_equal(json_array_get(pair, 1), last) || !take_time(pair, &begin))
			break;
	}
	return end - begin;
}

/* What a range query makes of a series: values may be old, and the last one may be long dead. */
static void watch_query(struct prometheus *prometheus, const json_t *values, struct series *series)
{
	struct notes *notes = &prometheus->counters.capture->notes;
	uint64_t step = step_of(values);

	if (!step)
		return;
	series->age_ns = prometheus->scrape_ns ? prometheus->scrape_ns : LOOKBACK_NS;
	notes_add(notes, NOTE_COUNTER_QUERY, 1, prometheus->counters.line_nr, 0);
	if (tail_of(values) + 2 * step >= LOOKBACK_NS && tail_of(values) <= LOOKBACK_NS + step)
		notes_add(notes, NOTE_COUNTER_STALE, 1, prometheus->counters.line_nr, 0);
}

static struct error *say_series(struct prometheus *prometheus, const json_t *one)
{
	struct series_label labels[SERIES_LABELS_MAX];
	struct series series = {.labels = labels};
	json_t *values = json_object_get(one, "values");
	json_t *value = json_object_get(one, "value");
	struct error *err;
	uint32_t id;

	take_labels(prometheus, json_object_get(one, "metric"), &series);
	metric_names_describe(&prometheus->counters.capture->names, &series, false);
	if (values)
		watch_query(prometheus, values, &series);
	err = counters_find(&prometheus->counters, &series, &id);
	for (size_t i = 0; !err && i < json_array_size(values); i++)
		err = say_pair(prometheus, id, json_array_get(values, i), i);
	if (!err && value)
		err = say_pair(prometheus, id, value, 0);
	return err;
}

/* ---- the document */

static struct error *refuse(const struct prometheus *prometheus, const char *what)
{
	return error_new(ERROR_INPUT, "%s: line 1: %s", prometheus->counters.reader->name, what);
}

static struct error *refuse_status(const struct prometheus *prometheus, const json_t *root)
{
	const char *type = json_string_value(json_object_get(root, "errorType"));
	const char *words = json_string_value(json_object_get(root, "error"));
	CLEANUP(text_release) struct text text = TEXT_INIT;

	text_addf(&text, "the server answered with an error: %s: %s", type ? type : "unknown",
		  words ? words : "nothing said");
	return refuse(prometheus, text_string(&text));
}

static struct error *say_result(struct prometheus *prometheus, const json_t *root)
{
	const char *status = json_string_value(json_object_get(root, "status"));
	const json_t *data = json_object_get(root, "data");
	const char *type = json_string_value(json_object_get(data, "resultType"));
	const json_t *result = json_object_get(data, "result");
	struct error *err = NULL;

	if (!status || strcmp(status, "success") != 0)
		return refuse_status(prometheus, root);
	if (!type || (strcmp(type, "matrix") != 0 && strcmp(type, "vector") != 0))
		return refuse(prometheus,
			      "the result is no matrix and no vector: ask for series, not "
			      "for a scalar or a string");
	if (!json_array_size(result))
		return error_hint(refuse(prometheus, "the result is empty: no series has that name "
						     "and these labels in that time"),
				  "that is not zero: look at the query's start, end and labels");
	for (size_t i = 0; !err && i < json_array_size(result); i++)
		err = say_series(prometheus, json_array_get(result, i));
	return err;
}

static struct error *read_all(struct reader *reader)
{
	struct error *err = reader_fill(reader, DOCUMENT_MAX / 256);

	for (size_t want = DOCUMENT_MAX / 256; !err && !reader->is_eof; want *= 2) {
		if (want > DOCUMENT_MAX)
			return error_hint(error_new(ERROR_LIMIT, "'%s' is longer than %zu bytes",
						    reader->name, DOCUMENT_MAX),
					  "ask for a shorter range, and import each");
		err = reader_fill(reader, want);
	}
	return err;
}

static struct error *read_document(struct prometheus *prometheus)
{
	struct reader *reader = prometheus->counters.reader;
	struct error *err = read_all(reader);
	json_error_t why;
	json_t *root;

	if (err)
		return err;
	root = json_loadb(reader->buf + reader->begin, reader->end - reader->begin,
			  JSON_REJECT_DUPLICATES, &why);
	reader->begin = reader->end;
	if (!root)
		return error_new(ERROR_INPUT, "%s: line %d: column %d: %s", reader->name, why.line,
				 why.column, why.text);
	prometheus->counters.line_nr = 1;
	err = say_result(prometheus, root);
	json_decref(root);
	return err;
}

static struct error *read_prometheus(struct reader *reader, struct capture *capture,
				     struct sink *sink)
{
	struct prometheus prometheus = {0};
	struct error *err;

	counters_init(&prometheus.counters, reader, capture, sink);
	if (capture->counter_options)
		prometheus.scrape_ns = capture->counter_options->scrape_ns;
	capture->clock = SOURCE_CLOCK_REALTIME;
	err = read_document(&prometheus);
	counters_release(&prometheus.counters);
	return err;
}

static bool sniff(const char *at, size_t size)
{
	size_t i = 0;

	while (i < size && strchr(" \t\r\n", at[i]) && at[i])
		i++;
	return i < size && at[i] == '{' && memmem(at, size, "\"status\"", 8) &&
	       (memmem(at, size, "\"resultType\"", 12) || memmem(at, size, "\"errorType\"", 11));
}

const struct importer importer_prometheus = {
	.name = "prometheus",
	.summary = "counters: an answer of Prometheus' HTTP API, JSON",
	.is_counters = true,
	.default_by = TALLY_BY_NONE,
	.sniff = sniff,
	.read = read_prometheus,
};
