/* test_unwind.c - stacks that were made to mislead, and those that tell the truth */
#include "tests/test.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/mem.h"
#include "binaries/find.h"
#include "model/capture.h"
#include "model/details.h"
#include "model/spaces.h"
#include "tests/bench/chance.h"
#include "unwind/unwind.h"

/* ax bx cx dx si di bp sp ip flags cs ss r8 ... r15, as perf asks for them */
#define MASK UINT64_C(0xff0fff)

enum {
	REGISTERS = 20,
	BP = 6,
	SP = 7,
	IP = 8,
	WORDS = 1024
};

#define BEGIN UINT64_C(0x7ffc00000000)
#define CODE  UINT64_C(0x555500000000)

struct world {
	struct capture capture;
	struct space_map map;
	struct space_maps maps;
	struct space space;
	struct binaries *binaries;
	struct unwinder *unwinder;
	uint64_t registers[REGISTERS], stack[WORDS];
	size_t size; /* bytes of the stack */
	uint64_t abi, mask;
	struct unwound unwound;
};

/* Code of this very program is mapped at CODE, so that it has call-frame information. */
static void world_init(struct world *world, bool has_files)
{
	static const struct binaries_options options = {.capture_path = NULL};
	char path[4096];
	ssize_t size = readlink("/proc/self/exe", path, sizeof(path));

	*world = (struct world){.abi = 2, .mask = MASK, .size = sizeof(world->stack)};
	assert_true(size > 0 && (size_t)size < sizeof(path));
	world->map = (struct space_map){
		.begin = CODE,
		.end = CODE + (UINT64_C(1) << 28),
		.module = modules_add(&world->capture.modules, &world->capture.names,
				      names_add(&world->capture.names, path, (size_t)size)),
		.name = NAME_NONE,
	};
	world->maps = (struct space_maps){.list = &world->map, .nr = 1};
	world->space = (struct space){.maps = &world->maps, .version = 1};
	facts_add(&world->capture.facts, "arch", 4, "x86_64", 6);
	if (has_files)
		assert_null(binaries_new(&options, &world->binaries));
	world->unwinder = unwind_new(world->binaries);
	world->registers[SP] = BEGIN;
	world->registers[IP] = CODE + 0x1000;
}

static void world_release(struct world *world)
{
	unwind_free(world->unwinder);
	binaries_free(world->binaries);
	capture_release(&world->capture);
}

static struct bytes bytes_of(const void *at, size_t size)
{
	return (struct bytes){at, (const unsigned char *)at + size, false};
}

static void unwind(struct world *world)
{
	struct sample_user user = {
		.abi = world->abi,
		.mask = world->mask,
		.regs = bytes_of(world->registers, sizeof(world->registers)),
		.stack = bytes_of(world->stack, world->size),
		.space = &world->space,
	};

	world->unwinder->unwind(world->unwinder, &world->capture, &world->space, &user,
				&world->unwound);
}

static void without_a_file_the_leaf_is_all(void **state)
{
	struct world world;

	(void)state;
	world_init(&world, false);
	unwind(&world);
	assert_int_equal(world.unwound.stop, UNWIND_NO_FILE);
	assert_true(world.unwound.lacks_file);
	assert_int_equal(world.unwound.nr, 1);
	assert_int_equal(world.unwound.frames[0].ip, CODE + 0x1000);
	assert_int_equal(world.unwound.frames[0].found, FOUND_LEAF);
	assert_false(world.unwound.frames[0].is_return);
	world_release(&world);
}

static void an_address_in_no_mapping_ends_the_chain(void **state)
{
	struct world world;

	(void)state;
	world_init(&world, true);
	world.registers[IP] = 0x1234;
	unwind(&world);
	assert_int_equal(world.unwound.stop, UNWIND_NO_MAP);
	assert_int_equal(world.unwound.nr, 1);
	world_release(&world);
}

static void tasks_of_32_bits_and_missing_registers_are_not_unwound(void **state)
{
	struct world world;

	(void)state;
	world_init(&world, true);
	world.abi = 1;
	unwind(&world);
	assert_int_equal(world.unwound.stop, UNWIND_UNSUPPORTED);
	assert_int_equal(world.unwound.nr, 0);
	world.abi = 2;
	world.mask = 1 << IP;
	unwind(&world);
	assert_int_equal(world.unwound.stop, UNWIND_UNSUPPORTED);
	world_release(&world);
}

static void an_empty_dump_ends_it(void **state)
{
	struct world world;

	(void)state;
	world_init(&world, true);
	world.size = 0;
	unwind(&world);
	assert_int_equal(world.unwound.nr, 1);
	assert_int_not_equal(world.unwound.stop, UNWIND_END);
	world_release(&world);
}

