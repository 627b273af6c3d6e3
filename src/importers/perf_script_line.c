/* perf_script_line.c - the grammar of one line of perf script text */
#include "importers/perf_script_line.h"

#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "model/sink.h"
#include "model/tasks.h"

/* perf prints 6 digits (microseconds) or, with --ns, 9. */
#define TIME_DIGITS_LEAST 6
#define TIME_DIGITS_MOST  9

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool span_is(struct span span, const char *s)
{
	return span.size == strlen(s) && memcmp(span.at, s, span.size) == 0;
}

static bool span_starts(struct span span, const char *s)
{
	return span.size >= strlen(s) && memcmp(span.at, s, strlen(s)) == 0;
}

static struct span span_trim(const char *at, const char *end)
{
	while (at < end && is_blank(*at))
		at++;
	while (at < end && is_blank(end[-1]))
		end--;
	return (struct span){at, (size_t)(end - at)};
}

/* The word at or behind `at`: blank-separated. Size 0 at the end. */
static struct span next_word(const char *at, const char *end)
{
	const char *begin;

	while (at < end && is_blank(*at))
		at++;
	begin = at;
	while (at < end && !is_blank(*at))
		at++;
	return (struct span){begin, (size_t)(at - begin)};
}

/* The word that ends at or before `end`. Size 0 at the beginning. */
static struct span last_word(const char *at, const char *end)
{
	const char *word_end;

	while (end > at && is_blank(end[-1]))
		end--;
	word_end = end;
	while (end > at && !is_blank(end[-1]))
		end--;
	return (struct span){end, (size_t)(word_end - end)};
}

/* "10314.002559:" to nanoseconds. */
static bool parse_time(struct span word, uint64_t *ret_ns)
{
	const char *point = memchr(word.at, '.', word.size);
	const char *end = word.at + word.size - 1;
	uint64_t seconds, part, scale = 1;
	size_t digits;

	if (word.size < 3 || *end != ':' || !point || point == word.at)
		return false;
	digits = (size_t)(end - point) - 1;
	if (digits < TIME_DIGITS_LEAST || digits > TIME_DIGITS_MOST)
		return false;
	if (!units_parse_u64(word.at, (size_t)(point - word.at), &seconds) ||
	    !units_parse_u64(point + 1, digits, &part))
		return false;
	for (size_t i = digits; i < 9; i++)
		scale *= 10;
	/* what is beyond 2^63 ns, 292 years, is no time; a profile could not keep it in order */
	return !__builtin_mul_overflow(seconds, 1000000000u, &seconds) &&
	       !__builtin_add_overflow(seconds, part * scale, ret_ns) && *ret_ns <= INT64_MAX;
}

/* "-1", "4711": an id as perf prints it. */
static bool parse_id(const char *at, size_t size, int32_t *ret)
{
	bool is_negative = size && at[0] == '-';
	uint64_t number;

	if (!units_parse_u64(at + is_negative, size - is_negative, &number) || number > INT32_MAX)
		return false;
	*ret = is_negative ? -(int32_t)number : (int32_t)number;
	return true;
}

/* "4711" (a thread) or "4711/4712" (process and thread). */
static bool parse_ids(struct span word, struct perf_script_header *header)
{
	const char *slash = memchr(word.at, '/', word.size);
	int32_t pid = TASK_ID_NONE, tid;
	size_t size = slash ? (size_t)(slash - word.at) : word.size;

	if (!parse_id(word.at, size, slash ? &pid : &tid))
		return false;
	if (slash && !parse_id(slash + 1, word.size - size - 1, &tid))
		return false;
	header->pid = pid;
	header->tid = tid;
	return true;
}

/* "[003]" */
static bool parse_cpu(struct span word, struct perf_script_header *header)
{
	return word.size >= 3 && word.at[0] == '[' && word.at[word.size - 1] == ']' &&
	       is_digit(word.at[1]) && parse_id(word.at + 1, word.size - 2, &header->cpu);
}

/* The column of `-F +misc`: where the sample hit, or what a record is. */
static bool is_misc(struct span word)
{
	static const char *const words[] = {"K", "U", "H", "G", "g", "?", "M", "E", "F", "S", "Sp"};

	for (size_t i = 0; i < ARRAY_NR(words); i++)
		if (span_is(word, words[i]))
			return true;
	return false;
}

/* The two words of `-F +tod`: "2026-11-30 05:05:01.283322". */
static bool is_time_of_day(struct span word)
{
	return word.size >= 8 && is_digit(word.at[0]) &&
	       ((word.at[2] == ':' && word.at[5] == ':') ||
		(word.size == 10 && word.at[4] == '-' && word.at[7] == '-'));
}

