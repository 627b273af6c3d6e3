/* bins.c - a stage before a tally that also keeps when its weights came, in bins of time */
#include "model/bins.h"

#include "base/mem.h"
#include "model/capture.h"
#include "model/tally.h"

static void begin(struct bins *bins, const struct sample *sample)
{
	const struct capture *capture = bins->tally->capture;
	uint64_t start_ns = capture->has_times ? capture->start_ns : sample->time_ns;

	bins->has_times = true;
	bins->begin_ns = start_ns;
	if (!bins->from.is_set)
		return;
	bins->begin_ns = bins->from.ns;
	if (bins->from.is_relative &&
	    __builtin_add_overflow(start_ns, bins->from.ns, &bins->begin_ns))
		bins->begin_ns = UINT64_MAX;
}

static uint32_t bin_of(const struct bins *bins, uint64_t time_ns)
{
	uint64_t bin = time_ns > bins->begin_ns ? (time_ns - bins->begin_ns) / bins->length_ns : 0;

	return bin < UINT32_MAX ? (uint32_t)bin : UINT32_MAX;
}

static int compare(const void *a, const void *b)
{
	const struct bins_row *x = a, *y = b;

	if (x->bin != y->bin)
		return x->bin < y->bin ? -1 : 1;
	return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* Halves the number of bins; where that gives back too little, rows are allowed to grow. */
static void coarsen(struct bins *bins)
{
	size_t kept = 0;

	bins->length_ns *= 2;
	for (size_t i = 0; i < bins->nr; i++)
		bins->rows[i].bin /= 2;
	qsort(bins->rows, bins->nr, sizeof(*bins->rows), compare);
	for (size_t i = 0; i < bins->nr; i++) {
		struct bins_row *last = kept ? &bins->rows[kept - 1] : NULL;

		if (last && compare(last, &bins->rows[i]) == 0) {
			last->count += bins->rows[i].count;
			last->period += bins->rows[i].period;
		} else {
			bins->rows[kept++] = bins->rows[i];
		}
	}
	bins->nr = kept;
	if (kept > bins->rows_max / 2)
		bins->rows_max *= 2;
}

static void add_row(struct bins *bins, const struct sample *sample)
{
	struct bins_row row = {
		.entry = bins->tally->last,
		.bin = bin_of(bins, sample->time_ns),
		.count = weight_number(sample->count),
		.period = weight_number(sample->period),
	};
	struct bins_row *last = bins->nr ? &bins->rows[bins->nr - 1] : NULL;

	if (last && compare(last, &row) == 0) {
		last->count += row.count;
		last->period += row.period;
		return;
	}
	if (bins->nr == bins->rows_max) {
		coarsen(bins);
		row.bin = bin_of(bins, sample->time_ns);
	}
	GROW(bins->rows, bins->nr + 1, bins->alloc);
	bins->rows[bins->nr++] = row;
}

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct bins *bins = (struct bins *)sink;
	struct error *err = sink_sample(&bins->tally->sink, sample);

	if (err)
		return err;
	if (!(sample->flags & SAMPLE_HAS_TIME)) {
		bins->without_time += weight_number(sample->count);
		return NULL;
	}
	if (!bins->has_times)
		begin(bins, sample);
	if (sample->cpu >= 0 && sample->cpu < 256)
		bins->cpus[sample->cpu / 64] |= UINT64_C(1) << sample->cpu % 64;
	add_row(bins, sample);
	return NULL;
}

static void soon(const struct sink *sink, const struct sample *sample, bool is_again)
{
	sink_soon(&((const struct bins *)sink)->tally->sink, sample, is_again);
}

static void expect(struct sink *sink, size_t nr)
{
	sink_expect(&((struct bins *)sink)->tally->sink, nr);
}

void bins_init(struct bins *bins, struct tally *tally, const struct moment *from)
{
	*bins = (struct bins){
		.sink = {.sample = on_sample, .soon = soon, .expect = expect},
		.tally = tally,
		.from = *from,
		.length_ns = BINS_LENGTH_NS,
		.rows_max = BINS_ROWS_MAX,
	};
}

void bins_release(struct bins *bins)
{
	free(bins->rows);
	*bins = (struct bins){0};
}

unsigned bins_cpus(const struct bins *bins)
{
	unsigned nr = 0;

	for (size_t i = 0; i < ARRAY_NR(bins->cpus); i++)
		nr += (unsigned)__builtin_popcountll(bins->cpus[i]);
	return nr ? nr : 1;
}
