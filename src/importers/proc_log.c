/* proc_log.c - logs of /proc/stat, /proc/pressure and cgroups' cpu.stat, with a time before each */
#include "importers/proc_log.h"

#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/counters.h"
#include "importers/importer.h"
#include "importers/line_words.h"
#include "model/capture.h"

/*
 * What a loop of "date +%s.%N; grep -H . /proc/stat /proc/pressure/cpu cpu.stat" writes:
 *   1796007426.107
 *   /proc/stat:cpu  4705 150 1120 16250 520 0 17 3 0 0
 *   /proc/pressure/cpu:some avg10=0.00 avg60=0.12 avg300=0.05 total=1234567
 *   /sys/fs/cgroup/relay/cpu.stat:throttled_usec 81000
 * The time may stand before each line instead, with the uptime behind it or not.
 */

/* USER_HZ is 100 wherever Linux runs: /proc/stat counts hundredths of a second. */
#define TICK_SCALE 2

struct proc_log {
	struct counters counters;
	uint64_t time_ns;
	bool has_time;
};

/* What a line is about: the words without time and path. */
struct content {
	struct csv_field *words;
	size_t nr;
	struct csv_field path; /* size 0: none */
};

/* ---- points */

/* Up to two labels; a key NULL is none. */
struct what {
	const char *name, *unit;
	enum series_kind kind;
	enum series_role role;
	const char *keys[2];
	struct csv_field values[2];
};

static struct error *say(struct proc_log *log, const struct what *what, struct decimal value)
{
	struct counters *counters = &log->counters;
	struct names *names = &counters->capture->names;
	struct series_label labels[2];
	struct series series = {
		.name = names_add_string(names, what->name),
		.unit = what->unit ? names_add_string(names, what->unit) : NAME_NONE,
		.kind = what->kind,
		.role = what->role,
		.role_source = what->role == ROLE_NONE ? ROLE_SOURCE_NONE : ROLE_SOURCE_FORMAT,
		.labels = labels,
	};
	struct point point = {.begin_ns = log->time_ns, .end_ns = log->time_ns, .value = value};
	struct error *err;
	bool is_good;
	uint32_t id;

	for (size_t i = 0; i < ARRAY_NR(labels) && what->keys[i]; i++)
		if (what->values[i].size)
			labels[series.labels_nr++] = (struct series_label){
				names_add_string(names, what->keys[i]),
				names_add(names, what->values[i].at, what->values[i].size)};
	err = counters_find(counters, &series, &id);
	if (!err)
		err = counters_check_time(counters, id, point.end_ns, &is_good);
	return err || !is_good ? err : counters_say(counters, id, &point);
}

static bool parse(const struct csv_field *word, struct decimal *ret)
{
	return decimal_parse(word->at, word->size, ret);
}

static struct error *refuse(struct proc_log *log, const char *expected)
{
	return counters_refuse(&log->counters, NOTE_COUNTER_FIELDS, "expected %s", expected);
}

/* ---- /proc/stat */

static struct error *say_ticks(struct proc_log *log, const struct content *content, size_t mode)
{
	static const struct {
		const char *name;
		enum series_role role;
	} modes[] = {{"user", ROLE_NONE},      {"nice", ROLE_NONE},	    {"system", ROLE_NONE},
		     {"idle", ROLE_CPU_IDLE},  {"iowait", ROLE_CPU_IOWAIT}, {"irq", ROLE_NONE},
		     {"softirq", ROLE_NONE},   {"steal", ROLE_CPU_STEAL},   {"guest", ROLE_NONE},
		     {"guest_nice", ROLE_NONE}};
	const struct csv_field *cpu = &content->words[0];
	struct csv_field which = {"all", 3};
	struct decimal value;

	if (mode >= ARRAY_NR(modes))
		return NULL;
	if (!parse(&content->words[1 + mode], &value) || value.scale)
		return refuse(log, "numbers of ticks behind 'cpu'");
	value = decimal_scaled(value, -TICK_SCALE);
	if (cpu->size > 3)
		which = (struct csv_field){cpu->at + 3, cpu->size - 3};
	return say(log,
		   &(struct what){
			   .name = "cpu",
			   .unit = "s",
			   .kind = SERIES_CUMULATIVE,
			   .role = cpu->size == 3 ? modes[mode].role : ROLE_NONE,
			   .keys = {"mode", "cpu"},
			   .values = {{modes[mode].name, strlen(modes[mode].name)}, which},
		   },
		   value);
}

static bool is_cpu(const struct csv_field *word)
{
	if (word->size < 3 || memcmp(word->at, "cpu", 3) != 0)
		return false;
	for (size_t i = 3; i < word->size; i++)
		if (word->at[i] < '0' || word->at[i] > '9')
			return false;
	return true;
}

static struct error *take_cpu(struct proc_log *log, const struct content *content)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i + 1 < content->nr; i++)
		err = say_ticks(log, content, i);
	return err;
}

/* ---- /proc/pressure: "some avg10=0.00 avg60=0.12 avg300=0.05 total=1234567" */

