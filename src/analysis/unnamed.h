/* unnamed.h - which modules have frames without a name, and in how many samples */
#pragma once

#include "base/units.h"

struct tally;

/*
 * Per module of the tally's capture, the samples (of all events) with at least one place in it
 * that has no name: an array that the caller frees. *ret_all gets the samples with such a place
 * in any module, *ret_samples all of them.
 */
weight *unnamed_modules(const struct tally *tally, weight *ret_all, weight *ret_samples);
