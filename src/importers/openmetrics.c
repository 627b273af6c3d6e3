/* openmetrics.c - OpenMetrics, and the text that Prometheus scrapes */
#include "importers/openmetrics.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/counters.h"
#include "importers/importer.h"
#include "importers/metric_names.h"
#include "model/capture.h"

/*
 * https://prometheus.io/docs/specs/om/open_metrics_spec/, lines:
 *   # TYPE name gauge|counter|histogram|summary ... | # HELP | # UNIT | # EOF
 *   name{label="value"} value [timestamp] [# exemplar]
 * The timestamp is in seconds, in the older text format in milliseconds.
 */

/* Seconds reach this in the year 5138, milliseconds did in 1973. */
#define MILLISECONDS_LEAST 1e11

/* A family whose type was declared. */
struct family {
	uint32_t name;
	bool is_gauge;
};

struct openmetrics {
	struct counters counters;
	bool has_times;		 /* of the beginning of the file some sample has one */
	struct family *families; /* owned */
	size_t families_nr, families_alloc;
	struct text value; /* of a label, without its escapes */
};

struct cursor {
	const char *at, *end;
};

static void skip_blanks(struct cursor *cursor)
{
	while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\t'))
		cursor->at++;
}

static struct cursor take_word(struct cursor *cursor)
{
	struct cursor word;

	skip_blanks(cursor);
	word = *cursor;
	while (cursor->at < cursor->end && *cursor->at != ' ' && *cursor->at != '\t')
		cursor->at++;
	word.end = cursor->at;
	return word;
}

static bool is_word(const struct cursor *word, const char *s)
{
	return (size_t)(word->end - word->at) == strlen(s) && memcmp(word->at, s, strlen(s)) == 0;
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == ':' || c == '.';
}

static struct cursor take_name(struct cursor *cursor)
{
	struct cursor name = *cursor;

	while (cursor->at < cursor->end && is_name_char(*cursor->at))
		cursor->at++;
	name.end = cursor->at;
	return name;
}

/* ---- types */

static void take_comment(struct openmetrics *metrics, struct cursor cursor)
{
	struct names *names = &metrics->counters.capture->names;
	struct cursor word, name, type;

	cursor.at++;
	word = take_word(&cursor);
	if (!is_word(&word, "TYPE"))
		return;
	name = take_word(&cursor);
	type = take_word(&cursor);
	GROW(metrics->families, metrics->families_nr + 1, metrics->families_alloc);
	metrics->families[metrics->families_nr++] = (struct family){
		names_add(names, name.at, (size_t)(name.end - name.at)),
		is_word(&type, "gauge"),
	};
}

/* Is it declared as a gauge? Families follow each other, so the last one is looked at first. */
static bool is_gauge(const struct openmetrics *metrics, uint32_t name)
{
	for (size_t i = metrics->families_nr; i-- > 0;)
		if (metrics->families[i].name == name)
			return metrics->families[i].is_gauge;
	return false;
}

/* ---- samples */

static bool take_quoted(struct openmetrics *metrics, struct cursor *cursor)
{
	text_clear(&metrics->value);
	if (cursor->at == cursor->end || *cursor->at++ != '"')
		return false;
	for (; cursor->at < cursor->end && *cursor->at != '"'; cursor->at++) {
		char c = *cursor->at;

		if (c == '\\' && cursor->at + 1 < cursor->end) {
			c = *++cursor->at;
			c = c == 'n' ? '\n' : c;
		}
		text_add_char(&metrics->value, c);
	}
	return cursor->at < cursor->end && cursor->at++;
}

static bool take_labels(struct openmetrics *metrics, struct cursor *cursor, struct series *series)
{
	struct names *names = &metrics->counters.capture->names;

	cursor->at++;
	for (;;) {
		struct cursor key;

		skip_blanks(cursor);
		if (cursor->at < cursor->end && *cursor->at == '}')
			break;
		key = take_name(cursor);
		skip_blanks(cursor);
		if (key.at == key.end || cursor->at == cursor->end || *cursor->at++ != '=')
			return false;
		skip_blanks(cursor);
		if (!take_quoted(metrics, cursor) || series->labels_nr == SERIES_LABELS_MAX)
			return false;
		series->labels[series->labels_nr++] = (struct series_label){
			names_add(names, key.at, (size_t)(key.end - key.at)),
			names_add(names, text_string(&metrics->value), metrics->value.size)};
		skip_blanks(cursor);
		if (cursor->at < cursor->end && *cursor->at == ',')
			cursor->at++;
	}
	cursor->at++;
	return true;
}

/* False where there is something that is no time. */
static bool take_time(struct cursor *cursor, bool *ret_has_time, uint64_t *ret_ns)
{
	struct cursor word = take_word(cursor);
	struct decimal number;
	int64_t ns;
	bool is_ms;

	*ret_has_time = word.at < word.end && *word.at != '#';
	*ret_ns = 0;
	if (!*ret_has_time)
		return true;
	if (!decimal_parse(word.at, (size_t)(word.end - word.at), &number))
		return false;
	is_ms = decimal_number(number) >= MILLISECONDS_LEAST;
	if (!decimal_shifted(number, is_ms ? 6 : 9, &ns) || ns < 0)
		return false;
	*ret_ns = (uint64_t)ns;
	return true;
}

/* The parts of a sample's line. False where it is none. */
static bool take_sample(struct openmetrics *metrics, struct cursor cursor, struct series *series,
			struct point *point, bool *ret_has_time)
{
	struct cursor name = take_name(&cursor), value;

