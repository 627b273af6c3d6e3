/* counters.c - what all readers of counters do: points in time order, what is damaged refused */
#include "importers/counters.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "base/units.h"
#include "model/capture.h"
#include "model/counter_options.h"
#include "model/sink.h"

void counters_init(struct counters *counters, struct reader *reader, struct capture *capture,
		   struct sink *sink)
{
	*counters = (struct counters){
		.reader = reader,
		.capture = capture,
		.sink = sink,
		.keeps_going = capture->counter_options && capture->counter_options->keeps_going,
	};
}

void counters_release(struct counters *counters)
{
	free(counters->last);
	clock_pairs_release(&counters->pairs);
	map_release(&counters->map);
	*counters = (struct counters){0};
}

struct error *counters_refuse(struct counters *counters, enum note_code code, const char *format,
			      ...)
{
	struct error *err;
	va_list args;
	char *words;
	int size;

	if (counters->keeps_going) {
		notes_add(&counters->capture->notes, code, 1, counters->line_nr, 0);
		return NULL;
	}
	va_start(args, format);
	size = vasprintf(&words, format, args);
	va_end(args);
	if (size < 0)
		return error_os("cannot write a message");
	err = error_new(ERROR_INPUT, "%s: line %" PRIu64 ": %s", counters->reader->name,
			counters->line_nr, words);
	free(words);
	return err;
}

struct error *counters_add(struct counters *counters, const struct series *series, uint32_t *ret)
{
	struct series_list *list = &counters->capture->series;

	if (list->nr == SERIES_MAX)
		return error_new(ERROR_LIMIT, "%s: line %" PRIu64 ": more than %u series",
				 counters->reader->name, counters->line_nr, SERIES_MAX);
	*ret = series_add(list, series);
	GROW(counters->last, (size_t)list->nr, counters->last_alloc);
	while (counters->last_nr < list->nr)
		counters->last[counters->last_nr++] = (struct counters_last){0};
	return NULL;
}

struct wanted {
	const struct series_list *list;
	const struct series *series;
};

static bool is_wanted(const void *key, uint32_t id)
{
	const struct wanted *wanted = key;

	return series_is_same(&wanted->list->list[id], wanted->series);
}

struct error *counters_find(struct counters *counters, const struct series *series, uint32_t *ret)
{
	struct wanted wanted = {&counters->capture->series, series};
	uint32_t hash = series->name * 31 +
			map_hash(series->labels, series->labels_nr * sizeof(*series->labels));
	struct map_slot *slot;
	struct error *err;

	map_grow(&counters->map);
	slot = map_find(&counters->map, hash, is_wanted, &wanted);
	*ret = slot->id;
	if (slot->id != MAP_NONE)
		return NULL;
	err = counters_add(counters, series, ret);
	if (!err)
		map_fill(&counters->map, slot, hash, *ret);
	return err;
}

struct error *counters_check_time(struct counters *counters, uint32_t series, uint64_t end_ns,
				  bool *ret)
{
	const struct counters_last *last = &counters->last[series];
	CLEANUP(text_release) struct text now = TEXT_INIT, before = TEXT_INIT;

	*ret = end_ns <= INT64_MAX && (!last->has_time || end_ns > last->end_ns);
	if (*ret)
		return NULL;
	units_add_seconds(&now, end_ns);
	units_add_seconds(&before, last->end_ns);
	if (end_ns > INT64_MAX)
		return counters_refuse(counters, NOTE_COUNTER_TIME,
				       "the time %s is beyond what nanoseconds can count",
				       text_string(&now));
	if (end_ns == last->end_ns)
		return counters_refuse(counters, NOTE_COUNTER_TWICE,
				       "the time %s is there twice: the values before have it too",
				       text_string(&now));
	return counters_refuse(counters, NOTE_COUNTER_TIME,
			       "the time goes backwards: %s comes after %s", text_string(&now),
			       text_string(&before));
}

/* Both clocks in one row say how far they are apart. */
static void take_clock(struct counters *counters, uint32_t series, const struct point *point)
{
	int64_t wall_ns;

	if (counters->capture->series.list[series].role == ROLE_CLOCK_REALTIME &&
	    point_has_value(point) && decimal_shifted(point->value, 0, &wall_ns) && wall_ns > 0)
		clock_pairs_add(&counters->pairs, point->end_ns, (uint64_t)wall_ns);
}

void counters_finish(struct counters *counters)
{
	if (counters->capture->clock != SOURCE_CLOCK_REALTIME)
		clock_pairs_finish(&counters->pairs, counters->capture->clock,
				   &counters->capture->ties);
}

struct error *counters_say(struct counters *counters, uint32_t series, const struct point *point)
{
	struct counters_last *last = &counters->last[series];
	struct point said = *point;

	last->end_ns = point->end_ns;
	last->has_time = true;
	if (point_has_value(point)) {
		if (counters->capture->series.list[series].kind == SERIES_CUMULATIVE &&
		    last->has_value && decimal_compare(point->value, last->value) < 0) {
			said.state = POINT_RESET;
			notes_add(&counters->capture->notes, NOTE_COUNTER_RESET, 1,
				  counters->line_nr, 0);
		}
		last->value = point->value;
		last->has_value = true;
	}
	take_clock(counters, series, &said);
	return sink_point(counters->sink, series, &said);
}

/* ---- values */

static const struct {
	const char *word;
	enum point_state state;
} words[] = {
	{"nan", POINT_NAN},
	{"+nan", POINT_NAN},
	{"-nan", POINT_NAN},
	{"inf", POINT_NAN},
	{"+inf", POINT_NAN},
	{"-inf", POINT_NAN},
	{"infinity", POINT_NAN},
	{"null", POINT_GAP},
	{"none", POINT_GAP},
	{"na", POINT_GAP},
	{"n/a", POINT_GAP},
	{"-", POINT_GAP},
	{"<not counted>", POINT_NOT_COUNTED},
	{"<not supported>", POINT_NOT_SUPPORTED},
};

bool counters_parse_value(const char *at, size_t size, struct point *ret)
{
	ret->state = POINT_OK;
	if (decimal_parse(at, size, &ret->value))
		return true;
	while (size && (at[0] == ' ' || at[0] == '\t')) {
		at++;
		size--;
	}
	while (size && (at[size - 1] == ' ' || at[size - 1] == '\t' || at[size - 1] == '\r'))
		size--;
	if (!size) {
		ret->state = POINT_GAP;
		return true;
	}
	for (size_t i = 0; i < ARRAY_NR(words); i++)
		if (strlen(words[i].word) == size && strncasecmp(words[i].word, at, size) == 0) {
			ret->state = words[i].state;
			return true;
		}
	return decimal_parse(at, size, &ret->value);
}
