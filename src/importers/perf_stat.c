/* perf_stat.c - what perf stat counted: its text, -x and -j, with and without -I */
#include "importers/perf_stat.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "importers/importer.h"
#include "model/capture.h"
#include "model/sink.h"

/* Labels: whose it is, its cgroup, a summary, and the n-th of the same name. */
#define LABELS_MAX 4

/* The same event may stand there several times ("-e cycles,cycles"); more is no list of events. */
#define REPEATS_MAX 64

/* ---- parts of rows */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t digits_at(const char *at, const char *end)
{
	const char *begin = at;

	while (at < end && is_digit(*at))
		at++;
	return (size_t)(at - begin);
}

bool perf_stat_time(const struct csv_field *field, uint64_t *ret_ns)
{
	const char *end = field->at + field->size;
	size_t whole = digits_at(field->at, end);
	struct decimal number;
	int64_t ns;

	if (!whole || field->size != whole + 10 || field->at[whole] != '.' ||
	    digits_at(field->at + whole + 1, end) != 9 ||
	    !decimal_parse(field->at, field->size, &number) || !decimal_shifted(number, 9, &ns))
		return false;
	*ret_ns = (uint64_t)ns;
	return true;
}

/* "S0", "S0-D1", "S0-D1-C2": the number of its parts, 0 where it is none. */
static int parts_of_core(const struct csv_field *field)
{
	static const char letters[] = "SDC";
	const char *at = field->at, *end = at + field->size;
	int nr = 0;

	while (at < end && nr < 3 && *at == letters[nr]) {
		size_t digits = digits_at(at + 1, end);

		at += 1 + digits;
		nr++;
		if (!digits)
			return 0;
		if (at == end)
			return nr;
		if (*at++ != '-')
			return 0;
	}
	return 0;
}

/* "comm-pid"; the comm may hold dashes and blanks. */
static bool is_thread(const struct csv_field *field)
{
	size_t begin = field->size;

	while (begin && is_digit(field->at[begin - 1]))
		begin--;
	return begin > 1 && begin < field->size && field->at[begin - 1] == '-';
}

bool perf_stat_aggregate(struct csv_field *field, const char **ret_key)
{
	static const char *const by_parts[] = {NULL, "socket", "die", "core"};
	const char *end = field->at + field->size;
	int parts = parts_of_core(field);

	if (parts) {
		*ret_key = by_parts[parts];
	} else if (field->size > 3 && memcmp(field->at, "CPU", 3) == 0 &&
		   digits_at(field->at + 3, end) == field->size - 3) {
		*ret_key = "cpu";
		field->at += 3;
		field->size -= 3;
	} else if (field->size > 1 && field->at[0] == 'N' &&
		   digits_at(field->at + 1, end) == field->size - 1) {
		*ret_key = "node";
	} else if (is_thread(field)) {
		*ret_key = "thread";
	} else {
		return false;
	}
	return true;
}

/* ---- from rows to points */

static void add_label(struct names *names, struct series *series, const char *key,
		      const struct csv_field *value)
{
	if (value->size)
		series->labels[series->labels_nr++] = (struct series_label){
			names_add_string(names, key), names_add(names, value->at, value->size)};
}

static void describe(struct perf_stat *stat, const struct perf_stat_row *row, struct series *series)
{
	struct names *names = &stat->counters.capture->names;

	series->name = names_add(names, row->event.at, row->event.size);
	series->unit = row->unit.size ? names_add(names, row->unit.at, row->unit.size) : NAME_NONE;
	series->kind = SERIES_DELTA;
	if (row->aggregate_key)
		add_label(names, series, row->aggregate_key, &row->aggregate);
	add_label(names, series, "cgroup", &row->cgroup);
	if (row->is_summary)
		add_label(names, series, "summary", &(struct csv_field){"all", 3});
}

static bool has_point_at(const struct perf_stat *stat, uint32_t series, uint64_t end_ns)
{
	const struct counters_last *last = &stat->counters.last[series];

	return last->has_time && last->end_ns == end_ns;
}

