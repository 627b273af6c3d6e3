/* perf_script_clock.c - which clock the times of a text are of, where its header tells */
#include "importers/perf_script_clock.h"

#include <string.h>

#include "base/units.h"
#include "importers/perf_data/clock.h"
#include "model/capture.h"

/* The first event whose samples have times; perf takes one clock for all of them. */
static const char *event_of(const struct facts *facts)
{
	for (size_t i = 0; i < facts->nr; i++)
		if (strcmp(facts->list[i].name, "event") == 0 &&
		    strstr(facts->list[i].value, "|TIME"))
			return facts->list[i].value;
	return NULL;
}

/* ", clockid = 1"; members that are 0 are not printed. */
static uint32_t clockid_of(const char *event)
{
	static const char member[] = ", clockid = ";
	const char *at = strstr(event, member);
	uint64_t number = 0;

	if (at) {
		at += strlen(member);
		if (!units_parse_u64(at, strspn(at, "0123456789"), &number) || number > UINT32_MAX)
			return UINT32_MAX;
	}
	return (uint32_t)number;
}

/* The seconds behind the next "= "; *at moves behind them. */
static bool take_seconds(const char **at, uint64_t *ret_ns)
{
	const char *equals = strstr(*at, "= ");
	size_t size;

	if (!equals)
		return false;
	size = strspn(equals + 2, "0123456789.");
	*at = equals + 2 + size;
	return units_parse_time(equals + 2, size, ret_ns);
}

/* "2026-11-30 03:01:31.567381 = 1796007691.567381 (TOD) = 2816.987675888 (monotonic)" */
static void take_reference(struct capture *capture)
{
	const char *at = facts_find(&capture->facts, "reference time");
	struct perf_clock_data data = {0};

	if (at && take_seconds(&at, &data.wall_ns) && strncmp(at, " (TOD)", 6) == 0 &&
	    take_seconds(&at, &data.clock_ns) && data.clock_ns)
		perf_clock_tie(capture, &data);
}

void perf_script_clock_tell(struct capture *capture)
{
	const char *event = event_of(&capture->facts);

	if (!event)
		return;
	if (!strstr(event, "use_clockid = 1")) {
		capture->clock = SOURCE_CLOCK_PERF;
		return;
	}
	capture->clock = perf_clock_of(clockid_of(event));
	take_reference(capture);
}
