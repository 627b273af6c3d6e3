/* test_kinds.c - the kind of a cost is told by names, from the leaf up to the program's own code */
#include "tests/test.h"

#include "analysis/kinds.h"
#include "base/mem.h"
#include "base/text.h"
#include "importers/folded.h"
#include "importers/perf_script.h"
#include "tests/support/reading.h"

static void expect_name(const char *name, bool is_kernel, const char *word)
{
	enum kind kind = kinds_of_name(name, is_kernel);

	assert_string_equal(kind == KIND_NR ? "-" : kind_word(kind), word);
}

static void names_tell_kinds(void **state)
{
	(void)state;
	expect_name("malloc", false, "allocation");
	expect_name("malloc_usable_size", false, "allocation");
	expect_name("mallocate", false, "-");
	expect_name("operator new(unsigned long)", false, "allocation");
	expect_name("__memmove_avx_unaligned_erms", false, "copying");
	expect_name("core::fmt::Formatter::pad_integral", false, "formatting");
	expect_name("<std::collections::hash::map::DefaultHasher as core::hash::Hasher>::write",
		    false, "hashing");
	expect_name("pthread_mutex_lock", false, "locking");
	expect_name("tcp_sendmsg", true, "kernel: network");
	expect_name("tcp_sendmsg", false, "-"); /* a program may call a function so */
	expect_name("malloc", true, "-");
	expect_name("finish_task_switch.isra.0", true, "kernel: scheduler");
	expect_name("do_syscall_64", true, "system calls");
	expect_name("", false, "-");
}

static void entries_are_on_the_way_to_everything(void **state)
{
	(void)state;
	assert_true(kinds_is_entry("main"));
	assert_true(kinds_is_entry("__libc_start_main@@GLIBC_2.34"));
	assert_true(kinds_is_entry("std::sys::unix::thread::Thread::new::thread_start"));
	assert_true(kinds_is_entry("vfs_read"));
	assert_false(kinds_is_entry("main_loop"));
	assert_false(kinds_is_entry("batch_relay"));
}

static void count(const char *frames, const char *expected)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(text_release) struct text script = TEXT_INIT, lines = TEXT_INIT;
	struct kinds kinds;
	enum kind order[KIND_NR];
	size_t nr;

	text_addf(&script, "a 1/1 1.0: 3 cpu-clock: \n%s\n", frames);
	reading_init(&reading, &importer_perf_script, text_string(&script), NULL, NULL, NULL);
	kinds_count(&reading.paths, true, &kinds);
	nr = kinds_sorted(&kinds, order);
	for (size_t i = 0; i < nr; i++)
		text_addf(&lines, "%s\n", kind_word(order[i]));
	assert_true(kinds.total == WEIGHT_ONE);
	assert_string_equal(text_string(&lines), expected);
}

static void innermost_frame_with_a_kind_decides(void **state)
{
	(void)state;
	count("\t1 __memcpy_avx (/lib/libc.so.6)\n\t2 realloc (/lib/libc.so.6)\n\t3 main (/bin/a)\n",
	      "copying\n");
	count("\t1 helper (/lib/libc.so.6)\n\t2 realloc (/lib/libc.so.6)\n\t3 main (/bin/a)\n",
	      "allocation\n");
	count("\tffffffff81000001 rb_next ([kernel.kallsyms])\n"
	      "\tffffffff81000002 do_syscall_64 ([kernel.kallsyms])\n\t3 main (/bin/a)\n",
	      "system calls\n");
}

/* What a program's own function was called by says nothing of it. */
static void own_code_ends_the_search(void **state)
{
	(void)state;
	count("\t1 parse (/bin/a)\n\t2 qsort (/lib/libc.so.6)\n\t3 main (/bin/a)\n", "own code\n");
	count("\t1 helper (/lib/libz.so)\n\t2 parse (/bin/a)\n\t3 qsort (/lib/libc.so.6)\n",
	      "other library\n");
	count("\tffffffff81000001 rb_next ([kernel.kallsyms])\n", "other kernel\n");
}

/* One of each weight, and the sum of all: what sorts is the weight. */
static void kinds_are_sorted_by_weight(void **state)
{
	CLEANUP(reading_release) struct reading reading;
	struct kinds kinds;
	enum kind order[KIND_NR];

	(void)state;
	reading_init(&reading, &importer_folded, "a;malloc 1\na;memcpy 5\na;work 3\n", NULL, NULL,
		     NULL);
	kinds_count(&reading.paths, true, &kinds);
	assert_true(kinds_sorted(&kinds, order) == 3);
	assert_int_equal(order[0], KIND_COPYING);
	assert_int_equal(order[1], KIND_UNKNOWN);
	assert_int_equal(order[2], KIND_ALLOCATION);
	assert_true(kinds.total == 9 * WEIGHT_ONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_tell_kinds),
		cmocka_unit_test(entries_are_on_the_way_to_everything),
		cmocka_unit_test(innermost_frame_with_a_kind_decides),
		cmocka_unit_test(own_code_ends_the_search),
		cmocka_unit_test(kinds_are_sorted_by_weight),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
