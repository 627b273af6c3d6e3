/* counter_names.c - what the name of a counter says: role, unit, kind, or the clock of a time */
#include "importers/counter_names.h"

#include <string.h>
#include <strings.h>

#include "base/mem.h"

/* A name in words: "cpuUtil_pct" is cpu, util, pct. More words than these say no more. */
#define WORDS_MAX 16

struct word {
	const char *at;
	size_t size;
	bool is_used;
};

struct words {
	struct word list[WORDS_MAX];
	size_t nr;
};

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_letter_or_digit(char c)
{
	return (c >= 'a' && c <= 'z') || is_upper(c) || (c >= '0' && c <= '9') || c == '%' ||
	       (c & 0x80);
}

static void split(const char *at, size_t size, struct words *ret)
{
	const char *end = at + size;

	ret->nr = 0;
	while (at < end && ret->nr < WORDS_MAX) {
		const char *begin;

		while (at < end && !is_letter_or_digit(*at))
			at++;
		begin = at;
		while (at < end && is_letter_or_digit(*at) &&
		       (at == begin || !is_upper(*at) || is_upper(at[-1])))
			at++;
		if (at > begin)
			ret->list[ret->nr++] = (struct word){begin, (size_t)(at - begin), false};
	}
}

static bool is_word(const struct word *word, const char *s)
{
	return strlen(s) == word->size && strncasecmp(s, word->at, word->size) == 0;
}

/* One of the words of a list "depth len length"? */
static bool is_one_of(const struct word *word, const char *list)
{
	while (*list) {
		size_t size = strcspn(list, " ");

		if (size == word->size && strncasecmp(list, word->at, size) == 0)
			return true;
		list += size + (list[size] == ' ');
	}
	return false;
}

/* The first word of the name that is in the list and was not used; NULL for none. */
static struct word *find(struct words *words, const char *list)
{
	for (size_t i = 0; i < words->nr; i++)
		if (!words->list[i].is_used && is_one_of(&words->list[i], list))
			return &words->list[i];
	return NULL;
}

/* ---- roles: the first line whose words are all in the name */

static const struct {
	const char *all[2]; /* each a list of which one must be there; NULL: nothing more */
	enum series_role role;
} rules[] = {
	{{"max maximum limit", "depth length len queued"}, ROLE_QUEUE_CAPACITY},
	{{"capacity cap limit"}, ROLE_QUEUE_CAPACITY},
	{{"lock mutex", "wait waiting waited"}, ROLE_LOCK_WAIT},
	{{"lock mutex", "hold held holding"}, ROLE_LOCK_HOLD},
	{{"oldest head", "age wait lag"}, ROLE_QUEUE_OLDEST_AGE},
	{{"age lag oldest"}, ROLE_QUEUE_OLDEST_AGE},
	{{"queue queueing", "wait waiting waited latency time"}, ROLE_QUEUE_WAIT},
	{{"depth backlog qlen qsize queued pending"}, ROLE_QUEUE_DEPTH},
	{{"queue q", "length len size items"}, ROLE_QUEUE_DEPTH},
	{{"in", "flight"}, ROLE_SERVICE_INFLIGHT},
	{{"inflight"}, ROLE_SERVICE_INFLIGHT},
	{{"rejected rejects reject rejections dropped drops shed refused"}, ROLE_QUEUE_REJECTED},
	{{"blocked", "producer producers producing enqueue put puts push total"},
	 ROLE_QUEUE_BLOCKED},
	{{"offered arrived arrivals received submitted"}, ROLE_QUEUE_OFFERED},
	{{"admitted admissions accepted enqueued"}, ROLE_QUEUE_ADMITTED},
	{{"completed completions done processed finished dequeued"}, ROLE_QUEUE_COMPLETED},
	{{"service processing", "time seconds ns us ms"}, ROLE_SERVICE_TIME},
	{{"p50 median"}, ROLE_LATENCY_P50},
	{{"p90"}, ROLE_LATENCY_P90},
	{{"p95"}, ROLE_LATENCY_P95},
	{{"p99"}, ROLE_LATENCY_P99},
	{{"p999"}, ROLE_LATENCY_P999},
	{{"pressure psi", "cpu"}, ROLE_PRESSURE_CPU},
	{{"pressure psi", "io"}, ROLE_PRESSURE_IO},
	{{"pressure psi", "memory mem"}, ROLE_PRESSURE_MEMORY},
	{{"steal stolen"}, ROLE_CPU_STEAL},
	{{"throttled throttling", "time usec ns us ms seconds cpu"}, ROLE_CPU_THROTTLED},
	{{"cpu", "wait waiting"}, ROLE_CPU_WAIT},
	{{"run runq runqueue sched", "delay delayed"}, ROLE_CPU_WAIT},
	{{"cpu", "util utilization utilisation percent pct % usage load"}, ROLE_CPU_UTIL},
	{{"cpu", "process proc self task time seconds ns us ms"}, ROLE_CPU_PROCESS},
	{{"errors error failures failed failure"}, ROLE_ERROR_COUNT},
	{{"rss", "anon"}, ROLE_RSS_ANON},
	{{"rss", "file"}, ROLE_RSS_FILE},
	{{"rss", "shmem"}, ROLE_RSS_SHMEM},
	{{"rss resident"}, ROLE_RSS},
	{{"fds descriptors"}, ROLE_DESCRIPTORS},
	{{"threads tasks"}, ROLE_TASKS},
};

