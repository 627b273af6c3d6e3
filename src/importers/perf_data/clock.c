/* clock.c - which clock a file's times are of, and the moment at which its wall time was read */
#include "importers/perf_data/clock.h"

#include "importers/perf_data/state.h"

/* gettimeofday() cuts nanoseconds off */
#define WALL_RESOLUTION_NS 1000

bool perf_clock_data_read(struct bytes bytes, struct perf_clock_data *ret)
{
	uint32_t version;

	return bytes_u32(&bytes, &version) && bytes_u32(&bytes, &ret->clockid) &&
	       bytes_u64(&bytes, &ret->wall_ns) && bytes_u64(&bytes, &ret->clock_ns);
}

enum source_clock perf_clock_of(uint32_t clockid)
{
	switch (clockid) {
	case 0:
		return SOURCE_CLOCK_REALTIME;
	case 1:
		return SOURCE_CLOCK_MONOTONIC;
	case 4:
		return SOURCE_CLOCK_MONOTONIC_RAW;
	case 7:
		return SOURCE_CLOCK_BOOTTIME;
	case 11:
		return SOURCE_CLOCK_TAI;
	default:
		return SOURCE_CLOCK_UNKNOWN;
	}
}

void perf_clock_tie(struct capture *capture, const struct perf_clock_data *data)
{
	const uint64_t latest = WALL_RESOLUTION_NS + PERF_CLOCK_DELAY_NS;
	struct clock_tie tie;

	/* in the middle of what is possible */
	if (capture->clock == SOURCE_CLOCK_REALTIME || data->wall_ns > INT64_MAX ||
	    data->clock_ns > INT64_MAX ||
	    !clock_tie_of(data->clock_ns, data->wall_ns + latest / 2, latest / 2, &tie))
		return;
	tie.how = TIE_CLOCK_DATA;
	tie.drift_ppb = clock_tie_drift_ppb(capture->clock);
	clock_ties_add(&capture->ties, &tie);
}

void perf_clock_tell(struct perf_data *data)
{
	struct capture *capture = data->capture;
	const struct perf_attr *attr = NULL;

	for (uint32_t i = 0; !attr && i < data->events.nr; i++)
		if (perf_attr_has(&data->events.list[i], PERF_BIT_TIME))
			attr = &data->events.list[i];
	if (!attr || capture->clock != SOURCE_CLOCK_UNKNOWN) /* counts have one of their own */
		return;
	if (!perf_attr_flag(attr, PERF_ATTR_USE_CLOCKID)) {
		capture->clock = SOURCE_CLOCK_PERF;
		return;
	}
	capture->clock = perf_clock_of(attr->clockid);
	if (data->clock_data.clock_ns && data->clock_data.clockid == attr->clockid)
		perf_clock_tie(capture, &data->clock_data);
}
