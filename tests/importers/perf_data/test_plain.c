/* test_plain.c - samples of words and a call chain alone are said as all others are */
#include "tests/test.h"

#include "importers/perf_data/plain.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/reader.h"
#include "importers/importer.h"
#include "importers/perf_data/perf_data.h"
#include "model/capture.h"
#include "tests/support/input.h"
#include "tests/support/perf_data_builder.h"
#include "tests/support/perf_data_heard.h"

enum {
	KERNEL_MODE = 1,
	USER_MODE = 2,
	COMM_EXEC = 1 << 13,
};

#define BIT(n) (UINT64_C(1) << (n))
/* IP TID TIME CALLCHAIN ID CPU PERIOD */
#define TYPE	  (BIT(0) | BIT(1) | BIT(2) | BIT(5) | BIT(6) | BIT(7) | BIT(8))
#define ID_ALL	  (1 << 18)
#define PROGRAM	  0x400000
#define KERNEL	  UINT64_C(0xffffffff81000000)
#define IN_KERNEL ((uint64_t)-128)
#define IN_USER	  ((uint64_t)-512)
#define PLACE(n)  (PROGRAM + 16 * (uint64_t)(n))

/*
 * A sink that gives samples numbers by what a number may stand for, and checks that those that come
 * with one are of that kind.
 */
struct numberer {
	struct sink sink;
	struct sample *list;
	size_t nr, alloc;
	uint32_t last;
	size_t known_nr;
	struct text text;
	const struct capture *capture;
};

static bool is_like(const struct sample *a, const struct sample *b)
{
	return a->callers == b->callers && a->leaf == b->leaf && a->event == b->event &&
	       a->task == b->task;
}

static void add_place(struct numberer *numberer, uint32_t id)
{
	const struct capture *capture = numberer->capture;
	const struct location *at;

	if (id == LOCATION_NONE) {
		text_add(&numberer->text, " -");
		return;
	}
	at = locations_get(&capture->locations, id);
	text_addf(&numberer->text, " %" PRIu32 "+%" PRIx64 "/%x", at->module, at->address,
		  at->flags);
}

/* Without ids, but for those that both ways of reading have to give alike. */
static void add_line(struct numberer *numberer, const struct sample *sample)
{
	const struct capture *capture = numberer->capture;
	const struct task *task = &capture->tasks.list[sample->task];
	const uint32_t *callers = stacks_ids(&capture->stacks, sample->callers);

	text_addf(&numberer->text, "%" PRIu64 " %s %d/%d %d %x e%u %.0f", sample->time_ns,
		  names_display(&capture->names, task->comm), task->pid, task->tid, sample->cpu,
		  sample->flags, sample->event, weight_number(sample->period));
	add_place(numberer, sample->leaf);
	for (uint32_t i = 0; i < stacks_depth(&capture->stacks, sample->callers); i++)
		add_place(numberer, callers[i]);
	text_add_char(&numberer->text, '\n');
}

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct numberer *numberer = (struct numberer *)sink;
	uint32_t found = 0;

	add_line(numberer, sample);
	if (sample->known != SAMPLE_NOT_KNOWN) {
		assert_true(sample->known <= numberer->nr);
		assert_true(is_like(&numberer->list[sample->known - 1], sample));
		numberer->known_nr++;
	}
	while (found < numberer->nr && !is_like(&numberer->list[found], sample))
		found++;
	if (found == numberer->nr) {
		GROW(numberer->list, numberer->nr + 1, numberer->alloc);
		numberer->list[numberer->nr++] = *sample;
	}
	numberer->last = found + 1;
	return NULL;
}

static uint32_t known(const struct sink *sink)
{
	return ((const struct numberer *)sink)->last;
}

/* wants_fields: all samples take the way of those that have more than words. */
static void hear(const struct builder *builder, bool wants_fields, struct numberer *numberer)
{
	CLEANUP(text_release) struct text file = TEXT_INIT;
	CLEANUP(capture_release) struct capture capture = {.wants_fields = wants_fields};
	struct reader *reader;

	*numberer = (struct numberer){.sink = {.sample = on_sample, .known = known},
				      .capture = &capture};
	builder_finish(builder, &file);
	reader = input_open(file.bytes, file.size);
	assert_null(importer_perf_data.read(reader, &capture, &numberer->sink));
	reader_close(reader);
	numberer->capture = NULL;
}

static void numberer_release(struct numberer *numberer)
{
	free(numberer->list);
	text_release(&numberer->text);
}

static uint32_t draw(uint64_t *state, uint32_t nr)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((*state >> 33) % nr);
}

/* One of a few chains, from the leaf on; some begin in the kernel, some have a leaf alone. */
static unsigned draw_chain(uint64_t *state, uint64_t chain[static 16])
{
	unsigned nr = 0, depth = draw(state, 3);

	if (!draw(state, 4)) {
		chain[nr++] = IN_KERNEL;
		chain[nr++] = KERNEL + draw(state, 3);
		chain[nr++] = KERNEL + 0x100;
	}
	if (!draw(state, 20))
		return nr;
	chain[nr++] = IN_USER;
	chain[nr++] = PLACE(draw(state, 4));
	for (unsigned i = 0; i < depth; i++)
		chain[nr++] = PLACE(100 + i + draw(state, 2));
	return nr;
}

