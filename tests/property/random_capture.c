/* random_capture.c - a capture by chance: its perf script text, and what must come of it */
#include "tests/property/random_capture.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "tests/bench/chance.h"

static const char *const events[RANDOM_EVENTS_NR] = {"cycles:u", "sched:sched_switch"};

static const char *const comms[] = {"relay", "pool 1 [b]",  "42",    "x",
				    "größe", "kworker/0:1", "a;b:c", "caf\xe9"};
const unsigned random_comms_nr = ARRAY_NR(comms);

/* What stands behind the address, and what it is called; an inlined one is never outermost. */
static const struct {
	const char *line, *name;
	bool is_inlined;
} frames[] = {
	{"main+0x1 (/opt/relay)", "main", false},
	{"std::vector<int, A>::push_back(int const&)+0x2f (/opt/relay)",
	 "std::vector<int, A>::push_back(int const&)", false},
	{"net/http.(*conn).serve+0x8 (/opt/web)", "net/http.(*conn).serve", false},
	{"Ptr::operator->()+0x3 (/opt/relay)", "Ptr::operator->()", false},
	{"run(int)::{lambda(int)#1}::operator()(int) const (/opt/relay)",
	 "run(int)::{lambda(int)#1}::operator()(int) const", false},
	{"[unknown] (/usr/lib/libc.so.6)", "[libc.so.6]", false},
	{"[unknown] ([unknown])", "[unknown]", false},
	{"sys_read+0x10 ([kernel.kallsyms])", "sys_read", false},
	{"sys_read+0x18 ([kernel.kallsyms])", "sys_read", false},
	{"sys_read+0x10 (/opt/relay)", "sys_read", false},
	{"f (/opt/my app (old)/x)", "f", false},
	{"größe+0x1 (/opt/x)", "größe", false},
	{"caf\xe9+0x1 (/opt/x)", "caf\xe9", false},
	{"odd;name+0x1 (/opt/x)", "odd:name", false},
	{"LFoo;::bar (/tmp/perf-7.map)", "LFoo:::bar", false},
	{"hash(int) (inlined)", "hash(int)", true},
	{"mix (inlined)", "mix", true},
};

const char *random_event(unsigned event)
{
	return events[event];
}

const char *random_comm(unsigned comm)
{
	return comms[comm];
}

static void draw_sample(struct chance *chance, struct random_sample *sample)
{
	sample->comm = chance_below(chance, ARRAY_NR(comms));
	sample->event = chance_percent(chance, 20);
	sample->pid = (int)chance_below(chance, 3) * 100;
	sample->tid = sample->pid + (int)chance_below(chance, 3);
	sample->cpu = (int)chance_below(chance, 4);
	sample->period = chance_percent(chance, 5) ? chance_u64(chance) | 1
						   : 1 + chance_below(chance, 1000000);
	/* few leading frames, so that samples have beginnings in common */
	sample->depth = chance_below(chance, RANDOM_DEPTH_MAX + 1);
	for (unsigned i = 0; i < sample->depth; i++) {
		unsigned from_outside = sample->depth - 1 - i;

		do
			sample->frames[i] = chance_below(
				chance, from_outside < 3 ? 2 : (uint32_t)ARRAY_NR(frames));
		while (frames[sample->frames[i]].is_inlined && i + 1 == sample->depth);
	}
}

void random_capture_draw(struct chance *chance, struct random_capture *ret)
{
	struct random_layout *layout = &ret->layout;
	uint64_t now_ns = chance_below(chance, 1000000) * UINT64_C(1000000);

	*ret = (struct random_capture){.nr = 1 + chance_below(chance, RANDOM_SAMPLES_MAX)};
	layout->has_pid = chance_percent(chance, 50);
	layout->has_cpu = chance_percent(chance, 50);
	layout->has_time = chance_percent(chance, 80);
	layout->has_nanoseconds = chance_percent(chance, 50);
	layout->has_period = chance_percent(chance, 80);
	layout->has_cr = chance_percent(chance, 10);
	layout->has_last_blank_line = chance_percent(chance, 70);
	for (unsigned i = 0; i < ret->nr; i++) {
		draw_sample(chance, &ret->samples[i]);
		now_ns += chance_below(chance, 1000000) * UINT64_C(1000);
		ret->samples[i].time_ns = now_ns;
	}
}

void random_capture_damage(struct chance *chance, struct random_capture *capture)
{
	/* at least one header stays, or the text would be one of a file without headers */
	for (unsigned i = 1; i < capture->nr; i++) {
		struct random_sample *sample = &capture->samples[i];

		sample->has_lost_header = chance_percent(chance, 10);
		/* not the outermost, which may be what an inlined frame waits for */
		for (unsigned j = 0; j + 1 < sample->depth; j++)
			if (chance_percent(chance, 10))
				sample->lost_frames |= 1u << j;
	}
	capture->odd_lines = chance_below(chance, 4);
	capture->messages = chance_below(chance, 4);
}

/* ---- the text */

static void end_line(const struct random_capture *capture, struct text *text)
{
	text_add(text, capture->layout.has_cr ? "\r\n" : "\n");
}

static void write_header(const struct random_capture *capture, const struct random_sample *sample,
			 struct text *text)
{
	const struct random_layout *layout = &capture->layout;

