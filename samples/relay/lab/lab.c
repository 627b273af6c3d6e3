/* lab.c - an incident to be measured: a bounded queue, one worker that classifies, and a fault when
 * you want it
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define KEPT	     __attribute__((noinline)) /* so that it stays a frame of its own */
#define SECOND_NS    UINT64_C(1000000000)
#define PAYLOAD	     256 /* bytes of an event */
#define CAPACITY_MAX 65536

enum mode {
	MODE_BASELINE,
	MODE_CPU,   /* every event is classified again, with the same result */
	MODE_LOCK,  /* the flusher keeps the state's lock while it waits for its disk */
	MODE_BLOCK, /* the worker waits for somebody downstream */
	MODE_LOAD,  /* more events come */
	MODE_QUOTA, /* the group of the process gets less CPU */
	MODE_NR
};

static const char *const mode_words[MODE_NR] = {"baseline", "cpu",  "lock",
						"block",    "load", "quota"};

static struct settings {
	bool faults[MODE_NR]; /* --mode=cpu,lock: both at once */
	double at, length, total, tick;
	uint64_t rate, capacity, rounds, again, times;
	const char *counters, *phases, *quota_file, *quota, *quota_free, *stat_file;
} settings = {.at = 4,
	      .length = 3,
	      .total = 10,
	      .tick = 0.1,
	      .rate = 500,
	      .capacity = 1024,
	      .rounds = 1200,
	      .again = 4,
	      .times = 5,
	      .counters = "counters.csv",
	      .phases = "phases.csv"};

struct event {
	uint64_t put_ns;
	uint32_t number;
	unsigned char payload[PAYLOAD];
};

static struct queue {
	pthread_mutex_t lock;
	pthread_cond_t filled;
	struct event *events;
	uint64_t first, nr;
	bool is_closed;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER};

/* What the worker has found out, and the lock that the flusher shares. */
static pthread_mutex_t state_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t checksum;

static _Atomic uint64_t offered, admitted, completed, rejected, service_ns, queue_wait_ns,
	lock_wait_ns;
static atomic_bool is_faulty, is_over;
static atomic_int worker_tid;
static uint64_t start_ns;

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

static uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static void sleep_until(uint64_t time_ns)
{
	struct timespec at = {.tv_sec = (time_t)(time_ns / SECOND_NS),
			      .tv_nsec = (long)(time_ns % SECOND_NS)};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL))
		continue;
}

static bool has_fault(enum mode mode)
{
	return is_faulty && settings.faults[mode];
}

/* ---- queue */

/* False where there is no room: the event is turned away. */
static KEPT bool queue_put(const struct event *event)
{
	bool has_room;

	pthread_mutex_lock(&queue.lock);
	has_room = queue.nr < settings.capacity;
	if (has_room) {
		queue.events[(queue.first + queue.nr++) % settings.capacity] = *event;
		pthread_cond_signal(&queue.filled);
	}
	pthread_mutex_unlock(&queue.lock);
	return has_room;
}

/* False when no more will come. */
static KEPT bool queue_take(struct event *event)
{
	bool is_taken;

	pthread_mutex_lock(&queue.lock);
	while (!queue.nr && !queue.is_closed)
		pthread_cond_wait(&queue.filled, &queue.lock);
	is_taken = queue.nr > 0;
	if (is_taken) {
		*event = queue.events[queue.first];
		queue.first = (queue.first + 1) % settings.capacity;
		queue.nr--;
	}
	pthread_mutex_unlock(&queue.lock);
	return is_taken;
}

static void queue_close(void)
{
	pthread_mutex_lock(&queue.lock);
	queue.is_closed = true;
	pthread_cond_broadcast(&queue.filled);
	pthread_mutex_unlock(&queue.lock);
}

/* ---- the worker */

/* A leaf without a frame of its own would hide its caller from perf: this one asks for its frame.
 */
static KEPT uint32_t digest_round(uint32_t digest, const unsigned char *payload)
{
	__asm__ volatile("" ::"r"(__builtin_frame_address(0)));
	for (int i = 0; i < PAYLOAD; i++)
		digest = (digest ^ payload[i]) * UINT32_C(0x01000193) + 1;
	return digest;
}

static KEPT uint32_t classify(const struct event *event)
{
	uint32_t digest = event->number;

	for (uint64_t i = 0; i < settings.rounds; i++)
		digest = digest_round(digest, event->payload);
	return digest;
}

/* The regression: somebody has the event classified again to see whether the answer is the same. It
 * is. */
static KEPT uint32_t classify_again(const struct event *event, uint32_t expected)
{
	uint32_t digest = expected;

	for (uint64_t i = 0; i < settings.again; i++) {
		if (classify(event) != expected)
			abort();
	}
	__asm__ volatile("" : "+r"(digest));
	return digest;
}

static KEPT void downstream_call(void)
{
	const struct timespec answer = {.tv_nsec = 6000000};

	nanosleep(&answer, NULL);
}