static enum series_role take_role(struct words *words)
{
	for (size_t i = 0; i < ARRAY_NR(rules); i++) {
		struct word *first = find(words, rules[i].all[0]);
		struct word *second =
			first && rules[i].all[1] ? find(words, rules[i].all[1]) : NULL;

		if (!first || (rules[i].all[1] && (!second || second == first)))
			continue;
		first->is_used = true;
		if (second)
			second->is_used = true;
		return rules[i].role;
	}
	return ROLE_NONE;
}

/* ---- units and kinds */

static const struct {
	const char *words, *unit;
} units[] = {
	{"ns nanos nanoseconds nsec", "ns"},
	{"us usec micros microseconds", "us"},
	{"ms msec millis milliseconds", "ms"},
	{"s sec secs seconds", "s"},
	{"bytes byte", "bytes"},
	{"kb kib", "KiB"},
	{"mb mib", "MiB"},
	{"pct percent %", "percent"},
	{"ratio", "ratio"},
};

/* A word of a rule may be a unit, too: "service_seconds". */
static const char *take_unit(struct words *words)
{
	for (size_t i = words->nr; i-- > 0;)
		for (size_t j = 0; j < ARRAY_NR(units); j++)
			if (is_one_of(&words->list[i], units[j].words)) {
				words->list[i].is_used = true;
				return units[j].unit;
			}
	return NULL;
}

static bool take_word(struct words *words, const char *list)
{
	struct word *word = find(words, list);

	if (word)
		word->is_used = true;
	return word != NULL;
}

/* "per_second", "/s", "rate": how much a second. */
static bool takes_rate(struct words *words)
{
	for (size_t i = 0; i + 1 < words->nr; i++)
		if (is_word(&words->list[i], "per") &&
		    is_one_of(&words->list[i + 1], "s sec second")) {
			words->list[i].is_used = words->list[i + 1].is_used = true;
			return true;
		}
	return take_word(words, "rate rps qps persec");
}

static enum series_kind take_kind(struct words *words, enum series_role role)
{
	if (takes_rate(words))
		return SERIES_RATE;
	if (take_word(words, "total cumulative sum"))
		return SERIES_CUMULATIVE;
	if (take_word(words, "delta diff increase"))
		return SERIES_DELTA;
	/* a mean or a last one: only a total of times grows */
	if (role == ROLE_SERVICE_TIME || role == ROLE_QUEUE_WAIT || role == ROLE_LOCK_WAIT ||
	    role == ROLE_LOCK_HOLD)
		return SERIES_GAUGE;
	return series_role_kind(role);
}

