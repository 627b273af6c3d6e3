/* test_walked.c - who walked a chain and what its frames are from, and chains that lack a caller */
#include "tests/test.h"

#include "analysis/naming.h"
#include "analysis/paths.h"
#include "analysis/summary.h"
#include "analysis/top.h"
#include "analysis/trust.h"
#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/importer.h"
#include "importers/perf_data/attr.h"
#include "importers/perf_data/perf_data.h"
#include "model/capture.h"
#include "model/tally.h"
#include "tests/support/input.h"
#include "tests/support/perf_data_builder.h"

#define BIT(nr)	    (UINT64_C(1) << (nr))
#define TYPE	    (BIT(PERF_BIT_TID) | BIT(PERF_BIT_IP) | BIT(PERF_BIT_CALLCHAIN))
#define MARK_KERNEL ((uint64_t)-128)
#define MARK_USER   ((uint64_t)-512)
#define KERNEL	    UINT64_C(0xffffffff81000000)
#define PROGRAM	    0x400000

enum {
	KERNEL_MODE = 1,
	USER_MODE = 2,
	TID = 7,
};

struct world {
	struct capture capture;
	struct summary summary;
	struct tally tally;
};

static void world_release(struct world *world)
{
	summary_release(&world->summary);
	tally_release(&world->tally);
	capture_release(&world->capture);
}

static void begin(struct builder *builder, struct builder_attr attr)
{
	attr.type = 1;
	attr.period = 1;
	attr.flags |= BIT(PERF_ATTR_SAMPLE_ID_ALL);
	builder_attr(builder, attr);
	builder_comm(builder, 0, TID, TID, "a", 0);
	builder_mmap(builder, USER_MODE, TID, PROGRAM, 0x1000, 0, "/bin/a", 0);
}

static void sample(struct builder *builder, uint16_t mode, const uint64_t *chain, unsigned nr)
{
	builder_sample(builder, 0,
		       &(struct builder_sample){.misc = mode,
						.ip = mode == USER_MODE ? PROGRAM : KERNEL,
						.pid = TID,
						.tid = TID,
						.chain = chain,
						.chain_nr = nr});
}

/* The same is read twice: once to be counted, once for paths. */
static void read_into(const struct builder *builder, struct world *world, struct sink *sink)
{
	struct text file = TEXT_INIT;
	struct reader *reader;

	builder_finish(builder, &file);
	reader = input_open(file.bytes, file.size);
	assert_null(importer_perf_data.read(reader, &world->capture, sink));
	reader_close(reader);
	text_release(&file);
}

static struct summary_chains count(const struct builder *builder, struct world *world)
{
	*world = (struct world){0};
	summary_init(&world->summary, &world->capture);
	read_into(builder, world, &world->summary.sink);
	return summary_chains(&world->summary);
}

static void frame_pointers_are_the_kernels_word(void **state)
{
	const uint64_t user[] = {MARK_USER, PROGRAM + 1, PROGRAM + 2, PROGRAM + 3};
	const uint64_t kernel[] = {MARK_KERNEL, KERNEL + 1,  KERNEL + 2,
				   MARK_USER,	PROGRAM + 4, PROGRAM + 5};
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(world_release) struct world world;
	struct summary_chains sums;

	(void)state;
	begin(&builder, (struct builder_attr){.sample_type = TYPE});
	sample(&builder, USER_MODE, user, ARRAY_NR(user));
	sample(&builder, KERNEL_MODE, kernel, ARRAY_NR(kernel));
	sums = count(&builder, &world);
	assert_true(sums.samples == weight_of(2));
	assert_true(sums.by_walked[WALKED_FRAME_POINTERS] == weight_of(2));
	assert_true(sums.untold == weight_of(2));
	assert_true(sums.frames == weight_of(7));
	assert_true(sums.by_found[FOUND_KERNEL_CHAIN] == weight_of(2));
	/* also what the kernel interrupted is read from its register */
	assert_true(sums.by_found[FOUND_LEAF] == weight_of(2));
	assert_true(sums.by_found[FOUND_USER_CHAIN] == weight_of(3));
	assert_true(sums.lacks_caller == 0);
}