static KEPT void state_update(uint32_t digest)
{
	uint64_t asked_ns = now_ns();

	pthread_mutex_lock(&state_lock);
	lock_wait_ns += now_ns() - asked_ns;
	checksum += digest;
	pthread_mutex_unlock(&state_lock);
}

static KEPT void event_serve(const struct event *event)
{
	uint64_t begin_ns = now_ns();
	uint32_t digest = classify(event);

	queue_wait_ns += begin_ns - event->put_ns;
	if (has_fault(MODE_CPU))
		digest = classify_again(event, digest);
	if (has_fault(MODE_BLOCK))
		downstream_call();
	state_update(digest);
	service_ns += now_ns() - begin_ns;
	completed++;
}

static void *worker_run(void *arg)
{
	struct event event;

	pthread_setname_np(pthread_self(), "classifier");
	worker_tid = gettid();
	while (queue_take(&event))
		event_serve(&event);
	return arg;
}

/* ---- who sends, and who flushes */

/* As many events in every run of one length, whatever becomes of them; only a load brings more. */
static void *producer_run(void *arg)
{
	uint64_t due_ns = start_ns, end_ns = start_ns + (uint64_t)(settings.total * 1e9);
	struct event event = {0};

	pthread_setname_np(pthread_self(), "producer");
	while (due_ns < end_ns) {
		due_ns += SECOND_NS / (settings.rate * (has_fault(MODE_LOAD) ? settings.times : 1));
		sleep_until(due_ns);
		event.put_ns = now_ns();
		event.number++;
		memset(event.payload, (int)(event.number & 0x7f), PAYLOAD);
		offered++;
		*(queue_put(&event) ? &admitted : &rejected) += 1;
	}
	return arg;
}

static KEPT void flush_with_lock_held(void)
{
	const struct timespec disk = {.tv_nsec = 15000000};

	pthread_mutex_lock(&state_lock);
	nanosleep(&disk, NULL);
	pthread_mutex_unlock(&state_lock);
}

static void *flusher_run(void *arg)
{
	const struct timespec pause = {.tv_nsec = 1000000};

	pthread_setname_np(pthread_self(), "flusher");
	while (!is_over) {
		if (has_fault(MODE_LOCK))
			flush_with_lock_held();
		nanosleep(&pause, NULL);
	}
	return arg;
}

/* ---- telemetry */

/* The number behind `word` in a small file of the kernel; 0 where there is none. */
static uint64_t file_number(const char *path, const char *word)
{
	char bytes[1024], *at;
	int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t size = file < 0 ? -1 : read(file, bytes, sizeof(bytes) - 1);

	if (file >= 0)
		close(file);
	if (size < 0)
		return 0;
	bytes[size] = '\0';
	at = strstr(bytes, word);
	return at ? strtoull(at + strlen(word), NULL, 10) : 0;
}

/* How long the worker could have run and did not: the second number of schedstat. */
static uint64_t run_delay_ns(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", worker_tid);
	return file_number(path, " ");
}

static uint64_t throttled_ns(void)
{
	uint64_t old = file_number(settings.stat_file, "throttled_time ");

	return old ? old : 1000 * file_number(settings.stat_file, "throttled_usec ");
}

static void row_write(FILE *file)
{
	uint64_t depth, age_ns = 0;

	pthread_mutex_lock(&queue.lock);
	depth = queue.nr;
	if (depth)
		age_ns = now_ns() - queue.events[queue.first].put_ns;
	pthread_mutex_unlock(&queue.lock);
	fprintf(file,
		"%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
		",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
		",%" PRIu64 "\n",
		now_ns(), clock_ns(CLOCK_REALTIME), depth, settings.capacity, age_ns, offered,
		admitted, completed, rejected, service_ns, queue_wait_ns, lock_wait_ns,
		run_delay_ns(), throttled_ns(), clock_ns(CLOCK_PROCESS_CPUTIME_ID));
}

static void *telemetry_run(void *arg)
{
	FILE *file = arg;
	uint64_t tick_ns = (uint64_t)(settings.tick * 1e9), due_ns = start_ns;

	pthread_setname_np(pthread_self(), "telemetry");
	fputs("mono_ns,real_ns,depth,capacity,oldest_age_ns,offered_total,admitted_total,"
	      "completed_total,rejected_total,service_ns_total,queue_wait_ns_total,"
	      "lock_wait_ns_total,run_delay_ns_total,throttled_ns_total,process_cpu_ns\n",
	      file);
	while (!is_over) {
		row_write(file);
		due_ns += tick_ns; /* a tick that was missed is a gap, and not two rows at once */
		while (due_ns < now_ns())
			due_ns += tick_ns;
		sleep_until(due_ns);
	}
	fclose(file);
	return NULL;
}

/* ---- the run */

static void quota_set(const char *quota)
{
	int file = open(settings.quota_file, O_WRONLY | O_CLOEXEC);

	if (file < 0 || write(file, quota, strlen(quota)) < 0) {
		perror("lab: quota");
		exit(2);
	}
	close(file);
}

static void fault_set(bool is_on)
{
	if (settings.faults[MODE_QUOTA])
		quota_set(is_on ? settings.quota : settings.quota_free);
	is_faulty = is_on;
}

