/* perf_script_clock.h - which clock the times of a text are of, where its header tells */
#pragma once

struct capture;

/*
 * Looks among the capture's facts, which "perf script --header" prints: "event" has "use_clockid =
 * 1" where the recording has not perf's own clock, and "reference time" is a moment of it and of
 * wall time. Without a header the clock is not known.
 */
void perf_script_clock_tell(struct capture *capture);