static void last_branches_are_told_from_the_chain_beside_them(void **state)
{
	const uint64_t chain[] = {MARK_USER, PROGRAM + 1, PROGRAM + 2};
	const uint64_t branches[] = {PROGRAM + 8, PROGRAM + 1, 0, PROGRAM + 16, PROGRAM + 9, 0};
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(world_release) struct world world;
	struct summary_chains sums;

	(void)state;
	begin(&builder, (struct builder_attr){.sample_type = TYPE | BIT(PERF_BIT_BRANCH_STACK),
					      .branch_sample_type = BIT(PERF_BRANCH_CALL_STACK)});
	builder_sample(&builder, 0,
		       &(struct builder_sample){.misc = USER_MODE,
						.ip = PROGRAM + 1,
						.pid = TID,
						.tid = TID,
						.chain = chain,
						.chain_nr = ARRAY_NR(chain),
						.branches = branches,
						.branches_nr = 2});
	sample(&builder, USER_MODE, chain, ARRAY_NR(chain)); /* the CPU had none */
	sums = count(&builder, &world);
	assert_true(sums.by_walked[WALKED_BRANCHES] == weight_of(2));
	assert_true(sums.by_found[FOUND_LEAF] == weight_of(2));
	assert_true(sums.by_found[FOUND_LBR] == weight_of(2));
	assert_true(sums.by_found[FOUND_USER_CHAIN] == weight_of(1));
}

static void a_chain_without_its_user_part_was_walked_by_nobody(void **state)
{
	const uint64_t chain[] = {MARK_KERNEL, KERNEL + 1};
	CLEANUP(builder_release) struct builder builder = {0};
	CLEANUP(world_release) struct world world;

	(void)state;
	begin(&builder, (struct builder_attr){.sample_type = TYPE,
					      .flags = BIT(PERF_ATTR_EXCLUDE_CALLCHAIN_USER)});
	sample(&builder, KERNEL_MODE, chain, ARRAY_NR(chain));
	assert_true(count(&builder, &world).samples == 0);
}

static void two_events_of_one_name_and_two_walkers_have_none(void **state)
{
	CLEANUP(events_release) struct events events = {0};
	CLEANUP(names_release) struct names names = {0};
	uint32_t event = events_add(&events, &names, NAME_NONE);

	(void)state;
	assert_int_equal(events.list[event].walked_by, WALKED_UNKNOWN);
	events_set_walked_by(&events, event, WALKED_DUMPS);
	events_set_walked_by(&events, event, WALKED_DUMPS);
	assert_int_equal(events.list[event].walked_by, WALKED_DUMPS);
	events_set_walked_by(&events, event, WALKED_FRAME_POINTERS);
	assert_int_equal(events.list[event].walked_by, WALKED_UNKNOWN);
	events_set_walked_by(&events, event, WALKED_FRAME_POINTERS);
	assert_int_equal(events.list[event].walked_by, WALKED_UNKNOWN);
}

/* ---- a caller that may be missing */

/* Places at these offsets of the program are the function `name`, one of them without a frame. */
static void name_places(struct capture *capture, const char *name, uint64_t bare)
{
	uint32_t places_nr = capture->locations.nr;

	capture->frames.places_nr = places_nr;
	for (uint32_t i = 0; i < places_nr; i++) {
		const struct location *place = locations_get(&capture->locations, i);
		struct location function = {.name = names_add_string(&capture->names, name),
					    .module = place->module,
					    .line = NAME_NONE};

		if (place->address == bare)
			function.flags = LOCATION_LACKS_CALLER;
		frames_add(
			&capture->frames, i,
			&(struct frame){.function = locations_add(&capture->locations, &function),
					.raw_name = NAME_NONE,
					.file = NAME_NONE});
	}
}

