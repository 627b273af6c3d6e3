/* csv.c - counters as a table of text: a header, and a line for each moment */
#include "importers/csv.h"

#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/counter_time.h"
#include "importers/counters.h"
#include "importers/csv_columns.h"
#include "importers/csv_fields.h"
#include "importers/importer.h"
#include "model/capture.h"
#include "model/sink.h"

/* The series of one set of labels: one for each column of values, from first on. */
struct group {
	uint32_t *labels; /* owned: name ids, in the order of the label columns */
	uint32_t first;
};

struct csv {
	struct counters counters;
	char separator;
	struct csv_columns columns;
	struct csv_fields fields;
	uint32_t *labels; /* of the line that is read */
	size_t labels_nr, labels_alloc;
	struct group *groups; /* owned */
	size_t groups_nr, groups_alloc;
	struct map map; /* from labels to a group */
	uint64_t lines; /* with values */
};

static void csv_release(struct csv *csv)
{
	counters_release(&csv->counters);
	csv_columns_release(&csv->columns);
	csv_fields_release(&csv->fields);
	for (size_t i = 0; i < csv->groups_nr; i++)
		free(csv->groups[i].labels);
	free(csv->groups);
	free(csv->labels);
	map_release(&csv->map);
}

/* ---- lines */

static bool is_comment(const char *at, size_t size)
{
	size_t i = 0;

	while (i < size && (at[i] == ' ' || at[i] == '\t' || at[i] == '\r'))
		i++;
	return i == size || at[i] == '#';
}

/* The next line with something on it; *ret is NULL at the end. */
static struct error *next_line(struct csv *csv, char **ret, size_t *ret_size)
{
	static const char byte_order_mark[] = "\xef\xbb\xbf";
	struct error *err;

	do {
		err = reader_line(csv->counters.reader, ret, ret_size);
		if (err || !*ret)
			return err;
		if (++csv->counters.line_nr == 1 && *ret_size >= 3 &&
		    memcmp(*ret, byte_order_mark, 3) == 0) {
			*ret += 3;
			*ret_size -= 3;
		}
	} while (is_comment(*ret, *ret_size));
	return NULL;
}

/* ---- whose values they are */

struct wanted {
	const struct csv *csv;
	const uint32_t *labels;
};

static bool is_group(const void *key, uint32_t id)
{
	const struct wanted *wanted = key;

	return memcmp(wanted->csv->groups[id].labels, wanted->labels,
		      wanted->csv->labels_nr * sizeof(*wanted->labels)) == 0;
}

static void take_labels(struct csv *csv)
{
	csv->labels_nr = 0;
	for (size_t i = 0; i < csv->columns.nr; i++) {
		const struct csv_field *field = &csv->fields.list[i];

		if (csv->columns.list[i].use != CSV_LABEL)
			continue;
		GROW(csv->labels, csv->labels_nr + 1, csv->labels_alloc);
		csv->labels[csv->labels_nr++] =
			names_add(&csv->counters.capture->names, field->at, field->size);
	}
}

/* The labels of the header, and behind them those of the line. */
static struct error *add_column(struct csv *csv, const struct csv_column *column, uint32_t *ret)
{
	struct series series = column->series;
	struct series_label labels[SERIES_LABELS_MAX];
	size_t at = 0;

	if (series.labels_nr)
		memcpy(labels, series.labels, series.labels_nr * sizeof(*labels));
	for (size_t i = 0; i < csv->columns.nr && series.labels_nr < SERIES_LABELS_MAX; i++)
		if (csv->columns.list[i].use == CSV_LABEL)
			labels[series.labels_nr++] = (struct series_label){
				csv->columns.list[i].series.name, csv->labels[at++]};
	series.labels = labels;
	return counters_add(&csv->counters, &series, ret);
}

static struct error *add_group(struct csv *csv)
{
	struct group group = {
		.labels =
			(uint32_t *)mem_memdup(csv->labels, csv->labels_nr * sizeof(*csv->labels)),
		.first = csv->counters.capture->series.nr,
	};
	struct error *err = NULL;