/* The series of the row: the n-th of its name where the others have had this interval. */
static struct error *find_series(struct perf_stat *stat, struct series *series, uint64_t end_ns,
				 uint32_t *ret)
{
	struct names *names = &stat->counters.capture->names;
	uint32_t labels_nr = series->labels_nr;
	struct error *err = counters_find(&stat->counters, series, ret);

	for (unsigned nth = 2; !err && has_point_at(stat, *ret, end_ns) && nth <= REPEATS_MAX;
	     nth++) {
		char digits[4] = {(char)('0' + nth / 10), (char)('0' + nth % 10)};
		struct csv_field value = {digits, 2};

		if (nth < 10)
			value = (struct csv_field){digits + 1, 1};
		series->labels_nr = labels_nr;
		add_label(names, series, "nth", &value);
		err = counters_find(&stat->counters, series, ret);
	}
	return err;
}

/* The times of an interval are the same in all its rows. */
static struct error *take_interval(struct perf_stat *stat, const struct perf_stat_row *row,
				   bool *ret_good)
{
	if (!stat->has_begun)
		stat->counters.capture->clock =
			row->has_time ? SOURCE_CLOCK_START : SOURCE_CLOCK_NONE;
	stat->has_begun = true;
	*ret_good = row->is_summary || !row->has_time || row->time_ns >= stat->end_ns;
	if (!*ret_good)
		return counters_refuse(&stat->counters, NOTE_COUNTER_TIME,
				       "the time goes backwards: an interval ends at %" PRIu64
				       " ns, the one before at %" PRIu64 " ns",
				       row->time_ns, stat->end_ns);
	if (row->has_time && row->time_ns > stat->end_ns) {
		stat->begin_ns = stat->end_ns;
		stat->end_ns = row->time_ns;
	}
	return NULL;
}

static struct point point_of(const struct perf_stat *stat, const struct perf_stat_row *row)
{
	struct point point = row->value;

	point.begin_ns = row->is_summary ? 0 : stat->begin_ns;
	point.end_ns = stat->end_ns;
	if (!point_has_value(&point) || row->percent_running <= 0)
		return point;
	point.running_ns = row->running_ns;
	point.enabled_ns = row->running_ns;
	if (row->percent_running < 100)
		point.enabled_ns =
			(uint64_t)llround((double)row->running_ns * 100 / row->percent_running);
	return point;
}

/* How far several runs differed is a series of its own, beside the mean. */
static struct error *say_variance(struct perf_stat *stat, const struct perf_stat_row *row,
				  const struct point *mean)
{
	static const char variance[] = "variance";
	struct names *names = &stat->counters.capture->names;
	struct series_label labels[LABELS_MAX + 1];
	struct series series = {.labels = labels};
	struct point point = {.begin_ns = mean->begin_ns, .end_ns = mean->end_ns};
	struct error *err;
	uint32_t id;

	describe(stat, row, &series);
	add_label(names, &series, "of", &(struct csv_field){variance, strlen(variance)});
	series.kind = SERIES_GAUGE;
	series.unit = names_add_string(names, "percent");
	err = find_series(stat, &series, point.end_ns, &id);
	point.value = row->variance;
	return err ? err : counters_say(&stat->counters, id, &point);
}

struct error *perf_stat_say(struct perf_stat *stat, const struct perf_stat_row *row)
{
	struct series_label labels[LABELS_MAX];
	struct series series = {.labels = labels};
	struct point point;
	struct error *err;
	uint32_t id;
	bool is_good;

	err = take_interval(stat, row, &is_good);
	if (err || !is_good)
		return err;
	point = point_of(stat, row);
	describe(stat, row, &series);
	err = find_series(stat, &series, point.end_ns, &id);
	if (!err)
		err = counters_check_time(&stat->counters, id, point.end_ns, &is_good);
	if (!err && is_good)
		err = counters_say(&stat->counters, id, &point);
	if (!err && is_good && row->has_variance && point_has_value(&point))
		err = say_variance(stat, row, &point);
	return err;
}

/* ---- lines */

typedef struct error *take_line(struct perf_stat *stat, char *at, size_t size);

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void trim(const char **at, size_t *size)
{
	while (*size && is_blank(**at)) {
		(*at)++;
		(*size)--;
	}
	while (*size && is_blank((*at)[*size - 1]))
		(*size)--;
}

