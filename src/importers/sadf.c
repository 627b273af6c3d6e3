/* sadf.c - what sar recorded, as sadf -d writes it */
#include "importers/sadf.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/counter_time.h"
#include "importers/counters.h"
#include "importers/csv_fields.h"
#include "importers/importer.h"
#include "importers/sysstat_names.h"
#include "model/capture.h"

/*
 * "# hostname;interval;timestamp;CPU;%user;..." and rows of it, again whenever the activity
 * changes. A value is of the interval seconds before the timestamp.
 */
enum {
	FIELD_HOST,
	FIELD_INTERVAL,
	FIELD_TIME,
	FIELD_FIRST
};

static const char head[] = "# hostname;interval;timestamp";

struct sadf {
	struct counters counters;
	struct text head; /* the bytes of the header that is valid */
	struct csv_fields columns, fields;
	bool has_item; /* the first column says whose: CPU, DEV, IFACE */
	bool has_clock;
};

/* ---- the header */

/* A name in capitals is no value: "CPU", "DEV", "INTR". */
static bool is_item(const struct csv_field *column)
{
	for (size_t i = 0; i < column->size; i++)
		if (column->at[i] < 'A' || column->at[i] > 'Z')
			return false;
	return column->size > 1;
}

static struct error *take_head(struct sadf *sadf, const char *at, size_t size)
{
	static const char all[] = "[...]"; /* of -h: what follows is told apart by nothing */

	if (size > strlen(all) && memcmp(at + size - strlen(all), all, strlen(all)) == 0)
		size -= strlen(all);
	text_clear(&sadf->head);
	text_add_bytes(&sadf->head, at, size);
	csv_fields_split(&sadf->columns, sadf->head.bytes, sadf->head.size, ';');
	sadf->has_item =
		sadf->columns.nr > FIELD_FIRST && is_item(&sadf->columns.list[FIELD_FIRST]);
	return NULL;
}

/* ---- rows */

static bool take_time(struct sadf *sadf, const struct csv_field *field, uint64_t *ret_ns)
{
	enum source_clock clock = SOURCE_CLOCK_REALTIME;
	struct decimal seconds;
	bool has_zone;
	int64_t ns;

	if (counter_time_parse(field->at, field->size, ret_ns, &has_zone)) {
		clock = has_zone ? SOURCE_CLOCK_REALTIME : SOURCE_CLOCK_LOCAL;
	} else {
		if (!decimal_parse(field->at, field->size, &seconds) ||
		    !decimal_shifted(seconds, 9, &ns) || ns < 0)
			return false;
		*ret_ns = (uint64_t)ns;
	}
	if (!sadf->has_clock)
		sadf->counters.capture->clock = clock;
	sadf->has_clock = true;
	return sadf->counters.capture->clock == clock;
}

static struct error *find_series(struct sadf *sadf, size_t column, uint32_t *ret)
{
	struct names *names = &sadf->counters.capture->names;
	const struct csv_field *name = &sadf->columns.list[column];
	struct series_label label;
	struct series series = {.labels = &label, .name = names_add(names, name->at, name->size)};
	bool is_all = true;

	if (sadf->has_item) {
		const struct csv_field *key = &sadf->columns.list[FIELD_FIRST];
		const struct csv_field *item = &sadf->fields.list[FIELD_FIRST];
		char small[16] = "";

		for (size_t i = 0; i < key->size && i + 1 < sizeof(small); i++)
			small[i] = (char)(key->at[i] + 'a' - 'A');
		is_all = item->size == 2 && memcmp(item->at, "-1", 2) == 0;
		label.key = names_add_string(names, small);
		label.value = is_all ? names_add_string(names, "all")
				     : names_add(names, item->at, item->size);
		series.labels_nr = 1;
	}
	sysstat_names_describe(names, &series, is_all);
	return counters_find(&sadf->counters, &series, ret);
}

static struct error *say_value(struct sadf *sadf, size_t column, uint64_t begin_ns, uint64_t end_ns)
{
	const struct csv_field *field = &sadf->fields.list[column];
	struct point point = {.begin_ns = end_ns, .end_ns = end_ns};
	struct error *err;
	uint32_t series;
	bool is_good;

