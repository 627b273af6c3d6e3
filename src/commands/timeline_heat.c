/* timeline_heat.c - samples counted in cells of time: columns of a second, and parts of it */
#include "commands/timeline_heat.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/text.h"
#include "commands/gather.h"
#include "commands/rows.h"

/* More columns cannot be told apart. */
#define COLUMNS_MAX 600
#define SECOND_NS   UINT64_C(1000000000)

void timeline_heat_range(const struct gathered_capture *capture, uint64_t *ret_from_ns,
			 uint64_t *ret_to_ns)
{
	const struct utilisation *samples = &capture->samples;
	uint64_t offset_ns = (uint64_t)samples->offset_ns;

	*ret_from_ns = samples->cells[0].slot * UTILISATION_SLOT_NS + offset_ns;
	*ret_to_ns = (samples->cells[samples->nr - 1].slot + 1) * UTILISATION_SLOT_NS + offset_ns;
}

/* ---- how wide a cell is */

static uint64_t column_of(uint64_t length_ns)
{
	static const uint64_t steps[] = {1, 2, 5};

	for (uint64_t power = SECOND_NS; power < UINT64_MAX / 100; power *= 10)
		for (size_t i = 0; i < ARRAY_NR(steps); i++)
			if (length_ns / (power * steps[i]) < COLUMNS_MAX)
				return power * steps[i];
	return UINT64_MAX / 100;
}

/* So many that a CPU that is busy has a sample in each of them. */
static size_t rows_of(uint64_t column_ns, double sample_ns)
{
	static const size_t choices[] = {50, 20, 10};
	size_t i = 0;

	while (i + 1 < ARRAY_NR(choices) && (double)(column_ns / choices[i]) < sample_ns)
		i++;
	return choices[i];
}

/* ---- counting */

/* All times are on the samples' own clock here. */
static void count(struct timeline_cells *cells, const struct utilisation *samples, uint64_t from_ns,
		  uint64_t to_ns, uint64_t begin_ns)
{
	size_t nr = cells->heat.columns * cells->heat.rows;
	size_t at = utilisation_find(samples, from_ns / UTILISATION_SLOT_NS);

	for (; at < samples->nr; at++) {
		uint64_t time_ns = samples->cells[at].slot * UTILISATION_SLOT_NS;
		size_t cell = (size_t)((time_ns - begin_ns) / cells->row_ns);

		if (time_ns >= to_ns || cell >= nr)
			break;
		cells->samples[cell] += samples->cells[at].count;
	}
	for (size_t i = 0; i < nr; i++) {
		uint64_t time_ns = begin_ns + i * cells->row_ns;

		if (time_ns >= to_ns)
			cells->samples[i] = TIMELINE_NO_CELL;
		else if (utilisation_is_lost(samples, time_ns, time_ns + cells->row_ns))
			cells->samples[i] = TIMELINE_UNKNOWN;
		else if (cells->samples[i] > cells->heat.most)
			cells->heat.most = cells->samples[i];
	}
}

/* ---- words */

static char *range_words(uint32_t most, uint32_t from_level, uint32_t to_level)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	uint32_t steps = TIMELINE_HEAT_LEVELS - 1;
	uint32_t low = from_level ? (uint32_t)((uint64_t)most * (from_level - 1) / steps) + 1 : 0;
	uint32_t high = (uint32_t)((uint64_t)most * to_level / steps);

	if (low >= high)
		text_addf(&text, "%" PRIu32 " samples", high);
	else
		text_addf(&text, "%" PRIu32 " to %" PRIu32 " samples", low, high);
	return text_take(&text);
}

static char *title_words(const struct timeline_cells *cells)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	text_addf(&text, "Samples in each %" PRIu64 " ms; down a column: %" PRIu64 " s",
		  cells->row_ns / UTILISATION_SLOT_NS, cells->column_ns / SECOND_NS);
	return text_take(&text);
}