	GROW(csv->groups, csv->groups_nr + 1, csv->groups_alloc);
	csv->groups[csv->groups_nr++] = group;
	for (size_t i = 0; !err && i < csv->columns.nr; i++) {
		const struct csv_column *column = &csv->columns.list[i];
		uint32_t id;

		if (column->use == CSV_VALUE || column->use == CSV_CLOCK)
			err = add_column(csv, column, &id);
	}
	return err;
}

/* The first series of the line's labels, which are added if they are new. */
static struct error *find_group(struct csv *csv, uint32_t *ret)
{
	struct wanted wanted = {csv, NULL};
	struct map_slot *slot;
	struct error *err;
	uint32_t hash;

	if (!csv->columns.has_labels && csv->groups_nr) {
		*ret = csv->groups[0].first;
		return NULL;
	}
	take_labels(csv);
	wanted.labels = csv->labels;
	map_grow(&csv->map);
	hash = map_hash(csv->labels, csv->labels_nr * sizeof(*csv->labels));
	slot = map_find(&csv->map, hash, is_group, &wanted);
	if (slot->id == MAP_NONE) {
		err = add_group(csv);
		if (err)
			return err;
		map_fill(&csv->map, slot, hash, (uint32_t)csv->groups_nr - 1);
	}
	*ret = csv->groups[slot->id].first;
	return NULL;
}

/* ---- values */

static const char *column_name(const struct csv *csv, const struct csv_column *column)
{
	return names_display(&csv->counters.capture->names, column->series.name);
}

/* "12,5" between semicolons: not a number here, and what to do about it. */
static bool has_decimal_comma(const struct csv_field *field)
{
	size_t commas = 0;

	for (size_t i = 0; i < field->size; i++) {
		if (field->at[i] == ',')
			commas++;
		else if (field->at[i] < '0' || field->at[i] > '9')
			return false;
	}
	return commas == 1;
}

static struct error *refuse_value(struct csv *csv, const struct csv_column *column,
				  const struct csv_field *field, const char *expected)
{
	struct error *err =
		counters_refuse(&csv->counters, NOTE_COUNTER_VALUE,
				"column '%s' is '%.*s', expected %s", column_name(csv, column),
				(int)(field->size < 64 ? field->size : 64), field->at, expected);

	if (err && has_decimal_comma(field))
		return error_hint(err, "decimals need a point: LC_ALL=C makes most programs write "
				       "one");
	return err;
}

/* A delta and a rate are of the time since the point before; of the first one nothing is known. */
static uint64_t begin_of(const struct csv *csv, uint32_t series, uint64_t time_ns)
{
	enum series_kind kind = csv->counters.capture->series.list[series].kind;
	const struct counters_last *last = &csv->counters.last[series];

	if (kind == SERIES_GAUGE || kind == SERIES_CUMULATIVE || !last->has_time)
		return time_ns;
	return last->end_ns;
}

static struct error *say_value(struct csv *csv, const struct csv_column *column,
			       const struct csv_field *field, uint32_t series, uint64_t time_ns)
{
	struct point point = {.begin_ns = begin_of(csv, series, time_ns), .end_ns = time_ns};
	struct error *err = NULL;
	uint64_t ns;

	if (column->use == CSV_CLOCK) {
		if (csv_columns_time(column, field, &ns) && ns <= INT64_MAX)
			point.value = decimal_of((int64_t)ns);
		else
			point.state = field->size ? POINT_NAN : POINT_GAP;
	} else if (!counters_parse_value(field->at, field->size, &point)) {
		point.state = POINT_NAN;
		err = refuse_value(csv, column, field, "a number");
	}
	return err ? err : counters_say(&csv->counters, series, &point);
}

static struct error *say_values(struct csv *csv, uint64_t time_ns)
{
	struct error *err;
	uint32_t series;
	bool is_good;

