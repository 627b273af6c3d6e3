/* phases.c - stretches of time that somebody wrote down: begin, end, label */
#include "importers/phases.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"
#include "importers/csv_fields.h"

enum column {
	COLUMN_BEGIN,
	COLUMN_END,
	COLUMN_LABEL,
	COLUMN_NR,
};

static const char *const column_names[COLUMN_NR] = {"begin_ns", "end_ns", "label"};

struct phases_reading {
	struct reader *reader;
	struct csv_fields fields;
	size_t at[COLUMN_NR];
	uint64_t line_nr;
};

void phases_release(struct phases *phases)
{
	for (size_t i = 0; i < phases->nr; i++)
		free(phases->list[i].label);
	free(phases->list);
	*phases = (struct phases){0};
}

static struct error *read_header(struct phases_reading *reading)
{
	for (size_t i = 0; i < COLUMN_NR; i++) {
		reading->at[i] = SIZE_MAX;
		for (size_t k = 0; k < reading->fields.nr; k++) {
			const struct csv_field *field = &reading->fields.list[k];

			if (field->size == strlen(column_names[i]) &&
			    memcmp(field->at, column_names[i], field->size) == 0)
				reading->at[i] = k;
		}
		if (reading->at[i] == SIZE_MAX)
			return error_new(ERROR_INPUT,
					 "%s: line %" PRIu64 ": expected a column '%s' (the header "
					 "is begin_ns,end_ns,label)",
					 reading->reader->name, reading->line_nr, column_names[i]);
	}
	return NULL;
}

/* Labels are for people: control characters and broken bytes are not shown. */
static char *clean(const struct csv_field *field)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	utf8_add_clean(&text, field->at, field->size);
	return mem_strdup(text_string(&text));
}

static struct error *read_phase(struct phases_reading *reading, struct phases *phases)
{
	const struct csv_field *list = reading->fields.list;
	struct phase phase;

	for (size_t i = 0; i < COLUMN_NR; i++)
		if (reading->at[i] >= reading->fields.nr)
			return error_new(ERROR_INPUT, "%s: line %" PRIu64 ": no '%s' in it",
					 reading->reader->name, reading->line_nr, column_names[i]);
	if (!units_parse_u64(list[reading->at[COLUMN_BEGIN]].at,
			     list[reading->at[COLUMN_BEGIN]].size, &phase.begin_ns) ||
	    !units_parse_u64(list[reading->at[COLUMN_END]].at, list[reading->at[COLUMN_END]].size,
			     &phase.end_ns) ||
	    phase.end_ns < phase.begin_ns)
		return error_new(ERROR_INPUT,
				 "%s: line %" PRIu64 ": expected two whole numbers of nanoseconds, "
				 "the end not before the begin",
				 reading->reader->name, reading->line_nr);
	if (phases->nr == PHASES_MAX)
		return error_new(ERROR_LIMIT, "%s: line %" PRIu64 ": more than %d phases",
				 reading->reader->name, reading->line_nr, PHASES_MAX);
	phase.label = clean(&list[reading->at[COLUMN_LABEL]]);
	GROW(phases->list, phases->nr + 1, phases->alloc);
	phases->list[phases->nr++] = phase;
	return NULL;
}

static struct error *read_lines(struct phases_reading *reading, struct phases *ret)
{
	bool has_header = false;
	struct error *err;
	char *at;
	size_t size;

	for (;;) {
		err = reader_line(reading->reader, &at, &size);
		if (err)
			return err;
		if (!at)
			break;
		reading->line_nr++;
		if (size && at[size - 1] == '\r')
			size--;
		if (!size || at[0] == '#')
			continue;
		csv_fields_split(&reading->fields, at, size, ',');
		err = has_header ? read_phase(reading, ret) : read_header(reading);
		has_header = true;
		if (err)
			return err;
	}
	if (!has_header)
		return error_new(ERROR_INPUT,
				 "'%s' is empty, expected the header "
				 "begin_ns,end_ns,label",
				 reading->reader->name);
	return NULL;
}

struct error *phases_read(const char *path, struct phases *ret)
{
	struct phases_reading reading = {0};
	struct phases phases = {0};
	struct error *err = reader_open(path, &reading.reader);

	if (err)
		return err;
	err = read_lines(&reading, &phases);
	csv_fields_release(&reading.fields);
	reader_close(reading.reader);
	if (err)
		phases_release(&phases);
	else
		*ret = phases;
	return err;
}