/* The fault, and what was so when: the truth that a reading is compared with. */
static void faults_run(FILE *phases)
{
	uint64_t begin_ns, end_ns;

	fputs("begin_ns,end_ns,label\n", phases);
	sleep_until(start_ns + (uint64_t)(settings.at * 1e9));
	begin_ns = now_ns();
	fault_set(true);
	sleep_until(start_ns + (uint64_t)((settings.at + settings.length) * 1e9));
	fault_set(false);
	end_ns = now_ns();
	for (int mode = MODE_CPU; mode < MODE_NR; mode++) {
		if (settings.faults[mode])
			fprintf(phases, "%" PRIu64 ",%" PRIu64 ",%s\n", begin_ns, end_ns,
				mode_words[mode]);
	}
	fclose(phases);
}

static pthread_t start(void *(*run)(void *), void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, arg)) {
		fputs("lab: cannot start a thread\n", stderr);
		exit(2);
	}
	return thread;
}

static FILE *create(const char *path)
{
	FILE *file = fopen(path, "we");

	if (!file) {
		perror(path);
		exit(2);
	}
	return file;
}

static void usage(void)
{
	fputs("usage: relay-lab [--mode <fault>[,<fault>]] [--at <s>] [--for <s>] [--total <s>]\n"
	      "                 [--rate <events/s>] [--capacity <events>] [--tick <s>]\n"
	      "                 [--rounds <n>] [--again <n>] [--times <n>]\n"
	      "                 [--counters <file>] [--phases <file>] [--stat-file <file>]\n"
	      "                 [--quota-file <file> --quota <text> --quota-free <text>]\n"
	      "faults: baseline cpu lock block load quota\n",
	      stderr);
	exit(2);
}

static void modes_parse(const char *words)
{
	while (*words) {
		size_t size = strcspn(words, ",");
		int mode = 0;

		while (mode < MODE_NR &&
		       (strncmp(words, mode_words[mode], size) || mode_words[mode][size]))
			mode++;
		if (mode == MODE_NR)
			usage();
		settings.faults[mode] = true;
		words += size + (words[size] == ',');
	}
}

static const struct number {
	const char *word;
	double *real;
	uint64_t *whole;
} numbers[] = {
	{"--at", &settings.at, NULL},	      {"--for", &settings.length, NULL},
	{"--total", &settings.total, NULL},   {"--tick", &settings.tick, NULL},
	{"--rate", NULL, &settings.rate},     {"--capacity", NULL, &settings.capacity},
	{"--rounds", NULL, &settings.rounds}, {"--again", NULL, &settings.again},
	{"--times", NULL, &settings.times},
};

static const struct word {
	const char *word, **text;
} words[] = {
	{"--counters", &settings.counters},   {"--phases", &settings.phases},
	{"--stat-file", &settings.stat_file}, {"--quota-file", &settings.quota_file},
	{"--quota", &settings.quota},	      {"--quota-free", &settings.quota_free},
};

static bool option_parse(const char *word, const char *value)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (strcmp(word, numbers[i].word))
			continue;
		if (numbers[i].real)
			*numbers[i].real = strtod(value, NULL);
		else
			*numbers[i].whole = strtoull(value, NULL, 10);
		return true;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(word, words[i].word))
			continue;
		*words[i].text = value;
		return true;
	}
	return false;
}

static void options_parse(int argc, char **argv)
{
	for (int i = 1; i < argc; i += 2) {
		if (i + 1 == argc)
			usage();
		if (!strcmp(argv[i], "--mode"))
			modes_parse(argv[i + 1]);
		else if (!option_parse(argv[i], argv[i + 1]))
			usage();
	}
	if (!settings.rate || !settings.times || !settings.capacity ||
	    settings.capacity > CAPACITY_MAX || settings.tick < 0.001 ||
	    (settings.faults[MODE_QUOTA] &&
	     (!settings.quota_file || !settings.quota || !settings.quota_free)))
		usage();
}

int main(int argc, char **argv)
{
	pthread_t worker, producer, flusher, telemetry;
	FILE *counters, *phases;

	options_parse(argc, argv);
	counters = create(settings.counters);
	phases = create(settings.phases);
	queue.events = calloc(settings.capacity, sizeof(*queue.events));
	if (!queue.events)
		return 2;
	start_ns = now_ns();
	worker = start(worker_run, NULL);
	flusher = start(flusher_run, NULL);
	telemetry = start(telemetry_run, counters);
	producer = start(producer_run, NULL);
	faults_run(phases);
	pthread_join(producer, NULL);
	queue_close();
	pthread_join(worker, NULL);
	is_over = true;
	pthread_join(flusher, NULL);
	pthread_join(telemetry, NULL);
	printf("{\"offered\":%" PRIu64 ",\"admitted\":%" PRIu64 ",\"completed\":%" PRIu64
	       ",\"rejected\":%" PRIu64 ",\"checksum\":%" PRIu64 "}\n",
	       offered, admitted, completed, rejected, checksum);
	return 0;
}
