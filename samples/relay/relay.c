/* relay.c - a message relay to be profiled: two producers, three workers, a logger and a slow path
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define KEPT	   __attribute__((noinline)) /* so that it stays a frame of its own */
#define PRODUCERS  2
#define WORKERS	   3
#define QUEUE_MAX  256
#define FIELDS_MAX 16
#define RULES_MAX  64
#define WORD_MAX   20
#define RECORD_MAX 256
#define BATCH	   16

struct record {
	char text[RECORD_MAX];
};

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t filled, drained;
	struct record records[QUEUE_MAX];
	size_t first, nr;
	bool is_closed;
};

struct field {
	const char *key, *value;
};

struct message {
	struct field fields[FIELDS_MAX];
	size_t fields_nr;
	int class;
	uint32_t checksum;
};

struct rule {
	char key[WORD_MAX], pattern[WORD_MAX];
	int class, priority;
};

struct rules {
	struct rule rules[RULES_MAX];
	size_t nr;
};

/* What the operators wrote: key, pattern, class, priority; the highest priority that fits wins. */
static const char rule_text[] = "service auth* 3 90\nservice billing 4 91\nservice queue 4 35\n"
				"service mail* 4 34\nservice search 2 33\nlevel error 9 99\n"
				"level warn* 5 70\nlevel debug 0 5\nuser root 8 95\n"
				"user guest* 2 40\nuser admin* 8 94\nuser test-* 0 41\n"
				"status 5?? 7 80\nstatus 4?? 6 60\nstatus 3?? 2 20\n"
				"status 2?? 1 10\npath /api/* 4 30\npath /static/* 0 21\n"
				"path *.php 6 50\npath *.svg 0 22\npath /health 0 23\n"
				"path *.cgi 6 51\nregion eu-* 2 15\nregion us-* 2 14\n"
				"region ap-* 2 13\nregion sa-* 2 12\nzone *-a 1 9\nzone *-b 1 8\n"
				"zone *-c 1 7\nzone *-d 1 6\nzone *-e 1 5\nzone *-f 1 4\n"
				"took_us ?????? 5 65\ntook_us ????? 3 31\nservice * 0 1\n";

static struct queue queue = {.lock = PTHREAD_MUTEX_INITIALIZER,
			     .filled = PTHREAD_COND_INITIALIZER,
			     .drained = PTHREAD_COND_INITIALIZER};
static atomic_bool is_over;
static atomic_ulong relayed, bytes_sent;
static uint32_t crc_table[256];

/* ---- queue */

static KEPT bool queue_put(const struct record *records, size_t nr)
{
	bool is_open;

	pthread_mutex_lock(&queue.lock);
	while (queue.nr + nr > QUEUE_MAX && !queue.is_closed)
		pthread_cond_wait(&queue.drained, &queue.lock);
	is_open = !queue.is_closed;
	for (; is_open && nr > 0; nr--)
		queue.records[(queue.first + queue.nr++) % QUEUE_MAX] = *records++;
	pthread_cond_signal(&queue.filled);
	pthread_mutex_unlock(&queue.lock);
	return is_open;
}

/* Takes up to BATCH records; 0 means that no more will come. */
static KEPT size_t queue_take(struct record *records)
{
	size_t nr;

	pthread_mutex_lock(&queue.lock);
	while (!queue.nr && !queue.is_closed)
		pthread_cond_wait(&queue.filled, &queue.lock);
	for (nr = 0; nr < BATCH && queue.nr > 0; nr++, queue.nr--) {
		records[nr] = queue.records[queue.first];
		queue.first = (queue.first + 1) % QUEUE_MAX;
	}
	pthread_cond_signal(&queue.drained);
	pthread_mutex_unlock(&queue.lock);
	return nr;
}

static void queue_close(void)
{
	pthread_mutex_lock(&queue.lock);
	queue.is_closed = true;
	pthread_cond_broadcast(&queue.filled);
	pthread_cond_broadcast(&queue.drained);
	pthread_mutex_unlock(&queue.lock);
}

/* ---- producers */

static KEPT void record_make(struct record *record, uint32_t *seed)
{
	static const char *const services[] = {"auth-web", "billing", "queue", "mailer", "search"};
	static const char *const levels[] = {"info", "info", "info", "warning", "error"};
	static const char *const paths[] = {"/api/orders", "/static/logo.svg", "/old/index.php"};
	uint32_t n = *seed = *seed * 1664525 + 1013904223;

	n >>= 8;
	snprintf(record->text, sizeof(record->text),
		 "service=%s level=%s status=%u path=%s user=user%u region=eu-%u zone=eu-%u-%c "
		 "took_us=%u",
		 services[n % 5], levels[n / 5 % 5], 200 + n % 4 * 100, paths[n % 3], n % 1000,
		 n % 3, n % 3, 'a' + n % 4, n % 90000);
}

