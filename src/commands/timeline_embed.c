/* timeline_embed.c - the call tree of a timeline's samples, and when they came, for its script */
#include "commands/timeline_embed.h"

#include "base/mem.h"
#include "commands/fetch_script.h"
#include "commands/gather.h"
#include "commands/timeline_groups.h"

/* More bins cannot be told apart in a picture; fewer say little of when. */
#define BINS_MAX 1200
#define BINS_MIN 24

/* The cells of a time, each with its entry of the tally. */
struct cells {
	const struct utilisation_cell *list;
	uint32_t *entries; /* owned */
	size_t nr;
};

/* ---- tally, paths and paints of the cells */

static struct cells cells_within(const struct gathered_capture *capture, uint64_t from_ns,
				 uint64_t to_ns)
{
	const struct utilisation *samples = &capture->samples;
	uint64_t offset_ns = (uint64_t)samples->offset_ns, times_ns[2] = {from_ns, to_ns};
	size_t at[2];

	for (int i = 0; i < 2; i++)
		at[i] = utilisation_find(samples, (times_ns[i] - offset_ns + UTILISATION_SLOT_NS -
						   1) / UTILISATION_SLOT_NS);
	return (struct cells){.list = samples->cells + at[0], .nr = at[1] - at[0]};
}

static void tally_cells(struct profile *profile, struct cells *cells)
{
	struct tally_options options = {.by = profile->tally.options.by};

	tally_init(&profile->tally, &profile->capture, &options);
	cells->entries = mem_alloc((cells->nr + 1) * sizeof(*cells->entries));
	for (size_t i = 0; i < cells->nr; i++) {
		const struct utilisation_cell *cell = &cells->list[i];
		struct sample sample = {
			.task = cell->task,
			.event = profile->event,
			.callers = cell->callers,
			.leaf = cell->leaf,
			.cpu = cell->cpu,
			.count = weight_of(cell->count),
			.period = weight_of(cell->period),
		};

		/* the tally refuses nothing */
		error_free(sink_sample(&profile->tally.sink, &sample));
		cells->entries[i] = profile->tally.last;
	}
}

static void make_profile(struct gathered_capture *capture, struct cells *cells)
{
	struct profile *profile = &capture->profile;
	struct path_filter filter = {.keeps_entries = true};

	profile->event = capture->samples.event;
	profile->counts_samples = !profile->capture.events.list[profile->event].has_periods;
	tally_cells(profile, cells);
	paths_build(&profile->paths, &profile->tally, &profile->naming, profile->event, &filter);
}

static bool paint(struct timeline_embed *embed, const struct profile *profile)
{
	flame_paints_init(&embed->paints, profile, FLAME_PAINT_BY_AUTO);
	for (uint32_t i = 0; i < profile->paths.nr; i++)
		for (uint32_t depth = paths_depth(&profile->paths, i); depth-- > 0;)
			flame_paints_see(&embed->paints, paths_function(&profile->paths, i, depth));
	return flame_paints_are_by_name(&embed->paints);
}

/* ---- bins */

/* What a cell adds to a row: beside each other they are read several times as fast as cells. */
struct part {
	uint64_t slot, period;
	uint32_t count;
};

/* Cells in the order of the rows that they end in, those of a row in the order of time. */
static struct part *sort_cells(const struct cells *cells, const struct paths *paths,
			       const uint32_t *of_path, const uint32_t *row_of_group,
			       uint32_t rows_nr, uint32_t **ret_end)
{
	uint32_t *rows = mem_alloc((cells->nr + 1) * sizeof(*rows));
	struct part *sorted = mem_alloc((cells->nr + 1) * sizeof(*sorted));
	uint32_t *end = mem_zalloc(rows_nr + (size_t)2, sizeof(*end));

	for (size_t i = 0; i < cells->nr; i++) {
		uint32_t path = paths->of_entry[cells->entries[i]];
		uint32_t group = path == PATH_NONE ? UINT32_MAX : of_path[path];

		rows[i] = group == UINT32_MAX ? rows_nr : row_of_group[group];
		end[rows[i] + 1]++;
	}
	for (uint32_t row = 0; row <= rows_nr; row++)
		end[row + 1] += end[row];
	for (size_t i = 0; i < cells->nr; i++) {
		const struct utilisation_cell *cell = &cells->list[i];

		sorted[end[rows[i]]++] = (struct part){cell->slot, cell->period, cell->count};
	}
	free(rows);
	*ret_end = end;
	return sorted;
}