	err = find_group(csv, &series);
	if (err || series == csv->counters.capture->series.nr) /* no column has values */
		return err;
	err = counters_check_time(&csv->counters, series, time_ns, &is_good);
	if (err || !is_good)
		return err;
	csv->lines++;
	for (size_t i = 0; !err && i < csv->columns.nr; i++) {
		const struct csv_column *column = &csv->columns.list[i];

		if (column->use == CSV_VALUE || column->use == CSV_CLOCK)
			err = say_value(csv, column, &csv->fields.list[i], series++, time_ns);
	}
	return err;
}

static struct error *refuse_fields(struct csv *csv)
{
	bool is_last = csv->counters.reader->is_eof &&
		       csv->counters.reader->begin == csv->counters.reader->end;

	return counters_refuse(&csv->counters, NOTE_COUNTER_FIELDS,
			       "%zu field%s, the header has %zu columns%s", csv->fields.nr,
			       csv->fields.nr == 1 ? "" : "s", csv->columns.nr,
			       is_last && csv->fields.nr < csv->columns.nr
				       ? "; it is the last line: the file is cut"
				       : "");
}

/* A line whose fields are taken apart. */
static struct error *say_line(struct csv *csv)
{
	const struct csv_column *time = &csv->columns.list[csv->columns.time];
	const struct csv_field *field;
	uint64_t time_ns;

	if (csv->fields.nr != csv->columns.nr)
		return refuse_fields(csv);
	field = &csv->fields.list[csv->columns.time];
	if (!csv_columns_time(time, field, &time_ns))
		return refuse_value(csv, time, field, "a time");
	return say_values(csv, time_ns);
}

static struct error *say_lines(struct csv *csv)
{
	for (;;) {
		struct error *err;
		char *at;
		size_t size;

		err = next_line(csv, &at, &size);
		if (err || !at)
			return err;
		csv_fields_split(&csv->fields, at, size, csv->separator);
		err = say_line(csv);
		if (err)
			return err;
	}
}

/* ---- the beginning */

/* The header's fields, whose bytes are kept: the line is gone when the next one is read. */
static struct error *read_header(struct csv *csv, struct text *line, struct csv_fields *ret)
{
	struct reader *reader = csv->counters.reader;
	struct error *err;
	char *at;
	size_t size;

	err = next_line(csv, &at, &size);
	if (err)
		return err;
	if (!at)
		return error_new(ERROR_INPUT, "'%s' holds no line that is a header", reader->name);
	csv->separator = csv_fields_separator(at, size);
	if (!csv->separator)
		return error_new(ERROR_INPUT,
				 "%s: line %" PRIu64 ": expected a header of at least two columns, "
				 "with ',', ';' or tabs between them",
				 reader->name, csv->counters.line_nr);
	text_add_bytes(line, at, size);
	csv_fields_split(ret, line->bytes, line->size, csv->separator);
	if (ret->nr == CSV_FIELDS_MAX)
		return error_new(ERROR_LIMIT, "%s: line %" PRIu64 ": more than %zu columns",
				 reader->name, csv->counters.line_nr, CSV_FIELDS_MAX - 1);
	return NULL;
}

static struct error *read_columns(struct csv *csv)
{
	CLEANUP(text_release) struct text line = TEXT_INIT;
	CLEANUP(csv_fields_release) struct csv_fields header = {0};
	uint64_t header_nr, first_nr;
	struct error *err = read_header(csv, &line, &header);
	char *at;
	size_t size;

	if (err)
		return err;
	header_nr = csv->counters.line_nr;
	err = next_line(csv, &at, &size);
	if (err)
		return err;
	if (at)
		csv_fields_split(&csv->fields, at, size, csv->separator);
	else
		csv->fields.nr = 0;
	first_nr = csv->counters.line_nr;
	csv->counters.line_nr = header_nr; /* what is said of columns is said there */
	err = csv_columns_read(&csv->counters, &header, &csv->fields, &csv->columns);
	csv->counters.line_nr = first_nr;
	if (!err && at)
		err = say_line(csv);
	return err;
}

