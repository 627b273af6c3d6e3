/* test_damage.c - good files cut at every byte, and with bytes flipped: no sample before is lost */
#include "tests/test.h"

#include "importers/perf_data/perf_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/importer.h"
#include "tests/support/input.h"
#include "tests/support/listener.h"
#include "tests/support/perf_data_world.h"
#include "tests/support/toolbox.h"

/* A thirtieth of the damage, or with DAMAGE=all the whole of it. */
#define PART	    30
#define CUT_BYTES   65536
#define CUTS_CHANCE 1000
#define FLIPS	    10000

/* ---- what is in a file, by a walk that is not the reader's */

struct known {
	uint64_t time;
	uint32_t tid;
	size_t end; /* of the record in the file, or of what it is packed in */
};

struct victim {
	const char *name;
	struct text bytes;
	size_t data;		/* where records begin: damage before it may lose all */
	size_t time_at, tid_at; /* in a sample */
	struct known *known;	/* in the order of the file */
	size_t nr, alloc;
};

static uint64_t number(const char *at, unsigned size)
{
	uint64_t result = 0;

	for (unsigned i = 0; i < size; i++)
		result |= (uint64_t)(unsigned char)at[i] << 8 * i;
	return result;
}

static void add_sample(struct victim *victim, const char *record, size_t end)
{
	GROW(victim->known, victim->nr + 1, victim->alloc);
	victim->known[victim->nr++] =
		(struct known){number(record + victim->time_at, 8),
			       (uint32_t)number(record + victim->tid_at, 4), end};
}

/* Whole records of what was unpacked; what is left stays. */
static void walk_unpacked(struct victim *victim, struct text *unpacked, size_t end)
{
	size_t at = 0;

	while (unpacked->size - at >= 8) {
		size_t size = number(unpacked->bytes + at + 6, 2);

		if (size > unpacked->size - at)
			break;
		if (number(unpacked->bytes + at, 4) == 9)
			add_sample(victim, unpacked->bytes + at, end);
		at += size;
	}
	memmove(unpacked->bytes, unpacked->bytes + at, unpacked->size - at);
	unpacked->size -= at;
}

static void unpack(ZSTD_DStream *stream, const char *at, size_t size, struct text *unpacked)
{
	char buffer[1 << 16];
	ZSTD_inBuffer in = {at, size, 0};
	ZSTD_outBuffer out;

	do {
		out = (ZSTD_outBuffer){buffer, sizeof(buffer), 0};
		assert_false(ZSTD_isError(ZSTD_decompressStream(stream, &out, &in)));
		text_add_bytes(unpacked, buffer, out.pos);
	} while (in.pos < in.size || out.pos == out.size);
}

/* Of a good little-endian file. */
static void walk(struct victim *victim)
{
	const char *bytes = victim->bytes.bytes;
	const bool is_pipe = number(bytes + 8, 8) == 16;
	const size_t begin = is_pipe ? 16 : number(bytes + 40, 8);
	const size_t end = is_pipe ? victim->bytes.size : begin + number(bytes + 48, 8);
	CLEANUP(text_release) struct text unpacked = TEXT_INIT;
	ZSTD_DStream *stream = ZSTD_createDStream();
	bool has_attrs = !is_pipe;

	for (size_t at = begin, size; at < end; at += size) {
		uint64_t type = number(bytes + at, 4);

		size = number(bytes + at + 6, 2);
		if (!has_attrs && type != 64) {
			has_attrs = true;
			victim->data = at;
		}
		if (type == 9)
			add_sample(victim, bytes + at, at + size);
		if (type == 81)
			unpack(stream, bytes + at + 8, size - 8, &unpacked);
		if (type == 83)
			unpack(stream, bytes + at + 16, number(bytes + at + 8, 8), &unpacked);
		if (type == 81 || type == 83)
			walk_unpacked(victim, &unpacked, at + size);
	}
	if (!is_pipe)
		victim->data = begin;
	ZSTD_freeDStream(stream);
}

static void release(struct victim *victim)
{
	text_release(&victim->bytes);
	free(victim->known);
}

/* ---- reading what is left of it */

