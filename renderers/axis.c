/* axis.c - round numbers along an axis: 1, 2 and 5 times a power of ten */
#include "renderers/axis.h"

#include <math.h>
#include <string.h>

#define STEP_LEAST 1e-9
#define STEP_MOST  1e18

double axis_step(double least)
{
	double power = STEP_LEAST;

	while (power < STEP_MOST) {
		if (power >= least)
			return power;
		if (power * 2 >= least)
			return power * 2;
		if (power * 5 >= least)
			return power * 5;
		power *= 10;
	}
	return power;
}

static size_t add_unit(char *at, size_t size, const char *unit)
{
	memcpy(at + size, unit, strlen(unit) + 1);
	return size + strlen(unit);
}

size_t axis_time(char *at, double value_s, double step_s)
{
	static const char *const units[] = {" s", " ms", " us", " ns"};
	size_t unit = 0;

	for (; unit < 3 && step_s < 0.99; unit++) {
		value_s *= 1000;
		step_s *= 1000;
	}
	return add_unit(at, number_px(at, value_s), units[unit]);
}

/* Divided by the base until it is below ten thousandths of it, with that power's unit. */
static size_t scaled(char *at, double value, double base, const char *const *units, size_t nr)
{
	size_t unit = 0;

	while (unit + 1 < nr && fabs(value) >= base) {
		value /= base;
		unit++;
	}
	return add_unit(at, number_px(at, value), units[unit]);
}

size_t axis_count(char *at, double value)
{
	static const char *const units[] = {"", "k", "M", "G", "T", "P"};

	return scaled(at, value, 1000, units, sizeof(units) / sizeof(*units));
}

size_t axis_bytes(char *at, double value)
{
	static const char *const units[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB"};

	return scaled(at, value, 1024, units, sizeof(units) / sizeof(*units));
}