static struct error *read_csv(struct reader *reader, struct capture *capture, struct sink *sink)
{
	struct csv csv = {0};
	struct error *err;

	counters_init(&csv.counters, reader, capture, sink);
	err = read_columns(&csv);
	if (!err)
		err = say_lines(&csv);
	if (!err && !csv.lines)
		err = error_new(ERROR_INPUT, "'%s' holds a header and no line of values",
				reader->name);
	if (!err)
		counters_finish(&csv.counters);
	csv_release(&csv);
	return err;
}

/* ---- sniffing */

static const char *line_end(const char *at, const char *end)
{
	const char *feed = memchr(at, '\n', (size_t)(end - at));

	return feed ? feed : end;
}

/* The next line with something on it; false at the end. */
static bool sniff_line(const char **at, const char *end, size_t *ret_size)
{
	while (*at < end && is_comment(*at, (size_t)(line_end(*at, end) - *at)))
		*at = line_end(*at, end) + (line_end(*at, end) < end);
	*ret_size = (size_t)(line_end(*at, end) - *at);
	return *at < end;
}

static bool is_number(const struct csv_field *field)
{
	struct decimal number;
	uint64_t ns;
	bool has_zone;

	return decimal_parse(field->at, field->size, &number) ||
	       counter_time_parse(field->at, field->size, &ns, &has_zone);
}

/* "read 12": the end of a folded stack, whatever its frames are called. */
static bool ends_in_number(const struct csv_field *field)
{
	size_t begin = field->size;
	struct decimal number;

	while (begin && field->at[begin - 1] != ' ')
		begin--;
	return begin && decimal_parse(field->at + begin, field->size - begin, &number);
}

/* Names, of which one is a time; a header that is a number is none. */
static bool is_header(const struct csv_fields *fields, bool *ret_has_time)
{
	struct counter_time time;

	*ret_has_time = false;
	for (size_t i = 0; i < fields->nr; i++) {
		if (!fields->list[i].size || is_number(&fields->list[i]) ||
		    ends_in_number(&fields->list[i]))
			return false;
		*ret_has_time |=
			counter_names_time(fields->list[i].at, fields->list[i].size, &time);
	}
	return fields->nr > 1;
}

/*
 * A header with a time among its columns, or one whose next line has as many fields, each a
 * number or nothing. (A folded stack ends in a blank and a number, which is no field.)
 */
static bool looks_like_csv(char *copy, size_t size)
{
	CLEANUP(csv_fields_release) struct csv_fields header = {0}, first = {0};
	const char *at = copy, *end = copy + size;
	size_t header_size, first_size;
	bool has_time;
	char separator;

	if (!sniff_line(&at, end, &header_size))
		return false;
	separator = csv_fields_separator(at, header_size);
	if (!separator)
		return false;
	csv_fields_split(&header, copy + (at - copy), header_size, separator);
	if (!is_header(&header, &has_time))
		return false;
	if (has_time)
		return true;
	at += header_size;
	if (!sniff_line(&at, end, &first_size))
		return false;
	csv_fields_split(&first, copy + (at - copy), first_size, separator);
	for (size_t i = 0; i < first.nr; i++)
		if (first.list[i].size && !is_number(&first.list[i]))
			return false;
	return first.nr == header.nr;
}

static bool sniff_csv(const char *at, size_t size)
{
	CLEANUP(text_release) struct text copy = TEXT_INIT;

	if (size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) {
		at += 3;
		size -= 3;
	}
	if (!size || memchr(at, '\0', size))
		return false;
	text_add_bytes(&copy, at, size);
	return looks_like_csv(copy.bytes, copy.size);
}

const struct importer importer_csv = {
	.name = "csv",
	.summary = "counters: a header line and a line of values for each moment",
	.is_counters = true,
	.default_by = TALLY_BY_NONE,
	.sniff = sniff_csv,
	.read = read_csv,
};
