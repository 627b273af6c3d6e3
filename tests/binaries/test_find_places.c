/* test_find_places.c - every place where the files that ran may be, and their order */
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/find_world.h"
#include "tests/support/folder.h"

static const struct program_kind stripped = {.build_id = WORLD_ID};
static const struct program_kind whole = {.build_id = WORLD_ID, .has_dwarf = true};
static const struct program_kind debug = {.build_id = WORLD_ID, .is_debug_only = true};

/* ---- folders that were given */

static void a_tree_by_build_id_has_debug_files(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "d/.build-id/" WORLD_TREE ".debug", debug);
	world_debug_dir(&world, "d");
	world_finds(&world, MODULE_EXACT, NULL, "d/.build-id/" WORLD_TREE ".debug");
	assert_string_equal(world.found.build_id, WORLD_ID);
	assert_string_equal(world.found.detail, "its build ID is the recorded one; only its debug "
						"file is there");
	world_end(&world);
}

static void a_tree_by_build_id_has_binaries_too(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "d/.build-id/" WORLD_TREE, stripped);
	world_put(&world, "d/.build-id/" WORLD_TREE ".debug", debug);
	world_debug_dir(&world, "d");
	world_finds(&world, MODULE_EXACT, "d/.build-id/" WORLD_TREE,
		    "d/.build-id/" WORLD_TREE ".debug");
	assert_int_equal(world.found.rejected_nr, 0);
	world_end(&world);
}

static void the_tree_may_be_given_itself(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "tree/" WORLD_TREE ".debug", debug);
	world_debug_dir(&world, "tree");
	world_finds(&world, MODULE_EXACT, NULL, "tree/" WORLD_TREE ".debug");
	world_end(&world);
}

static void a_folder_of_perfs_cache_is_known(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "d/.build-id/" WORLD_TREE "/elf", stripped);
	world_put(&world, "d/.build-id/" WORLD_TREE "/debug", debug);
	world_debug_dir(&world, "d");
	world_finds(&world, MODULE_EXACT, "d/.build-id/" WORLD_TREE "/elf",
		    "d/.build-id/" WORLD_TREE "/debug");
	world_end(&world);
}

static void any_folder_is_searched_by_id(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "d/some/where/a", stripped);
	world_put(&world, "d/else/b", debug);
	world_put(&world, "d/spin", (struct program_kind){.build_id = WORLD_OTHER});
	folder_link(world.folder, "d/else/loop", "../..");
	world_debug_dir(&world, "d");
	world_finds(&world, MODULE_EXACT, "d/some/where/a", "d/else/b");
	world_end(&world);
}

static void a_binary_with_its_own_dwarf_is_enough(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "d/a", whole);
	world_debug_dir(&world, "d");
	world_finds(&world, MODULE_EXACT, "d/a", "d/a");
	world_end(&world);
}

static void symbols_are_taken_where_there_is_no_dwarf(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "d/a", stripped);
	world_debug_dir(&world, "d");
	world_finds(&world, MODULE_EXACT, "d/a", NULL);
	world_put(&world, "d/b", (struct program_kind){.build_id = WORLD_ID, .has_symtab = true});
	world_finds(&world, MODULE_EXACT, "d/a", "d/b");
	world_put(&world, "d/c", debug);
	world_finds(&world, MODULE_EXACT, "d/a", "d/c");
	world_end(&world);
}

static void a_file_given_by_hand_comes_first(void **state)
{
	static const char *const modules[] = {WORLD_PATH, "spin", WORLD_ID};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct find_world world;

		world_begin(&world);
		world_put(&world, "mine", whole);
		world_put(&world, "d/a", whole);
		world_debug_dir(&world, "d");
		world_binary(&world, modules[i], "mine");
		world_finds(&world, MODULE_EXACT, "mine", "mine");
		world_end(&world);
	}
}

static void binary_and_debug_file_may_both_be_given_by_hand(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "a", stripped);
	world_put(&world, "a.debug", debug);
	world_binary(&world, "spin", "a.debug");
	world_binary(&world, "spin", "a");
	world_finds(&world, MODULE_EXACT, "a", "a.debug");
	world_end(&world);
}

/* ---- beside the capture */

static void the_bundle_of_a_capture_is_searched(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "run/perf.data.symbols/anywhere", whole);
	world_capture(&world, "run/perf.data");
	world_finds(&world, MODULE_EXACT, "run/perf.data.symbols/anywhere",
		    "run/perf.data.symbols/anywhere");
	world_end(&world);
}

/* `perf archive` packs .build-id/xx/rest -> ../../<path>/<ID>, and what is there. */
static void an_unpacked_perf_archive_is_searched(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "run/opt/demo/spin/" WORLD_ID "/elf", whole);
	folder_link(world.folder, "run/.build-id/" WORLD_TREE, "../../opt/demo/spin/" WORLD_ID);
	world_capture(&world, "run/perf.data");
	world_finds(&world, MODULE_EXACT, "run/.build-id/" WORLD_TREE "/elf",
		    "run/.build-id/" WORLD_TREE "/elf");
	world_end(&world);
}

