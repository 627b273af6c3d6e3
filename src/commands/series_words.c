/* series_words.c - what is said of counters when they are imported */
#include "commands/series_words.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "importers/csv.h"
#include "importers/importer.h"
#include "model/capture.h"

/* Series that are listed one by one; a server's thousands are not. */
#define TOLD_MAX 40u

/* "--map depth=queue.depth,items,gauge", which can be typed with something else in it. */
static void add_guess(struct text *text, const struct series *series, const struct names *names)
{
	text_addf(text, "--map '%s=%s,%s,%s'", names_display(names, series->name),
		  series_role_word(series->role),
		  series->unit == NAME_NONE ? "" : names_display(names, series->unit),
		  series_kind_word(series->kind));
}

/* Of the same name as one before: a column that labels divide, or one with labels. */
static bool is_told(const struct capture *capture, uint32_t series)
{
	for (uint32_t i = 0; i < series && i < TOLD_MAX; i++)
		if (capture->series.list[i].name == capture->series.list[series].name)
			return true;
	return false;
}

static void tell_guess(const char *name, const struct capture *capture, const struct series *series)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (series->role_source == ROLE_SOURCE_NAME) {
		add_guess(&text, series, &capture->names);
		fprintf(stderr, "%s: guessed: %s\n", name, text_string(&text));
	} else if (series->role_source == ROLE_SOURCE_NONE) {
		fprintf(stderr, "%s: no role: %s, %s\n", name,
			names_display(&capture->names, series->name),
			series_kind_word(series->kind));
	}
}

void series_words_tell_guesses(const char *name, const struct capture *capture)
{
	uint32_t i = 0;

	/* other formats say what their series are, or there is nobody who could know better */
	if (strcmp(capture->format, importer_csv.name) != 0)
		return;
	for (; i < capture->series.nr && i < TOLD_MAX; i++)
		if (!is_told(capture, i))
			tell_guess(name, capture, &capture->series.list[i]);
	if (i < capture->series.nr)
		fprintf(stderr, "%s: and %u series more: tephra info --series lists them\n", name,
			capture->series.nr - i);
}

static void add_count(struct text *text, uint64_t count, const char *what)
{
	weight_add_grouped(text, weight_of(count));
	text_addf(text, " %s", what);
}

void series_words_add_facts(const struct capture *capture, struct text *text)
{
	uint64_t points = 0, missing = 0;

	for (uint32_t i = 0; i < capture->series.nr; i++) {
		points += capture->series.list[i].points;
		missing += capture->series.list[i].missing;
	}
	add_count(text, capture->series.nr, "series, ");
	add_count(text, points, points == 1 ? "point" : "points");
	if (missing) {
		text_add(text, ", ");
		add_count(text, missing, "missing");
	}
	if (!capture->has_times)
		return;
	text_add(text, " in ");
	units_add_time(text, weight_of(capture->end_ns - capture->start_ns));
	text_addf(text, "; clock: %s", source_clock_word(capture->clock));
}
