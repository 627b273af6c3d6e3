/* pidstat.c - what pidstat -h prints */
#include "importers/pidstat.h"

#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/counter_time.h"
#include "importers/counters.h"
#include "importers/importer.h"
#include "importers/line_words.h"
#include "importers/sysstat_names.h"
#include "model/capture.h"

/*
 * Linux 6.18.44 (vm)   11/30/26   _x86_64_   (2 CPU)
 * # Time        UID      TGID       TID    %usr ... %wait    %CPU   CPU   cswch/s  Command
 * 02:57:06        0     12802         -   28.00 ...
 * 02:57:06        0         -     12812   32.00 ...                                |__classifier
 * The columns depend on the options; the time is local, or with -H seconds since 1970.
 */
#define DAY_NS (UINT64_C(86400) * 1000000000)

struct pidstat {
	struct counters counters;
	struct text head; /* its bytes */
	struct line_words columns;
	uint64_t day_ns;	       /* local midnight, of the first line and the days since */
	uint64_t last_ns, interval_ns; /* interval: since the block of rows before; 0: not known */
	struct csv_field process;      /* of the threads that follow; in process_bytes */
	struct text process_bytes;
	bool has_clock;
};

/* ---- the first line: a date in the form of the locale */

static bool take_number(const char **at, const char *end, unsigned *ret)
{
	const char *begin = *at;

	*ret = 0;
	for (; *at < end && **at >= '0' && **at <= '9' && *at - begin < 4; (*at)++)
		*ret = *ret * 10 + (unsigned)(**at - '0');
	return *at > begin;
}

/* "11/30/26", "11/30/2026", "2026-11-30" */
static bool parse_date(const struct csv_field *word, uint64_t *ret_ns)
{
	const char *at = word->at, *end = at + word->size;
	unsigned a, b, c, year, month, day;
	char mark;

	if (!take_number(&at, end, &a) || at == end || ((mark = *at++) != '/' && mark != '-') ||
	    !take_number(&at, end, &b) || at == end || *at++ != mark ||
	    !take_number(&at, end, &c) || at != end)
		return false;
	year = mark == '-' ? a : c < 100 ? 2000 + c : c;
	month = mark == '-' ? b : a;
	day = mark == '-' ? c : b;
	if (year < 1970 || year > 2261 || month < 1 || month > 12 || day < 1 || day > 31)
		return false;
	*ret_ns = (uint64_t)counter_time_days(year, month, day) * DAY_NS;
	return true;
}

static void take_title(struct pidstat *pidstat, const struct line_words *words)
{
	for (size_t i = 0; i < words->nr && !pidstat->day_ns; i++)
		parse_date(&words->list[i], &pidstat->day_ns);
}

/* ---- times */

/* "02:57:06"; a clock that goes back by more than half a day went past midnight. */
static bool take_time_of_day(struct pidstat *pidstat, const struct csv_field *word,
			     uint64_t *ret_ns)
{
	char date[40] = "1970-01-01 ";
	bool has_zone;
	uint64_t of_day;

	if (!pidstat->day_ns || word->size > 16)
		return false;
	memcpy(date + 11, word->at, word->size);
	if (!counter_time_parse(date, 11 + word->size, &of_day, &has_zone))
		return false;
	if (pidstat->last_ns > pidstat->day_ns + of_day &&
	    pidstat->last_ns - (pidstat->day_ns + of_day) > DAY_NS / 2)
		pidstat->day_ns += DAY_NS;
	*ret_ns = pidstat->day_ns + of_day;
	return true;
}

static bool take_time(struct pidstat *pidstat, const struct csv_field *word, uint64_t *ret_ns)
{
	enum source_clock clock = SOURCE_CLOCK_REALTIME;
	struct decimal seconds;
	int64_t ns;

	if (memchr(word->at, ':', word->size)) {
		clock = SOURCE_CLOCK_LOCAL;
		if (!take_time_of_day(pidstat, word, ret_ns))
			return false;
	} else {
		if (!decimal_parse(word->at, word->size, &seconds) ||
		    !decimal_shifted(seconds, 9, &ns) || ns < 0)
			return false;
		*ret_ns = (uint64_t)ns;
	}
	if (!pidstat->has_clock)
		pidstat->counters.capture->clock = clock;
	pidstat->has_clock = true;
	return clock == pidstat->counters.capture->clock;
}

/* ---- rows */

static size_t column_of(const struct pidstat *pidstat, const char *name)
{
	for (size_t i = 0; i < pidstat->columns.nr; i++)
		if (line_words_is(&pidstat->columns.list[i], name))
			return i;
	return LINE_WORDS_MAX;
}

static const struct csv_field *word_of(const struct pidstat *pidstat,
				       const struct line_words *words, const char *name)
{
	size_t column = column_of(pidstat, name);

	return column < words->nr ? &words->list[column] : NULL;
}

static void add_label(struct names *names, struct series *series, const char *key,
		      const struct csv_field *value)
{
	if (value && value->size && !line_words_is(value, "-"))
		series->labels[series->labels_nr++] = (struct series_label){
			names_add_string(names, key), names_add(names, value->at, value->size)};
}

/* Whose a row is; a thread's row has the process of the row above. */
static bool take_whose(struct pidstat *pidstat, const struct line_words *words,
		       struct series *series)
{
	struct names *names = &pidstat->counters.capture->names;
	const struct csv_field *pid = word_of(pidstat, words, "TGID");
	const struct csv_field *tid = word_of(pidstat, words, "TID");
	struct csv_field command = words->list[pidstat->columns.nr - 1];
	bool is_thread = tid && !line_words_is(tid, "-");

