/* blocks.c - the weights of chosen functions over the time of one capture, in bins and in blocks */
#include "analysis/blocks.h"

#include <gsl/gsl_sort.h>
#include <math.h>

#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/mem.h"
#include "model/bins.h"
#include "model/capture.h"

#define CORRELATION_LEAST 0.05
#define CHANCE_MOST	  2.5
#define VARYING_NR	  8

/* ---- bins */

/* The rows of each path, each once however often the path holds it. */
struct path_rows {
	uint32_t *rows;
	size_t nr, alloc;
	size_t *end_of_path;
};

static void find_path_rows(const struct blocks_source *source, const struct naming *naming,
			   const uint32_t *row_of_name, size_t rows_nr, struct path_rows *ret)
{
	const struct paths *paths = source->paths;
	uint32_t *seen = mem_zalloc(rows_nr, sizeof(*seen));
	uint32_t function;

	*ret = (struct path_rows){
		.end_of_path = mem_alloc(paths->nr * sizeof(*ret->end_of_path)),
	};
	for (uint32_t path = 0; path < paths->nr; path++) {
		for (uint32_t i = 0; (function = paths_function(paths, path, i)) != FUNCTION_NONE;
		     i++) {
			uint32_t row;

			if (source->of_function)
				function = source->of_function[function];
			if (naming->list[function].kind == FUNCTION_ROOT)
				continue;
			row = row_of_name[naming->list[function].name];
			if (row == BLOCKS_ROW_NONE || seen[row] == path + 1)
				continue;
			seen[row] = path + 1;
			GROW(ret->rows, ret->nr + 1, ret->alloc);
			ret->rows[ret->nr++] = row;
		}
		ret->end_of_path[path] = ret->nr;
	}
	free(seen);
}

static void add_weights(struct blocks *blocks, const struct blocks_source *source,
			const struct path_rows *path_rows, uint64_t bin_ns)
{
	const struct bins *bins = source->bins;
	uint64_t doubled = bin_ns / bins->length_ns;
	double samples = 0, all = 0;

	for (size_t i = 0; i < bins->nr; i++) {
		const struct bins_row *row = &bins->rows[i];
		uint32_t path = source->paths->of_entry[row->entry];
		double value = source->counts_samples ? row->count : row->period;
		size_t bin = row->bin / doubled;

		if (path == PATH_NONE)
			continue;
		samples += row->count;
		all += value;
		if (bin >= blocks->bins_nr)
			continue;
		blocks->total[bin] += value;
		for (size_t j = path ? path_rows->end_of_path[path - 1] : 0;
		     j < path_rows->end_of_path[path]; j++)
			blocks->weights[path_rows->rows[j] * blocks->bins_nr + bin] += value;
	}
	blocks->sample_weight = samples > 0 ? all / samples : 0;
}

/* ---- what weights are divided by */

/* The part of a second with so many samples that nothing was lost of. */
static double live_share(const struct blocks_source *source, const struct loss *loss,
			 double samples)
{
	if (loss->event != EVENT_NONE && loss->event != source->event)
		return 1;
	if (loss->kind == LOSS_THROTTLED)
		return 1 - fmin(1, (double)loss->ns / 1e9 / bins_cpus(source->bins));
	if (loss->kind == LOSS_EVENTS && samples > 0)
		return samples / (samples + (double)loss->count);
	return 1;
}

/* Samples per bin, of all entries. */
static double *count_samples(const struct blocks *blocks, const struct blocks_source *source,
			     uint64_t bin_ns)
{
	const struct bins *bins = source->bins;
	uint64_t doubled = bin_ns / bins->length_ns;
	double *counts = mem_zalloc(blocks->bins_nr, sizeof(*counts));

	for (size_t i = 0; i < bins->nr; i++)
		if (bins->rows[i].bin / doubled < blocks->bins_nr)
			counts[bins->rows[i].bin / doubled] += bins->rows[i].count;
	return counts;
}

#define SECOND_NS UINT64_C(1000000000)