static void draw_sample(struct builder *builder, uint64_t *state, uint64_t time)
{
	uint64_t chain[16];
	unsigned attr = draw(state, 2);
	uint32_t tid = 7 + draw(state, 3);
	struct builder_sample sample = {
		.misc = USER_MODE,
		.ip = PLACE(draw(state, 4)),
		.time = draw(state, 50) ? time : UINT64_MAX - 1,
		.id = 41 + attr,
		.period = 1 + draw(state, 1000),
		.pid = draw(state, 30) ? 7 : (uint32_t)-1,
		.tid = tid,
		.cpu = draw(state, 4),
		.chain = chain,
		.chain_nr = draw_chain(state, chain),
	};

	if (sample.pid != 7)
		sample.tid = sample.pid;
	if (sample.chain_nr && chain[0] == IN_KERNEL)
		sample.misc = KERNEL_MODE;
	builder_sample(builder, attr, &sample);
}

/* What a chain or a thread means changes between samples that are the same bytes. */
static void draw_change(struct builder *builder, uint64_t *state, uint64_t time)
{
	static const char *const comms[] = {"one", "two"}, *const paths[] = {"/a", "/b"};

	switch (draw(state, 3)) {
	case 0:
		builder_comm(builder, draw(state, 2) ? COMM_EXEC : 0, 7, 7 + draw(state, 3),
			     comms[draw(state, 2)], time);
		break;
	case 1:
		builder_mmap(builder, USER_MODE, 7, PROGRAM, 0x1000, 0x1000 * draw(state, 2),
			     paths[draw(state, 2)], time);
		break;
	default:
		builder_round(builder);
	}
}

static void build(struct builder *builder, uint64_t seed)
{
	uint64_t state = seed;

	for (unsigned i = 0; i < 2; i++)
		builder_attr(builder, (struct builder_attr){.type = 1,
							    .config = i,
							    .period = 1,
							    .sample_type = TYPE,
							    .flags = ID_ALL,
							    .ids = {41 + i},
							    .ids_nr = 1});
	builder_mmap(builder, USER_MODE, 7, PROGRAM, 0x1000, 0, "/a", 0);
	for (uint64_t time = 1000; time < 1800; time++) {
		draw_sample(builder, &state, time - draw(&state, 3));
		if (!draw(&state, 80))
			draw_change(builder, &state, time);
	}
}

static void the_way_makes_no_difference(void **state)
{
	size_t known_nr = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 16; seed++) {
		CLEANUP(builder_release)
		struct builder builder = {.is_big = seed & 1, .is_pipe = seed >> 1 & 1};
		CLEANUP(numberer_release) struct numberer plain = {0}, other = {0};

		build(&builder, seed);
		hear(&builder, false, &plain);
		hear(&builder, true, &other);
		assert_string_equal(text_string(&plain.text), text_string(&other.text));
		known_nr += plain.known_nr;
		assert_int_equal(other.known_nr, 0);
	}
	assert_true(known_nr > 500);
}

/* ---- a sink that takes sums, of threads by their names */

struct adder {
	struct sink sink;
	const struct capture *capture;
	struct sum {
		uint32_t callers, leaf, event, comm, task;
		weight count, period;
	} * list;
	size_t nr, alloc, last;
	size_t sums_nr; /* of several samples that were said as one */
	uint64_t latest_ns;
};

static uint32_t comm_of(const struct adder *adder, uint32_t task)
{
	return adder->capture->tasks.list[task].comm;
}

static struct error *on_sum(struct sink *sink, const struct sample *sample)
{
	struct adder *adder = (struct adder *)sink;
	struct sum sum = {sample->callers,
			  sample->leaf,
			  sample->event,
			  comm_of(adder, sample->task),
			  sample->task,
			  0,
			  0};
	size_t at = 0;

	while (at < adder->nr && memcmp(&adder->list[at], &sum, 4 * sizeof(uint32_t)) != 0)
		at++;
	if (sample->known != SAMPLE_NOT_KNOWN)
		assert_int_equal(at + 1, sample->known);
	if (at == adder->nr) {
		GROW(adder->list, adder->nr + 1, adder->alloc);
		adder->list[adder->nr++] = sum;
	}
	adder->list[at].count += sample->count;
	adder->list[at].period += sample->period;
	adder->sums_nr += sample->count > WEIGHT_ONE;
	adder->last = at;
	if (sample->flags & SAMPLE_HAS_TIME && sample->time_ns > adder->latest_ns)
		adder->latest_ns = sample->time_ns;
	return NULL;
}

static uint32_t known_sum(const struct sink *sink)
{
	return (uint32_t)((const struct adder *)sink)->last + 1;
}