	if (!pid)
		pid = word_of(pidstat, words, "PID");
	if (pid && !line_words_is(pid, "-")) {
		text_clear(&pidstat->process_bytes);
		text_add_bytes(&pidstat->process_bytes, pid->at, pid->size);
		pidstat->process = (struct csv_field){pidstat->process_bytes.bytes, pid->size};
	}
	add_label(names, series, "pid", &pidstat->process);
	if (is_thread)
		add_label(names, series, "tid", tid);
	if (command.size > 3 && memcmp(command.at, "|__", 3) == 0) {
		command.at += 3;
		command.size -= 3;
	}
	add_label(names, series, "comm", &command);
	return is_thread;
}

/* Columns that say whose, and not how much. */
static bool is_value(const struct csv_field *column)
{
	static const char *const others[] = {"Time", "UID", "USER", "PID",
					     "TGID", "TID", "CPU",  "Command"};

	for (size_t i = 0; i < ARRAY_NR(others); i++)
		if (line_words_is(column, others[i]))
			return false;
	return true;
}

static struct error *say_value(struct pidstat *pidstat, const struct line_words *words,
			       size_t column, uint64_t end_ns)
{
	struct counters *counters = &pidstat->counters;
	struct names *names = &counters->capture->names;
	const struct csv_field *name = &pidstat->columns.list[column], *word = &words->list[column];
	struct series_label labels[4];
	struct series series = {.labels = labels, .name = names_add(names, name->at, name->size)};
	struct point point = {.begin_ns = end_ns, .end_ns = end_ns};
	struct error *err;
	uint32_t id;
	bool is_good;

	if (!counters_parse_value(word->at, word->size, &point))
		return counters_refuse(counters, NOTE_COUNTER_VALUE,
				       "column '%.*s' is '%.*s', expected a number",
				       (int)name->size, name->at, (int)word->size, word->at);
	sysstat_names_describe(names, &series, !take_whose(pidstat, words, &series));
	err = counters_find(counters, &series, &id);
	if (!err && counters->capture->series.list[id].kind != SERIES_GAUGE)
		point.begin_ns = end_ns - pidstat->interval_ns;
	if (!err)
		err = counters_check_time(counters, id, end_ns, &is_good);
	return err || !is_good ? err : counters_say(counters, id, &point);
}

static struct error *take_row(struct pidstat *pidstat, struct line_words *words, const char *end)
{
	struct error *err = NULL;
	uint64_t end_ns;

	/* a command may hold blanks */
	if (words->nr > pidstat->columns.nr && pidstat->columns.nr) {
		struct csv_field *last = &words->list[pidstat->columns.nr - 1];

		last->size = (size_t)(end - last->at);
		words->nr = pidstat->columns.nr;
	}
	if (!pidstat->columns.nr || words->nr != pidstat->columns.nr)
		return counters_refuse(&pidstat->counters, NOTE_COUNTER_FIELDS,
				       "%zu words, the header has %zu columns", words->nr,
				       pidstat->columns.nr);
	if (!take_time(pidstat, &words->list[0], &end_ns))
		return counters_refuse(
			&pidstat->counters, NOTE_COUNTER_VALUE,
			"'%.*s' is no time: expected seconds (-H), or a time of day and "
			"a date in the first line",
			(int)words->list[0].size, words->list[0].at);
	if (pidstat->last_ns && end_ns > pidstat->last_ns)
		pidstat->interval_ns = end_ns - pidstat->last_ns;
	pidstat->last_ns = end_ns;
	for (size_t i = 1; !err && i < words->nr; i++)
		if (is_value(&pidstat->columns.list[i]))
			err = say_value(pidstat, words, i, end_ns);
	return err;
}

static void take_head(struct pidstat *pidstat, const char *at, size_t size)
{
	text_clear(&pidstat->head);
	text_add_bytes(&pidstat->head, at + 1, size - 1);
	line_words_split(pidstat->head.bytes, pidstat->head.size, &pidstat->columns);
}

static struct error *take_line(struct pidstat *pidstat, const char *at, size_t size)
{
	struct line_words words;

	line_words_split(at, size, &words);
	if (!words.nr || line_words_is(&words.list[0], "Average:"))
		return NULL;
	if (*at == '#')
		take_head(pidstat, at, size);
	else if (!pidstat->columns.nr && line_words_is(&words.list[0], "Linux"))
		take_title(pidstat, &words);
	else
		return take_row(pidstat, &words, at + size);
	return NULL;
}

static struct error *read_pidstat(struct reader *reader, struct capture *capture, struct sink *sink)
{
	struct pidstat pidstat = {0};
	struct error *err = NULL;
	char *at = NULL;
	size_t size;

	counters_init(&pidstat.counters, reader, capture, sink);
	do {
		if (at)
			err = take_line(&pidstat, at, size);
		if (!err)
			err = reader_line(reader, &at, &size);
		pidstat.counters.line_nr++;
	} while (!err && at);
	if (!err && !capture->series.nr)
		err = error_new(ERROR_INPUT, "'%s' holds no row of pidstat", reader->name);
	counters_release(&pidstat.counters);
	text_release(&pidstat.head);
	text_release(&pidstat.process_bytes);
	return err;
}

/* The title of sysstat, and below it a header that begins with "# Time". */
static bool sniff(const char *at, size_t size)
{
	static const char head[] = "# Time ";

	if (size > 6 && memcmp(at, "Linux ", 6) == 0)
		return memmem(at, size, "\n# Time ", 8) != NULL;
	return size > strlen(head) && memcmp(at, head, strlen(head)) == 0 &&
	       memmem(at, size, "Command", 7);
}

const struct importer importer_pidstat = {
	.name = "pidstat",
	.summary = "counters: what 'pidstat -h' prints",
	.is_counters = true,
	.default_by = TALLY_BY_NONE,
	.sniff = sniff,
	.read = read_pidstat,
};
