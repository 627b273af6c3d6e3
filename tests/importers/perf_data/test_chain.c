/* test_chain.c - call chains of addresses: markers, last branches, processes and the kernel */
#include "tests/test.h"

#include "importers/perf_data/chain.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/text.h"
#include "importers/perf_data/attr.h"
#include "importers/perf_data/sample.h"
#include "model/capture.h"

#define KERNEL	0xffffffff81000000u
#define PROGRAM 0x400000u

enum {
	KERNEL_MODE = 1,
	USER_MODE = 2,
	HYPERVISOR_MODE = 3,
	GUEST_KERNEL_MODE = 4,
};

#define MARK_HV		  ((uint64_t)-32)
#define MARK_KERNEL	  ((uint64_t)-128)
#define MARK_USER	  ((uint64_t)-512)
#define MARK_DEFERRED	  ((uint64_t)-640)
#define MARK_GUEST	  ((uint64_t)-2048)
#define MARK_GUEST_KERNEL ((uint64_t)-2176)
#define MARK_UNKNOWN	  ((uint64_t)-4000)

struct world {
	struct capture capture;
	struct perf_chains chains;
};

static void map(struct world *world, int32_t pid, uint64_t begin, uint64_t offset, const char *path)
{
	perf_chains_map(&world->chains, pid, begin, 0x10000, offset, path, strlen(path), NAME_NONE,
			false);
}

static void init(struct world *world)
{
	*world = (struct world){0};
	perf_chains_init(&world->chains, &world->capture);
	map(world, SPACE_KERNEL, KERNEL, 0, "[kernel.kallsyms]");
	map(world, 7, PROGRAM, 0x1000, "/bin/a");
}

static void release(struct world *world)
{
	perf_chains_release(&world->chains);
	capture_release(&world->capture);
}

static void show(const struct world *world, uint32_t id, struct text *text)
{
	const struct location *location;

	if (text->size)
		text_add_char(text, ' ');
	if (id == LOCATION_NONE) {
		text_add_char(text, '-');
		return;
	}
	location = locations_get(&world->capture.locations, id);
	text_addf(text, "%s+%" PRIx64,
		  location->module == MODULE_NONE
			  ? "?"
			  : names_get(&world->capture.names,
				      world->capture.modules.list[location->module].basename)
				    ->bytes,
		  location->address);
}

/* The frames, leaf first: "module+address". */
static void expect(struct world *world, const struct perf_attr *attr,
		   const struct perf_sample *sample, unsigned mode, const char *expected)
{
	const struct stacks *stacks = &world->capture.stacks;
	CLEANUP(text_release) struct text shown = TEXT_INIT;
	struct perf_chain_hint hint;
	uint32_t callers, leaf;

	perf_chains_look(&world->chains, sample, mode, &hint);
	perf_chains_find(&world->chains, attr, sample, mode, &hint, &callers, &leaf);
	show(world, leaf, &shown);
	for (uint32_t i = stacks_depth(stacks, callers); i--;)
		show(world, stacks_ids(stacks, callers)[i], &shown);
	assert_string_equal(text_string(&shown), expected);
}

static struct bytes words(const uint64_t *list, size_t nr)
{
	const unsigned char *at = (const unsigned char *)list;

	return (struct bytes){at, at + 8 * nr, false};
}

static const struct perf_attr plain = {.sample_type = 1 << PERF_BIT_CALLCHAIN};

static void expect_chain(struct world *world, unsigned mode, const uint64_t *chain, size_t nr,
			 const char *expected)
{
	const struct perf_sample sample = {
		.pid = 7,
		.ip = PROGRAM + 0x999,
		.has_ip = true,
		.has_chain = true,
		.chain = words(chain, nr),
	};

	expect(world, &plain, &sample, mode, expected);
	expect(world, &plain, &sample, mode, expected); /* as it is remembered */
}

#define CHAIN(...) \
	(const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)

static void markers_say_where_addresses_are(void **state)
{
	CLEANUP(release) struct world world;

	(void)state;
	init(&world);
	expect_chain(&world, KERNEL_MODE,
		     CHAIN(MARK_KERNEL, KERNEL + 0x10, KERNEL + 0x20, MARK_USER, PROGRAM + 0x30,
			   PROGRAM + 0x40),
		     "kernel.kallsyms+ffffffff81000010 kernel.kallsyms+ffffffff81000020 "
		     "a+1030 a+1040");
	expect_chain(&world, USER_MODE, CHAIN(MARK_USER, PROGRAM + 0x30), "a+1030");
}