/* Not before a sample of the task was said. */
static uint32_t alike_by_name(const struct sink *sink, uint32_t task)
{
	const struct adder *adder = (const struct adder *)sink;

	for (size_t i = 0; i < adder->nr; i++)
		if (adder->list[i].task == task)
			return adder->list[i].comm;
	return SINK_ALIKE_NONE;
}

static void add_up(const struct builder *builder, bool is_one_by_one, size_t *sums_nr,
		   struct text *ret)
{
	CLEANUP(text_release) struct text file = TEXT_INIT;
	CLEANUP(capture_release) struct capture capture = {0};
	struct adder adder = {.sink = {.sample = on_sum, .known = known_sum}, .capture = &capture};
	struct reader *reader;

	if (!is_one_by_one)
		adder.sink.alike = alike_by_name;
	builder_finish(builder, &file);
	reader = input_open(file.bytes, file.size);
	assert_null(importer_perf_data.read(reader, &capture, &adder.sink));
	reader_close(reader);
	for (size_t i = 0; i < adder.nr; i++)
		text_addf(ret, "%u %u %u %u %.0f %.0f\n", adder.list[i].callers, adder.list[i].leaf,
			  adder.list[i].event, adder.list[i].comm,
			  weight_number(adder.list[i].count), weight_number(adder.list[i].period));
	text_addf(ret, "%" PRIu64 "\n", adder.latest_ns);
	*sums_nr += adder.sums_nr;
	free(adder.list);
}

/* The same stacks, in the same order, and as much of each. */
static void sums_are_what_they_are_of(void **state)
{
	size_t sums_nr = 0, none = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 16; seed++) {
		CLEANUP(builder_release)
		struct builder builder = {.is_big = seed & 1, .is_pipe = seed >> 1 & 1};
		CLEANUP(text_release) struct text sums = TEXT_INIT, ones = TEXT_INIT;

		build(&builder, seed);
		add_up(&builder, false, &sums_nr, &sums);
		add_up(&builder, true, &none, &ones);
		assert_string_equal(text_string(&sums), text_string(&ones));
	}
	assert_true(sums_nr > 100);
	assert_int_equal(none, 0);
}

/* An event of another kind comes behind samples, as a pipe may have it: none is lost or moved. */
static void the_way_changes_where_another_event_comes(void **state)
{
	CLEANUP(builder_release) struct builder builder = {.is_pipe = true};
	const uint64_t chain[] = {IN_USER, PLACE(1), PLACE(2)};
	struct builder_sample sample = {.misc = USER_MODE,
					.pid = 7,
					.tid = 7,
					.time = 10,
					.period = 1,
					.chain = chain,
					.chain_nr = ARRAY_NR(chain),
					.id = 41};
	struct builder_attr attr = {
		.period = 1, .sample_type = TYPE, .flags = ID_ALL, .ids = {41}, .ids_nr = 1};

	(void)state;
	builder_attr(&builder, attr);
	builder_mmap(&builder, USER_MODE, 7, PROGRAM, 0x1000, 0, "/a", 0);
	builder_sample(&builder, 0, &sample);
	builder_round(&builder);
	builder_round(&builder);
	attr.ids[0] = 42;
	attr.sample_type |= BIT(14); /* a weight */
	builder_attr(&builder, attr);
	sample.time = 11;
	sample.id = 42;
	builder_sample(&builder, 1, &sample);
	heard_expect(&builder, "10 :7 7/7 cycles 1 /a+10 /a+20\n"
			       "11 :7 7/7 cycles 1 /a+10 /a+20\n");
}

static void short_and_long_samples_are_noted(void **state)
{
	CLEANUP(builder_release) struct builder builder = {0};
	/* ip, ids, time, number of the chain, which is more than there is; then one that is less */
	const uint64_t too_short[] = {1, UINT64_C(7) << 32 | 7, 10, 3, IN_USER, PROGRAM};
	const uint64_t too_long[] = {1, UINT64_C(7) << 32 | 7, 11, 1, IN_USER, PROGRAM};

	(void)state;
	builder_attr(&builder,
		     (struct builder_attr){.period = 1,
					   .sample_type = BIT(0) | BIT(1) | BIT(2) | BIT(5),
					   .flags = ID_ALL});
	builder_words(&builder, 9, USER_MODE, too_short, ARRAY_NR(too_short));
	builder_words(&builder, 9, USER_MODE, too_short, 2);
	builder_words(&builder, 9, USER_MODE, too_long, ARRAY_NR(too_long));
	heard_expect(&builder, "11 :7 7/7 cycles 1 ?+1\n");
	heard_expect_notes(&builder, "short-sample 2 0 304\nleftover-bytes 1 0 328\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_way_makes_no_difference),
		cmocka_unit_test(sums_are_what_they_are_of),
		cmocka_unit_test(the_way_changes_where_another_event_comes),
		cmocka_unit_test(short_and_long_samples_are_noted),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