static void the_folder_of_a_capture_is_not_read_whole(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "run/spin", whole);
	world_capture(&world, "run/perf.data");
	world_finds(&world, MODULE_MISSING, NULL, NULL);
	world_end(&world);
}

/* ---- caches */

static void perfs_cache_is_searched(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "home/.debug/.build-id/" WORLD_TREE "/elf", whole);
	world_finds(&world, MODULE_EXACT, "home/.debug/.build-id/" WORLD_TREE "/elf",
		    "home/.debug/.build-id/" WORLD_TREE "/elf");
	world.options.only_given = true;
	world_finds(&world, MODULE_MISSING, NULL, NULL);
	world_end(&world);
}

static void an_old_cache_of_perf_links_to_files(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "home/.debug/opt/demo/spin/" WORLD_ID, whole);
	folder_link(world.folder, "home/.debug/.build-id/" WORLD_TREE,
		    "../../opt/demo/spin/" WORLD_ID);
	world_finds(&world, MODULE_EXACT, "home/.debug/.build-id/" WORLD_TREE,
		    "home/.debug/.build-id/" WORLD_TREE);
	world_end(&world);
}

static void perfs_cache_is_found_without_its_links(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "home/.debug/opt/demo/spin/" WORLD_ID "/elf", whole);
	world_find(&world);
	assert_int_equal(world.found.status, MODULE_EXACT);
	world.wanted.path = "[vdso]";
	world_put(&world, "home/.debug/[vdso]/" WORLD_ID "/vdso", whole);
	world_find(&world);
	assert_int_equal(world.found.status, MODULE_EXACT);
	world_end(&world);
}

static void debuginfods_cache_is_searched_where_it_would(void **state)
{
	static const char *const places[] = {"home/.cache/debuginfod_client/",
					     "xdg/debuginfod_client/", "own/"};
	static const char *const variables[] = {"", "XDG_CACHE_HOME", "DEBUGINFOD_CACHE_PATH"};
	static const char *const values[] = {"", "xdg", "own"};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		char *file = folder_path(places[i], WORLD_ID "/executable");
		char *info = folder_path(places[i], WORLD_ID "/debuginfo");
		struct find_world world;

		world_begin(&world);
		if (i) {
			char *value = folder_path(world.folder, values[i]);

			setenv(variables[i], value, 1);
			free(value);
		}
		world_put(&world, file, stripped);
		world_put(&world, info, debug);
		world_find(&world);
		assert_int_equal(world.found.status, MODULE_EXACT);
		assert_non_null(strstr(world.found.file, "/executable"));
		assert_non_null(strstr(world.found.debug, "/debuginfo"));
		world_end(&world);
		free(file);
		free(info);
	}
}

static void an_empty_file_of_debuginfod_says_that_there_is_none(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	folder_put(world.folder, "home/.cache/debuginfod_client/" WORLD_ID "/executable", "", 0);
	world_finds(&world, MODULE_MISSING, NULL, NULL);
	assert_int_equal(world.found.rejected_nr, 0);
	assert_string_equal(world.found.detail, "no file with the build ID " WORLD_ID);
	world_end(&world);
}

/* ---- file systems */

static void a_sysroot_has_the_recorded_path_and_debug_files(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "root/opt/demo/spin", stripped);
	world_put(&world, "root/usr/lib/debug/.build-id/" WORLD_TREE ".debug", debug);
	world_sysroot(&world, "root");
	world.options.only_given = true;
	world_finds(&world, MODULE_EXACT, "root/opt/demo/spin",
		    "root/usr/lib/debug/.build-id/" WORLD_TREE ".debug");
	world_end(&world);
}

static void fedoras_links_to_binaries_are_known(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "root/usr/bin/spin-9", stripped);
	folder_link(world.folder, "root/usr/lib/.build-id/" WORLD_TREE, "../../../bin/spin-9");
	world_sysroot(&world, "root");
	world_finds(&world, MODULE_EXACT, "root/usr/lib/.build-id/" WORLD_TREE, NULL);
	world_end(&world);
}

static void forms_of_the_recorded_path_are_tried(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "root/usr/lib/libx.so", whole);
	world_put(&world, "root/opt/new", whole);
	folder_link(world.folder, "root/opt/absolute", "/opt/new");
	world_sysroot(&world, "root");
	world.options.only_given = true;
	world.wanted.path = "/lib/libx.so";
	world_finds(&world, MODULE_EXACT, "root/usr/lib/libx.so", "root/usr/lib/libx.so");
	world.wanted.path = "/usr/lib/libx.so (deleted)";
	world_finds(&world, MODULE_EXACT, "root/usr/lib/libx.so", "root/usr/lib/libx.so");
	world.wanted.path = "/opt/absolute";
	world_finds(&world, MODULE_EXACT, "root/opt/new", "root/opt/new");
	world.wanted.path = "//anon";
	world_finds(&world, MODULE_MISSING, NULL, NULL);
	world_end(&world);
}