static void mode_of_the_record_counts_where_no_marker_is(void **state)
{
	CLEANUP(release) struct world world;

	(void)state;
	init(&world);
	expect_chain(&world, USER_MODE, CHAIN(PROGRAM + 0x30, PROGRAM + 0x40), "a+1030 a+1040");
	expect_chain(&world, KERNEL_MODE, CHAIN(0x123, 0x456),
		     "kernel.kallsyms+123 kernel.kallsyms+456");
	/* of no mode the address itself tells */
	expect_chain(&world, 0, CHAIN(KERNEL + 1, PROGRAM + 0x40),
		     "kernel.kallsyms+ffffffff81000001 a+1040");
}

static void chain_of_markers_alone_is_the_ip(void **state)
{
	CLEANUP(release) struct world world;

	(void)state;
	init(&world);
	expect_chain(&world, USER_MODE, CHAIN(MARK_KERNEL, MARK_USER), "a+1999");
	expect_chain(&world, USER_MODE, NULL, 0, "a+1999");
}

static void sample_without_chain_is_its_ip_or_nothing(void **state)
{
	CLEANUP(release) struct world world;
	struct perf_sample sample = {.pid = 7, .ip = KERNEL + 5, .has_ip = true};

	(void)state;
	init(&world);
	expect(&world, &(struct perf_attr){0}, &sample, KERNEL_MODE,
	       "kernel.kallsyms+ffffffff81000005");
	sample.has_ip = false;
	expect(&world, &(struct perf_attr){0}, &sample, KERNEL_MODE, "-");
}

static void guests_and_hypervisors_have_no_maps(void **state)
{
	CLEANUP(release) struct world world;

	(void)state;
	init(&world);
	expect_chain(&world, GUEST_KERNEL_MODE, CHAIN(PROGRAM + 0x30),
		     "guest.kernel.kallsyms+400030");
	expect_chain(&world, USER_MODE,
		     CHAIN(MARK_GUEST, 0x1, MARK_GUEST_KERNEL, 0x2, MARK_HV, 0x3, MARK_USER,
			   PROGRAM + 0x30),
		     "guest.kernel.kallsyms+1 guest.kernel.kallsyms+2 hypervisor+3 a+1030");
	expect_chain(&world, HYPERVISOR_MODE, CHAIN(0x3), "hypervisor+3");
}

static void unknown_marker_lets_addresses_tell(void **state)
{
	CLEANUP(release) struct world world;

	(void)state;
	init(&world);
	expect_chain(&world, USER_MODE, CHAIN(MARK_UNKNOWN, KERNEL + 7, PROGRAM + 8),
		     "kernel.kallsyms+ffffffff81000007 a+1008");
}

static void cookie_of_a_deferred_chain_is_no_frame(void **state)
{
	CLEANUP(release) struct world world;

	(void)state;
	init(&world);
	expect_chain(&world, KERNEL_MODE,
		     CHAIN(MARK_KERNEL, KERNEL + 0x10, KERNEL + 0x20, MARK_DEFERRED, 0x55),
		     "kernel.kallsyms+ffffffff81000010 kernel.kallsyms+ffffffff81000020");
	expect_chain(&world, KERNEL_MODE, CHAIN(MARK_KERNEL, KERNEL + 0x10, MARK_DEFERRED),
		     "kernel.kallsyms+ffffffff81000010");
	/* where it is all there is, the ip is */
	expect_chain(&world, USER_MODE, CHAIN(MARK_DEFERRED, 0x55), "a+1999");
}

static const struct perf_attr lbr = {
	.sample_type = 1 << PERF_BIT_CALLCHAIN | 1 << PERF_BIT_BRANCH_STACK,
	.branch_sample_type = 1 << PERF_BRANCH_CALL_STACK,
};

static void expect_branches(struct world *world, const struct perf_attr *attr,
			    const uint64_t *chain, size_t chain_nr, const uint64_t *branches,
			    size_t branches_nr, const char *expected)
{
	const struct perf_sample sample = {
		.pid = 7,
		.has_chain = true,
		.chain = words(chain, chain_nr),
		.branches = words(branches, branches_nr),
	};

	expect(world, attr, &sample, USER_MODE, expected);
}

static void last_branches_replace_the_user_part(void **state)
{
	CLEANUP(release) struct world world;

	(void)state;
	init(&world);
	expect_branches(&world, &lbr, CHAIN(MARK_KERNEL, KERNEL + 1, MARK_USER, PROGRAM + 0x99),
			CHAIN(PROGRAM + 0x20, PROGRAM + 0x10, 0, PROGRAM + 0x40, PROGRAM + 0x30, 0),
			"kernel.kallsyms+ffffffff81000001 a+1010 a+1020 a+1040");
	/* an empty entry is the end */
	expect_branches(&world, &lbr, CHAIN(MARK_USER, PROGRAM + 0x99),
			CHAIN(PROGRAM + 0x20, PROGRAM + 0x10, 0, 0, 0, 0, PROGRAM, PROGRAM, 0),
			"a+1010 a+1020");
}

