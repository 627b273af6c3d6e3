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

/* Cells in the order of the rows that they end in, those of a row in the order of time. */
static uint32_t *sort_cells(const struct cells *cells, const struct paths *paths,
			    const uint32_t *of_path, const uint32_t *row_of_group, uint32_t rows_nr,
			    uint32_t **ret_end)
{
	uint32_t *rows = mem_alloc((cells->nr + 1) * sizeof(*rows));
	uint32_t *sorted = mem_alloc((cells->nr + 1) * sizeof(*sorted));
	uint32_t *end = mem_zalloc(rows_nr + (size_t)2, sizeof(*end));

	for (size_t i = 0; i < cells->nr; i++) {
		uint32_t path = paths->of_entry[cells->entries[i]];
		uint32_t group = path == PATH_NONE ? UINT32_MAX : of_path[path];

		rows[i] = group == UINT32_MAX ? rows_nr : row_of_group[group];
		end[rows[i] + 1]++;
	}
	for (uint32_t row = 0; row <= rows_nr; row++)
		end[row + 1] += end[row];
	for (size_t i = 0; i < cells->nr; i++)
		sorted[end[rows[i]]++] = (uint32_t)i;
	free(rows);
	*ret_end = end;
	return sorted;
}

/* Periods and counts are whole, as the step of both is: neither is kept in parts here. */
struct bins_writer {
	const struct flame_embed *tree;
	struct rows_text *text;
	weight step;
	const struct utilisation_cell *cells;
	const uint32_t *bins; /* of cells */
	bool counts_samples;
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

static uint64_t weight_in(const struct bins_writer *writer, uint32_t cell)
{
	return writer->counts_samples ? writer->cells[cell].count : writer->cells[cell].period;
}

static void end_bin(const struct bins_writer *writer, struct row_bins *row, uint64_t bin)
{
	uint64_t steps = steps_of(writer, row->sum) - row->steps;

	if (!steps)
		return;
	rows_text_add(writer->text, bin - row->next_bin);
	if (row->whole_steps - row->steps > 1)
		rows_text_add(writer->text, steps);
	if (writer->tree->rows.has_samples)
		rows_text_add(writer->text, row->samples);
	row->steps += steps;
	row->samples = 0;
	row->next_bin = bin + 1;
}

static void put_row(const struct bins_writer *writer, const uint32_t *sorted, size_t nr)
{
	struct row_bins row = {.sum = 0};

	for (size_t i = 0; i < nr; i++)
		row.sum += weight_in(writer, sorted[i]);
	row.whole_steps = steps_of(writer, row.sum);
	row.sum = 0;
	for (size_t i = 0; i < nr; i++) {
		uint32_t bin = writer->bins[sorted[i]];

		row.sum += weight_in(writer, sorted[i]);
		row.samples += writer->cells[sorted[i]].count;
		if (i + 1 == nr || writer->bins[sorted[i + 1]] != bin)
			end_bin(writer, &row, bin);
	}
}

/* Cells lie in the order of time: most are in the bin of the one before. */
static uint32_t *find_bins(const struct cells *cells, uint64_t first, uint64_t bin_slots)
{
	uint32_t *bins = mem_alloc((cells->nr + 1) * sizeof(*bins));
	uint64_t bin = first;

	for (size_t i = 0; i < cells->nr; i++) {
		uint64_t slot = cells->list[i].slot;

		if (slot - bin * bin_slots >= bin_slots)
			bin = slot / bin_slots;
		bins[i] = (uint32_t)(bin - first);
	}
	return bins;
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
	uint32_t *sorted, *end; /* owned: cells by row */
	uint32_t rows_nr;
	uint64_t from_ns, to_ns; /* on the samples' clock */
	size_t size_max;
};

/* False: it is more than there is room for. */
static bool write_bins(struct making *making, uint64_t bin_ns)
{
	struct timeline_embed *embed = making->embed;
	uint64_t first = making->from_ns / bin_ns;
	uint32_t *bins = find_bins(&making->cells, first, bin_ns / UTILISATION_SLOT_NS);
	struct bins_writer writer = {
		.tree = &embed->tree,
		.text = &embed->bins,
		.step = embed->tree.step / WEIGHT_ONE,
		.cells = making->cells.list,
		.bins = bins,
		.counts_samples = making->capture->profile.counts_samples,
	};
	uint32_t row = 0;

	embed->bins.size = 0;
	embed->flame.first_ns = first * bin_ns;
	embed->flame.bin_ns = bin_ns;
	for (uint32_t begin = 0; row < making->rows_nr && embed->bins.size <= making->size_max;
	     begin = making->end[row++])
		put_row(&writer, making->sorted + begin, making->end[row] - begin);
	free(bins);
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
	making->size_max -= flame_rows_size(&embed->tree.rows);
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
