/* align_ties.c - ties of clocks that somebody knows: lines of the kernel log, offsets, one clock */
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "commands/align.h"
#include "importers/kernel_log.h"

/* ---- --kmsg */

/* The wall time that was given beside the line instead of in it. */
static struct error *take_wall(const struct align_options *options, struct kernel_line *line)
{
	uint64_t resolution_ns, error_ns;

	if (!options->wall)
		return NULL;
	if (!kernel_log_wall(options->wall, strlen(options->wall), &line->wall_ns, &resolution_ns))
		return error_new(ERROR_USAGE,
				 "--wall takes seconds since 1970, 1796007538.021, not '%s'",
				 options->wall);
	line->has_wall = true;
	line->until_ns = line->wall_ns + resolution_ns + KERNEL_LOG_DELAY_NS;
	if (!options->error)
		return NULL;
	if (!units_parse_time(options->error, strlen(options->error), &error_ns) ||
	    error_ns > INT64_MAX / 4)
		return error_new(ERROR_USAGE, "--error takes a time, 5ms or 0.005, not '%s'",
				 options->error);
	line->has_until = true;
	line->until_ns = line->wall_ns + error_ns;
	line->wall_ns -= error_ns < line->wall_ns ? error_ns : line->wall_ns;
	return NULL;
}

/* All captures of the kernel's clock, where none was named. */
static struct error *want_kernel_clocks(struct align *align)
{
	bool is_one = false;

	for (size_t i = 0; i < align->captures.nr; i++) {
		const struct store_capture *capture = &align->captures.list[i];

		if (!align->options->captures.nr)
			align->is_wanted[i] = capture->clock == SOURCE_CLOCK_PERF;
		if (align->is_wanted[i] && capture->clock != SOURCE_CLOCK_PERF)
			return error_hint(
				error_new(
					ERROR_USAGE,
					"capture '%s' is on %s, and the kernel log on that of perf",
					capture->name, source_clock_text(capture->clock)),
				"--clock=perf says that it is, where the capture does not say");
		is_one |= align->is_wanted[i];
	}
	if (!is_one)
		return error_new(ERROR_USAGE, "no capture in '%s' is on perf's own clock",
				 align->path);
	return NULL;
}

static struct error *add_line(struct align *align, const struct kernel_line *line)
{
	struct clock_tie tie;

	if (!kernel_log_tie(line, &tie))
		return error_new(ERROR_INPUT, "the wall time of the line is beyond all clocks");
	tie.drift_ppb = (uint64_t)align->options->drift_ppm * 1000;
	for (size_t i = 0; i < align->captures.nr; i++) {
		struct error *err;

		if (!align->is_wanted[i])
			continue;
		tie.source = (uint32_t)i;
		err = align_add(align, &tie);
		if (err)
			return err;
	}
	return NULL;
}

static struct error *no_wall_time(void)
{
	return error_hint(
		error_new(ERROR_USAGE, "no line of the kernel log holds its wall time"),
		"--wall=<seconds since 1970>; 'date +%%s.%%N >/dev/kmsg; until=$(date +%%s.%%N); "
		"echo \"$(dmesg | tail -n 1) until $until\"' as root makes such a line");
}

struct log {
	size_t lines, taken;
	struct error *odd; /* owned: what was wrong with the first line that has no kernel time */
};

/* A line that is no such line is only told where none is: logs hold all sorts. */
static struct error *take_line(struct align *align, const char *at, size_t size, struct log *log)
{
	struct kernel_line line;
	struct error *err = kernel_log_line(at, size, &line);

	log->lines++;
	if (err && log->odd)
		error_free(err);
	else if (err)
		log->odd = err;
	if (err)
		return NULL;
	err = take_wall(align->options, &line);
	if (err || !line.has_wall)
		return err;
	if (log->taken++ && align->options->wall)
		return error_new(ERROR_USAGE,
				 "--wall is the wall time of one line, and there are more");
	return add_line(align, &line);
}

static struct error *take_file(struct align *align, struct log *log)
{
	struct reader *reader;
	struct error *err = reader_open(align->options->kmsg, &reader);
	size_t size;
	char *line;