static int compare(const void *a_of, const void *b_of)
{
	const struct known *a = a_of, *b = b_of;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

struct found {
	struct known *list; /* sorted */
	size_t nr;
};

static struct found read_bytes(const char *at, size_t size)
{
	struct reader *reader = input_open(at, size);
	CLEANUP(capture_release) struct capture capture = {0};
	CLEANUP(listener_release) struct listener listener;
	struct found found;
	struct error *err;

	listener_init(&listener);
	err = importer_perf_data.read(reader, &capture, &listener.sink);
	assert_true(!err || error_text(err)[0]);
	error_free(err);
	reader_close(reader);
	found.list = mem_zalloc(listener.nr, sizeof(*found.list));
	found.nr = listener.nr;
	for (size_t i = 0; i < listener.nr; i++) {
		const struct sample *sample = &listener.list[i];

		found.list[i].time = sample->time_ns;
		if (sample->task != TASK_NONE)
			found.list[i].tid = (uint32_t)capture.tasks.list[sample->task].tid;
	}
	qsort(found.list, found.nr, sizeof(*found.list), compare);
	return found;
}

/* What ends at or before this byte, sorted. */
static struct found before(const struct victim *victim, size_t byte)
{
	struct found found = {mem_zalloc(victim->nr, sizeof(*found.list)), 0};

	while (found.nr < victim->nr && victim->known[found.nr].end <= byte) {
		found.list[found.nr] = victim->known[found.nr];
		found.nr++;
	}
	qsort(found.list, found.nr, sizeof(*found.list), compare);
	return found;
}

/* Is each of `few` in `many`, as often? */
static bool is_within(const struct found *few, const struct found *many)
{
	size_t at = 0;

	for (size_t i = 0; i < few->nr; i++, at++) {
		while (at < many->nr && compare(&many->list[at], &few->list[i]) < 0)
			at++;
		if (at == many->nr || compare(&many->list[at], &few->list[i]) != 0)
			return false;
	}
	return true;
}

static void expect_before(const struct victim *victim, const char *at, size_t size, size_t byte,
			  bool exactly)
{
	struct found expected = before(victim, byte), found = read_bytes(at, size);

	if (!is_within(&expected, &found) || (exactly && found.nr != expected.nr))
		fail_msg("%s, damaged at byte %zu: %zu samples before, %zu read", victim->name,
			 byte, expected.nr, found.nr);
	free(expected.list);
	free(found.list);
}

/* ---- damage */

static unsigned part(void)
{
	const char *damage = getenv("DAMAGE");

	return damage && strcmp(damage, "all") == 0 ? 1 : PART;
}

static uint64_t chance(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void cut(const struct victim *victim, size_t size)
{
	/* of its own size, so that a sanitizer sees a byte too many */
	char *copy = mem_memdup(victim->bytes.bytes, size ? size : 1);

	expect_before(victim, copy, size, size, true);
	free(copy);
}

static void cut_everywhere(const struct victim *victim)
{
	uint64_t state = 88172645463325252u;
	size_t most = victim->bytes.size < CUT_BYTES ? victim->bytes.size : CUT_BYTES;

	for (size_t size = 0; size < most; size += part())
		cut(victim, size);
	for (size_t i = 0; i < CUTS_CHANCE / part(); i++)
		cut(victim, chance(&state) % victim->bytes.size);
}

static void flip_everywhere(const struct victim *victim)
{
	uint64_t state = 1234567890123u;
	char *copy = mem_memdup(victim->bytes.bytes, victim->bytes.size);

	for (size_t i = 0; i < FLIPS / part(); i++) {
		size_t at = chance(&state) % victim->bytes.size;
		char old = copy[at];

		copy[at] = (char)(old ^ (char)(1 + chance(&state) % 255));
		expect_before(victim, copy, victim->bytes.size, at < victim->data ? 0 : at, false);
		copy[at] = old;
	}
	free(copy);
}

/* The walk of the test and the reader agree on what is in the whole file. */
static void damage(struct victim *victim, size_t samples)
{
	walk(victim);
	assert_int_equal(victim->nr, samples);
	expect_before(victim, victim->bytes.bytes, victim->bytes.size, victim->bytes.size, true);
	cut_everywhere(victim);
	flip_everywhere(victim);
}

/* IDENTIFIER IP TID TIME */
static void damage_world(const struct world_options *options)
{
	CLEANUP(release)
	struct victim victim = {.name = "a file that was built", .time_at = 32, .tid_at = 28};

	world_build(options, &victim.bytes);
	damage(&victim, 16 * options->rounds);
}

static void damaged_file_loses_nothing_before_the_damage(void **state)
{
	(void)state;
	damage_world(&(struct world_options){.rounds = 150});
}

static void damaged_file_without_rounds_loses_nothing_before_the_damage(void **state)
{
	(void)state;
	damage_world(&(struct world_options){.rounds = 40, .lacks_rounds = true});
}

static void damaged_pipe_loses_nothing_before_the_damage(void **state)
{
	(void)state;
	damage_world(&(struct world_options){.rounds = 40, .is_pipe = true});
}

static void damaged_packed_records_lose_nothing_before_the_damage(void **state)
{
	(void)state;
	damage_world(&(struct world_options){.rounds = 40, .is_packed = true});
	damage_world(&(struct world_options){
		.rounds = 40, .is_packed = true, .is_pipe = true, .packing = 83});
}

/* ---- files that perf wrote, where the folder "shared" is beside the checkout */

static bool read_shared(const char *name, struct text *bytes)
{
	CLEANUP(text_release) struct text in_corpus = TEXT_INIT;
	const char *path;
	char buffer[65536];
	size_t got;
	FILE *file;

	text_addf(&in_corpus, "perfdata/own/%s", name);
	path = toolbox_corpus(text_string(&in_corpus));
	if (!path)
		return false;
	file = fopen(path, "re");
	if (!file)
		return false;
	while ((got = fread(buffer, 1, sizeof(buffer), file)))
		text_add_bytes(bytes, buffer, got);
	fclose(file);
	return true;
}

static void damage_shared(const char *name, size_t time_at, size_t tid_at, size_t samples)
{
	CLEANUP(release)
	struct victim victim = {.name = name, .time_at = time_at, .tid_at = tid_at};

	if (read_shared(name, &victim.bytes))
		damage(&victim, samples);
}

static void damaged_recording_loses_nothing_before_the_damage(void **state)
{
	(void)state;
	damage_shared("fp.data", 24, 20, 474);
}

static void damaged_packed_recording_loses_nothing_before_the_damage(void **state)
{
	(void)state;
	damage_shared("zstd.data", 24, 20, 463);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damaged_file_loses_nothing_before_the_damage),
		cmocka_unit_test(damaged_file_without_rounds_loses_nothing_before_the_damage),
		cmocka_unit_test(damaged_pipe_loses_nothing_before_the_damage),
		cmocka_unit_test(damaged_packed_records_lose_nothing_before_the_damage),
		cmocka_unit_test(damaged_recording_loses_nothing_before_the_damage),
		cmocka_unit_test(damaged_packed_recording_loses_nothing_before_the_damage),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
