/* range.c - a range of time as it is said: options, and the end of an operand "file@+4..+8" */
#include "commands/range.h"

#include <string.h>
#include <unistd.h>

#include "model/clock_map.h"

struct error *range_parse(const char *option, const char *s, size_t size, struct moment *ret)
{
	if (!select_parse_moment(s, size, ret))
		return error_hint(
			error_new(ERROR_USAGE, "%s takes a time, not '%.*s'", option, (int)size, s),
			"seconds as in the capture (701.25) or from its start (+12.5), or "
			"with a unit (+250ms)");
	return NULL;
}

struct error *range_options(const char *from, const char *to, struct moment *ret_from,
			    struct moment *ret_to)
{
	struct error *err = NULL;

	if (from)
		err = range_parse("--from", from, strlen(from), ret_from);
	if (!err && to)
		err = range_parse("--to", to, strlen(to), ret_to);
	return err;
}

struct error *range_take(char *operand, struct moment *ret_from, struct moment *ret_to)
{
	char *at = strrchr(operand, '@');
	char *dots = at ? strstr(at, "..") : NULL;
	struct error *err = NULL;

	if (!dots || access(operand, F_OK) == 0)
		return NULL;
	if (dots > at + 1)
		err = range_parse("a range", at + 1, (size_t)(dots - at) - 1, ret_from);
	if (!err && dots[2])
		err = range_parse("a range", dots + 2, strlen(dots + 2), ret_to);
	*at = '\0';
	return err;
}

uint64_t range_ns(const struct moment *moment, uint64_t start_ns, uint64_t otherwise)
{
	uint64_t ns = moment->ns;

	if (!moment->is_set)
		return otherwise;
	if (moment->is_relative && __builtin_add_overflow(ns, start_ns, &ns))
		return UINT64_MAX;
	return ns;
}

static struct error *end_on_clock(const struct clock_map *map, uint32_t said_of, uint32_t capture,
				  const struct moment *moment, uint64_t *ns)
{
	struct clock_time time;
	struct error *err;

	if (!moment->is_set || capture == said_of)
		return NULL;
	err = clock_map_time(map, said_of, *ns, capture, &time);
	if (!err)
		*ns = time.time_ns;
	return err;
}

struct error *range_on_clock(const struct clock_map *map, uint32_t said_of, uint64_t start_ns,
			     uint32_t capture, const struct moment *from, const struct moment *to,
			     uint64_t *ret_from_ns, uint64_t *ret_to_ns)
{
	uint64_t from_ns = range_ns(from, start_ns, 0), to_ns = range_ns(to, start_ns, UINT64_MAX);
	struct error *err = end_on_clock(map, said_of, capture, from, &from_ns);

	if (!err)
		err = end_on_clock(map, said_of, capture, to, &to_ns);
	if (err)
		return err;
	*ret_from_ns = from_ns;
	*ret_to_ns = to_ns;
	return NULL;
}