static enum series_role pressure_role(const struct csv_field *resource)
{
	if (line_words_is(resource, "cpu"))
		return ROLE_PRESSURE_CPU;
	if (line_words_is(resource, "io"))
		return ROLE_PRESSURE_IO;
	return line_words_is(resource, "memory") ? ROLE_PRESSURE_MEMORY : ROLE_NONE;
}

/* "/proc/pressure/cpu" and ".../cpu.pressure" are both of cpu. */
static struct csv_field resource_of(const struct content *content)
{
	static const char ending[] = ".pressure";
	struct csv_field name = content->path;
	const char *slash = name.size ? memrchr(name.at, '/', name.size) : NULL;

	if (slash) {
		name.size -= (size_t)(slash + 1 - name.at);
		name.at = slash + 1;
	}
	if (name.size > strlen(ending) &&
	    memcmp(name.at + name.size - strlen(ending), ending, strlen(ending)) == 0)
		name.size -= strlen(ending);
	return name;
}

static struct error *take_pressure(struct proc_log *log, const struct content *content, size_t some,
				   struct csv_field resource)
{
	struct error *err = NULL;

	for (size_t i = some + 1; !err && i < content->nr; i++) {
		const struct csv_field *word = &content->words[i];
		const char *equals = memchr(word->at, '=', word->size);
		CLEANUP(text_release) struct text name = TEXT_INIT;
		struct what what = {.keys = {"resource", "share"},
				    .values = {resource, content->words[some]}};
		struct decimal value;

		if (!equals || !decimal_parse(equals + 1,
					      word->size - (size_t)(equals + 1 - word->at), &value))
			return refuse(log, "avg10=... and total=... behind 'some' or 'full'");
		text_add(&name, "pressure_");
		text_add_bytes(&name, word->at, (size_t)(equals - word->at));
		what.name = text_string(&name);
		what.unit = "percent";
		what.kind = SERIES_GAUGE;
		if (strcmp(what.name, "pressure_total") == 0) {
			what.unit = "us";
			what.kind = SERIES_CUMULATIVE;
			if (line_words_is(&content->words[some], "some"))
				what.role = pressure_role(&resource);
		}
		err = say(log, &what, value);
	}
	return err;
}

/* ---- "key value": cpu.stat, and the rest of /proc/stat */

static const struct {
	const char *key, *unit;
	enum series_kind kind;
	enum series_role role;
} keys[] = {
	{"usage_usec", "us", SERIES_CUMULATIVE, ROLE_CPU_PROCESS},
	{"user_usec", "us", SERIES_CUMULATIVE, ROLE_NONE},
	{"system_usec", "us", SERIES_CUMULATIVE, ROLE_NONE},
	{"nice_usec", "us", SERIES_CUMULATIVE, ROLE_NONE},
	{"throttled_usec", "us", SERIES_CUMULATIVE, ROLE_CPU_THROTTLED},
	{"throttled_time", "ns", SERIES_CUMULATIVE, ROLE_CPU_THROTTLED}, /* of version 1 */
	{"burst_usec", "us", SERIES_CUMULATIVE, ROLE_NONE},
	{"core_sched.force_idle_usec", "us", SERIES_CUMULATIVE, ROLE_NONE},
	{"nr_periods", NULL, SERIES_CUMULATIVE, ROLE_NONE},
	{"nr_throttled", NULL, SERIES_CUMULATIVE, ROLE_NONE},
	{"nr_bursts", NULL, SERIES_CUMULATIVE, ROLE_NONE},
	{"ctxt", NULL, SERIES_CUMULATIVE, ROLE_NONE},
	{"processes", NULL, SERIES_CUMULATIVE, ROLE_NONE},
	{"intr", NULL, SERIES_CUMULATIVE, ROLE_NONE},
	{"softirq", NULL, SERIES_CUMULATIVE, ROLE_NONE},
	{"procs_running", NULL, SERIES_GAUGE, ROLE_CPU_RUNNABLE},
	{"procs_blocked", NULL, SERIES_GAUGE, ROLE_IO_BLOCKED},
};

static size_t key_of(const struct csv_field *word)
{
	size_t i = 0;

	while (i < ARRAY_NR(keys) && !line_words_is(word, keys[i].key))
		i++;
	return i;
}

/* The folder of a cgroup's file. */
static struct csv_field cgroup_of(const struct content *content)
{
	struct csv_field path = content->path;
	const char *slash = path.size ? memrchr(path.at, '/', path.size) : NULL;

	if (!slash || (path.size > 6 && memcmp(path.at, "/proc/", 6) == 0))
		return (struct csv_field){"", 0};
	path.size = (size_t)(slash - path.at);
	return path;
}

/* Of "intr" and "softirq" the first number is the sum of the others. */
static struct error *take_keys(struct proc_log *log, const struct content *content)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i + 1 < content->nr; i += 2) {
		size_t key = key_of(&content->words[i]);
		struct decimal value;

