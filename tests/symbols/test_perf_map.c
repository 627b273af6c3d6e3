/* test_perf_map.c - what runtimes say of their code, good lines and bad ones */
#include "tests/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "symbols/perf_map.h"
#include "tests/support/toolbox.h"

static void read_all(struct perf_map *map, const char *text, size_t size)
{
	CLEANUP(text_release) struct text path = TEXT_INIT;

	toolbox_write("perf-1.map", text, size);
	text_addf(&path, "%s/perf-1.map", toolbox_folder());
	assert_null(perf_map_read(map, path.bytes));
}

static const char *name_at(const struct perf_map *map, uint64_t address)
{
	const struct perf_map_symbol *symbol = perf_map_find(map, address);

	return symbol ? perf_map_name(map, symbol) : "-";
}

static void lines_name_their_ranges(void **state)
{
	CLEANUP(perf_map_release) struct perf_map map = {0};
	static const char text[] = "7f00 10 jit_fn_0 [tier 0] with spaces\n"
				   "0x7f20 0x8 Ljava/lang/Object;::wait\r\n"
				   "7F30\t1\tupper\n"
				   "ffffffffffffff00 ff last";

	(void)state;
	read_all(&map, text, sizeof(text) - 1);
	assert_int_equal(map.lines_bad, 0);
	assert_string_equal(name_at(&map, 0x7eff), "-");
	assert_string_equal(name_at(&map, 0x7f00), "jit_fn_0 [tier 0] with spaces");
	assert_string_equal(name_at(&map, 0x7f0f), "jit_fn_0 [tier 0] with spaces");
	assert_string_equal(name_at(&map, 0x7f10), "-");
	assert_string_equal(name_at(&map, 0x7f27), "Ljava/lang/Object;::wait");
	assert_string_equal(name_at(&map, 0x7f30), "upper");
	assert_string_equal(name_at(&map, 0xfffffffffffffffe), "last");
	assert_string_equal(name_at(&map, UINT64_MAX), "-");
}

static void later_lines_win(void **state)
{
	CLEANUP(perf_map_release) struct perf_map map = {0};
	static const char text[] = "100 100 first\n120 10 inner\n180 100 tail\n120 8 again\n";

	(void)state;
	read_all(&map, text, sizeof(text) - 1);
	assert_string_equal(name_at(&map, 0x100), "first");
	assert_string_equal(name_at(&map, 0x120), "again");
	assert_string_equal(name_at(&map, 0x128), "inner");
	assert_string_equal(name_at(&map, 0x130), "first");
	assert_string_equal(name_at(&map, 0x180), "tail");
	assert_string_equal(name_at(&map, 0x27f), "tail");
}

static void odd_lines_are_counted(void **state)
{
	CLEANUP(perf_map_release) struct perf_map map = {0};
	static const char text[] = "100 10 good\n"
				   "\n"
				   "200\n"
				   "200 10\n"
				   "200 10 \n"
				   "200 zz name\n"
				   "-200 10 name\n"
				   "0x 10 name\n"
				   "20000000000000000 10 name\n"
				   "fffffffffffffff8 10 past the last address\n"
				   "200 10 na\0me\n"
				   "300 0 empty\n"
				   "400 10 \xff\xfe\n";

	(void)state;
	read_all(&map, text, sizeof(text) - 1);
	assert_int_equal(map.nr, 2);
	assert_int_equal(map.lines_bad, 10);
	assert_int_equal(map.lines_empty, 1);
	/* names are bytes; the gate for names comes later */
	assert_string_equal(name_at(&map, 0x400), "\xff\xfe");
}

static void no_file_is_an_error_and_an_empty_one_is_not(void **state)
{
	CLEANUP(perf_map_release) struct perf_map map = {0};
	struct error *err = perf_map_read(&map, "/nowhere/perf-1.map");

	(void)state;
	assert_non_null(err);
	error_free(err);
	read_all(&map, "", 0);
	assert_null(perf_map_find(&map, 0));
}

/* ---- what perf made of the maps in the corpus */

/* The maps in the corpus were written in another folder than the captures: that is passed over. */
static bool is_alike(const char *a, const char *b)
{
	size_t begin = strcspn(a, "/");
	const char *a_end = strrchr(a, '/'), *b_end = strrchr(b, '/');

	return begin == strcspn(b, "/") && strncmp(a, b, begin) == 0 &&
	       strcmp(a_end ? a_end : "", b_end ? b_end : "") == 0;
}

static void perf_gave_the_same_names(const char *capture, const char *map_name)
{
	CLEANUP(perf_map_release) struct perf_map map = {0};
	CLEANUP(text_release) struct text name = TEXT_INIT, lines = TEXT_INIT;
	const char *path;
	unsigned nr = 0;

	text_addf(&name, "perfdata/own/perfmaps/%s", map_name);
	path = toolbox_corpus(name.bytes);
	if (!path || !toolbox_has("zstd"))
		return;
	assert_null(perf_map_read(&map, path));
	text_clear(&name);
	text_addf(&name, "perfdata/own/expected/%s.script.zst", capture);
	path = toolbox_corpus(name.bytes);
	toolbox_read(&lines,
		     "zstd -qdc '%s' | sed -n 's/^[[:blank:]]*\\(.*\\) (\\/tmp\\/%s)$/\\1/p' | "
		     "sort -u",
		     path, map_name);
	for (char *at = lines.bytes, *end; at && *at; at = end + 1, nr++) {
		uint64_t address = strtoull(at, &at, 16);

		end = strchr(at, '\n');
		*end = '\0';
		if (strcmp(at + 1, "[unknown]") == 0)
			assert_null(perf_map_find(&map, address));
		else
			assert_true(is_alike(name_at(&map, address), at + 1));
	}
	printf("# %s: %u addresses of %zu ranges\n", capture, nr, map.nr);
	assert_true(nr > 0);
}

static void runtimes_are_named_as_perf_did(void **state)
{
	(void)state;
	perf_gave_the_same_names("python-perfmap.data", "perf-30987.map");
	perf_gave_the_same_names("node-perfmap.data", "perf-31006.map");
	perf_gave_the_same_names("minijit.data", "perf-31064.map");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_name_their_ranges),
		cmocka_unit_test(later_lines_win),
		cmocka_unit_test(odd_lines_are_counted),
		cmocka_unit_test(no_file_is_an_error_and_an_empty_one_is_not),
		cmocka_unit_test(runtimes_are_named_as_perf_did),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