/* Words that lead into code, up and down the stack, to themselves, and nowhere. */
static uint64_t word_of(struct chance *chance, size_t at)
{
	switch (chance_below(chance, 6)) {
	case 0:
		return CODE + chance_below(chance, 1 << 22);
	case 1:
		return BEGIN + 8 * chance_below(chance, WORDS);
	case 2:
		return BEGIN + 8 * at;
	case 3:
		return chance_below(chance, 64) - 32;
	case 4:
		return UINT64_MAX << chance_below(chance, 63);
	default:
		return CODE + chance_below(chance, 1 << 16);
	}
}

static void any_words_end_in_time_and_lead_outwards(void **state)
{
	struct chance chance = {.state = 6};
	struct world world;

	(void)state;
	world_init(&world, true);
	for (int round = 0; round < 20000; round++) {
		for (size_t i = 0; i < WORDS; i++)
			world.stack[i] = word_of(&chance, i);
		for (size_t i = 0; i < REGISTERS; i++)
			world.registers[i] = word_of(&chance, i);
		world.registers[IP] = CODE + chance_below(&chance, 1 << 22);
		world.registers[SP] =
			round % 7 ? BEGIN : UINT64_MAX - 8 * chance_below(&chance, 64);
		world.size = chance_below(&chance, sizeof(world.stack) + 1);
		unwind(&world);
		assert_true(world.unwound.nr >= 1 && world.unwound.nr <= UNWIND_FRAMES_MAX);
		assert_true(world.unwound.stop < UNWIND_STOP_NR);
		for (uint32_t i = 0; i < world.unwound.nr; i++)
			assert_true(world.unwound.frames[i].ip - CODE <= UINT64_C(1) << 28);
	}
	world_release(&world);
}

/* ---- threads */

#define MANY 256

struct many {
	struct unwinder_job jobs[MANY];
	struct unwound unwound[MANY];
	uint64_t registers[MANY][REGISTERS], stacks[MANY][WORDS / 8];
};

static void make_jobs(const struct world *world, struct many *many, struct chance *chance)
{
	for (unsigned i = 0; i < MANY; i++) {
		for (size_t j = 0; j < ARRAY_NR(many->stacks[i]); j++)
			many->stacks[i][j] = word_of(chance, j);
		for (size_t j = 0; j < REGISTERS; j++)
			many->registers[i][j] = word_of(chance, j);
		many->registers[i][IP] = CODE + chance_below(chance, 1 << 22);
		many->registers[i][SP] = BEGIN;
		many->jobs[i] = (struct unwinder_job){
			.user = {.abi = 2,
				 .mask = MASK,
				 .regs = bytes_of(many->registers[i], sizeof(many->registers[i])),
				 .stack = bytes_of(many->stacks[i], sizeof(many->stacks[i])),
				 .space = &many->jobs[i].space},
			.space = world->space,
			.ret = &many->unwound[i],
		};
	}
}

static void expect_same(const struct unwound *a, const struct unwound *b)
{
	assert_int_equal(a->nr, b->nr);
	assert_int_equal(a->stop, b->stop);
	assert_int_equal(a->lacks_file, b->lacks_file);
	for (uint32_t i = 0; i < a->nr; i++) {
		assert_int_equal(a->frames[i].ip, b->frames[i].ip);
		assert_int_equal(a->frames[i].found, b->frames[i].found);
		assert_int_equal(a->frames[i].is_return, b->frames[i].is_return);
	}
}

static void many_on_any_number_of_threads_are_as_one_by_one(void **state)
{
	static struct many many;
	static struct world alone;

	(void)state;
	world_init(&alone, true);
	assert_null(alone.unwinder->unwind_many);
	for (unsigned threads = 2; threads <= 5; threads++) {
		struct chance chance = {.state = threads};
		struct world world;

		world_init(&world, true);
		unwind_set_threads(world.unwinder, threads);
		for (int round = 0; round < 20; round++) {
			size_t nr = round % 3 ? MANY : 10;

			make_jobs(&world, &many, &chance);
			world.unwinder->unwind_many(world.unwinder, &world.capture, many.jobs, nr);
			for (size_t i = 0; i < nr; i++) {
				alone.unwinder->unwind(alone.unwinder, &alone.capture, &alone.space,
						       &many.jobs[i].user, &alone.unwound);
				expect_same(&many.unwound[i], &alone.unwound);
			}
		}
		world_release(&world);
	}
	world_release(&alone);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_file_the_leaf_is_all),
		cmocka_unit_test(an_address_in_no_mapping_ends_the_chain),
		cmocka_unit_test(tasks_of_32_bits_and_missing_registers_are_not_unwound),
		cmocka_unit_test(an_empty_dump_ends_it),
		cmocka_unit_test(any_words_end_in_time_and_lead_outwards),
		cmocka_unit_test(many_on_any_number_of_threads_are_as_one_by_one),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
