/* amounts.c - a series of counters as amounts: how much there was in which time */
#include "analysis/amounts.h"

#include "base/mem.h"

#define SECOND_NS 1e9

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	(void)sink;
	(void)sample;
	return NULL;
}

void amounts_add(struct amounts *amounts, const struct amount *amount)
{
	GROW(amounts->list, amounts->nr + 1, amounts->alloc);
	amounts->list[amounts->nr++] = *amount;
}

static void watch_value(struct amounts *amounts, const struct point *point)
{
	double value = decimal_number(point->value);

	if (!amounts->has_values || value < amounts->least)
		amounts->least = value;
	if (!amounts->has_values || value > amounts->most)
		amounts->most = value;
	amounts->has_values = true;
}

static void take_gauge(struct amounts *amounts, const struct point *point)
{
	double seconds = (double)(point->end_ns - amounts->last_ns) / SECOND_NS;

	if (amounts->has_last)
		amounts_add(amounts, &(struct amount){
					     .begin_ns = amounts->last_ns,
					     .end_ns = point->end_ns,
					     .value = decimal_number(amounts->last) * seconds,
				     });
}

static void take_cumulative(struct amounts *amounts, const struct point *point)
{
	if (!amounts->has_last || point->state != POINT_OK)
		return;
	amounts_add(amounts, &(struct amount){
				     .begin_ns = amounts->last_ns,
				     .end_ns = point->end_ns,
				     .value = decimal_difference(point->value, amounts->last),
			     });
}

static void take_covering(struct amounts *amounts, const struct point *point)
{
	double value = decimal_number(point->value);

	if (amounts->kind == SERIES_RATE)
		value *= (double)(point->end_ns - point->begin_ns) / SECOND_NS;
	if (point->begin_ns < point->end_ns)
		amounts_add(amounts, &(struct amount){
					     .begin_ns = point->begin_ns,
					     .end_ns = point->end_ns,
					     .value = value,
					     .enabled_ns = point->enabled_ns,
					     .running_ns = point->running_ns,
				     });
}

static struct error *on_point(struct sink *sink, uint32_t series, const struct point *point)
{
	struct amounts *amounts = (struct amounts *)sink;
	bool has_value = point_has_value(point);

	(void)series;
	if (amounts->kind == SERIES_GAUGE)
		take_gauge(amounts, point);
	else if (has_value && amounts->kind == SERIES_CUMULATIVE)
		take_cumulative(amounts, point);
	else if (has_value)
		take_covering(amounts, point);
	if (has_value)
		watch_value(amounts, point);
	/* a total is still one behind a gap: the difference is over all of it */
	if (has_value || amounts->kind != SERIES_CUMULATIVE) {
		amounts->last = point->value;
		amounts->last_ns = point->end_ns;
		amounts->has_last = has_value;
	}
	return NULL;
}

void amounts_init(struct amounts *amounts, enum series_kind kind)
{
	*amounts = (struct amounts){
		.sink = {.sample = on_sample, .point = on_point},
		.kind = kind,
	};
}

void amounts_copy(const struct amounts *amounts, struct amounts *ret)
{
	*ret = *amounts;
	ret->alloc = amounts->nr;
	ret->list = mem_alloc(amounts->nr * sizeof(*amounts->list));
	if (amounts->nr)
		memcpy(ret->list, amounts->list, amounts->nr * sizeof(*amounts->list));
}

void amounts_release(struct amounts *amounts)
{
	free(amounts->list);
	*amounts = (struct amounts){0};
}

/* The first one that ends behind a time; nr for none. */
static size_t find(const struct amounts *amounts, uint64_t time_ns, size_t from)
{
	size_t low = 0, high = amounts->nr;

	if (from < amounts->nr && amounts->list[from].end_ns > time_ns &&
	    (!from || amounts->list[from - 1].end_ns <= time_ns))
		return from;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (amounts->list[middle].end_ns > time_ns)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static double part_of(const struct amount *amount, uint64_t begin_ns, uint64_t end_ns)
{
	return amount->value *
	       ((double)(end_ns - begin_ns) / (double)(amount->end_ns - amount->begin_ns));
}

bool amounts_between(const struct amounts *amounts, uint64_t begin_ns, uint64_t end_ns,
		     size_t *hint, double *ret)
{
	size_t i = find(amounts, begin_ns, *hint);
	double sum = 0;

	while (begin_ns < end_ns) {
		const struct amount *amount = &amounts->list[i];
		uint64_t until;

		if (i >= amounts->nr || amount->begin_ns > begin_ns)
			return false;
		until = amount->end_ns < end_ns ? amount->end_ns : end_ns;
		sum += part_of(amount, begin_ns, until);
		begin_ns = until;
		*hint = i;
		i += amount->end_ns == until;
	}
	*ret = sum;
	return true;
}
