/* vmstat.c - what vmstat -t prints */
#include "importers/vmstat.h"

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
 * procs -----------memory---------- ... -----timestamp-----
 *  r  b   swpd   free ...  id wa st                 UTC
 *  5  0      0 20188400 ... 25  0  0 2026-11-30 02:57:05
 * The names stand there again now and then; the first row is the mean since the machine was
 * started.
 */
struct vmstat {
	struct counters counters;
	uint32_t series[LINE_WORDS_MAX]; /* of each column but the time's */
	size_t nr;
	bool has_boot_row, has_time;
	uint64_t last_ns;
};

static bool is_head(const struct line_words *words)
{
	return words->nr > 4 && line_words_is(&words->list[0], "r") &&
	       line_words_is(&words->list[1], "b");
}

/* The last name is that of the zone. */
static struct error *take_head(struct vmstat *vmstat, const struct line_words *words)
{
	struct capture *capture = vmstat->counters.capture;
	struct error *err = NULL;

	if (line_words_is(&words->list[words->nr - 1], "st") ||
	    line_words_is(&words->list[words->nr - 1], "gu"))
		return error_hint(error_new(ERROR_INPUT, "%s: line %d: the rows have no time",
					    vmstat->counters.reader->name,
					    (int)vmstat->counters.line_nr),
				  "vmstat -t 1 prints it");
	capture->clock = line_words_is(&words->list[words->nr - 1], "UTC") ? SOURCE_CLOCK_REALTIME
									   : SOURCE_CLOCK_LOCAL;
	vmstat->nr = words->nr - 1;
	for (size_t i = 0; !err && i < vmstat->nr; i++) {
		struct series series = {
			.name = names_add(&capture->names, words->list[i].at, words->list[i].size)};

		sysstat_names_describe(&capture->names, &series, true);
		err = counters_find(&vmstat->counters, &series, &vmstat->series[i]);
	}
	return err;
}

static bool take_time(const struct vmstat *vmstat, const struct line_words *words, uint64_t *ret_ns)
{
	const struct csv_field *date = &words->list[vmstat->nr], *time = date + 1;
	bool has_zone;

	return counter_time_parse(date->at, (size_t)(time->at + time->size - date->at), ret_ns,
				  &has_zone);
}

static struct error *say_value(struct vmstat *vmstat, size_t column, const struct csv_field *word,
			       uint64_t end_ns)
{
	uint32_t series = vmstat->series[column];
	struct point point = {.begin_ns = end_ns, .end_ns = end_ns};

	if (!counters_parse_value(word->at, word->size, &point))
		return counters_refuse(&vmstat->counters, NOTE_COUNTER_VALUE,
				       "column %zu is '%.*s', expected a number", column + 1,
				       (int)word->size, word->at);
	if (vmstat->counters.capture->series.list[series].kind != SERIES_GAUGE)
		point.begin_ns = vmstat->last_ns;
	return counters_say(&vmstat->counters, series, &point);
}

static struct error *take_row(struct vmstat *vmstat, const struct line_words *words)
{
	struct error *err = NULL;
	uint64_t end_ns;
	bool is_good;

	if (!vmstat->nr || words->nr != vmstat->nr + 2)
		return counters_refuse(&vmstat->counters, NOTE_COUNTER_FIELDS,
				       "%zu words, the header has %zu and a date and a time",
				       words->nr, vmstat->nr);
	if (!take_time(vmstat, words, &end_ns))
		return counters_refuse(&vmstat->counters, NOTE_COUNTER_VALUE,
				       "the last two words are no date and time");
	if (!vmstat->has_boot_row) {
		notes_add(&vmstat->counters.capture->notes, NOTE_COUNTER_BOOT, 1,
			  vmstat->counters.line_nr, 0);
		vmstat->has_boot_row = true;
		vmstat->last_ns = end_ns;
		return NULL;
	}
	err = counters_check_time(&vmstat->counters, vmstat->series[0], end_ns, &is_good);
	if (err || !is_good)
		return err;
	for (size_t i = 0; !err && i < vmstat->nr; i++)
		err = say_value(vmstat, i, &words->list[i], end_ns);
	vmstat->last_ns = end_ns;
	return err;
}

static struct error *read_lines(struct vmstat *vmstat)
{
	for (;;) {
		struct line_words words;
		struct error *err;
		char *at;
		size_t size;

		err = reader_line(vmstat->counters.reader, &at, &size);
		if (err || !at)
			return err;
		vmstat->counters.line_nr++;
		line_words_split(at, size, &words);
		if (!words.nr || line_words_is(&words.list[0], "procs"))
			continue;
		err = is_head(&words) ? take_head(vmstat, &words) : take_row(vmstat, &words);
		if (err)
			return err;
	}
}

static struct error *read_vmstat(struct reader *reader, struct capture *capture, struct sink *sink)
{
	struct vmstat vmstat = {0};
	struct error *err;

	counters_init(&vmstat.counters, reader, capture, sink);
	err = read_lines(&vmstat);
	if (!err && !(vmstat.counters.last_nr && vmstat.counters.last[0].has_time))
		err = error_new(ERROR_INPUT,
				"'%s' holds no row but the mean since the machine was started",
				reader->name);
	counters_release(&vmstat.counters);
	return err;
}

static bool sniff(const char *at, size_t size)
{
	static const char begin[] = "procs -";

	return size > strlen(begin) && memcmp(at, begin, strlen(begin)) == 0;
}

const struct importer importer_vmstat = {
	.name = "vmstat",
	.summary = "counters: what 'vmstat -t' prints",
	.is_counters = true,
	.default_by = TALLY_BY_NONE,
	.sniff = sniff,
	.read = read_vmstat,
};
