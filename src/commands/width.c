/* width.c - the least width of a frame, as pixels or as a share */
#include "commands/width.h"

#include <stdbool.h>
#include <string.h>

/* part/whole of total, rounded up: what is just as wide as the limit is shown. */
static weight share_of(weight total, weight part, weight whole)
{
	/* total may be near 2^128: divide first, the rest is exact enough below 2^64 */
	weight each = total / whole, rest = total % whole;

	return each * part + (rest * part + whole - 1) / whole;
}

struct error *width_least(const char *option, const char *s, double width_px, weight total,
			  weight *ret)
{
	size_t size = strlen(s);
	bool is_percent = size && s[size - 1] == '%';
	weight number, whole = 100 * WEIGHT_ONE;

	if (!is_percent && width_px == 0)
		return error_new(ERROR_USAGE, "%s takes a percentage such as 1%%, not '%s'", option,
				 s);
	if (!is_percent)
		whole = (weight)(width_px * 1e9);
	if (!weight_parse(s, size - is_percent, &number) || number > whole)
		return error_new(ERROR_USAGE,
				 "%s takes pixels or a percentage (0.5, 1%%), not '%s'", option, s);
	*ret = share_of(total, number, whole);
	return NULL;
}