static void *producer_run(void *arg)
{
	uint32_t seed = (uint32_t)(uintptr_t)arg;
	struct record records[BATCH];

	pthread_setname_np(pthread_self(), "producer");
	do {
		size_t i;

		for (i = 0; i < BATCH; i++)
			record_make(&records[i], &seed);
	} while (!is_over && queue_put(records, BATCH));
	return NULL;
}

/* ---- workers */

/* Cuts @record's text into fields, which point into it. */
static KEPT void message_parse(struct message *message, struct record *record)
{
	char *at = record->text;

	message->fields_nr = 0;
	while (*at && message->fields_nr < FIELDS_MAX) {
		struct field *field = &message->fields[message->fields_nr++];

		field->key = at;
		at += strcspn(at, "=");
		if (*at)
			*at++ = '\0';
		field->value = at;
		at += strcspn(at, " ");
		if (*at)
			*at++ = '\0';
	}
}

static KEPT bool pattern_matches(const char *pattern, const char *text)
{
	for (; *pattern; pattern++, text++) {
		if (*pattern == '*') {
			for (; *text; text++) {
				if (pattern_matches(pattern + 1, text))
					return true;
			}
			return pattern[1] == '\0';
		}
		if (!*text || (*pattern != '?' && *pattern != *text))
			return false;
	}
	return !*text;
}

/* Copies the next word of @line, cut to what fits; returns what follows it. */
static KEPT const char *word_copy(const char *line, char *word)
{
	size_t len = strcspn(line, " \n");
	size_t kept = len < WORD_MAX ? len : WORD_MAX - 1;

	memcpy(word, line, kept);
	word[kept] = '\0';
	return line + len + (line[len] == ' ');
}

static const char *number_parse(const char *line, int *ret)
{
	for (*ret = 0; *line >= '0' && *line <= '9'; line++)
		*ret = *ret * 10 + (*line - '0');
	return line + (*line == ' ');
}

static KEPT void rules_sort(struct rules *rules)
{
	size_t i, k;

	for (i = 1; i < rules->nr; i++) {
		struct rule rule = rules->rules[i];

		for (k = i; k > 0 && rules->rules[k - 1].priority < rule.priority; k--)
			rules->rules[k] = rules->rules[k - 1];
		rules->rules[k] = rule;
	}
}

static KEPT void rules_parse(struct rules *rules)
{
	const char *line = rule_text;

	rules->nr = 0;
	while (*line && rules->nr < RULES_MAX) {
		struct rule *rule = &rules->rules[rules->nr++];

		line = word_copy(line, rule->key);
		line = word_copy(line, rule->pattern);
		line = number_parse(line, &rule->class);
		line = number_parse(line, &rule->priority);
		line++;
	}
	rules_sort(rules);
}

static KEPT int rules_match(const struct rules *rules, const struct message *message)
{
	size_t i, k;

	for (i = 0; i < rules->nr; i++) {
		const struct rule *rule = &rules->rules[i];

		for (k = 0; k < message->fields_nr; k++) {
			if (!strcmp(rule->key, message->fields[k].key) &&
			    pattern_matches(rule->pattern, message->fields[k].value))
				return rule->class;
		}
	}
	return -1;
}

/* The slow path: the rules never change, and yet they are read again for every message. */
static KEPT void message_classify(struct message *message)
{
	struct rules rules;

	rules_parse(&rules);
	message->class = rules_match(&rules, message);
}

static KEPT uint32_t crc_add(uint32_t crc, const char *text)
{
	for (; *text; text++)
		crc = crc_table[(crc ^ (uint8_t)*text) & 255] ^ crc >> 8;
	return crc;
}

static KEPT void message_checksum(struct message *message)
{
	uint32_t crc = UINT32_MAX;
	size_t i;

	for (i = 0; i < message->fields_nr; i++) {
		crc = crc_add(crc, message->fields[i].key);
		crc = crc_add(crc, message->fields[i].value);
	}
	message->checksum = ~crc;
}

static KEPT char *text_put(char *at, const char *text)
{
	while (*text)
		*at++ = *text++;
	return at;
}