/* Three samples in user code, of which one is at `bare`; one in the kernel, above it. */
static void read_bare(struct world *world)
{
	const uint64_t whole[] = {MARK_USER, PROGRAM + 1, PROGRAM + 3};
	const uint64_t bare[] = {MARK_USER, PROGRAM + 2, PROGRAM + 3};
	const uint64_t under[] = {MARK_KERNEL, KERNEL + 1, MARK_USER, PROGRAM + 2, PROGRAM + 3};
	CLEANUP(builder_release) struct builder builder = {0};

	begin(&builder, (struct builder_attr){.sample_type = TYPE});
	sample(&builder, USER_MODE, whole, ARRAY_NR(whole));
	sample(&builder, USER_MODE, whole, ARRAY_NR(whole));
	sample(&builder, USER_MODE, bare, ARRAY_NR(bare));
	sample(&builder, KERNEL_MODE, under, ARRAY_NR(under));
	*world = (struct world){0};
	summary_init(&world->summary, &world->capture);
	read_into(&builder, world, &world->summary.sink);
	tally_init(&world->tally, &world->capture, &(struct tally_options){0});
	world->capture.events.nr = 0; /* read anew */
	read_into(&builder, world, &world->tally.sink);
	name_places(&world->capture, "spin", 2);
}

static void what_lacks_a_caller_is_counted_under_its_name(void **state)
{
	static const struct path_filter no_filter;
	CLEANUP(world_release) struct world world;
	CLEANUP(naming_release) struct naming naming = {0};
	CLEANUP(paths_release) struct paths paths = {0};
	CLEANUP(top_release) struct top top = {0};
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct trust trust;

	(void)state;
	read_bare(&world);
	assert_true(summary_chains(&world.summary).lacks_caller == weight_of(2));
	naming_init(&naming, &world.capture, &(struct naming_options){0});
	paths_build(&paths, &world.tally, &naming, 0, &no_filter);
	top_build(&top, &paths, true);
	assert_int_equal(top.nr, 1);
	assert_true(top.rows[0].self == weight_of(4));
	assert_true(top.rows[0].lacks_caller == weight_of(2));
	trust_count(&trust, &paths, true);
	assert_true(trust.lacks_caller == weight_of(2));
	trust_add_doubts(&trust, "; ", &text);
	assert_non_null(strstr(text_string(&text), "; 50.0 % may lack the leaf's caller"));
}

static void only_frame_pointers_lead_past_a_caller(void **state)
{
	static const struct path_filter no_filter;
	CLEANUP(world_release) struct world world;
	CLEANUP(naming_release) struct naming naming = {0};
	CLEANUP(paths_release) struct paths paths = {0};
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct trust trust;

	(void)state;
	read_bare(&world);
	world.capture.events.list[0].walked_by = WALKED_DUMPS;
	naming_init(&naming, &world.capture, &(struct naming_options){0});
	paths_build(&paths, &world.tally, &naming, 0, &no_filter);
	trust_count(&trust, &paths, true);
	assert_true(trust.all == weight_of(4));
	assert_true(trust.lacks_caller == 0);
	trust_add(&trust, "; ", &text);
	assert_null(strstr(text_string(&text), "caller"));
}

static void some_prologues_are_no_news(void **state)
{
	const struct trust trust = {.all = weight_of(1000), .lacks_caller = weight_of(9)};
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	trust_add(&trust, "; ", &text);
	assert_string_equal(text_string(&text), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frame_pointers_are_the_kernels_word),
		cmocka_unit_test(last_branches_are_told_from_the_chain_beside_them),
		cmocka_unit_test(a_chain_without_its_user_part_was_walked_by_nobody),
		cmocka_unit_test(two_events_of_one_name_and_two_walkers_have_none),
		cmocka_unit_test(what_lacks_a_caller_is_counted_under_its_name),
		cmocka_unit_test(only_frame_pointers_lead_past_a_caller),
		cmocka_unit_test(some_prologues_are_no_news),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
