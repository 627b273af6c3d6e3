/* queue_check.c - do the columns of a queue describe one queue? */
#include "analysis/queue_check.h"

#include "analysis/amounts.h"

enum queue_verdict queue_check_little(double depth, double waiting_s)
{
	if (depth < QUEUE_CHECK_LEAST && waiting_s < QUEUE_CHECK_LEAST)
		return QUEUE_TOO_SMALL;
	if (depth > QUEUE_CHECK_FACTOR * waiting_s || waiting_s > QUEUE_CHECK_FACTOR * depth)
		return QUEUE_DOES_NOT_FIT;
	return QUEUE_FITS;
}

/* A gauge's amount is its value times the seconds to the next one. */
static double value_of(const struct amount *amount)
{
	return amount->value / ((double)(amount->end_ns - amount->begin_ns) / 1e9);
}

double queue_check_age(const struct amounts *age, double scale)
{
	double fastest = 0;

	for (size_t i = 1; i < age->nr; i++) {
		const struct amount *before = &age->list[i - 1], *now = &age->list[i];
		double seconds = (double)(now->begin_ns - before->begin_ns) / 1e9;
		double rise = (value_of(now) - value_of(before)) * scale;

		if (rise > fastest * seconds)
			fastest = rise / seconds;
	}
	return fastest;
}
