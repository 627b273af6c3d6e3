/* choose.c - which captures of a profile are meant */
#include "commands/choose.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "store/captures.h"

/* Those that have samples, listed in `there`; *ret_first is the last of them. */
static size_t find_with_samples(const struct store_captures *all, struct text *there,
				size_t *ret_first)
{
	size_t nr = 0;

	for (size_t i = 0; i < all->nr; i++) {
		if (!all->list[i].samples)
			continue;
		*ret_first = i;
		text_addf(there, "%s%s (", nr++ ? ", " : "", all->list[i].name);
		weight_add_grouped(there, all->list[i].samples);
		text_add(there, " samples)");
	}
	return nr;
}

static bool find_name(const struct store_captures *all, const char *wanted, size_t *ret_first)
{
	for (size_t i = 0; i < all->nr; i++)
		if (strcmp(wanted, all->list[i].name) == 0) {
			*ret_first = i;
			return true;
		}
	return false;
}

struct error *choose_captures(const char *operand, const char *wanted,
			      const struct store_captures *all, size_t *ret_first, size_t *ret_nr)
{
	CLEANUP(text_release) struct text there = TEXT_INIT;
	struct error *err;
	size_t nr;

	*ret_first = 0;
	*ret_nr = all->nr;
	if (!all->nr)
		return error_new(ERROR_INPUT, "'%s' holds no capture", operand);
	if (wanted ? strcmp(wanted, "all") == 0 : all->nr == 1)
		return NULL;
	*ret_nr = 1;
	nr = find_with_samples(all, &there, ret_first);
	if (wanted ? find_name(all, wanted, ret_first) : nr == 1)
		return NULL;
	if (!nr)
		return error_hint(
			error_new(ERROR_INPUT, "'%s' holds counters and no sample", operand),
			"tephra info --series '%s'", operand);
	if (wanted)
		err = error_new(ERROR_USAGE, "there is no capture '%s' in '%s'", wanted, operand);
	else
		err = error_new(ERROR_USAGE, "'%s' holds %zu captures, which one?", operand, nr);
	return error_hint(err, "--capture=<name> or --capture=all; there is: %s",
			  text_string(&there));
}