		if (key == ARRAY_NR(keys))
			return i ? NULL
				 : refuse(log, "a line of /proc/stat, of /proc/pressure or "
					       "of a cgroup's cpu.stat");
		if (!parse(&content->words[i + 1], &value))
			return refuse(log, "a number behind each word");
		err = say(log,
			  &(struct what){
				  .name = keys[key].key,
				  .unit = keys[key].unit,
				  .kind = keys[key].kind,
				  .role = keys[key].role,
				  .keys = {"cgroup"},
				  .values = {cgroup_of(content)},
			  },
			  value);
	}
	return err;
}

/* ---- lines */

/* Seconds since 1970; an uptime is none of these. */
static bool take_time(const struct csv_field *word, uint64_t *ret_ns)
{
	struct decimal seconds;
	int64_t ns;

	if (!parse(word, &seconds) || decimal_number(seconds) < 1e8 ||
	    !decimal_shifted(seconds, 9, &ns))
		return false;
	*ret_ns = (uint64_t)ns;
	return true;
}

/* What is left of a line without its time and the path that grep put before it. */
static struct content content_of(struct line_words *words, uint64_t *time_ns, bool *has_time)
{
	struct content content = {words->list, words->nr, {"", 0}};
	struct decimal uptime;
	const char *colon;

	if (content.nr && take_time(&content.words[0], time_ns)) {
		*has_time = true;
		content.words++;
		content.nr--;
		if (content.nr && parse(&content.words[0], &uptime)) {
			content.words++;
			content.nr--;
		}
	}
	colon = content.nr && content.words[0].at[0] == '/'
			? memchr(content.words[0].at, ':', content.words[0].size)
			: NULL;
	if (colon) {
		struct csv_field *word = &content.words[0];

		content.path = (struct csv_field){word->at, (size_t)(colon - word->at)};
		word->size -= content.path.size + 1;
		word->at = colon + 1;
	}
	return content;
}

/* Of /proc/stat: when the machine was started, which is no counter. */
static bool is_ignored(const struct content *content)
{
	return line_words_is(&content->words[0], "btime") ||
	       line_words_is(&content->words[0], "page") ||
	       line_words_is(&content->words[0], "swap");
}

static bool is_some(const struct csv_field *word)
{
	return line_words_is(word, "some") || line_words_is(word, "full");
}

static struct error *take_content(struct proc_log *log, const struct content *content)
{
	if (is_ignored(content))
		return NULL;
	if (!log->has_time)
		return refuse(log, "a time before it: date +%s.%N");
	if (is_some(&content->words[0]))
		return take_pressure(log, content, 0, resource_of(content));
	if (content->nr > 1 && is_some(&content->words[1]))
		return take_pressure(log, content, 1, content->words[0]);
	if (is_cpu(&content->words[0]) && content->nr > 4)
		return take_cpu(log, content);
	return take_keys(log, content);
}

static struct error *read_lines(struct proc_log *log)
{
	for (;;) {
		struct line_words words;
		struct content content;
		struct error *err;
		char *at;
		size_t size;

		err = reader_line(log->counters.reader, &at, &size);
		if (err || !at)
			return err;
		log->counters.line_nr++;
		line_words_split(at, size, &words);
		content = content_of(&words, &log->time_ns, &log->has_time);
		if (!content.nr)
			continue;
		err = take_content(log, &content);
		if (err)
			return err;
	}
}

static struct error *read_proc_log(struct reader *reader, struct capture *capture,
				   struct sink *sink)
{
	struct proc_log log = {0};
	struct error *err;

	counters_init(&log.counters, reader, capture, sink);
	capture->clock = SOURCE_CLOCK_REALTIME;
	err = read_lines(&log);
	if (!err && !capture->series.nr)
		err = error_new(ERROR_INPUT, "'%s' holds no counter", reader->name);
	counters_release(&log.counters);
	return err;
}

static bool is_known(const struct content *content)
{
	if (is_cpu(&content->words[0]))
		return content->nr > 4;
	return key_of(&content->words[0]) < ARRAY_NR(keys) || is_some(&content->words[0]) ||
	       (content->nr > 1 && is_some(&content->words[1]));
}

/* A time, and in its line or the next one something that is known. */
static bool sniff(const char *at, size_t size)
{
	const char *end = at + size;
	bool has_time = false;
	uint64_t time_ns;

	for (int line = 0; line < 3 && at < end; line++) {
		const char *feed = memchr(at, '\n', (size_t)(end - at));
		struct line_words words;
		struct content content;

		line_words_split(at, (size_t)((feed ? feed : end) - at), &words);
		content = content_of(&words, &time_ns, &has_time);
		if (content.nr)
			return has_time && is_known(&content);
		if (!feed)
			break;
		at = feed + 1;
	}
	return false;
}

const struct importer importer_proc_log = {
	.name = "proc-log",
	.summary = "counters: a log of /proc/stat, /proc/pressure and cgroups' cpu.stat",
	.is_counters = true,
	.default_by = TALLY_BY_NONE,
	.sniff = sniff,
	.read = read_proc_log,
};
