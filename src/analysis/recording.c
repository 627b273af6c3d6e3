/* recording.c - how a capture was recorded, read out of what it says of itself */
#include "analysis/recording.h"

#include <ctype.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/units.h"
#include "model/capture.h"

/* perf_event.h: PERF_TYPE_TRACEPOINT */
#define TYPE_TRACEPOINT 2

/* A period where freq is not set. */
#define FIELD_RATE "{ sample_period, sample_freq }"

/* No event has a longer name. */
#define EVENT_NAME_MAX 256

/* ---- events: "name = cycles, type = 0, ..., freq = 1, ..." */

/* The number behind ", key = "; false where it is not there. */
static bool take_number(const char *line, const char *key, uint64_t *ret)
{
	char sought[64];
	const char *at;

	snprintf(sought, sizeof(sought), ", %s = ", key);
	at = strstr(line, sought);
	if (!at)
		return false;
	at += strlen(sought);
	if (!isdigit((unsigned char)*at))
		return false;
	*ret = strtoull(at, NULL, 0);
	return true;
}

static bool is_set(const char *line, const char *key)
{
	uint64_t number;

	return take_number(line, key, &number) && number;
}

static void take_event(const struct capture *capture, const char *line, struct recording *recording)
{
	static const char begin[] = "name = ";
	const char *end = strstr(line, ", ");
	struct recording_event *event;
	char name[EVENT_NAME_MAX];
	uint64_t type = 0, dump = 0, rate;
	uint32_t id;

	if (strncmp(line, begin, strlen(begin)) != 0 || !end ||
	    (size_t)(end - line) - strlen(begin) >= sizeof(name))
		return;
	line += strlen(begin);
	memcpy(name, line, (size_t)(end - line));
	name[end - line] = '\0';
	id = events_find(&capture->events, &capture->names, name);
	if (id == EVENT_NONE || recording->events[id].is_known)
		return;
	event = &recording->events[id];
	event->is_known = true;
	event->is_tracepoint = take_number(line, "type", &type) && type == TYPE_TRACEPOINT;
	take_number(line, FIELD_RATE, &event->rate);
	event->is_frequency = is_set(line, "freq");
	event->excludes_kernel = is_set(line, "exclude_kernel");
	event->excludes_user = is_set(line, "exclude_user");
	/* only what is not 0 is printed, but where there is nothing else nothing was printed */
	event->inherits = is_set(line, "inherit") || !take_number(line, FIELD_RATE, &rate);
	if (take_number(line, "sample_stack_user", &dump) && dump <= UINT32_MAX)
		event->dump_bytes = (uint32_t)dump;
}

/* ---- the command line */

/* The next word, of which *size is 0 at the end. */
static const char *next_word(const char *at, size_t *size)
{
	at += strspn(at, " ");
	*size = strcspn(at, " ");
	return at;
}

static bool is_word(const char *at, size_t size, const char *word)
{
	return size == strlen(word) && memcmp(at, word, size) == 0;
}

/* Options of `perf record` that take the next word, where none is joined to them by '='. */
static bool takes_word(const char *at, size_t size)
{
	static const char *const words[] = {
		"--event",
		"--output",
		"--freq",
		"--count",
		"--mmap-pages",
		"--clockid",
		"--pid",
		"--tid",
		"--uid",
		"--cpu",
		"--delay",
		"--filter",
		"--cgroup",
		"--call-graph",
		"--max-size",
		"--realtime",
		"--branch-filter",
		"--proc-map-timeout",
		"--num-thread-synthesize",
		"--addr-filter",
		"--vmlinux",
		"--group-by",
		"--control",
	};

	for (size_t i = 0; i < ARRAY_NR(words); i++)
		if (is_word(at, size, words[i]))
			return true;
	return false;
}