static void settle(struct timeline_cells *cells)
{
	cells->words[0] = title_words(cells);
	cells->words[1] = range_words(cells->heat.most, 0, TIMELINE_HEAT_LEVELS / 2 - 1);
	cells->words[2] =
		range_words(cells->heat.most, TIMELINE_HEAT_LEVELS / 2, TIMELINE_HEAT_LEVELS - 1);
	cells->heat.title = cells->words[0];
	cells->heat.few = cells->words[1];
	cells->heat.many = cells->words[2];
	cells->heat.lost = "samples were lost or throttled";
	cells->heat.samples = cells->samples;
	cells->heat.column_s = (double)cells->column_ns / 1e9;
}

void timeline_cells_make(struct timeline_cells *cells, const struct gathered_capture *capture,
			 uint64_t from_ns, uint64_t to_ns)
{
	const struct utilisation *samples = &capture->samples;
	uint64_t offset_ns = (uint64_t)samples->offset_ns, begin_ns;

	*cells = (struct timeline_cells){.column_ns = column_of(to_ns - from_ns)};
	cells->heat.rows = rows_of(cells->column_ns, samples->sample_ns);
	cells->row_ns = cells->column_ns / cells->heat.rows;
	from_ns -= offset_ns;
	to_ns -= offset_ns;
	begin_ns = from_ns / cells->row_ns * cells->row_ns;
	cells->heat.columns =
		(size_t)((to_ns - begin_ns + cells->column_ns - 1) / cells->column_ns);
	cells->samples =
		mem_zalloc(cells->heat.columns * cells->heat.rows + 1, sizeof(*cells->samples));
	cells->from_ns = begin_ns + offset_ns;
	count(cells, samples, from_ns, to_ns, begin_ns);
	settle(cells);
}

void timeline_cells_release(struct timeline_cells *cells)
{
	free(cells->samples);
	for (size_t i = 0; i < ARRAY_NR(cells->words); i++)
		free(cells->words[i]);
	*cells = (struct timeline_cells){.row_ns = 0};
}

/* ---- rows */

static void add_row(const struct timeline_cells *cells, size_t i, int format, struct rows *rows)
{
	CLEANUP(text_release) struct text time = TEXT_INIT, offset = TEXT_INIT, samples = TEXT_INIT;
	uint64_t from_ns = cells->from_ns + i * cells->row_ns;
	size_t column = i / cells->heat.rows, row = i % cells->heat.rows;
	bool is_lost = cells->samples[i] == TIMELINE_UNKNOWN;

	text_addf(&time, format == ROWS_TABLE ? "%+.0f" : "%.0f",
		  (double)column * cells->heat.column_s);
	text_addf(&offset, "%" PRIu64, row * cells->row_ns / UTILISATION_SLOT_NS);
	if (!is_lost)
		text_addf(&samples, "%" PRIu32, cells->samples[i]);
	else if (format == ROWS_TABLE)
		text_add(&samples, "-");
	rows_add_weight(rows, weight_of(from_ns));
	rows_add_weight(rows, weight_of(from_ns + cells->row_ns));
	rows_add(rows, text_string(&time));
	rows_add(rows, text_string(&offset));
	rows_add(rows, text_string(&samples));
	rows_add(rows, is_lost ? "lost" : "");
}

void timeline_cells_write(const struct timeline_cells *cells, int format, FILE *out)
{
	static const struct rows_column columns[] = {
		{.key = "from_ns", .is_number = true, .is_for_programs = true},
		{.key = "to_ns", .is_number = true, .is_for_programs = true},
		{.key = "second", .head = "second", .is_number = true},
		{.key = "offset_ms", .head = "offset ms", .is_number = true},
		{.key = "samples", .head = "samples", .is_number = true},
		{.key = "state", .head = ""},
	};
	CLEANUP(rows_release) struct rows rows;

	rows_init(&rows, columns, ARRAY_NR(columns));
	for (size_t i = 0; i < cells->heat.columns * cells->heat.rows; i++)
		if (cells->samples[i] != TIMELINE_NO_CELL)
			add_row(cells, i, format, &rows);
	rows_write(&rows, NULL, format, out);
}