	if (name.at == name.end)
		return false;
	series->name =
		names_add(&metrics->counters.capture->names, name.at, (size_t)(name.end - name.at));
	if (cursor.at < cursor.end && *cursor.at == '{' && !take_labels(metrics, &cursor, series))
		return false;
	value = take_word(&cursor);
	if (value.at == value.end ||
	    !counters_parse_value(value.at, (size_t)(value.end - value.at), point) ||
	    !take_time(&cursor, ret_has_time, &point->end_ns))
		return false;
	point->begin_ns = point->end_ns;
	return true;
}

static struct error *say_sample(struct openmetrics *metrics, struct series *series,
				const struct point *point, bool has_time)
{
	struct counters *counters = &metrics->counters;
	struct error *err;
	bool is_good;
	uint32_t id;

	if (!has_time && metrics->has_times) {
		notes_add(&counters->capture->notes, NOTE_COUNTER_UNTIMED, 1, counters->line_nr, 0);
		return NULL;
	}
	if (is_gauge(metrics, series->name))
		series->kind = SERIES_GAUGE;
	metric_names_describe(&counters->capture->names, series, is_gauge(metrics, series->name));
	err = counters_find(counters, series, &id);
	if (err)
		return err;
	if (!has_time && counters->last[id].has_time)
		return counters_refuse(counters, NOTE_COUNTER_TWICE,
				       "a second scrape without times: nothing tells when it was");
	err = counters_check_time(counters, id, point->end_ns, &is_good);
	return err || !is_good ? err : counters_say(counters, id, point);
}

static struct error *take_line(struct openmetrics *metrics, const char *at, size_t size)
{
	struct series_label labels[SERIES_LABELS_MAX];
	struct series series = {.labels = labels};
	struct cursor cursor = {at, at + size};
	struct point point = {0};
	bool has_time;

	while (cursor.end > cursor.at && (cursor.end[-1] == '\r' || cursor.end[-1] == ' '))
		cursor.end--;
	skip_blanks(&cursor);
	if (cursor.at == cursor.end)
		return NULL;
	if (*cursor.at == '#') {
		take_comment(metrics, cursor);
		return NULL;
	}
	if (!take_sample(metrics, cursor, &series, &point, &has_time))
		return counters_refuse(&metrics->counters, NOTE_COUNTER_FIELDS,
				       "expected 'name{label=\"value\"} number [time]'");
	return say_sample(metrics, &series, &point, has_time);
}

/* ---- the file */

/* Of what is in the buffer: has some sample a time? */
static bool has_times(struct openmetrics *metrics)
{
	const struct reader *reader = metrics->counters.reader;
	const char *at = reader->buf + reader->begin, *end = reader->buf + reader->end;

	while (at < end) {
		const char *feed = memchr(at, '\n', (size_t)(end - at));
		struct series_label labels[SERIES_LABELS_MAX];
		struct series series = {.labels = labels};
		struct point point = {0};
		bool has_time = false;

		if (*at != '#' &&
		    take_sample(metrics, (struct cursor){at, feed ? feed : end}, &series, &point,
				&has_time) &&
		    has_time)
			return true;
		if (!feed)
			break;
		at = feed + 1;
	}
	return false;
}

static struct error *read_lines(struct openmetrics *metrics)
{
	struct error *err = reader_fill(metrics->counters.reader, IMPORTER_SNIFF_SIZE);
	char *at;
	size_t size;

	if (err)
		return err;
	metrics->has_times = has_times(metrics);
	metrics->counters.capture->clock =
		metrics->has_times ? SOURCE_CLOCK_REALTIME : SOURCE_CLOCK_NONE;
	while (!err) {
		err = reader_line(metrics->counters.reader, &at, &size);
		if (err || !at)
			break;
		metrics->counters.line_nr++;
		err = take_line(metrics, at, size);
	}
	return err;
}

static struct error *read_openmetrics(struct reader *reader, struct capture *capture,
				      struct sink *sink)
{
	struct openmetrics metrics = {0};
	struct error *err;

	counters_init(&metrics.counters, reader, capture, sink);
	err = read_lines(&metrics);
	counters_release(&metrics.counters);
	text_release(&metrics.value);
	free(metrics.families);
	return err;
}

static bool begins(const char *at, size_t size, const char *with)
{
	return size >= strlen(with) && memcmp(at, with, strlen(with)) == 0;
}

/* A declaration, or a sample with labels. */
static bool sniff(const char *at, size_t size)
{
	const char *feed = memchr(at, '\n', size);
	const char *end = feed ? feed : at + size, *brace;
	const char *name = at;

	if (begins(at, size, "# TYPE ") || begins(at, size, "# HELP ") ||
	    begins(at, size, "# UNIT "))
		return true;
	while (name < end && is_name_char(*name))
		name++;
	brace = name > at && name < end && *name == '{' ? memchr(name, '}', (size_t)(end - name))
							: NULL;
	return brace && brace + 2 < end && brace[1] == ' ' && brace[-1] == '"' &&
	       memmem(name, (size_t)(brace - name), "=\"", 2);
}

const struct importer importer_openmetrics = {
	.name = "openmetrics",
	.summary = "counters: OpenMetrics, or the text that Prometheus scrapes",
	.is_counters = true,
	.default_by = TALLY_BY_NONE,
	.sniff = sniff,
	.read = read_openmetrics,
};