	if (!counters_parse_value(field->at, field->size, &point))
		return counters_refuse(&sadf->counters, NOTE_COUNTER_VALUE,
				       "column '%.*s' is '%.*s', expected a number",
				       (int)sadf->columns.list[column].size,
				       sadf->columns.list[column].at, (int)field->size, field->at);
	err = find_series(sadf, column, &series);
	if (!err && sadf->counters.capture->series.list[series].kind != SERIES_GAUGE)
		point.begin_ns = begin_ns;
	if (!err)
		err = counters_check_time(&sadf->counters, series, end_ns, &is_good);
	return err || !is_good ? err : counters_say(&sadf->counters, series, &point);
}

/* "host;-1;time;LINUX-RESTART (2 CPU)", "host;-1;time;COM words" */
static bool take_event(struct sadf *sadf)
{
	const struct csv_field *what = &sadf->fields.list[FIELD_FIRST];
	bool is_restart = what->size >= 13 && memcmp(what->at, "LINUX-RESTART", 13) == 0;

	if (is_restart)
		notes_add(&sadf->counters.capture->notes, NOTE_COUNTER_RESTART, 1,
			  sadf->counters.line_nr, 0);
	return is_restart || (what->size >= 3 && memcmp(what->at, "COM", 3) == 0);
}

static struct error *take_row(struct sadf *sadf, char *at, size_t size)
{
	struct counters *counters = &sadf->counters;
	struct decimal interval;
	struct error *err = NULL;
	uint64_t end_ns;
	int64_t span;

	csv_fields_split(&sadf->fields, at, size, ';');
	if (sadf->fields.nr == FIELD_FIRST + 1 && take_event(sadf))
		return NULL;
	/* a header may be cut, too */
	if (sadf->fields.nr != sadf->columns.nr || sadf->fields.nr <= FIELD_FIRST)
		return counters_refuse(counters, NOTE_COUNTER_FIELDS,
				       "%zu fields, the header has %zu columns; several items on "
				       "a line (-h) are not told apart",
				       sadf->fields.nr, sadf->columns.nr);
	if (!take_time(sadf, &sadf->fields.list[FIELD_TIME], &end_ns))
		return counters_refuse(
			counters, NOTE_COUNTER_VALUE, "'%.*s' is no time as those before",
			(int)sadf->fields.list[FIELD_TIME].size, sadf->fields.list[FIELD_TIME].at);
	if (!decimal_parse(sadf->fields.list[FIELD_INTERVAL].at,
			   sadf->fields.list[FIELD_INTERVAL].size, &interval) ||
	    !decimal_shifted(interval, 9, &span) || span < 0 || (uint64_t)span > end_ns)
		return counters_refuse(counters, NOTE_COUNTER_VALUE, "the interval is no number");
	for (size_t i = FIELD_FIRST + sadf->has_item; !err && i < sadf->columns.nr; i++)
		err = say_value(sadf, i, end_ns - (uint64_t)span, end_ns);
	return err;
}

static struct error *read_lines(struct sadf *sadf)
{
	for (;;) {
		struct error *err;
		char *at;
		size_t size;

		err = reader_line(sadf->counters.reader, &at, &size);
		if (err || !at)
			return err;
		sadf->counters.line_nr++;
		while (size && (at[size - 1] == '\r' || at[size - 1] == ' '))
			size--;
		if (!size)
			continue;
		err = *at == '#' ? take_head(sadf, at, size) : take_row(sadf, at, size);
		if (err)
			return err;
	}
}

static struct error *read_sadf(struct reader *reader, struct capture *capture, struct sink *sink)
{
	struct sadf sadf = {0};
	struct error *err;

	counters_init(&sadf.counters, reader, capture, sink);
	err = read_lines(&sadf);
	if (!err && !capture->series.nr)
		err = error_new(ERROR_INPUT, "'%s' holds a header and no line of values",
				reader->name);
	counters_release(&sadf.counters);
	csv_fields_release(&sadf.columns);
	csv_fields_release(&sadf.fields);
	text_release(&sadf.head);
	return err;
}

static bool sniff(const char *at, size_t size)
{
	return size > strlen(head) && memcmp(at, head, strlen(head)) == 0;
}

const struct importer importer_sadf = {
	.name = "sadf",
	.summary = "counters: what sar recorded, as 'sadf -d' writes it",
	.is_counters = true,
	.default_by = TALLY_BY_NONE,
	.sniff = sniff,
	.read = read_sadf,
};
