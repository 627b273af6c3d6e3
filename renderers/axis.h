/* axis.h - round numbers along an axis: 1, 2 and 5 times a power of ten */
#pragma once

#include <stddef.h>

#include "renderers/number.h"

/* The least of 1, 2 and 5 times a power of ten that is not less; at least 1e-9. */
double axis_step(double least);

/* A time as a multiple of the step, all of an axis in the same unit: "1.5 s", "250 ms". */
size_t axis_time(char *at, double value_s, double step_s);

/* A number of at most four digits: "250", "1.5k", "12M"; NUMBER_SIZE bytes. */
size_t axis_count(char *at, double value);

/* Bytes with a binary unit: "1.5 GiB". */
size_t axis_bytes(char *at, double value);