	if (err)
		return err;
	do {
		err = reader_line(reader, &line, &size);
		if (!err && line)
			err = take_line(align, line, size, log);
	} while (!err && line);
	reader_close(reader);
	return err ? error_within(err, "%s: line %zu", align->options->kmsg, log->lines) : NULL;
}

struct error *align_kernel_log(struct align *align)
{
	const char *kmsg = align->options->kmsg;
	struct error *err = want_kernel_clocks(align);
	struct log log = {0};

	if (err)
		return err;
	if (access(kmsg, F_OK) == 0)
		err = take_file(align, &log);
	else
		err = take_line(align, kmsg, strlen(kmsg), &log);
	if (err || log.taken) {
		error_free(log.odd);
		return err;
	}
	return log.odd ? log.odd : no_wall_time();
}

/* ---- --offset and --same-clock */

/* "-7200", "1.5", "-250ms" */
static bool parse_offset(const char *s, int64_t *ret)
{
	bool is_negative = *s == '-';
	uint64_t ns;

	if (is_negative || *s == '+')
		s++;
	if (!units_parse_time(s, strlen(s), &ns) || ns > INT64_MAX)
		return false;
	*ret = is_negative ? -(int64_t)ns : (int64_t)ns;
	return true;
}

static struct error *take_offset(const struct align *align, struct clock_tie *tie)
{
	const struct align_options *options = align->options;
	const struct store_capture *capture = &align->captures.list[tie->source];

	if (!options->error)
		return error_hint(error_new(ERROR_USAGE, "how wrong may --offset be?"),
				  "--error=5ms, or --error=0 where it is exact");
	if (!parse_offset(options->offset, &tie->offset_ns))
		return error_new(ERROR_USAGE, "--offset takes a time, -7200 or 250ms, not '%s'",
				 options->offset);
	if (!units_parse_time(options->error, strlen(options->error), &tie->error_ns) ||
	    tie->error_ns > INT64_MAX)
		return error_new(ERROR_USAGE, "--error takes a time, 5ms or 0.005, not '%s'",
				 options->error);
	if (!capture->has_times)
		return error_new(ERROR_USAGE, "capture '%s' has no times", capture->name);
	tie->how = TIE_GIVEN;
	tie->first_ns = capture->start_ns;
	tie->last_ns = capture->end_ns;
	tie->drift_ppb = (uint64_t)options->drift_ppm * 1000;
	return NULL;
}

static struct error *take_same(const struct align *align, struct clock_tie *tie)
{
	const struct store_capture *source = &align->captures.list[tie->source];
	const struct store_capture *target;

	if (tie->target == CLOCK_WALL)
		return error_new(ERROR_USAGE, "the same clock as which capture? Say --to=<name>");
	target = &align->captures.list[tie->target];
	if (source->clock != target->clock || source->clock < SOURCE_CLOCK_PERF ||
	    source->clock > SOURCE_CLOCK_TAI)
		return error_new(ERROR_USAGE,
				 "'%s' is on %s and '%s' on %s: these are not the same clock",
				 source->name, source_clock_text(source->clock), target->name,
				 source_clock_text(target->clock));
	tie->how = TIE_SAME;
	tie->last_ns = INT64_MAX;
	return NULL;
}

struct error *align_by_hand(struct align *align)
{
	struct clock_tie tie = {0};
	struct error *err;

	if (!align->options->captures.nr)
		for (size_t i = 0; i < align->captures.nr; i++)
			align->is_wanted[i] = true;
	err = align_target(align, &tie.target);
	if (!err && tie.target != CLOCK_WALL && !align->options->captures.nr)
		align->is_wanted[tie.target] = false;
	if (!err)
		err = align_one(align, &tie.source);
	if (!err && tie.source == tie.target)
		err = error_new(ERROR_USAGE, "a clock is not tied to itself");
	if (!err)
		err = align->options->same_clock ? take_same(align, &tie)
						 : take_offset(align, &tie);
	return err ? err : align_add(align, &tie);
}
