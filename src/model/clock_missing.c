/* clock_missing.c - what is missing where nothing ties two clocks, and how to get it */
#include "model/clock_missing.h"

#include "base/mem.h"
#include "base/text.h"
#include "model/clock_map.h"

static void add_clock(const struct clock_map *map, uint32_t source, struct text *text)
{
	if (source == CLOCK_WALL)
		text_add(text, "wall time");
	else
		text_addf(text, "the clock of '%s' (%s)", map->sources[source].name,
			  source_clock_text(map->sources[source].clock));
}

/* One clock of one boot may be that of both, which nobody but the user knows. */
static bool may_be_same(const struct clock_map *map, uint32_t source, uint32_t other)
{
	return other != CLOCK_WALL && map->sources[source].clock == map->sources[other].clock;
}

static const char *options_for(enum source_clock clock)
{
	switch (clock) {
	case SOURCE_CLOCK_PERF:
		return "--kmsg='<line of the kernel log>' --wall=<seconds since 1970>";
	case SOURCE_CLOCK_LOCAL:
		return "--offset=<seconds from local time to UTC> --error=0";
	case SOURCE_CLOCK_START:
		return "--offset=<seconds since 1970 when it began> --error=<seconds>";
	case SOURCE_CLOCK_UNKNOWN:
		return "--clock=<clock>";
	default:
		return "--offset=<seconds> --error=<seconds>";
	}
}

void clock_missing_add_help(const struct clock_map *map, uint32_t source, uint32_t other,
			    struct text *text)
{
	enum source_clock clock = map->sources[source].clock;

	text_addf(text, "tephra align %s --capture='%s' ",
		  map->profile ? map->profile : "<profile>", map->sources[source].name);
	if (may_be_same(map, source, other) && clock >= SOURCE_CLOCK_PERF &&
	    clock <= SOURCE_CLOCK_BOOTTIME)
		text_addf(text, "--same-clock --to='%s', if both are of one boot",
			  map->sources[other].name);
	else
		text_add(text, options_for(clock));
	if (clock == SOURCE_CLOCK_PERF)
		text_add(text, "; next time: perf record -k CLOCK_MONOTONIC");
}

struct error *clock_missing(const struct clock_map *map, uint32_t source, uint32_t target)
{
	CLEANUP(text_release) struct text text = TEXT_INIT, help = TEXT_INIT;
	uint32_t loose = source, other = target;

	if (source == CLOCK_WALL ||
	    (target != CLOCK_WALL && clock_map_is_tied(map, source, CLOCK_WALL))) {
		loose = target;
		other = source;
	}
	if (map->sources[loose].clock == SOURCE_CLOCK_NONE)
		return error_new(ERROR_INPUT, "'%s' has no times", map->sources[loose].name);
	text_add(&text, "nothing ties ");
	add_clock(map, source, &text);
	text_add(&text, " to ");
	add_clock(map, target, &text);
	clock_missing_add_help(map, loose, other, &help);
	return error_hint(error_new(ERROR_INPUT, "%s", text_string(&text)), "%s",
			  text_string(&help));
}