/* Periods and counts are whole, as the step of both is: neither is kept in parts here. */
struct bins_writer {
	struct rows_text *text;
	weight step;
	uint64_t first, bin_slots; /* bins, and slots in one */
	bool counts_samples, has_samples;
};

/* What of a row is not written yet. Sums are cut to steps, so that all of them are the row's. */
struct row_bins {
	weight sum;		     /* so far */
	uint64_t steps, whole_steps; /* that were written; in the end */
	uint64_t samples, next_bin;  /* not written; behind the last that was */
};

static uint64_t steps_of(const struct bins_writer *writer, weight sum)
{
	return sum <= UINT64_MAX ? (uint64_t)sum / (uint64_t)writer->step
				 : (uint64_t)(sum / writer->step);
}

static uint64_t weight_in(const struct bins_writer *writer, const struct part *part)
{
	return writer->counts_samples ? part->count : part->period;
}

static void end_bin(const struct bins_writer *writer, struct row_bins *row, uint64_t bin)
{
	uint64_t steps = steps_of(writer, row->sum) - row->steps;

	if (!steps)
		return;
	rows_text_add(writer->text, bin - row->next_bin);
	if (row->whole_steps - row->steps > 1)
		rows_text_add(writer->text, steps);
	if (writer->has_samples)
		rows_text_add(writer->text, row->samples);
	row->steps += steps;
	row->samples = 0;
	row->next_bin = bin + 1;
}

static void put_row(const struct bins_writer *writer, const struct part *parts, size_t nr)
{
	struct row_bins row = {.sum = 0};

	for (size_t i = 0; i < nr; i++)
		row.sum += weight_in(writer, &parts[i]);
	row.whole_steps = steps_of(writer, row.sum);
	row.sum = 0;
	for (size_t i = 0; i < nr;) {
		uint64_t bin = parts[i].slot / writer->bin_slots;
		uint64_t end_slot = (bin + 1) * writer->bin_slots;

		for (; i < nr && parts[i].slot < end_slot; i++) {
			row.sum += weight_in(writer, &parts[i]);
			row.samples += parts[i].count;
		}
		end_bin(writer, &row, bin - writer->first);
	}
}

/* 1, 2, 5, 10 ...: the next one of such steps. */
static uint64_t wider(uint64_t bin_ns)
{
	uint64_t power = 1;

	while (bin_ns / power >= 10)
		power *= 10;
	return bin_ns / power >= 5 ? 10 * power : bin_ns / power >= 2 ? 5 * power : 2 * power;
}

/* ---- all of it */

struct making {
	struct timeline_embed *embed;
	const struct gathered_capture *capture;
	struct cells cells;
	struct part *sorted; /* owned: by row */
	uint32_t *end;	     /* owned: of each row in sorted */
	uint32_t rows_nr;
	uint64_t from_ns, to_ns; /* on the samples' clock */
	size_t size_max;
};

/* False: it is more than there is room for. */
static bool write_bins(struct making *making, uint64_t bin_ns)
{
	struct timeline_embed *embed = making->embed;
	struct bins_writer writer = {
		.text = &embed->bins,
		.step = embed->tree.base.step[0] / WEIGHT_ONE,
		.first = making->from_ns / bin_ns,
		.bin_slots = bin_ns / UTILISATION_SLOT_NS,
		.counts_samples = making->capture->profile.counts_samples,
		.has_samples = embed->tree.base.rows.has_samples,
	};
	uint32_t row = 0, begin = 0;

	embed->bins.size = 0;
	embed->flame.first_ns = writer.first * bin_ns;
	embed->flame.bin_ns = bin_ns;
	for (; row < making->rows_nr && embed->bins.size <= making->size_max;
	     begin = making->end[row++])
		put_row(&writer, making->sorted + begin, making->end[row] - begin);
	return row == making->rows_nr && embed->bins.size <= making->size_max;
}

