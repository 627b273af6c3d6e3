/* diff.c - two sides of captures joined: what each function and path was, is, and became */
#include "analysis/diff.h"

#include <math.h>

#include "analysis/calltree.h"
#include "analysis/naming.h"
#include "analysis/paths.h"
#include "analysis/top.h"
#include "base/mem.h"
#include "model/capture.h"

#define ROW_NONE UINT32_MAX

enum diff_state diff_state(weight before, weight after)
{
	if (before == after)
		return DIFF_SAME;
	if (!before)
		return DIFF_NEW;
	if (!after)
		return DIFF_REMOVED;
	return after > before ? DIFF_GROWN : DIFF_SHRUNK;
}

const char *diff_state_word(enum diff_state state)
{
	static const char *const words[] = {
		[DIFF_SAME] = "same",	[DIFF_NEW] = "new",	  [DIFF_REMOVED] = "removed",
		[DIFF_GROWN] = "grown", [DIFF_SHRUNK] = "shrunk",
	};

	return words[state];
}

const char *diff_reading_word(enum diff_reading reading)
{
	static const char *const words[DIFF_READING_NR] = {
		[DIFF_PER_WORK] = "per_work",
		[DIFF_PER_SECOND] = "per_second",
		[DIFF_SHARE] = "share",
	};

	return words[reading];
}

const char *diff_reading_words(enum diff_reading reading)
{
	static const char *const words[DIFF_READING_NR] = {
		[DIFF_PER_WORK] = "per unit of work",
		[DIFF_PER_SECOND] = "per second",
		[DIFF_SHARE] = "share of the total",
	};

	return words[reading];
}

bool diff_has_reading(const struct diff_divisors *divisors, enum diff_reading reading)
{
	return divisors->before[reading] > 0 && divisors->after[reading] > 0;
}

enum diff_reading diff_leading(const struct diff_divisors *divisors)
{
	for (enum diff_reading reading = 0; reading < DIFF_READING_NR; reading++)
		if (diff_has_reading(divisors, reading))
			return reading;
	return DIFF_SHARE;
}

static double divided(weight w, double by)
{
	return by > 0 ? weight_number(w) / by : 0;
}

double diff_before(const struct diff *diff, enum diff_reading reading, weight w)
{
	return divided(w, diff->divisors.before[reading]);
}

double diff_after(const struct diff *diff, enum diff_reading reading, weight w)
{
	return divided(w, diff->divisors.after[reading]);
}

double diff_whole(const struct diff *diff, enum diff_reading reading)
{
	double whole = diff_before(diff, reading, diff->before_total);

	return whole > 0 ? whole : diff_after(diff, reading, diff->after_total);
}

double diff_points(const struct diff *diff, enum diff_reading reading, weight before, weight after)
{
	double whole = diff_whole(diff, reading);
	double change = diff_after(diff, reading, after) - diff_before(diff, reading, before);

	return whole > 0 ? 100 * change / whole : 0;
}

/* Rows while they are made, one for each name. */
struct builder {
	struct diff *diff;
	const struct naming *naming;
	uint32_t *row_of_name;
	size_t alloc;
};

static struct diff_function *row_of(struct builder *builder, uint32_t function)
{
	struct diff *diff = builder->diff;
	uint32_t *row = &builder->row_of_name[builder->naming->list[function].name];

	if (*row == ROW_NONE) {
		GROW(diff->functions, diff->nr + 1, builder->alloc);
		*row = (uint32_t)diff->nr;
		diff->functions[diff->nr++] = (struct diff_function){.function = function};
	}
	return &diff->functions[*row];
}

static void add_source(struct builder *builder, const struct calltree_source *source,
		       bool counts_samples)
{
	struct diff *diff = builder->diff;
	const struct paths *paths = source->paths;
	struct top top;

	top_build(&top, paths, counts_samples);
	for (size_t i = 0; i < top.nr; i++) {
		uint32_t function = top.rows[i].function;
		struct diff_function *row = row_of(
			builder, source->of_function ? source->of_function[function] : function);

		*(source->is_after ? &row->after_self : &row->before_self) += top.rows[i].self;
		*(source->is_after ? &row->after_total : &row->before_total) += top.rows[i].total;
	}
	*(source->is_after ? &diff->after_total : &diff->before_total) += top.total;
	*(source->is_after ? &diff->after_samples : &diff->before_samples) += paths->count;
	top_release(&top);
}

struct order {
	const struct diff *diff;
	const struct naming *naming;
};

static int compare(const void *a, const void *b, void *order_of)
{
	const struct order *order = order_of;
	const struct diff_function *x = a, *y = b;
	enum diff_reading reading = order->diff->leading;
	double left = fabs(diff_points(order->diff, reading, x->before_total, x->after_total));
	double right = fabs(diff_points(order->diff, reading, y->before_total, y->after_total));
	weight x_most = x->before_total > x->after_total ? x->before_total : x->after_total;
	weight y_most = y->before_total > y->after_total ? y->before_total : y->after_total;

	if (left != right)
		return left > right ? -1 : 1;
	if (x_most != y_most)
		return x_most > y_most ? -1 : 1;
	return names_compare(&order->naming->capture->names, order->naming->list[x->function].name,
			     order->naming->list[y->function].name);
}

void diff_build(struct diff *diff, const struct naming *naming,
		const struct calltree_source *sources, size_t nr, bool counts_samples,
		const struct diff_divisors *divisors)
{
	uint32_t names_nr = naming->capture->names.nr;
	struct builder builder = {
		.diff = diff,
		.naming = naming,
		.row_of_name = mem_alloc(names_nr * sizeof(*builder.row_of_name)),
	};

	memset(builder.row_of_name, 0xff, names_nr * sizeof(*builder.row_of_name));
	*diff = (struct diff){.divisors = *divisors};
	for (size_t i = 0; i < nr; i++)
		add_source(&builder, &sources[i], counts_samples);
	free(builder.row_of_name);
	diff->divisors.before[DIFF_SHARE] = weight_number(diff->before_total);
	diff->divisors.after[DIFF_SHARE] = weight_number(diff->after_total);
	diff->leading = diff_leading(&diff->divisors);
	if (diff->nr)
		qsort_r(diff->functions, diff->nr, sizeof(*diff->functions), compare,
			&(struct order){diff, naming});
}

void diff_release(struct diff *diff)
{
	free(diff->functions);
	*diff = (struct diff){0};
}