static void the_recorded_path_on_this_machine_is_the_last(void **state)
{
	struct find_world world;
	char *path;

	(void)state;
	world_begin(&world);
	world_put(&world, "here/spin", whole);
	path = folder_path(world.folder, "here/spin");
	world.wanted.path = path;
	world_finds(&world, MODULE_EXACT, "here/spin", "here/spin");
	world.options.only_given = true;
	world_finds(&world, MODULE_MISSING, NULL, NULL);
	world_end(&world);
	free(path);
}

/* ---- kernels */

static void kernel_images_are_looked_into(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "root/boot/vmlinux-6.1", (struct program_kind){.build_id = WORLD_OTHER});
	world_sysroot(&world, "root");
	world.wanted.path = "[kernel.kallsyms]_text";
	world.wanted.is_kernel = true;
	world.options.only_given = true;
	world_finds(&world, MODULE_MISSING, NULL, NULL);
	assert_int_equal(world.found.rejected_nr, 0);
	world_put(&world, "root/usr/lib/debug/lib/modules/6.2/vmlinux", whole);
	world_finds(&world, MODULE_EXACT, "root/usr/lib/debug/lib/modules/6.2/vmlinux",
		    "root/usr/lib/debug/lib/modules/6.2/vmlinux");
	world_end(&world);
}

static void kallsyms_is_in_perfs_cache(void **state)
{
	struct find_world world;
	char *path;

	(void)state;
	world_begin(&world);
	world_find(&world);
	assert_null(binaries_find_kallsyms(world.search, WORLD_ID));
	folder_put(world.folder, "home/.debug/[kernel.kallsyms]/" WORLD_ID "/kallsyms", "x", 1);
	path = binaries_find_kallsyms(world.search, WORLD_ID);
	assert_non_null(strstr(path, "/home/.debug/[kernel.kallsyms]/"));
	free(path);
	folder_put(world.folder, "home/.debug/.build-id/" WORLD_TREE "/kallsyms", "x", 1);
	path = binaries_find_kallsyms(world.search, WORLD_ID);
	assert_non_null(strstr(path, "/home/.debug/.build-id/11/"));
	free(path);
	assert_null(binaries_find_kallsyms(world.search, "../../x"));
	world_end(&world);
}

/* ---- hostile names */

static void an_id_that_is_no_hex_is_no_path(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "d/x/evil", whole);
	folder_make(world.folder, "d/.build-id");
	world_debug_dir(&world, "d");
	world.wanted.build_id = "../x/evil";
	world_finds(&world, MODULE_MISSING, NULL, NULL);
	world.wanted.build_id = "";
	world_finds(&world, MODULE_MISSING, NULL, NULL);
	world_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_by_build_id_has_debug_files),
		cmocka_unit_test(a_tree_by_build_id_has_binaries_too),
		cmocka_unit_test(the_tree_may_be_given_itself),
		cmocka_unit_test(a_folder_of_perfs_cache_is_known),
		cmocka_unit_test(any_folder_is_searched_by_id),
		cmocka_unit_test(a_binary_with_its_own_dwarf_is_enough),
		cmocka_unit_test(symbols_are_taken_where_there_is_no_dwarf),
		cmocka_unit_test(a_file_given_by_hand_comes_first),
		cmocka_unit_test(binary_and_debug_file_may_both_be_given_by_hand),
		cmocka_unit_test(the_bundle_of_a_capture_is_searched),
		cmocka_unit_test(an_unpacked_perf_archive_is_searched),
		cmocka_unit_test(the_folder_of_a_capture_is_not_read_whole),
		cmocka_unit_test(perfs_cache_is_searched),
		cmocka_unit_test(an_old_cache_of_perf_links_to_files),
		cmocka_unit_test(perfs_cache_is_found_without_its_links),
		cmocka_unit_test(debuginfods_cache_is_searched_where_it_would),
		cmocka_unit_test(an_empty_file_of_debuginfod_says_that_there_is_none),
		cmocka_unit_test(a_sysroot_has_the_recorded_path_and_debug_files),
		cmocka_unit_test(fedoras_links_to_binaries_are_known),
		cmocka_unit_test(forms_of_the_recorded_path_are_tried),
		cmocka_unit_test(the_recorded_path_on_this_machine_is_the_last),
		cmocka_unit_test(kernel_images_are_looked_into),
		cmocka_unit_test(kallsyms_is_in_perfs_cache),
		cmocka_unit_test(an_id_that_is_no_hex_is_no_path),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
