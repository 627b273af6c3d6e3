/* kernel_log.c - a line of the kernel log: its time there, and the wall time that it holds */
#include "importers/kernel_log.h"

#include <string.h>

#include "base/units.h"

/* Seconds since 1970 have ten digits from 2001 to 2286: no time since boot has. */
#define WALL_DIGITS 10

/* What is left of a line. */
struct rest {
	const char *at, *end;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void skip_spaces(struct rest *rest)
{
	while (rest->at < rest->end && (*rest->at == ' ' || *rest->at == '\t'))
		rest->at++;
}

static bool take(struct rest *rest, const char *word)
{
	size_t size = strlen(word);

	if ((size_t)(rest->end - rest->at) < size || memcmp(rest->at, word, size) != 0)
		return false;
	rest->at += size;
	return true;
}

static size_t digits(const struct rest *rest)
{
	size_t nr = 0;

	while (rest->at + nr < rest->end && is_digit(rest->at[nr]))
		nr++;
	return nr;
}

static bool take_number(struct rest *rest, uint64_t *ret)
{
	size_t nr = digits(rest);

	if (!nr || !units_parse_u64(rest->at, nr, ret))
		return false;
	rest->at += nr;
	return true;
}

/* ---- the kernel's time */

/* "4,1042,24056630211,-;": level, number, microseconds, flags (Documentation/ABI/testing/dev-kmsg)
 */
static bool take_record(struct rest *rest, uint64_t *ret_ns)
{
	struct rest at = *rest;
	const char *semicolon;
	uint64_t skipped, us;

	if (!take_number(&at, &skipped) || !take(&at, ",") || !take_number(&at, &skipped) ||
	    !take(&at, ",") || !take_number(&at, &us) || !take(&at, ","))
		return false;
	semicolon = memchr(at.at, ';', (size_t)(at.end - at.at));
	if (!semicolon || __builtin_mul_overflow(us, 1000, ret_ns))
		return false;
	rest->at = semicolon + 1;
	return true;
}

/* "[24056.630211]", "[    5.630211 <    0.000012>]" of dmesg -d; a caller behind it: "[   T12]" */
static bool take_stamp(struct rest *rest, uint64_t *ret_ns)
{
	struct rest at = *rest;
	uint64_t seconds, us;

	if (!take(&at, "["))
		return false;
	skip_spaces(&at);
	if (!take_number(&at, &seconds) || !take(&at, ".") || digits(&at) != 6 ||
	    !take_number(&at, &us))
		return false;
	if (take(&at, " <")) {
		at.at = memchr(at.at, '>', (size_t)(at.end - at.at));
		if (!at.at)
			return false;
		at.at++;
	}
	if (!take(&at, "]") || __builtin_mul_overflow(seconds, 1000000000, ret_ns) ||
	    __builtin_add_overflow(*ret_ns, us * 1000, ret_ns))
		return false;
	*rest = at;
	return true;
}

/* "kern  :info  : " of dmesg -x, "<4>", "Nov 30 11:33:07 box kernel: " of a log file */
static void skip_before_stamp(struct rest *rest)
{
	struct rest at = *rest;
	uint64_t level;

	if (take(&at, "<") && take_number(&at, &level) && take(&at, ">"))
		*rest = at;
	for (at = *rest; at.at < at.end && *at.at != '['; at.at++) {
		struct rest behind = at;

		if (take(&behind, ": ")) {
			skip_spaces(&behind);
			if (behind.at < behind.end && *behind.at == '[')
				*rest = behind;
		}
	}
}

static void skip_caller(struct rest *rest)
{
	struct rest at = *rest;
	uint64_t number;

	if (!take(&at, "["))
		return;
	skip_spaces(&at);
	if ((take(&at, "T") || take(&at, "C")) && take_number(&at, &number) && take(&at, "]"))
		*rest = at;
}

/* ---- why there is none */

/* "2026-11-30T": dmesg --time-format=iso, journalctl -o short-iso */
static bool is_iso_date(struct rest line)
{
	uint64_t number;

	return digits(&line) == 4 && take_number(&line, &number) && take(&line, "-") &&
	       take_number(&line, &number) && take(&line, "-") && take_number(&line, &number) &&
	       take(&line, "T");
}

static struct error *refuse(struct rest line)
{
	const char *bracket = memchr(line.at, '[', (size_t)(line.end - line.at));
	bool is_dated = bracket == line.at && memchr(line.at, ':', (size_t)(line.end - line.at)) &&
			line.end - line.at > 1 && line.at[1] >= 'A' && line.at[1] <= 'Z';

