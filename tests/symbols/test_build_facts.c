/* test_build_facts.c - how an executable was built is told by its debug information */
#include "tests/test.h"

#include "symbols/build_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/capture.h"

static uint32_t name_of(struct capture *capture, const char *s)
{
	return names_add(&capture->names, s, strlen(s));
}

/* A capture with one place in the executable, whose file is this. */
static void set_up(struct capture *capture, const char *file)
{
	uint32_t module =
		modules_add(&capture->modules, &capture->names, name_of(capture, "/opt/a"));

	capture->modules.list[module].origin = ORIGIN_APP;
	capture->modules.list[module].file = file ? name_of(capture, file) : NAME_NONE;
	locations_add(&capture->locations, &(struct location){.address = 1,
							      .name = NAME_NONE,
							      .module = module,
							      .line = NAME_NONE,
							      .flags = LOCATION_HAS_ADDRESS});
}

static bool compile(const char *flags, const char *to)
{
	CLEANUP(text_release) struct text command = TEXT_INIT;

	text_addf(&command, "echo 'int main(void) { return 0; }' | gcc -x c %s -o %s - 2>/dev/null",
		  flags, to);
	return system(text_string(&command)) == 0;
}

static void expect(const char *flags, const char *level, const char *pointers)
{
	char path[] = "/tmp/tephra-built-XXXXXX";
	struct capture capture = {0};
	int fd = mkstemp(path);
	const char *found;

	assert_true(fd >= 0);
	close(fd);
	if (compile(flags, path)) {
		set_up(&capture, path);
		assert_null(build_facts_add(&capture));
		assert_string_equal(facts_find(&capture.facts, "built.program"), "a");
		assert_memory_equal(facts_find(&capture.facts, "built.compiler"), "GNU C", 5);
		assert_string_equal(facts_find(&capture.facts, "built.frame_pointers"), pointers);
		found = facts_find(&capture.facts, "built.optimisation");
		assert_string_equal(found ? found : "", level);
		assert_non_null(facts_find(&capture.facts, "built.dwarf"));
	} else {
		print_message("# there is no gcc\n");
	}
	unlink(path);
	capture_release(&capture);
}

static void flags_tell_of_frame_pointers(void **state)
{
	(void)state;
	expect("-g -O2", "-O2", "omitted");
	expect("-g -O2 -fno-omit-frame-pointer", "-O2", "kept");
	expect("-g -O0", "-O0", "kept");
	expect("-g -O1 -O3 -fno-omit-frame-pointer -fomit-frame-pointer", "-O3", "omitted");
}

/* No file, none that is there, one without debug information, one that is no executable. */
static void what_is_not_told_is_no_fact(void **state)
{
	static const char *const files[] = {NULL, "/nowhere/a", "/dev/null"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(files); i++) {
		struct capture capture = {0};

		set_up(&capture, files[i]);
		assert_null(build_facts_add(&capture));
		assert_int_equal(capture.facts.nr, 0);
		capture_release(&capture);
	}
}

static void capture_without_an_executable_has_none(void **state)
{
	struct capture capture = {0};

	(void)state;
	assert_null(build_facts_add(&capture));
	assert_int_equal(capture.facts.nr, 0);
	capture_release(&capture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flags_tell_of_frame_pointers),
		cmocka_unit_test(what_is_not_told_is_no_fact),
		cmocka_unit_test(capture_without_an_executable_has_none),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