static void last_branches_that_are_no_call_stack_are_left_alone(void **state)
{
	CLEANUP(release) struct world world;
	struct perf_attr others = lbr;

	(void)state;
	init(&world);
	others.branch_sample_type = 8;
	expect_branches(&world, &others, CHAIN(MARK_USER, PROGRAM + 0x99),
			CHAIN(PROGRAM + 0x20, PROGRAM + 0x10, 0), "a+1099");
	/* and so are those of a chain that has no user part */
	expect_branches(&world, &lbr, CHAIN(MARK_KERNEL, KERNEL + 1),
			CHAIN(PROGRAM + 0x20, PROGRAM + 0x10, 0),
			"kernel.kallsyms+ffffffff81000001");
}

/* -1 is the kernel's space for maps, but of a sample it is a task that has no id any more. */
static void user_code_of_an_exiting_task_is_not_the_kernels(void **state)
{
	static const int32_t pids[] = {-1, -2, -3, -4, INT32_MIN};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(pids); i++) {
		CLEANUP(release) struct world world;
		struct perf_sample sample = {
			.pid = (uint32_t)pids[i], .ip = PROGRAM + 5, .has_ip = true};

		init(&world);
		expect(&world, &(struct perf_attr){0}, &sample, USER_MODE, "?+400005");
		expect(&world, &(struct perf_attr){0}, &sample, 0, "?+400005");
		sample.has_chain = true;
		sample.chain = words(CHAIN(MARK_USER, PROGRAM + 6, PROGRAM + 7));
		expect(&world, &plain, &sample, USER_MODE, "?+400006 ?+400007");
		sample.ip = KERNEL + 5;
		sample.has_chain = false;
		sample.chain = words(NULL, 0);
		expect(&world, &(struct perf_attr){0}, &sample, KERNEL_MODE,
		       "kernel.kallsyms+ffffffff81000005");
	}
}

static void what_was_found_before_a_map_changed_is_looked_up_again(void **state)
{
	CLEANUP(release) struct world world;

	(void)state;
	init(&world);
	expect_chain(&world, USER_MODE, CHAIN(MARK_USER, PROGRAM + 1, PROGRAM + 2),
		     "a+1001 a+1002");
	map(&world, 7, PROGRAM, 0, "/bin/b");
	expect_chain(&world, USER_MODE, CHAIN(MARK_USER, PROGRAM + 1, PROGRAM + 2), "b+1 b+2");
	perf_chains_exec(&world.chains, 7);
	map(&world, 7, PROGRAM + 0x100000, 0, "/bin/c");
	expect_chain(&world, USER_MODE, CHAIN(MARK_USER, PROGRAM + 1, PROGRAM + 2),
		     "?+400001 ?+400002");
}

static void map_that_ends_behind_the_last_address_is_cut_there(void **state)
{
	CLEANUP(release) struct world world;

	(void)state;
	init(&world);
	perf_chains_map(&world.chains, 7, 0x7000000000000000, UINT64_MAX, 0, "/bin/all", 8,
			NAME_NONE, false);
	expect_chain(&world, USER_MODE, CHAIN(MARK_USER, 0x7000000000000123), "all+123");
	expect_chain(&world, USER_MODE, CHAIN(MARK_USER, 0xefffffffffffffff),
		     "all+7fffffffffffffff");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(markers_say_where_addresses_are),
		cmocka_unit_test(mode_of_the_record_counts_where_no_marker_is),
		cmocka_unit_test(chain_of_markers_alone_is_the_ip),
		cmocka_unit_test(sample_without_chain_is_its_ip_or_nothing),
		cmocka_unit_test(guests_and_hypervisors_have_no_maps),
		cmocka_unit_test(unknown_marker_lets_addresses_tell),
		cmocka_unit_test(cookie_of_a_deferred_chain_is_no_frame),
		cmocka_unit_test(last_branches_replace_the_user_part),
		cmocka_unit_test(last_branches_that_are_no_call_stack_are_left_alone),
		cmocka_unit_test(user_code_of_an_exiting_task_is_not_the_kernels),
		cmocka_unit_test(what_was_found_before_a_map_changed_is_looked_up_again),
		cmocka_unit_test(map_that_ends_behind_the_last_address_is_cut_there),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
