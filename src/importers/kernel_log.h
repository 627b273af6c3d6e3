/* kernel_log.h - a line of the kernel log: its time there, and the wall time that it holds */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/clock_tie.h"

/* The kernel writes a time in whole microseconds, cut off (printk_time, kernel/printk/printk.c). */
#define KERNEL_LOG_RESOLUTION_NS 1000

/*
 * From the moment a program reads the wall time until the kernel has the line with it, where
 * nothing else says when that was at the latest: a few system calls.
 */
#define KERNEL_LOG_DELAY_NS 1000000

/*
 * A busy machine may let the program wait between the two, and nothing in the line says so: where
 * no later wall time stands behind it, it may be wrong by so much more. On two CPUs with 24 tasks
 * that were able to run it was 8 ms late.
 */
#define KERNEL_LOG_HELD_NS 10000000

/* No line is longer. */
#define KERNEL_LOG_LINE_MAX 8192

/* The wall time at the line's time was at least wall_ns, and with has_until at most until_ns. */
struct kernel_line {
	uint64_t time_ns;
	uint64_t wall_ns, until_ns; /* since 1970; valid with has_wall */
	bool has_wall;		    /* its message is one: what "date +%s.%N >/dev/kmsg" wrote */
	/* "... until 1796007538.0221" stands behind it, or somebody said how wrong it may be */
	bool has_until;
};

/*
 * Reads a line as "dmesg", "dmesg -x", "journalctl -k -o short-monotonic", a kernel.log of syslog
 * or /dev/kmsg itself give it:
 *
 *	[24056.630211] 1796007538.021123456
 *	[24056.630211] tephra anchor 1796007538.021123456 until 1796007538.022456789
 *	[24056.630211] box kernel: 1796007538.021123456
 *	4,1042,24056630211,-;1796007538.021123456
 *
 * Refuses what holds no kernel time, and says which command gives it: the wall times of "dmesg -T"
 * and the like are computed, and wrong by the drift of the clocks since boot.
 */
ERROR_RESULT struct error *kernel_log_line(const char *at, size_t size, struct kernel_line *ret);

/*
 * The tie of the kernel's clock to wall time that the line is, from source 0, with the drift that
 * is usual. False where it has no wall time, or one beyond all clocks.
 */
bool kernel_log_tie(const struct kernel_line *line, struct clock_tie *ret);

/*
 * Reads all of it as seconds since 1970, "1796007538.021": the wall time was not before *ret_ns
 * and before *ret_ns + *ret_resolution_ns, by the digits. False where it is none, or before 2001.
 */
bool kernel_log_wall(const char *at, size_t size, uint64_t *ret_ns, uint64_t *ret_resolution_ns);