/* ---- whose it is */

/* Words that say what it is and not whose. */
static const char generic[] = "queue q items item count num nr number current cur";

static void find_owner(const struct words *words, const char *at, struct counter_guess *guess)
{
	size_t first = 0, last = words->nr;

	while (first < words->nr && !words->list[first].is_used &&
	       !is_one_of(&words->list[first], generic))
		first++;
	while (last > 0 && !words->list[last - 1].is_used &&
	       !is_one_of(&words->list[last - 1], generic))
		last--;
	if (first == words->nr)
		return; /* nothing is known of it */
	if (first) {
		guess->owner = at;
		guess->owner_size =
			(size_t)(words->list[first - 1].at + words->list[first - 1].size - at);
	} else if (last < words->nr) {
		const struct word *end = &words->list[words->nr - 1];

		guess->owner = words->list[last].at;
		guess->owner_size = (size_t)(end->at + end->size - guess->owner);
	}
}

struct counter_guess counter_names_guess(const char *at, size_t size)
{
	struct counter_guess guess = {0};
	struct words words;

	split(at, size, &words);
	guess.role = take_role(&words);
	guess.unit = take_unit(&words);
	guess.kind = take_kind(&words, guess.role);
	take_word(&words, "total");
	for (size_t i = 0; i < words.nr; i++)
		guess.words_unused += !words.list[i].is_used;
	if (guess.role == ROLE_NONE)
		return guess;
	find_owner(&words, at, &guess);
	return guess;
}

/* ---- times */

static const struct {
	const char *words;
	enum source_clock clock;
} clocks[] = {
	{"mono monotonic", SOURCE_CLOCK_MONOTONIC},
	{"boot boottime uptime", SOURCE_CLOCK_BOOTTIME},
	{"real realtime epoch unix wall utc", SOURCE_CLOCK_REALTIME},
	{"tai", SOURCE_CLOCK_TAI},
	{"elapsed since start", SOURCE_CLOCK_START},
	{"local", SOURCE_CLOCK_LOCAL},
};

bool counter_names_time_unit(const char *unit, size_t size, int *ret)
{
	static const struct {
		const char *words;
		int exponent;
	} known[] = {{"ns nanos nanoseconds nsec", -9},
		     {"us usec micros microseconds", -6},
		     {"ms msec millis milliseconds", -3},
		     {"s sec secs seconds", 0}};
	const struct word word = {unit, size, false};

	for (size_t i = 0; i < ARRAY_NR(known); i++)
		if (is_one_of(&word, known[i].words)) {
			*ret = known[i].exponent;
			return true;
		}
	return false;
}

static bool take_clock(const struct word *word, struct counter_time *ret)
{
	for (size_t i = 0; i < ARRAY_NR(clocks); i++)
		if (is_one_of(word, clocks[i].words)) {
			ret->clock = clocks[i].clock;
			return true;
		}
	return false;
}

bool counter_names_time(const char *at, size_t size, struct counter_time *ret)
{
	struct counter_time time = {SOURCE_CLOCK_UNKNOWN, 1};
	bool says_time = false;
	struct words words;

	split(at, size, &words);
	for (size_t i = 0; i < words.nr; i++) {
		const struct word *word = &words.list[i];

		if (is_word(word, "raw") && time.clock == SOURCE_CLOCK_MONOTONIC)
			time.clock = SOURCE_CLOCK_MONOTONIC_RAW;
		else if (take_clock(word, &time) ||
			 is_one_of(word, "time timestamp ts t date datetime clock tstamp"))
			says_time = true;
		else if (!counter_names_time_unit(word->at, word->size, &time.exponent))
			return false;
	}
	*ret = time;
	return says_time;
}

bool counter_names_label(const char *at, size_t size)
{
	const struct word word = {at, size, false};

	return is_one_of(&word, "queue_name queue_id shard partition");
}