/* A loss is told of a whole second: its bins are that much shorter. */
static void take_loss(struct blocks *blocks, const struct blocks_source *source,
		      const struct loss *loss, const double *counts, uint64_t bin_ns)
{
	uint64_t begin_ns, first, end;
	double samples = 0, share;

	if (loss->second == LOSS_NO_SECOND ||
	    __builtin_mul_overflow(loss->second, SECOND_NS, &begin_ns) ||
	    begin_ns + SECOND_NS <= source->begin_ns || begin_ns >= source->end_ns)
		return;
	first = begin_ns > source->begin_ns ? (begin_ns - source->begin_ns) / bin_ns : 0;
	end = (begin_ns + SECOND_NS - source->begin_ns + bin_ns - 1) / bin_ns;
	if (end > blocks->bins_nr)
		end = blocks->bins_nr;
	for (uint64_t bin = first; bin < end; bin++)
		samples += counts[bin];
	share = live_share(source, loss, samples);
	for (uint64_t bin = first; bin < end; bin++)
		blocks->live_s[bin] *= share;
}

static void take_losses(struct blocks *blocks, const struct blocks_source *source, uint64_t bin_ns)
{
	const struct losses *losses = &source->capture->losses;
	double *counts;

	if (!losses->nr)
		return;
	counts = count_samples(blocks, source, bin_ns);
	for (uint32_t i = 0; i < losses->nr; i++)
		take_loss(blocks, source, &losses->list[i], counts, bin_ns);
	free(counts);
}

/* What was done by then, between the points of the series straight on. */
static double done_by(const struct blocks_source *source, uint64_t time_ns, size_t *at)
{
	const struct blocks_work *work = source->work;
	size_t nr = source->work_nr;
	double part;

	while (*at + 2 < nr && work[*at + 1].time_ns < time_ns)
		++*at;
	if (time_ns <= work[*at].time_ns)
		return work[*at].done;
	if (nr < 2 || time_ns >= work[*at + 1].time_ns)
		return work[nr < 2 ? 0 : *at + 1].done;
	part = (double)(time_ns - work[*at].time_ns) /
	       (double)(work[*at + 1].time_ns - work[*at].time_ns);
	return work[*at].done + part * (work[*at + 1].done - work[*at].done);
}

static void take_work(struct blocks *blocks, const struct blocks_source *source, uint64_t bin_ns)
{
	double length_s = (double)(source->end_ns - source->begin_ns) / 1e9, last;
	size_t at = 0;

	if (!source->work_nr) {
		for (size_t i = 0; i < blocks->bins_nr; i++)
			blocks->work[i] = source->work_total * blocks->bin_s / length_s;
		return;
	}
	last = done_by(source, source->begin_ns, &at);
	for (size_t i = 0; i < blocks->bins_nr; i++) {
		double done = done_by(source, source->begin_ns + (i + 1) * bin_ns, &at);

		blocks->work[i] = done - last;
		last = done;
	}
}

void blocks_build(struct blocks *blocks, const struct blocks_source *source,
		  const struct naming *naming, const uint32_t *row_of_name, size_t rows_nr,
		  uint64_t bin_ns)
{
	struct path_rows path_rows;
	size_t nr = source->end_ns > source->begin_ns
			    ? (size_t)((source->end_ns - source->begin_ns) / bin_ns)
			    : 0;

	*blocks = (struct blocks){
		.bin_s = (double)bin_ns / 1e9,
		.bins_nr = nr,
		.rows_nr = rows_nr,
		.weights = mem_zalloc(nr * rows_nr, sizeof(double)),
		.total = mem_zalloc(nr, sizeof(double)),
		.live_s = mem_zalloc(nr, sizeof(double)),
		.work = mem_zalloc(nr, sizeof(double)),
	};
	find_path_rows(source, naming, row_of_name, rows_nr, &path_rows);
	add_weights(blocks, source, &path_rows, bin_ns);
	for (size_t i = 0; i < nr; i++)
		blocks->live_s[i] = blocks->bin_s;
	take_losses(blocks, source, bin_ns);
	take_work(blocks, source, bin_ns);
	free(path_rows.rows);
	free(path_rows.end_of_path);
}

void blocks_release(struct blocks *blocks)
{
	free(blocks->weights);
	free(blocks->total);
	free(blocks->live_s);
	free(blocks->work);
	*blocks = (struct blocks){0};
}