/* What stands before the time, read from its end: comm, ids, cpu. */
static void parse_before_time(const char *at, const char *end, struct perf_script_header *header)
{
	struct span word = last_word(at, end);

	while (word.size && is_time_of_day(word)) {
		end = word.at;
		word = last_word(at, end);
	}
	if (word.size && parse_cpu(word, header)) {
		end = word.at;
		word = last_word(at, end);
	}
	if (is_misc(word)) {
		struct span ids = last_word(at, word.at);

		if (ids.size && parse_ids(ids, header)) {
			end = ids.at;
			header->comm = span_trim(at, end);
			return;
		}
	}
	if (word.size && parse_ids(word, header))
		end = word.at;
	header->comm = span_trim(at, end);
}

/* An event's name with its colon: "cycles:", "sched:sched_switch:", "cpu/event=0x3c/u:". */
static bool is_event_word(struct span word)
{
	return word.size >= 2 && word.at[word.size - 1] == ':' && !is_digit(word.at[0]) &&
	       word.at[0] != '(' && word.at[0] != '[' && word.at[0] != ':';
}

static void set_event(struct perf_script_header *header, struct span word, const char *end)
{
	header->event = (struct span){word.at, word.size - 1};
	header->rest = span_trim(word.at + word.size, end);
}

/* What stands behind the time: period, event and the rest. */
static void parse_after_time(const char *at, const char *end, struct perf_script_header *header)
{
	struct span word = next_word(at, end), next;

	header->rest = span_trim(at, end);
	if (span_starts(header->rest, "PERF_RECORD_")) {
		header->kind = HEADER_RECORD;
		return;
	}
	if (is_event_word(word)) {
		set_event(header, word, end);
		return;
	}
	next = next_word(word.at + word.size, end);
	if (!units_parse_u64(word.at, word.size, &header->period) ||
	    (next.size && !is_event_word(next)))
		return;
	header->has_period = true;
	header->rest = span_trim(next.at, end);
	if (next.size)
		set_event(header, next, end);
}

static bool parse_with_time(const char *at, const char *end, struct perf_script_header *header)
{
	/* the time is the first word with digits, a point, digits and a colon */
	for (const char *colon = at; (colon = memchr(colon, ':', (size_t)(end - colon))); colon++) {
		struct span word;

		if (colon == at || !is_digit(colon[-1]) || (colon + 1 < end && !is_blank(colon[1])))
			continue;
		word = last_word(at, colon);
		word.size++;
		if (!parse_time(word, &header->time_ns))
			continue;
		header->has_time = true;
		parse_before_time(at, word.at, header);
		parse_after_time(colon + 1, end, header);
		return true;
	}
	return false;
}

/* Ids at `word`, perhaps a cpu, perhaps a period, and an event or a record? */
static bool parse_ids_and_event(struct span word, const char *end,
				struct perf_script_header *header)
{
	struct span next;

	if (!parse_ids(word, header))
		return false;
	next = next_word(word.at + word.size, end);
	if (next.size && parse_cpu(next, header))
		next = next_word(next.at + next.size, end);
	parse_after_time(next.at, end, header);
	if (header->event.at || header->kind == HEADER_RECORD)
		return true;
	header->has_period = false;
	return false;
}

/*
 * Without a time: the first place where ids and an event follow each other is the one,
 * whatever the comm holds. A comm may be a number, so the first word is tried last.
 */
static bool parse_without_time(const char *at, const char *end, struct perf_script_header *header)
{
	struct span first = next_word(at, end), word = first;

	if (at == first.at)
		word = next_word(word.at + word.size, end);
	while (word.size && !parse_ids_and_event(word, end, header))
		word = next_word(word.at + word.size, end);
	if (!word.size) {
		word = first;
		if (at != first.at || !parse_ids_and_event(word, end, header))
			return false;
	}
	header->comm = span_trim(at, word.at);
	/* " ilen: 1 insn: 0f": columns of the sample above */
	return !header->comm.size || header->comm.at[header->comm.size - 1] != ':';
}

bool perf_script_header(const char *at, size_t size, struct perf_script_header *ret)
{
	struct perf_script_header header = {
		.pid = TASK_ID_NONE, .tid = TASK_ID_NONE, .cpu = CPU_NONE};
	const char *end = at + size;

	if (!memchr(at, ':', size))
		return false;
	if (!parse_with_time(at, end, &header)) {
		header.cpu = CPU_NONE;
		if (!parse_without_time(at, end, &header))
			return false;
	}
	*ret = header;
	return true;
}

/* Cuts "+0x1b" from the end. */
static struct span cut_offset(struct span span)
{
	size_t i = span.size;

	while (i && hex_digit(span.at[i - 1]) >= 0)
		i--;
	if (i == span.size || i < 3 || memcmp(span.at + i - 3, "+0x", 3) != 0)
		return span;
	span.size = i - 3;
	return span;
}