static void fit_bins(struct making *making, uint64_t bin_ns)
{
	uint64_t length_ns = making->to_ns - making->from_ns, first_ns;

	if (!bin_ns)
		for (bin_ns = making->capture->samples.bin_ns; length_ns / bin_ns > BINS_MAX;)
			bin_ns = wider(bin_ns);
	first_ns = bin_ns;
	while (!write_bins(making, bin_ns) && length_ns / bin_ns > BINS_MIN)
		bin_ns = wider(bin_ns);
	if (bin_ns == first_ns)
		return;
	text_add(&making->embed->note, making->embed->note.size ? "; ranges" : "ranges");
	text_add(&making->embed->note, " are in steps of ");
	units_add_time(&making->embed->note, weight_of(bin_ns));
	text_add(&making->embed->note, ", --max-size allows finer ones");
}

/* The least frames are left out where they would take more than half of the room. */
static void make_tree(struct making *making)
{
	struct timeline_embed *embed = making->embed;
	const struct profile *profile = &making->capture->profile;
	struct timeline_groups groups;
	uint32_t *rows;

	flame_embed_init(&embed->tree, profile, &embed->paints, making->size_max / 2);
	timeline_groups_init(&groups, &profile->paths, profile->counts_samples);
	flame_embed_walk(&embed->tree, 0, &groups.visitor);
	flame_embed_finish(&embed->tree, 0);
	rows = timeline_groups_rows(&groups, embed->tree.least, &making->rows_nr);
	making->sorted = sort_cells(&making->cells, &profile->paths, groups.of_path, rows,
				    making->rows_nr, &making->end);
	free(rows);
	timeline_groups_release(&groups);
	text_add(&embed->note, embed->tree.note.size ? text_string(&embed->tree.note) : "");
	making->size_max -= flame_rows_size(&embed->tree.base.rows);
}

/* What draws the flame graph of a range; of a pipe nothing can be drawn again. */
static void add_command(struct timeline_embed *embed, const char *operand)
{
	const char *slash = strrchr(operand, '/');

	if (strcmp(operand, "-") == 0)
		return;
	text_add(&embed->command, "tephra flame -o during.svg ");
	fetch_script_add_word(&embed->command, slash ? slash + 1 : operand);
	text_add(&embed->command, "@%");
}

static void settle(struct timeline_embed *embed, const struct profile *profile, bool is_by_name)
{
	embed->whole = embed->tree.whole;
	embed->whole.note = embed->note.size ? text_string(&embed->note) : NULL;
	embed->flame.whole = &embed->whole;
	embed->flame.bins = &embed->bins;
	embed->flame.unit = profile_unit(profile);
	embed->flame.is_painted_by_name = is_by_name;
	embed->flame.command = embed->command.size ? text_string(&embed->command) : NULL;
}

void timeline_embed_make(struct timeline_embed *embed, struct gathered_capture *capture,
			 uint64_t from_ns, uint64_t to_ns, uint64_t bin_ns, size_t size_max)
{
	uint64_t offset_ns = (uint64_t)capture->samples.offset_ns;
	struct making making = {
		.embed = embed,
		.capture = capture,
		.cells = cells_within(capture, from_ns, to_ns),
		.from_ns = from_ns - offset_ns,
		.to_ns = to_ns - offset_ns,
		.size_max = size_max,
	};
	bool is_by_name;

	make_profile(capture, &making.cells);
	is_by_name = paint(embed, &capture->profile);
	make_tree(&making);
	fit_bins(&making, bin_ns);
	add_command(embed, capture->profile.operand);
	settle(embed, &capture->profile, is_by_name);
	embed->begin_s = ((double)embed->flame.first_ns - (double)making.from_ns) / 1e9;
	embed->bin_s = (double)embed->flame.bin_ns / 1e9;
	free(making.cells.entries);
	free(making.sorted);
	free(making.end);
}

void timeline_embed_release(struct timeline_embed *embed)
{
	free(embed->bins.bytes);
	flame_embed_release(&embed->tree);
	flame_paints_release(&embed->paints);
	text_release(&embed->command);
	text_release(&embed->note);
}
