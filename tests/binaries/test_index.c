/* test_index.c - folders of files, by build ID and by name */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "binaries/index.h"
#include "tests/support/elf_builder.h"
#include "tests/support/folder.h"

static void put(const char *folder, const char *path, const char *build_id)
{
	struct text bytes = TEXT_INIT;

	program_build(&(struct program_kind){.build_id = build_id}, &bytes);
	folder_put(folder, path, bytes.bytes, bytes.size);
	text_release(&bytes);
}

/* The nth path with this ID, without the folder in front. */
static const char *id_at(const struct index *index, const char *folder, const char *id, size_t nth)
{
	size_t nr;
	const struct index_entry *entries = index_find_id(index, id, &nr);

	return nth < nr ? entries[nth].path + strlen(folder) + 1 : "none";
}

static const char *name_at(const struct index *index, const char *folder, const char *name,
			   size_t nth)
{
	size_t nr;
	struct index_entry *const *entries = index_find_name(index, name, &nr);

	return nth < nr ? entries[nth]->path + strlen(folder) + 1 : "none";
}

static void files_are_found_by_id_and_by_name(void **state)
{
	char *folder = folder_new();
	struct index index;

	(void)state;
	put(folder, "b/prog", "2222");
	put(folder, "a/prog", "1111");
	put(folder, "a/prog.debug", "1111");
	put(folder, "c/.hidden/lib.so", "3333");
	put(folder, "no-id", NULL);
	folder_put(folder, "text", "no ELF", 6);
	folder_put(folder, "empty", "", 0);
	index_read(folder, &index);
	assert_int_equal(index.nr, 5);
	assert_false(index.is_cut);
	assert_string_equal(id_at(&index, folder, "1111", 0), "a/prog");
	assert_string_equal(id_at(&index, folder, "1111", 1), "a/prog.debug");
	assert_string_equal(id_at(&index, folder, "1111", 2), "none");
	assert_string_equal(id_at(&index, folder, "3333", 0), "c/.hidden/lib.so");
	assert_string_equal(id_at(&index, folder, "11", 0), "none");
	assert_string_equal(name_at(&index, folder, "prog", 0), "a/prog");
	assert_string_equal(name_at(&index, folder, "prog", 1), "b/prog");
	assert_string_equal(name_at(&index, folder, "prog", 2), "none");
	index_release(&index);
	folder_remove(folder);
}

static void loops_of_links_end(void **state)
{
	char *folder = folder_new(), *other = folder_new();
	struct index index;

	(void)state;
	put(folder, "a/b/prog", "1111");
	put(other, "prog", "2222");
	folder_link(folder, "a/b/up", "../..");
	folder_link(folder, "a/self", "self");
	folder_link(folder, "a/here", ".");
	folder_link(folder, "other", other);
	folder_link(other, "back", folder);
	folder_link(folder, "dangling", "nowhere");
	index_read(folder, &index);
	assert_int_equal(index.nr, 2);
	assert_false(index.is_cut);
	assert_string_equal(id_at(&index, folder, "1111", 0), "a/b/prog");
	assert_string_equal(id_at(&index, folder, "2222", 0), "other/prog");
	index_release(&index);
	folder_remove(folder);
	folder_remove(other);
}

static void what_is_too_deep_is_said_to_be_cut(void **state)
{
	char *folder = folder_new();
	struct text path = TEXT_INIT;
	struct index index;

	(void)state;
	for (unsigned i = 0; i < INDEX_DEPTH_MAX + 2; i++)
		text_add(&path, "d/");
	text_add(&path, "prog");
	put(folder, path.bytes, "1111");
	index_read(folder, &index);
	assert_int_equal(index.nr, 0);
	assert_true(index.is_cut);
	index_release(&index);
	text_release(&path);
	folder_remove(folder);
}

static void a_folder_that_is_not_there_is_empty(void **state)
{
	struct index index;

	(void)state;
	index_read("not there", &index);
	assert_string_equal(id_at(&index, "", "1111", 0), "none");
	assert_string_equal(name_at(&index, "", "prog", 0), "none");
	index_release(&index);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_found_by_id_and_by_name),
		cmocka_unit_test(loops_of_links_end),
		cmocka_unit_test(what_is_too_deep_is_said_to_be_cut),
		cmocka_unit_test(a_folder_that_is_not_there_is_empty),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
