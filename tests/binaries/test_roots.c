/* test_roots.c - forms of a recorded path, and symbolic links that stay in their root */
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "binaries/roots.h"
#include "tests/support/folder.h"

static void check_variants(const char *path, const char *const *wanted, size_t nr)
{
	struct roots_variants variants;

	roots_variants(path, &variants);
	assert_int_equal(variants.nr, nr);
	for (size_t i = 0; i < nr; i++)
		assert_string_equal(variants.paths[i], wanted[i]);
	roots_variants_release(&variants);
}

#define VARIANTS(path, ...)                                         \
	do {                                                        \
		const char *const wanted_[] = {__VA_ARGS__};        \
		check_variants((path), wanted_, ARRAY_NR(wanted_)); \
	} while (0)

static void a_path_has_its_forms(void **state)
{
	(void)state;
	VARIANTS("/opt/demo/spin", "/opt/demo/spin");
	VARIANTS("/opt/spin (deleted)", "/opt/spin (deleted)", "/opt/spin");
	VARIANTS("/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libc.so.6",
		 "/usr/lib/x86_64-linux-gnu/libc.so.6");
	VARIANTS("/usr/lib64/libc.so.6 (deleted)", "/usr/lib64/libc.so.6 (deleted)",
		 "/usr/lib64/libc.so.6", "/lib64/libc.so.6");
	VARIANTS("/usr/bin/ls", "/usr/bin/ls", "/bin/ls");
	VARIANTS("/usr/local/bin/ls", "/usr/local/bin/ls");
}

static void what_is_no_file_has_no_path(void **state)
{
	static const char *const paths[] = {"[vdso]", "[kernel.kallsyms]", "//anon",
					    "",	      "anon_inode:x",	   "relative/path"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(paths); i++)
		check_variants(paths[i], NULL, 0);
}

/* In the folder as a root: what is `path`, without the folder in front? NULL: too many links. */
static void resolves(const char *root, const char *path, const char *wanted)
{
	char *resolved = roots_resolve(root, path);

	if (!wanted) {
		assert_null(resolved);
		return;
	}
	assert_non_null(resolved);
	assert_memory_equal(resolved, root, strlen(root));
	assert_string_equal(resolved + strlen(root), wanted);
	free(resolved);
}

static void links_stay_in_their_root(void **state)
{
	char *root = folder_new();

	(void)state;
	folder_put(root, "usr/lib/a.so.1", "", 0);
	folder_link(root, "lib", "usr/lib");
	folder_link(root, "usr/lib/a.so", "a.so.1");
	folder_link(root, "usr/lib/absolute.so", "/usr/lib/a.so");
	folder_link(root, "out", "../../../../../../../../../../etc");
	folder_link(root, "loop", "loop");
	resolves(root, "/usr/lib/a.so.1", "/usr/lib/a.so.1");
	resolves(root, "/lib/a.so", "/usr/lib/a.so.1");
	resolves(root, "/lib/absolute.so", "/usr/lib/a.so.1");
	resolves(root, "/usr/./lib//../lib/a.so", "/usr/lib/a.so.1");
	resolves(root, "/../../etc/passwd", "/etc/passwd");
	resolves(root, "/out/passwd", "/etc/passwd");
	resolves(root, "/not/there", "/not/there");
	resolves(root, "/loop/x", NULL);
	folder_remove(root);
}

static void this_machine_resolves_its_own(void **state)
{
	char *resolved = roots_resolve("", "/lib/../lib/x");

	(void)state;
	assert_string_equal(resolved, "/lib/../lib/x");
	free(resolved);
}

static void folders_and_names_are_parts_of_a_path(void **state)
{
	static const char *const paths[][3] = {
		{"/a/b/c", "/a/b", "c"}, {"/c", "/", "c"}, {"c", ".", "c"}, {"a/c", "a", "c"}};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(paths); i++) {
		char *folder = roots_folder(paths[i][0]);

		assert_string_equal(folder, paths[i][1]);
		assert_string_equal(roots_basename(paths[i][0]), paths[i][2]);
		free(folder);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_has_its_forms),
		cmocka_unit_test(what_is_no_file_has_no_path),
		cmocka_unit_test(links_stay_in_their_root),
		cmocka_unit_test(this_machine_resolves_its_own),
		cmocka_unit_test(folders_and_names_are_parts_of_a_path),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