/* Which of its forms a line is, NULL for none. */
static take_line *form_of(const char *at, size_t size, char *ret_separator)
{
	static const char separators[] = ",;|\t";
	static const char title[] = "Performance counter stats for";

	trim(&at, &size);
	if (size > 1 && *at == '{' &&
	    (memmem(at, size, "\"event\"", 7) || memmem(at, size, "\"metric-", 8)) &&
	    (memmem(at, size, "\"counter-value\"", 15) || memmem(at, size, "\"metric-value\"", 14)))
		return perf_stat_json;
	for (const char *separator = separators; *separator; separator++) {
		if (!perf_stat_csv_sniff(at, size, *separator))
			continue;
		*ret_separator = *separator;
		return perf_stat_csv;
	}
	if (size > strlen(title) && memcmp(at, title, strlen(title)) == 0)
		return perf_stat_text;
	return perf_stat_text_sniff(at, size) ? perf_stat_text : NULL;
}

/* "# started on Mon Nov 30 02:25:06 2026": the only moment that is known, of a zone that is not. */
static void take_comment(struct perf_stat *stat, const char *at, size_t size)
{
	static const char started[] = "started on ";

	at++;
	size--;
	trim(&at, &size);
	if (size > strlen(started) && memcmp(at, started, strlen(started)) == 0)
		facts_add(&stat->counters.capture->facts, "started on", strlen("started on"),
			  at + strlen(started), size - strlen(started));
}

/* Before any row: --metric-only leaves separators alone where there is no metric. */
static struct error *take_unknown(struct perf_stat *stat, const char *at, size_t size)
{
	size_t i = 0;

	while (i < size && strchr(",;|\t ", at[i]))
		i++;
	if (i < size)
		return counters_refuse(&stat->counters, NOTE_COUNTER_FIELDS,
				       "no row of perf stat: expected its text, or what -x or -j "
				       "writes");
	notes_add(&stat->counters.capture->notes, NOTE_COUNTER_METRIC, 1, stat->counters.line_nr,
		  0);
	return NULL;
}

static struct error *read_lines(struct perf_stat *stat)
{
	take_line *take = NULL;

	for (;;) {
		const char *trimmed;
		struct error *err;
		char *at;
		size_t size;

		err = reader_line(stat->counters.reader, &at, &size);
		if (err || !at)
			return err;
		stat->counters.line_nr++;
		trimmed = at;
		trim(&trimmed, &size);
		at += trimmed - at;
		if (!size)
			continue;
		if (*at == '#') {
			take_comment(stat, at, size);
			continue;
		}
		if (!take)
			take = form_of(at, size, &stat->separator);
		err = take ? take(stat, at, size) : take_unknown(stat, at, size);
		if (err)
			return err;
	}
}

static struct error *read_perf_stat(struct reader *reader, struct capture *capture,
				    struct sink *sink)
{
	struct perf_stat stat = {0};
	struct error *err;

	counters_init(&stat.counters, reader, capture, sink);
	err = read_lines(&stat);
	if (!err && !capture->series.nr)
		err = error_hint(
			error_new(ERROR_INPUT, "'%s' holds no counter of perf stat", reader->name),
			"metrics alone (--metric-only) are computed from counters, which "
			"perf stat prints without it");
	counters_release(&stat.counters);
	return err;
}

/* ---- sniffing */

/* The first line that is neither empty nor a comment tells; "# started on" alone does, too. */
static bool sniff(const char *at, size_t size)
{
	static const char started[] = "# started on ";
	const char *end = at + size;
	char separator;

	if (memchr(at, '\0', size))
		return false;
	if (size > strlen(started) && memcmp(at, started, strlen(started)) == 0)
		return true;
	while (at < end) {
		const char *feed = memchr(at, '\n', (size_t)(end - at)), *line = at;
		size_t line_size = (size_t)((feed ? feed : end) - at);

		trim(&line, &line_size);
		if (line_size && *line != '#')
			return form_of(line, line_size, &separator) != NULL;
		if (!feed)
			break;
		at = feed + 1;
	}
	return false;
}

const struct importer importer_perf_stat = {
	.name = "perf-stat",
	.summary = "counters: what perf stat prints, with -x, -j or neither",
	.is_counters = true,
	.default_by = TALLY_BY_NONE,
	.sniff = sniff,
	.read = read_perf_stat,
};
