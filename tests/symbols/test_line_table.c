/* test_line_table.c - what a line table's file numbers mean, in each version */
#include "tests/test.h"

#include <dwarf.h>

#include "base/mem.h"
#include "symbols/debug_sections.h"
#include "symbols/line_table.h"
#include "symbols/strings.h"
#include "tests/symbols/dwarf_builder.h"

static const char line_strings[] = "/build\0inc\0/usr/include\0a.c\0b.h\0c.h";

struct fixture {
	struct text section;
	struct debug_sections sections;
	struct line_table table;
	struct strings strings;
};

static bool fixture_read(struct fixture *fixture, const char *comp_dir)
{
	fixture->sections.line = (struct debug_section){
		(const unsigned char *)text_string(&fixture->section), fixture->section.size};
	fixture->sections.line_str =
		(struct debug_section){(const unsigned char *)line_strings, sizeof(line_strings)};
	return line_table_read(&fixture->sections, 0, comp_dir, &fixture->table);
}

static void fixture_release(struct fixture *fixture)
{
	line_table_release(&fixture->table);
	strings_release(&fixture->strings);
	text_release(&fixture->section);
}

static const char *path(struct fixture *fixture, uint64_t number)
{
	const char *found = line_table_path(&fixture->table, number, &fixture->strings);

	return found ? found : "(none)";
}

static void put_file_entry(struct text *lists, const char *name, unsigned directory)
{
	put_string(lists, name);
	put(lists, directory, 1);
	put(lists, 0, 2);
}

static void put_lists(struct text *lists)
{
	put_string(lists, "inc");
	put_string(lists, "/usr/include");
	put(lists, 0, 1);
	put_file_entry(lists, "a.c", 0);
	put_file_entry(lists, "b.h", 1);
	put_file_entry(lists, "c.h", 2);
	put_file_entry(lists, "/abs/d.h", 1);
	put_file_entry(lists, "e.h", 9);
	put(lists, 0, 1);
}

static void before_version_5_files_count_from_1(void **state)
{
	for (unsigned version = 2; version <= 4; version++) {
		struct text lists = TEXT_INIT, code = TEXT_INIT;
		struct fixture fixture = {0};

		put_lists(&lists);
		put_table(&fixture.section, version, &lists, &code);
		assert_true(fixture_read(&fixture, "/build"));
		assert_string_equal(path(&fixture, 0), "(none)");
		assert_string_equal(path(&fixture, 1), "/build/a.c");
		assert_string_equal(path(&fixture, 2), "/build/inc/b.h");
		assert_string_equal(path(&fixture, 3), "/usr/include/c.h");
		assert_string_equal(path(&fixture, 4), "/abs/d.h");
		assert_string_equal(path(&fixture, 5), "/build/e.h");
		assert_string_equal(path(&fixture, 6), "(none)");
		assert_string_equal(path(&fixture, UINT64_MAX), "(none)");
		assert_ptr_equal(path(&fixture, 2), path(&fixture, 2));
		fixture_release(&fixture);
		text_release(&lists);
		text_release(&code);
	}
	(void)state;
}

/* Entries as GCC writes them: names in .debug_line_str, directory numbers in a byte or more. */
static void put_lists_5(struct text *lists)
{
	const unsigned directories[] = {0, 7, 11},
		       files[][2] = {{24, 0}, {24, 0}, {28, 1}, {32, 2}};

	put(lists, 1, 1);
	put(lists, DW_LNCT_path, 1);
	put(lists, DW_FORM_line_strp, 1);
	put(lists, ARRAY_NR(directories), 1);
	for (size_t i = 0; i < ARRAY_NR(directories); i++)
		put(lists, directories[i], 4);
	put(lists, 2, 1);
	put(lists, DW_LNCT_path, 1);
	put(lists, DW_FORM_line_strp, 1);
	put(lists, DW_LNCT_directory_index, 1);
	put(lists, DW_FORM_udata, 1);
	put(lists, ARRAY_NR(files), 1);
	for (size_t i = 0; i < ARRAY_NR(files); i++) {
		put(lists, files[i][0], 4);
		put(lists, files[i][1], 1);
	}
}

static void in_version_5_files_and_directories_count_from_0(void **state)
{
	struct text lists = TEXT_INIT, code = TEXT_INIT;
	struct fixture fixture = {0};

	(void)state;
	put_lists_5(&lists);
	put_table(&fixture.section, 5, &lists, &code);
	assert_true(fixture_read(&fixture, "/elsewhere"));
	assert_string_equal(path(&fixture, 0), "/build/a.c");
	assert_string_equal(path(&fixture, 1), "/build/a.c");
	assert_string_equal(path(&fixture, 2), "/elsewhere/inc/b.h");
	assert_string_equal(path(&fixture, 3), "/usr/include/c.h");
	assert_string_equal(path(&fixture, 4), "(none)");
	fixture_release(&fixture);
	text_release(&lists);
	text_release(&code);
}

static void without_a_directory_a_path_stays_relative(void **state)
{
	struct text lists = TEXT_INIT, code = TEXT_INIT;
	struct fixture fixture = {0};

	(void)state;
	put_lists(&lists);
	put_table(&fixture.section, 4, &lists, &code);
	assert_true(fixture_read(&fixture, NULL));
	assert_string_equal(path(&fixture, 1), "a.c");
	assert_string_equal(path(&fixture, 2), "inc/b.h");
	fixture_release(&fixture);
	text_release(&lists);
	text_release(&code);
}

/* Every size that is too small: no byte behind the table may be read (a sanitizer would tell). */
static void a_table_that_is_cut_is_refused(void **state)
{
	struct text lists = TEXT_INIT, code = TEXT_INIT, whole = TEXT_INIT;

	(void)state;
	put_lists_5(&lists);
	put_table(&whole, 5, &lists, &code);
	for (size_t size = 0; size < whole.size; size++) {
		struct fixture fixture = {0};

		if (size)
			text_add_bytes(&fixture.section, text_string(&whole), size);
		assert_false(fixture_read(&fixture, NULL));
		fixture_release(&fixture);
	}
	text_release(&lists);
	text_release(&code);
	text_release(&whole);
}

static void entries_without_a_size_are_refused(void **state)
{
	struct text lists = TEXT_INIT, code = TEXT_INIT;
	struct fixture fixture = {0};

	(void)state;
	put(&lists, 0, 1);
	put(&lists, 0xff, 1);
	put(&lists, 0x7f, 1);
	put_table(&fixture.section, 5, &lists, &code);
	assert_false(fixture_read(&fixture, NULL));
	fixture_release(&fixture);
	text_release(&lists);
	text_release(&code);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(before_version_5_files_count_from_1),
		cmocka_unit_test(in_version_5_files_and_directories_count_from_0),
		cmocka_unit_test(without_a_directory_a_path_stays_relative),
		cmocka_unit_test(a_table_that_is_cut_is_refused),
		cmocka_unit_test(entries_without_a_size_are_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
