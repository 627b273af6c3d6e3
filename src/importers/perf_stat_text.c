/* perf_stat_text.c - rows of perf stat as people read them */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "importers/perf_stat.h"
#include "model/capture.h"

/* Words of a row before its metric: time, whose, value (two for <not counted>), unit, event. */
#define WORDS_MAX 16

struct words {
	struct csv_field list[WORDS_MAX];
	size_t nr;
};

static bool is_word(const struct csv_field *word, const char *s)
{
	return word->size == strlen(s) && memcmp(word->at, s, word->size) == 0;
}

static void split(const char *at, size_t size, struct words *ret)
{
	const char *end = at + size;

	ret->nr = 0;
	while (ret->nr < WORDS_MAX) {
		const char *begin;

		while (at < end && (*at == ' ' || *at == '\t'))
			at++;
		begin = at;
		while (at < end && *at != ' ' && *at != '\t')
			at++;
		if (at == begin)
			return;
		ret->list[ret->nr++] = (struct csv_field){begin, (size_t)(at - begin)};
	}
}

/* Takes "( +- 11.28% )" and "(33.91%)" off the end: variance, and the share that it was running. */
static bool take_bracket(const char *at, size_t *size, struct perf_stat_row *row)
{
	const char *open = *size && at[*size - 1] == ')' ? memrchr(at, '(', *size) : NULL;
	const char *begin, *end = at + *size - 1;
	struct decimal number;
	bool is_variance;

	if (!open)
		return false;
	begin = open + 1;
	while (begin < end && (*begin == ' ' || *begin == '+' || *begin == '-'))
		begin++;
	is_variance = memchr(open, '+', (size_t)(begin - open)) != NULL;
	while (end > begin && end[-1] == ' ')
		end--;
	if (end == begin || end[-1] != '%' ||
	    !decimal_parse(begin, (size_t)(end - begin) - 1, &number))
		return false;
	if (is_variance) {
		row->has_variance = true;
		row->variance = number;
	} else {
		/* only the share is known: of which time is not said */
		row->percent_running = decimal_number(number);
		row->running_ns = (uint64_t)llround(row->percent_running * 1e7);
	}
	*size = (size_t)(open - at);
	while (*size && at[*size - 1] == ' ')
		(*size)--;
	return true;
}

/* "<not counted>" in two words. */
static bool take_state(const struct words *words, size_t at, struct point *ret)
{
	const struct csv_field *word = &words->list[at];

	if (at + 1 >= words->nr)
		return false;
	return is_word(word, "<not") &&
	       counters_parse_value(
		       word->at,
		       (size_t)(words->list[at + 1].at + words->list[at + 1].size - word->at), ret);
}

/* Digits in groups, or a decimal comma: a count has neither in C's locale. */
static bool is_of_other_locale(const struct csv_field *value, bool has_unit)
{
	bool has_point = memchr(value->at, '.', value->size);

	for (size_t i = 0; i < value->size; i++)
		if ((value->at[i] & 0x80) || value->at[i] == ',' || value->at[i] == '\'')
			return true;
	return has_point && !has_unit;
}

static struct error *refuse_locale(struct perf_stat *stat, const struct csv_field *value)
{
	struct error *err =
		counters_refuse(&stat->counters, NOTE_COUNTER_VALUE,
				"'%.*s' has the marks of a locale", (int)value->size, value->at);

	return err ? error_hint(err, "LC_ALL=C perf stat ... or perf stat -x\\; ...") : NULL;
}

static struct error *refuse(struct perf_stat *stat)
{
	return counters_refuse(&stat->counters, NOTE_COUNTER_FIELDS,
			       "no row of perf stat: expected a value, a unit and an event");
}

/* "4.003 seconds time elapsed", "0.2 +- 0.0001 seconds time elapsed", "2.9 seconds user" */
static bool take_seconds(const struct words *words, struct perf_stat_row *row)
{
	size_t at = 1;

	if (words->nr > 3 && is_word(&words->list[1], "+-"))
		at = 3;
	if (words->nr < at + 2 || !is_word(&words->list[at], "seconds"))
		return false;
	row->unit = (struct csv_field){"s", 1};
	row->event = words->list[words->nr - 1];
	return counters_parse_value(words->list[0].at, words->list[0].size, &row->value);
}

static bool is_number(const struct csv_field *field)
{
	return field->size &&
	       ((field->at[0] >= '0' && field->at[0] <= '9') || is_word(field, "<not"));
}

/* The first words: time and whose. */
static size_t take_head(const struct words *words, struct perf_stat_row *row)
{
	size_t at = 0;

	row->has_time = words->nr > 1 && perf_stat_time(&words->list[0], &row->time_ns) &&
			!is_word(&words->list[1], "seconds");
	at += row->has_time;
	row->is_summary = !row->has_time && is_word(&words->list[0], "summary");
	at += row->is_summary;
	if (at < words->nr && !is_number(&words->list[at])) {
		row->aggregate = words->list[at];
		if (perf_stat_aggregate(&row->aggregate, &row->aggregate_key)) {
			at++;
			if (at + 2 < words->nr && strcmp(row->aggregate_key, "cpu") != 0 &&
			    strcmp(row->aggregate_key, "thread") != 0)
				at++; /* how many CPUs */
		}
	}
	return at;
}

static struct error *take_words(struct perf_stat *stat, const struct words *words,
				struct perf_stat_row *row)
{
	size_t at = take_head(words, row);
	const struct csv_field *value = &words->list[at];

	if (take_state(words, at, &row->value))
		at += 2;
	else if (at < words->nr && is_number(value))
		at++;
	else
		return refuse(stat);
	if (words->nr < at + 1 || words->nr > at + 2)
		return refuse(stat);
	if (row->value.state == POINT_OK && is_of_other_locale(value, words->nr == at + 2))
		return refuse_locale(stat, value);
	if (row->value.state == POINT_OK &&
	    !counters_parse_value(value->at, value->size, &row->value))
		return refuse(stat);
	if (words->nr == at + 2)
		row->unit = words->list[at++];
	row->event = words->list[at];
	return perf_stat_say(stat, row);
}

struct error *perf_stat_text(struct perf_stat *stat, char *at, size_t size)
{
	static const char title[] = "Performance counter stats for";
	struct perf_stat_row row = {0};
	struct words words;
	const char *hash;

	if (size > strlen(title) && memcmp(at, title, strlen(title)) == 0) {
		facts_add(&stat->counters.capture->facts, "counted", strlen("counted"),
			  at + strlen(title) + 1, size - strlen(title) - 1);
		return NULL;
	}
	while (take_bracket(at, &size, &row))
		;
	hash = memmem(at, size, " # ", 3);
	if (hash)
		size = (size_t)(hash - at);
	split(at, size, &words);
	/* a metric of the row above stands alone */
	if (!words.nr) {
		notes_add(&stat->counters.capture->notes, NOTE_COUNTER_METRIC, 1,
			  stat->counters.line_nr, 0);
		return NULL;
	}
	if (take_seconds(&words, &row))
		return perf_stat_say(stat, &row);
	return take_words(stat, &words, &row);
}

/* "0.500590147   174.20 msec task-clock   #  0.348 CPUs utilized" */
bool perf_stat_text_sniff(const char *at, size_t size)
{
	struct perf_stat_row row = {0};
	struct words words;
	const char *hash = memmem(at, size, " # ", 3);
	size_t first;

	split(at, hash ? (size_t)(hash - at) : size, &words);
	if (!words.nr)
		return false;
	first = take_head(&words, &row);
	return row.has_time && first + 2 <= words.nr && is_number(&words.list[first]);
}
