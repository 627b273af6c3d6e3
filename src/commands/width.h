/* width.h - the least width of a frame, as pixels or as a share */
#pragma once

#include "base/error.h"
#include "base/units.h"

/*
 * "1%" is a share of the total, "0.5" pixels of a picture that is width_px wide (0: pixels
 * make no sense here). *ret is the least weight that is shown.
 */
ERROR_RESULT struct error *width_least(const char *option, const char *s, double width_px,
				       weight total, weight *ret);