/* Writes at most 2 * RECORD_MAX bytes, since a field grows by 4 and has a "=" and a " " already. */
static KEPT size_t message_format(const struct message *message, char *out)
{
	char *at = text_put(out, "{\"class\":\"");
	size_t i;

	*at++ = (char)('0' + message->class);
	at = text_put(at, "\",\"crc\":\"");
	for (i = 32; i > 0; i -= 4)
		*at++ = "0123456789abcdef"[message->checksum >> (i - 4) & 15];
	*at++ = '"';
	for (i = 0; i < message->fields_nr; i++) {
		at = text_put(at, ",\"");
		at = text_put(at, message->fields[i].key);
		at = text_put(at, "\":\"");
		at = text_put(at, message->fields[i].value);
		*at++ = '"';
	}
	return (size_t)(text_put(at, "}\n") - out);
}

static KEPT void sink_write(int sink, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t written = write(sink, text, len);

		if (written <= 0)
			return;
		bytes_sent += (size_t)written;
		text += written;
		len -= (size_t)written;
	}
}

static KEPT void batch_relay(struct record *records, size_t nr, int sink)
{
	char out[BATCH * 2 * RECORD_MAX];
	size_t len = 0, i;

	for (i = 0; i < nr; i++) {
		struct message message;

		message_parse(&message, &records[i]);
		message_classify(&message);
		message_checksum(&message);
		len += message_format(&message, out + len);
	}
	sink_write(sink, out, len);
	relayed += nr;
}

static void *worker_run(void *arg)
{
	const int *args = arg; /* the sink and the worker's number */
	struct record records[BATCH];
	char name[16];
	size_t nr;

	snprintf(name, sizeof(name), "worker-%d", args[1]);
	pthread_setname_np(pthread_self(), name);
	while ((nr = queue_take(records)) > 0)
		batch_relay(records, nr, args[0]);
	return NULL;
}

/* ---- logger and main */

static void *logger_run(void *arg)
{
	FILE *log = arg;
	const struct timespec pause = {.tv_nsec = 2000000};

	pthread_setname_np(pthread_self(), "logger");
	while (!is_over) {
		size_t i;

		for (i = 0; i < 60; i++)
			fprintf(log, "relayed=%lu bytes=%lu mean=%.3f\n", relayed, bytes_sent,
				(double)bytes_sent / (double)(relayed + 1));
		fflush(log);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static void crc_prepare(void)
{
	uint32_t i, bit;

	for (i = 0; i < 256; i++) {
		crc_table[i] = i;
		for (bit = 0; bit < 8; bit++)
			crc_table[i] = crc_table[i] >> 1 ^ (crc_table[i] & 1 ? 0xedb88320 : 0);
	}
}

/* Takes what the workers write until the pipe is closed, as a client at the other end would. */
static void *collector_run(void *arg)
{
	int source = *(int *)arg;
	char buffer[65536];

	pthread_setname_np(pthread_self(), "collector");
	while (read(source, buffer, sizeof(buffer)) > 0)
		continue;
	return NULL;
}

static pthread_t start(void *(*run)(void *), void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, arg)) {
		fputs("relay: cannot start a thread\n", stderr);
		exit(2);
	}
	return thread;
}

int main(int argc, char **argv)
{
	pthread_t producers[PRODUCERS], workers[WORKERS], logger, collector;
	int worker_args[WORKERS][2], sink[2], i;
	FILE *log = fopen("/dev/null", "w");

	if (argc != 2 || !log || pipe(sink)) {
		fputs("usage: relay <seconds>\n", stderr);
		return 2;
	}
	crc_prepare();
	collector = start(collector_run, &sink[0]);
	logger = start(logger_run, log);
	for (i = 0; i < WORKERS; i++) {
		worker_args[i][0] = sink[1];
		worker_args[i][1] = i + 1;
		workers[i] = start(worker_run, worker_args[i]);
	}
	for (i = 0; i < PRODUCERS; i++)
		producers[i] = start(producer_run, (void *)(uintptr_t)(i + 1));
	usleep((useconds_t)(atof(argv[1]) * 1e6));
	is_over = true;
	queue_close();
	for (i = 0; i < PRODUCERS; i++)
		pthread_join(producers[i], NULL);
	for (i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	close(sink[1]);
	pthread_join(collector, NULL);
	pthread_join(logger, NULL);
	printf("%lu records, %lu bytes\n", relayed, bytes_sent);
	return 0;
}