const double *blocks_divisor(const struct blocks *blocks, enum diff_reading reading)
{
	switch (reading) {
	case DIFF_PER_WORK:
		return blocks->work;
	case DIFF_PER_SECOND:
		return blocks->live_s;
	case DIFF_SHARE:
	case DIFF_READING_NR:
		break;
	}
	return blocks->total;
}

/* ---- blocks */

size_t blocks_sum(const double *list, size_t nr, size_t bins, double *ret)
{
	size_t blocks = bins ? nr / bins : 0;

	for (size_t i = 0; i < blocks; i++) {
		ret[i] = 0;
		for (size_t j = 0; j < bins; j++)
			ret[i] += list[i * bins + j];
	}
	return blocks;
}

/* What the row's ratio does not explain, bin by bin, less its mean. Returns its variance. */
static double find_rests(const struct blocks *blocks, size_t row, enum diff_reading reading,
			 double *ret)
{
	const double *weights = blocks->weights + row * blocks->bins_nr;
	const double *divisor = blocks_divisor(blocks, reading);
	double sum = 0, whole = 0, mean = 0, variance = 0;

	for (size_t i = 0; i < blocks->bins_nr; i++) {
		sum += weights[i];
		whole += divisor[i];
	}
	for (size_t i = 0; i < blocks->bins_nr; i++) {
		ret[i] = weights[i] - (whole > 0 ? sum / whole * divisor[i] : 0);
		mean += ret[i] / (double)blocks->bins_nr;
	}
	for (size_t i = 0; i < blocks->bins_nr; i++) {
		ret[i] -= mean;
		variance += ret[i] * ret[i] / (double)blocks->bins_nr;
	}
	return variance;
}

/* The sum of products of what is `lag` bins apart, for each pair that there is. */
static double covariance(const double *rests, size_t nr, size_t lag)
{
	double sum = 0;

	for (size_t i = lag; i < nr; i++)
		sum += rests[i] * rests[i - lag];
	return sum / (double)(nr - lag);
}

/* Of several rows together: one row alone is too noisy to see where its memory ends. */
static double pooled(const double *rests, size_t rows_nr, size_t bins_nr, size_t lag)
{
	double sum = 0;

	for (size_t row = 0; row < rows_nr; row++)
		sum += covariance(rests + row * bins_nr, bins_nr, lag);
	return sum;
}

/*
 * What is of one bin alone, such as the chance by which samples fall, has no memory and only makes
 * the correlations small: they are taken as parts of the first one.
 */
static double memory_of(const double *rests, size_t rows_nr, size_t bins_nr, double bin_s)
{
	double least, first, sum = 0, last = 1;

	if (bins_nr < 8)
		return 0;
	/* that of what remembers nothing is 0, give or take 1 / sqrt(the number of its terms) */
	least = fmax(CORRELATION_LEAST, CHANCE_MOST / sqrt((double)(bins_nr * rows_nr)));
	first = pooled(rests, rows_nr, bins_nr, 1);
	if (first < least * pooled(rests, rows_nr, bins_nr, 0))
		return bin_s;
	for (size_t lag = 1; lag < bins_nr / 3; lag++) {
		double part = pooled(rests, rows_nr, bins_nr, lag) / first;

		if (part + last < 2 * CORRELATION_LEAST)
			break;
		sum += part;
		last = part;
	}
	return bin_s * (1 + 2 * sum);
}

double blocks_memory_s(const struct blocks *blocks, enum diff_reading reading)
{
	size_t rows_nr = blocks->rows_nr < VARYING_NR ? blocks->rows_nr : VARYING_NR;
	double *variances = mem_alloc(blocks->rows_nr * sizeof(*variances)), ret;
	double *rests = mem_alloc((rows_nr + 1) * blocks->bins_nr * sizeof(*rests));
	size_t *order = mem_alloc(blocks->rows_nr * sizeof(*order));

	for (size_t row = 0; row < blocks->rows_nr; row++)
		variances[row] = -find_rests(blocks, row, reading, rests);
	gsl_sort_index(order, variances, 1, blocks->rows_nr);
	for (size_t i = 0; i < rows_nr; i++)
		find_rests(blocks, order[i], reading, rests + i * blocks->bins_nr);
	ret = memory_of(rests, rows_nr, blocks->bins_nr, blocks->bin_s);
	free(variances);
	free(rests);
	free(order);
	return ret;
}