	if (sample->has_lost_header) {
		text_add(text, "the disk was full here");
		return;
	}
	text_add(text, comms[sample->comm]);
	if (layout->has_pid)
		text_addf(text, "  %d/%d", sample->pid, sample->tid);
	else
		text_addf(text, "  %d", sample->tid);
	if (layout->has_cpu)
		text_addf(text, " [%03d]", sample->cpu);
	if (layout->has_time && layout->has_nanoseconds)
		text_addf(text, " %5" PRIu64 ".%09" PRIu64 ":", sample->time_ns / 1000000000,
			  sample->time_ns % 1000000000);
	else if (layout->has_time)
		text_addf(text, " %5" PRIu64 ".%06" PRIu64 ":", sample->time_ns / 1000000000,
			  sample->time_ns % 1000000000 / 1000);
	if (layout->has_period)
		text_addf(text, " %10" PRIu64, sample->period);
	text_addf(text, " %s: ", events[sample->event]);
}

static void write_sample(const struct random_capture *capture, unsigned nr, struct text *text)
{
	const struct random_sample *sample = &capture->samples[nr];

	write_header(capture, sample, text);
	end_line(capture, text);
	for (unsigned i = 0; i < sample->depth; i++) {
		if (sample->lost_frames & 1u << i)
			text_addf(text, "\tgone: %s", frames[sample->frames[i]].line);
		else
			text_addf(text, "\t%16x %s", 0x1000 * sample->frames[i] + nr % 2,
				  frames[sample->frames[i]].line);
		end_line(capture, text);
	}
	if (nr + 1 < capture->nr || capture->layout.has_last_blank_line)
		end_line(capture, text);
}

void random_capture_write(const struct random_capture *capture, struct text *text)
{
	for (unsigned i = 0; i < capture->nr; i++) {
		if (i < capture->odd_lines) {
			text_add(text, "lorem ipsum, dolor");
			end_line(capture, text);
			end_line(capture, text);
		}
		if (i < capture->messages) {
			text_add(text, "Warning: it was late");
			end_line(capture, text);
		}
		write_sample(capture, i, text);
	}
}

/* ---- the model */

static bool is_wanted(const struct random_sample *sample, const struct random_wish *wish)
{
	if (sample->has_lost_header)
		return false;
	return (wish->event < 0 || (unsigned)wish->event == sample->event) &&
	       (wish->comm < 0 || (unsigned)wish->comm == sample->comm) &&
	       (wish->cpu < 0 || wish->cpu == sample->cpu) && sample->time_ns >= wish->from_ns &&
	       (!wish->to_ns || sample->time_ns < wish->to_ns);
}

static void add_stack(const struct random_sample *sample, struct text *text)
{
	size_t begin = text->size;

	text_add(text, comms[sample->comm]);
	for (size_t i = begin; i < text->size; i++)
		if (text->bytes[i] == ';')
			text->bytes[i] = ':';
	for (unsigned i = sample->depth; i-- > 0;)
		if (!(sample->lost_frames & 1u << i))
			text_addf(text, ";%s", frames[sample->frames[i]].name);
}

weight random_capture_fold(const struct random_capture *capture, const struct random_wish *wish,
			   struct text *text)
{
	struct text stacks[RANDOM_SAMPLES_MAX] = {0};
	weight values[RANDOM_SAMPLES_MAX] = {0}, sum = 0;
	unsigned nr = 0;

	for (unsigned i = 0; i < capture->nr; i++) {
		const struct random_sample *sample = &capture->samples[i];
		CLEANUP(text_release) struct text stack = TEXT_INIT;
		bool is_counted = wish->counts_samples || !capture->layout.has_period;
		unsigned at = 0;

		if (!is_wanted(sample, wish))
			continue;
		add_stack(sample, &stack);
		while (at < nr && strcmp(stack.bytes, stacks[at].bytes) != 0)
			at++;
		if (at == nr)
			text_add(&stacks[nr++], stack.bytes);
		values[at] += weight_of(is_counted ? 1 : sample->period);
	}
	for (unsigned i = 0; i < nr; i++) {
		text_addf(text, "%s ", stacks[i].bytes);
		weight_add(text, values[i]);
		text_add_char(text, '\n');
		sum += values[i];
		text_release(&stacks[i]);
	}
	random_sort_lines(text);
	return sum;
}

void random_capture_count(const struct random_capture *capture, struct random_counts *ret)
{
	unsigned in_front = capture->nr;

	*ret = (struct random_counts){0};
	ret->unrecognised = capture->odd_lines < in_front ? capture->odd_lines : in_front;
	ret->messages = capture->messages < in_front ? capture->messages : in_front;
	for (unsigned i = 0; i < capture->nr; i++) {
		const struct random_sample *sample = &capture->samples[i];

		ret->unrecognised += (unsigned)__builtin_popcount(sample->lost_frames);
		ret->unrecognised += sample->has_lost_header;
		ret->samples += !sample->has_lost_header;
		ret->orphans += sample->has_lost_header && sample->depth;
	}
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void random_sort_lines(struct text *text)
{
	char *copy = mem_memdup(text_string(text), text->size), **lines;
	size_t nr = 0, at = 0;

	for (size_t i = 0; i < text->size; i++)
		nr += copy[i] == '\n';
	lines = mem_zalloc(nr, sizeof(*lines));
	for (char *line = copy; at < nr; line += strlen(line) + 1) {
		*strchr(line, '\n') = '\0';
		lines[at++] = line;
	}
	qsort(lines, nr, sizeof(*lines), compare_lines);
	text_clear(text);
	for (size_t i = 0; i < nr; i++)
		text_addf(text, "%s\n", lines[i]);
	free(lines);
	free(copy);
}