/* Letters of short options; those that take a value take the rest of the word, or the next. */
static bool take_letters(const char *at, size_t size, struct recording *recording, const char **ret)
{
	static const char with_value[] = "eoFcmkptuCDjGr";

	*ret = NULL;
	for (size_t i = 1; i < size; i++) {
		if (at[i] == 'a' || at[i] == 'C')
			recording->scope = RECORDING_SCOPE_SYSTEM;
		if (memchr("ptu", at[i], 3) && recording->scope == RECORDING_SCOPE_UNKNOWN)
			recording->scope = RECORDING_SCOPE_PROCESS;
		if (!strchr(with_value, at[i]))
			continue;
		if (at[i] == 'F')
			*ret = at + i + 1;
		return i + 1 == size;
	}
	return false;
}

static void take_frequency(const char *at, struct recording *recording)
{
	at += strspn(at, " ");
	if (isdigit((unsigned char)*at))
		recording->frequency_hz = strtoull(at, NULL, 10);
}

/* An option; true where the next word is its value. */
static bool take_option(const char *at, size_t size, struct recording *recording)
{
	const char *frequency = NULL;
	bool takes;

	if (at[1] == '-') {
		if (is_word(at, size, "--all-cpus") || strncmp(at, "--cpu", 5) == 0)
			recording->scope = RECORDING_SCOPE_SYSTEM;
		else if ((strncmp(at, "--pid", 5) == 0 || strncmp(at, "--tid", 5) == 0 ||
			  strncmp(at, "--uid", 5) == 0) &&
			 recording->scope == RECORDING_SCOPE_UNKNOWN)
			recording->scope = RECORDING_SCOPE_PROCESS;
		if (strncmp(at, "--freq", 6) == 0)
			take_frequency(at + 6 + (at[6] == '='), recording);
		return takes_word(at, size);
	}
	takes = take_letters(at, size, recording, &frequency);
	if (frequency)
		take_frequency(frequency, recording);
	return takes;
}

/*
 * "/usr/bin/perf record -a -g -- sleep 1". perf records all of the machine where it is told to,
 * where it is told no process and no command, and always as `perf sched` and `perf lock` do.
 */
static void take_command_line(const char *line, struct recording *recording)
{
	size_t size;
	const char *at = next_word(line, &size);
	bool is_value = false, is_record = false;

	if (!memmem(at, size, "perf", 4))
		return;
	recording->command_line = line;
	for (at = next_word(at + size, &size); size; at = next_word(at + size, &size)) {
		if (is_word(at, size, "--")) {
			recording->program = at + size + strspn(at + size, " ");
			break;
		}
		if (is_value)
			is_value = false;
		else if (*at == '-' && size > 1)
			is_value = take_option(at, size, recording);
		else if (is_word(at, size, "sched") || is_word(at, size, "lock"))
			recording->scope = RECORDING_SCOPE_SYSTEM;
		else if (is_word(at, size, "record"))
			is_record = true;
		else if (is_record) {
			recording->program = at;
			break;
		}
	}
	recording->is_attached = recording->scope != RECORDING_SCOPE_UNKNOWN;
	if (!recording->is_attached && is_record)
		recording->scope =
			*recording->program ? RECORDING_SCOPE_PROCESS : RECORDING_SCOPE_SYSTEM;
}

void recording_read(const struct capture *capture, struct recording *ret)
{
	const struct facts *facts = &capture->facts;
	const char *line = facts_find(facts, "cmdline");

	*ret = (struct recording){
		.events = mem_zalloc(capture->events.nr, sizeof(*ret->events)),
		.events_nr = capture->events.nr,
		.program = "",
		.command_line = "",
	};
	for (size_t i = 0; i < facts->nr; i++)
		if (strcmp(facts->list[i].name, "event") == 0)
			take_event(capture, facts->list[i].value, ret);
	if (line)
		take_command_line(line, ret);
	ret->is_packed = facts_find(facts, "compressed") != NULL;
}

void recording_release(struct recording *recording)
{
	free(recording->events);
	*recording = (struct recording){0};
}

const char *recording_scope_text(enum recording_scope scope)
{
	switch (scope) {
	case RECORDING_SCOPE_SYSTEM:
		return "all of the machine";
	case RECORDING_SCOPE_PROCESS:
		return "some processes";
	case RECORDING_SCOPE_UNKNOWN:
		break;
	}
	return "not known";
}