/*
 * Where the last "(...)" of the line begins, counting brackets that stand in it: paths hold
 * blanks and brackets. NULL where the line does not end in one.
 */
static const char *module_begin(const char *at, const char *end)
{
	int depth = 0;

	if (at == end || end[-1] != ')')
		return NULL;
	for (const char *p = end - 1; p >= at; p--) {
		if (*p == ')')
			depth++;
		else if (*p == '(' && --depth == 0)
			return p == at || is_blank(p[-1]) ? p : NULL;
	}
	/* a path with a closing bracket that was never opened */
	for (const char *p = end - 1; p > at; p--)
		if (*p == '(' && is_blank(p[-1]) && (p[1] == '/' || p[1] == '['))
			return p;
	return NULL;
}

static bool parse_address(const char **at, const char *end, uint64_t *ret)
{
	const char *begin = *at, *p = begin;
	uint64_t address = 0;

	for (; p < end && hex_digit(*p) >= 0; p++)
		address = address << 4 | (uint64_t)hex_digit(*p);
	if (p == begin || p - begin > 16 || (p < end && !is_blank(*p)))
		return false;
	*at = p;
	*ret = address;
	return true;
}

static void parse_module(const char *begin, const char *end, struct perf_script_frame *frame)
{
	struct span module = cut_offset((struct span){begin + 1, (size_t)(end - begin) - 2});

	if (span_is(module, "inlined"))
		frame->is_inlined = true;
	else if (module.size && !span_is(module, "[unknown]"))
		frame->module = module;
}

bool perf_script_frame(const char *at, size_t size, struct perf_script_frame *ret)
{
	struct perf_script_frame frame = {0};
	const char *end = at + size, *module;
	struct span symbol;

	while (at < end && is_blank(*at))
		at++;
	while (end > at && is_blank(end[-1]))
		end--;
	if (!parse_address(&at, end, &frame.address))
		return false;
	module = module_begin(at, end);
	if (module) {
		parse_module(module, end, &frame);
		end = module;
	}
	symbol = span_trim(at, end);
	frame.has_symbol_column = symbol.size > 0;
	symbol = cut_offset(symbol);
	if (symbol.size && !span_is(symbol, "[unknown]"))
		frame.symbol = symbol;
	*ret = frame;
	return true;
}

bool perf_script_inline_frame(const char *at, size_t size, struct perf_script_frame *ret)
{
	const char *end = at + size;
	struct span first = next_word(at, end);
	struct span second = next_word(first.at + first.size, end);
	const char *p = second.at;
	uint64_t address;

	/* "7f12a0 555e symbol (module)": a data address stands before the ip */
	if (second.size && parse_address(&p, end, &address)) {
		struct span third = next_word(p, end);

		if (third.size && third.at[0] != '(' &&
		    perf_script_frame(second.at, (size_t)(end - second.at), ret))
			return true;
	}
	return perf_script_frame(at, size, ret);
}

bool perf_script_is_tracepoint(struct span event)
{
	const char *colon = event.size ? memchr(event.at, ':', event.size) : NULL;
	size_t behind;

	if (!colon || memchr(event.at, '/', event.size))
		return false;
	behind = event.size - (size_t)(colon - event.at) - 1;
	/* "cycles:u" has modifiers, "sched:sched_switch" a name; both of "sched:u" would do */
	for (size_t i = 1; i <= behind; i++)
		if (!strchr("ukhIGHpPSDWeb", colon[i]))
			return true;
	return false;
}

bool perf_script_is_message(const char *at, size_t size)
{
	static const char *const begins[] = {
		"Warning:",
		"Processed ",
		"Check IO/CPU overload",
		"Failed to open ",
		"[ perf record:",
		"Was the 'perf record'",
		"addr2line:",
		"perf: ",
		"no symbols found in",
		"Couldn't ",
		"Samples in kernel",
		"Cannot ",
		"cmd__addr2line",
		"BFD: ",
		"Problems ",
		"failed to ",
		"ERROR: ",
		"WARNING: ",
		"dso__load_",
		"symbol__",
		"Kernel address maps",
		"Lost ",
		"Auxtrace ",
		"Instruction trace errors",
		"Unable to ",
		"incompatible file",
		"Please ",
		"The ",
		"was ",
		"Out of order",
		"overlapping maps",
		"Events disabled",
		"Events enabled",
		"-e ",
		"Use '",
		"Try ",
		"/proc/",
		"sys_perf_event_open",
		"overlap",
		"unwind: ",
		"could not ",
		"[perf-",
	};
	struct span line = span_trim(at, at + size);

	for (size_t i = 0; i < ARRAY_NR(begins); i++)
		if (span_starts(line, begins[i]))
			return true;
	return false;
}