	if (is_dated || is_iso_date(line))
		return error_hint(
			error_new(
				ERROR_INPUT,
				"the time of the line is computed wall time, as 'dmesg -T' prints "
				"it: wrong by what the clocks have drifted since boot"),
			"plain 'dmesg' prints the kernel's own time: [24056.630211]");
	return error_hint(error_new(ERROR_INPUT,
				    "the line has no time of the kernel, such as [24056.630211]"),
			  "'dmesg' prints it, or 'journalctl -k -o short-monotonic'");
}

/* ---- the message */

bool kernel_log_wall(const char *at, size_t size, uint64_t *ret_ns, uint64_t *ret_resolution_ns)
{
	struct rest rest = {at, at + size};
	uint64_t resolution = 1000000000;
	size_t decimals;
	weight wall;

	if (digits(&rest) < WALL_DIGITS)
		return false;
	rest.at += digits(&rest);
	if (rest.at < rest.end && !take(&rest, "."))
		return false;
	decimals = digits(&rest);
	if (rest.at + decimals != rest.end || !weight_parse(at, size, &wall) || wall > INT64_MAX)
		return false;
	for (size_t i = 0; i < decimals && resolution > 1; i++)
		resolution /= 10;
	*ret_ns = (uint64_t)wall;
	*ret_resolution_ns = resolution;
	return true;
}

static bool take_wall(struct rest *rest, uint64_t *ret_ns, uint64_t *ret_resolution_ns)
{
	size_t size = strspn(rest->at, "0123456789.");

	if (!kernel_log_wall(rest->at, size, ret_ns, ret_resolution_ns))
		return false;
	rest->at += size;
	return true;
}

static void read_message(struct rest rest, struct kernel_line *ret)
{
	uint64_t resolution, until;

	skip_spaces(&rest);
	if (take(&rest, "tephra anchor"))
		skip_spaces(&rest);
	if (!take_wall(&rest, &ret->wall_ns, &resolution))
		return;
	ret->until_ns = ret->wall_ns + resolution + KERNEL_LOG_DELAY_NS;
	if (take(&rest, " until ") && take_wall(&rest, &until, &resolution) &&
	    until >= ret->wall_ns) {
		ret->has_until = true;
		ret->until_ns = until + resolution;
	}
	skip_spaces(&rest);
	ret->has_wall = rest.at == rest.end;
}

/* "box kernel: message" of the journal; lines of other programs have CLOCK_MONOTONIC there. */
static struct error *skip_journal(struct rest *rest)
{
	struct rest at = *rest;
	const char *word;

	skip_spaces(&at);
	while (at.at < at.end && *at.at != ' ')
		at.at++;
	skip_spaces(&at);
	if (take(&at, "kernel: ")) {
		*rest = at;
		return NULL;
	}
	for (word = at.at; at.at < at.end && *at.at != ' ' && *at.at != '['; at.at++)
		;
	if (at.at > word && take(&at, "[") && digits(&at)) {
		at.at += digits(&at);
		if (take(&at, "]: "))
			return error_new(ERROR_INPUT,
					 "the line is of '%.*s' and not of the kernel: its time is "
					 "of another clock",
					 (int)(at.at - word) - 2, word);
	}
	return NULL;
}

struct error *kernel_log_line(const char *at, size_t size, struct kernel_line *ret)
{
	char line[KERNEL_LOG_LINE_MAX + 1];
	struct rest rest = {line, line};
	struct kernel_line read = {0};
	struct error *err;

	if (size > KERNEL_LOG_LINE_MAX)
		return error_new(ERROR_INPUT, "the line has more than %d bytes",
				 KERNEL_LOG_LINE_MAX);
	memcpy(line, at, size);
	while (size && (line[size - 1] == '\n' || line[size - 1] == '\r' || line[size - 1] == ' '))
		size--;
	line[size] = '\0';
	rest.end = line + size;
	if (!take_record(&rest, &read.time_ns)) {
		skip_before_stamp(&rest);
		if (!take_stamp(&rest, &read.time_ns))
			return refuse(rest);
		skip_spaces(&rest);
		skip_caller(&rest);
		err = skip_journal(&rest);
		if (err)
			return err;
	}
	read_message(rest, &read);
	*ret = read;
	return NULL;
}

bool kernel_log_tie(const struct kernel_line *line, struct clock_tie *ret)
{
	/* the time of the line was cut off: it was written up to a microsecond later */
	uint64_t length_ns = line->until_ns - line->wall_ns + KERNEL_LOG_RESOLUTION_NS;
	uint64_t held_ns = line->has_until ? 0 : KERNEL_LOG_HELD_NS;

	if (!line->has_wall || line->until_ns > INT64_MAX || line->time_ns > INT64_MAX ||
	    !clock_tie_of(line->time_ns, line->until_ns - length_ns / 2,
			  length_ns - length_ns / 2 + held_ns, ret))
		return false;
	ret->how = TIE_KERNEL_LOG;
	return true;
}
