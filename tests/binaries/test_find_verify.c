/* test_find_verify.c - files that lie: none of them is taken for the one that ran */
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "binaries/callsites.h"
#include "tests/support/find_world.h"
#include "tests/support/folder.h"

static const struct program_kind stripped = {.build_id = WORLD_ID};
static const struct program_kind whole = {.build_id = WORLD_ID, .has_dwarf = true};
static const struct program_kind debug = {.build_id = WORLD_ID, .is_debug_only = true};
static const struct program_kind other = {.build_id = WORLD_OTHER, .has_dwarf = true};
static const struct program_kind unknown = {.has_dwarf = true};

#define OTHER_REASON "its build ID is " WORLD_OTHER ", not " WORLD_ID

/* ---- the ID is recorded */

static void a_path_by_build_id_proves_nothing(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "d/.build-id/" WORLD_TREE, other);
	world_put(&world, "d/.build-id/" WORLD_TREE ".debug",
		  (struct program_kind){.build_id = WORLD_OTHER, .is_debug_only = true});
	world_debug_dir(&world, "d");
	world_finds(&world, MODULE_MISMATCH, NULL, NULL);
	assert_int_equal(world.found.rejected_nr, 2);
	world_rejected(&world, 0, "d/.build-id/" WORLD_TREE, OTHER_REASON);
	world_rejected(&world, 1, "d/.build-id/" WORLD_TREE ".debug", OTHER_REASON);
	world_end(&world);
}

static void a_replaced_binary_is_a_mismatch(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "root/opt/demo/spin", other);
	world_sysroot(&world, "root");
	world_finds(&world, MODULE_MISMATCH, NULL, NULL);
	world_rejected(&world, 0, "root/opt/demo/spin", OTHER_REASON);
	assert_non_null(strstr(world.found.detail, OTHER_REASON));
	world_put(&world, "root/opt/demo/spin", unknown);
	world_finds(&world, MODULE_MISMATCH, NULL, NULL);
	world_rejected(&world, 0, "root/opt/demo/spin", "it has no build ID; wanted is " WORLD_ID);
	world_end(&world);
}

static void a_search_goes_on_behind_a_mismatch(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "by-hand", other);
	world_put(&world, "d/.build-id/" WORLD_TREE ".debug", other);
	world_put(&world, "d/right", whole);
	world_binary(&world, "spin", "by-hand");
	world_debug_dir(&world, "d");
	world_finds(&world, MODULE_EXACT, "d/right", "d/right");
	assert_int_equal(world.found.rejected_nr, 2);
	world_rejected(&world, 0, "by-hand", OTHER_REASON);
	world_end(&world);
}

static void ids_of_8_and_16_bytes_are_compared_whole(void **state)
{
	static const char *const ids[] = {"1122334455667788", "112233445566778899aabbccddeeff00"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(ids); i++) {
		struct find_world world;

		world_begin(&world);
		world_put(&world, "root/opt/demo/spin", (struct program_kind){.build_id = ids[i]});
		world_sysroot(&world, "root");
		world.wanted.build_id = ids[i];
		world_finds(&world, MODULE_EXACT, "root/opt/demo/spin", NULL);
		assert_string_equal(world.found.build_id, ids[i]);
		/* a beginning is not the ID, neither way */
		world.wanted.build_id = "11223344";
		world_finds(&world, MODULE_MISMATCH, NULL, NULL);
		world.wanted.build_id = "112233445566778899aabbccddeeff0011223344";
		world_finds(&world, MODULE_MISMATCH, NULL, NULL);
		world_end(&world);
	}
}

static void an_empty_id_is_none(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "root/opt/demo/spin", unknown);
	world_sysroot(&world, "root");
	world.wanted.build_id = "";
	world_finds(&world, MODULE_UNVERIFIED, "root/opt/demo/spin", "root/opt/demo/spin");
	world_end(&world);
}

/* ---- debug files with the right ID and the wrong code, and the other way round */

static void a_debug_file_of_another_link_leaves_nothing_to_use(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "d/a", stripped);
	world_put(&world, "d/b",
		  (struct program_kind){
			  .build_id = WORLD_ID, .is_debug_only = true, .extra_size = 16});
	world_debug_dir(&world, "d");
	world_finds(&world, MODULE_MISMATCH, NULL, NULL);
	assert_non_null(strstr(world.found.rejected[0].reason, "it was not linked as '"));
	assert_non_null(strstr(world.found.rejected[0].reason, ".text has 640 and 656 bytes"));
	/* the return addresses say that the binary is the one */
	world_returns(&world, PROGRAM_CALLS);
	world_finds(&world, MODULE_EXACT, "d/a", NULL);
	assert_int_equal(world.found.rejected_nr, 1);
	/* so does a debug file of its link */
	world_returns(&world, 0);
	world_put(&world, "d/c", debug);
	world_finds(&world, MODULE_EXACT, "d/a", "d/c");
	world_end(&world);
}

static void moved_code_with_the_id_kept_is_contradicted(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "d/a",
		  (struct program_kind){.build_id = WORLD_ID, .has_dwarf = true, .shift = 7});
	world_debug_dir(&world, "d");
	world_returns(&world, CALLSITES_MIN);
	world_finds(&world, MODULE_CONTRADICTED, NULL, NULL);
	world_rejected(&world, 0, "d/a", "only 0 of 20 return addresses are behind a call in it");
	assert_int_equal(world.found.callsites_ok, 0);
	assert_int_equal(world.found.callsites_total, CALLSITES_MIN);
	world_end(&world);
}

/* The file was replaced while perf recorded, so the ID that it noted at the end is of another. */
static void a_late_id_may_be_contradicted(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "root/opt/demo/spin",
		  (struct program_kind){.build_id = WORLD_ID, .has_dwarf = true, .shift = 1});
	world_put(&world, "root/usr/lib/debug/.build-id/" WORLD_TREE ".debug", debug);
	world_sysroot(&world, "root");
	world_returns(&world, PROGRAM_CALLS);
	world.wanted.id_source = ID_HEADER;
	world_finds(&world, MODULE_CONTRADICTED, NULL, NULL);
	world_put(&world, "root/opt/demo/spin", whole);
	world_finds(&world, MODULE_EXACT, "root/opt/demo/spin",
		    "root/usr/lib/debug/.build-id/" WORLD_TREE ".debug");
	assert_int_equal(world.found.callsites_ok, PROGRAM_CALLS);
	world_end(&world);
}

/* Some addresses of a stack may be none; more so where the ID cannot be late, or where the
 * stack was walked by frame pointers. */
static void a_few_wrong_return_addresses_are_borne(void **state)
{
	static const struct {
		enum id_source source;
		bool is_unwound;
		unsigned wrong;
		enum module_status status;
	} cases[] = {
		{ID_HEADER, true, 2, MODULE_EXACT},   {ID_HEADER, true, 3, MODULE_CONTRADICTED},
		{ID_INJECTED, true, 2, MODULE_EXACT}, {ID_INJECTED, true, 3, MODULE_CONTRADICTED},
		{ID_MMAP2, true, 8, MODULE_EXACT},    {ID_MMAP2, true, 9, MODULE_CONTRADICTED},
		{ID_MMAP2, false, 8, MODULE_EXACT},   {ID_MMAP2, false, 9, MODULE_CONTRADICTED},
		{ID_HEADER, false, 8, MODULE_EXACT},  {ID_HEADER, false, 9, MODULE_CONTRADICTED},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(cases); i++) {
		struct find_world world;

		world_begin(&world);
		world_put(&world, "d/a", whole);
		world_debug_dir(&world, "d");
		world_returns(&world, PROGRAM_CALLS);
		for (unsigned j = 0; j < cases[i].wrong; j++)
			world.returns[j] += 1;
		world.wanted.id_source = cases[i].source;
		world.wanted.returns_are_unwound = cases[i].is_unwound;
		world_find(&world);
		assert_int_equal(world.found.status, cases[i].status);
		world_end(&world);
	}
}

/* What frame pointers lead to in code that keeps none is no evidence against a file. */
static void code_without_frame_pointers_is_not_contradicted_by_them(void **state)
{
	const struct program_kind kind = {
		.build_id = WORLD_ID, .has_dwarf = true, .shift = 7, .lacks_frame_pointers = true};
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "root/opt/demo/spin", kind);
	world_sysroot(&world, "root");
	world_returns(&world, PROGRAM_CALLS);
	world.wanted.id_source = ID_HEADER;
	world_finds(&world, MODULE_EXACT, "root/opt/demo/spin", "root/opt/demo/spin");
	assert_string_equal(world.found.detail,
			    "its build ID is the recorded one; 0 of 40 return addresses are behind "
			    "a call in it, which decides nothing: the stacks were walked by frame "
			    "pointers");
	world.wanted.build_id = NULL;
	world_finds(&world, MODULE_UNVERIFIED, "root/opt/demo/spin", "root/opt/demo/spin");
	world.wanted.returns_are_unwound = true;
	world_finds(&world, MODULE_CONTRADICTED, NULL, NULL);
	world_end(&world);
}

static void the_code_of_a_kernel_is_not_that_of_its_file(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "d/a",
		  (struct program_kind){.build_id = WORLD_ID, .has_dwarf = true, .shift = 7});
	world_debug_dir(&world, "d");
	world_returns(&world, PROGRAM_CALLS);
	world.wanted.is_kernel = true;
	world_finds(&world, MODULE_EXACT, "d/a", "d/a");
	assert_int_equal(world.found.callsites_total, 0);
	world_end(&world);
}

/* ---- no ID is recorded */

static void without_an_id_the_return_addresses_decide(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "root/opt/demo/spin", whole);
	world_sysroot(&world, "root");
	world.wanted.build_id = NULL;
	world.wanted.id_source = ID_NONE_RECORDED;
	world_finds(&world, MODULE_UNVERIFIED, "root/opt/demo/spin", "root/opt/demo/spin");
	assert_string_equal(world.found.detail, "no build ID was recorded");
	world_returns(&world, CALLSITES_MIN - 1);
	world_finds(&world, MODULE_UNVERIFIED, "root/opt/demo/spin", "root/opt/demo/spin");
	assert_string_equal(world.found.detail, "no build ID was recorded; 19 return addresses are "
						"too few to tell by (20)");
	world_returns(&world, CALLSITES_MIN);
	world_finds(&world, MODULE_CONSISTENT, "root/opt/demo/spin", "root/opt/demo/spin");
	assert_string_equal(world.found.detail, "no build ID was recorded; 20 of 20 return "
						"addresses are behind a call in it");
	world_put(&world, "root/opt/demo/spin", (struct program_kind){.shift = 2});
	world_finds(&world, MODULE_CONTRADICTED, NULL, NULL);
	world_end(&world);
}

static void without_an_id_a_file_given_by_hand_is_no_more_sure(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "mine", whole);
	world_binary(&world, "spin", "mine");
	world.wanted.build_id = NULL;
	world_finds(&world, MODULE_UNVERIFIED, "mine", "mine");
	world_returns(&world, PROGRAM_CALLS);
	world_finds(&world, MODULE_CONSISTENT, "mine", "mine");
	world_put(&world, "mine", (struct program_kind){.has_dwarf = true, .shift = 9});
	world_finds(&world, MODULE_CONTRADICTED, NULL, NULL);
	world_end(&world);
}

static void without_an_id_the_next_file_of_the_name_may_be_the_one(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "d/1/spin", (struct program_kind){.has_dwarf = true, .shift = 9});
	world_put(&world, "d/2/spin", stripped);
	world_put(&world, "d/3/spin.debug", debug);
	world_debug_dir(&world, "d");
	world.wanted.build_id = NULL;
	world_returns(&world, PROGRAM_CALLS);
	/* the debug file is found by the ID of the file that was found */
	world_finds(&world, MODULE_CONSISTENT, "d/2/spin", "d/3/spin.debug");
	assert_int_equal(world.found.rejected_nr, 1);
	assert_string_equal(world.found.build_id, WORLD_ID);
	world_end(&world);
}

static void without_an_id_a_debug_file_must_have_that_of_its_binary(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "a", stripped);
	world_put(&world, "a.debug",
		  (struct program_kind){.build_id = WORLD_OTHER, .is_debug_only = true});
	world_binary(&world, "spin", "a.debug");
	world_binary(&world, "spin", "a");
	world.wanted.build_id = NULL;
	world_finds(&world, MODULE_UNVERIFIED, "a", NULL);
	assert_int_equal(world.found.rejected_nr, 1);
	world_end(&world);
}

/* ---- --accept-mismatch */

static void another_build_is_taken_where_that_was_asked_for(void **state)
{
	static const char *const modules[] = {WORLD_PATH, "spin", WORLD_ID, "other"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(modules); i++) {
		struct find_world world;

		world_begin(&world);
		world_put(&world, "root/opt/demo/spin",
			  (struct program_kind){.build_id = WORLD_OTHER});
		world_put(&world, "d/debug",
			  (struct program_kind){.build_id = WORLD_OTHER, .is_debug_only = true});
		world_sysroot(&world, "root");
		world_debug_dir(&world, "d");
		world_accept_mismatch(&world, modules[i]);
		if (i == 3) {
			world_finds(&world, MODULE_MISMATCH, NULL, NULL);
		} else {
			world_finds(&world, MODULE_FORCED, "root/opt/demo/spin", "d/debug");
			assert_string_equal(world.found.build_id, WORLD_OTHER);
			assert_non_null(strstr(world.found.detail, OTHER_REASON));
		}
		world_end(&world);
	}
}

static void the_right_file_is_not_forced(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "mine", other);
	world_put(&world, "d/right", whole);
	world_binary(&world, "spin", "mine");
	world_debug_dir(&world, "d");
	world_accept_mismatch(&world, "spin");
	world_finds(&world, MODULE_EXACT, "d/right", "d/right");
	world_end(&world);
}

static void contradicted_code_may_be_forced_too(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "mine", (struct program_kind){.has_dwarf = true, .shift = 3});
	world_binary(&world, "spin", "mine");
	world_accept_mismatch(&world, "spin");
	world.wanted.build_id = NULL;
	world_returns(&world, PROGRAM_CALLS);
	world_finds(&world, MODULE_FORCED, "mine", "mine");
	assert_int_equal(world.found.callsites_total, PROGRAM_CALLS);
	world_end(&world);
}

/* ---- what cannot be read */

static void a_packed_module_is_unsupported(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	folder_put(world.folder, "root/lib/m.ko.xz",
		   "\xfd"
		   "7zXZ\0\0\4",
		   8);
	world_sysroot(&world, "root");
	world.options.only_given = true;
	world.wanted.path = "/lib/m.ko.xz";
	world_finds(&world, MODULE_UNSUPPORTED, NULL, NULL);
	assert_non_null(strstr(world.found.detail, "packed with xz"));
	world_end(&world);
}

static void damaged_files_are_turned_down(void **state)
{
	struct find_world world;
	struct text bytes = TEXT_INIT;

	(void)state;
	world_begin(&world);
	folder_put(world.folder, "root/opt/demo/spin", "no program", 10);
	world_sysroot(&world, "root");
	world_finds(&world, MODULE_MISMATCH, NULL, NULL);
	world_rejected(&world, 0, "root/opt/demo/spin", "not an ELF file");
	program_build(&whole, &bytes);
	folder_put(world.folder, "root/opt/demo/spin", bytes.bytes, bytes.size - 10);
	world_finds(&world, MODULE_MISMATCH, NULL, NULL);
	world_rejected(&world, 0, "root/opt/demo/spin",
		       "cut: the section headers end beyond its end");
	text_release(&bytes);
	world_end(&world);
}

static void a_folder_at_the_path_is_no_candidate(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	folder_make(world.folder, "root/opt/demo/spin");
	world_sysroot(&world, "root");
	world_finds(&world, MODULE_MISSING, NULL, NULL);
	assert_int_equal(world.found.rejected_nr, 0);
	world_end(&world);
}

static void what_may_not_be_read_is_said(void **state)
{
	struct find_world world;
	char *path;

	(void)state;
	if (geteuid() == 0) {
		print_message("# root may read everything: not tried\n");
		return;
	}
	world_begin(&world);
	world_put(&world, "root/opt/demo/spin", whole);
	path = folder_path(world.folder, "root/opt/demo/spin");
	assert_int_equal(chmod(path, 0), 0);
	world_sysroot(&world, "root");
	world_finds(&world, MODULE_MISSING, NULL, NULL);
	world_rejected(&world, 0, "root/opt/demo/spin", "cannot open: Permission denied");
	free(path);
	world_end(&world);
}

/* ---- options, digests */

static void what_was_typed_must_be_there(void **state)
{
	static const char *const folder = "not/there", *const files[] = {"spin", "=x",
									 "spin=", "spin=not/there"};
	static const char *const words[] = {"--binary takes MODULE=FILE, not 'spin'",
					    "--binary takes MODULE=FILE, not '=x'",
					    "--binary takes MODULE=FILE, not 'spin='",
					    "--binary: cannot open 'not/there': No such file or "
					    "directory"};
	struct binaries_options options = {.debug_dirs = &folder, .debug_dirs_nr = 1};
	struct binaries *binaries;
	struct error *err = binaries_new(&options, &binaries);

	(void)state;
	assert_string_equal(error_text(err), "--debug-dir: cannot look at 'not/there': No such "
					     "file or directory");
	error_free(err);
	for (size_t i = 0; i < ARRAY_NR(files); i++) {
		options = (struct binaries_options){.binaries = &files[i], .binaries_nr = 1};
		err = binaries_new(&options, &binaries);
		assert_string_equal(error_text(err), words[i]);
		error_free(err);
	}
}

static void a_module_that_was_never_there_is_named(void **state)
{
	struct find_world world;
	size_t at = 0;

	(void)state;
	world_begin(&world);
	world_put(&world, "mine", whole);
	world_binary(&world, "spin", "mine");
	world_binary(&world, "spni", "mine");
	world_accept_mismatch(&world, "spin");
	world_accept_mismatch(&world, "nips");
	world_find(&world);
	assert_memory_equal(binaries_next_unmatched(world.search, &at), "spni=", 5);
	assert_string_equal(binaries_next_unmatched(world.search, &at), "nips");
	assert_null(binaries_next_unmatched(world.search, &at));
	world_end(&world);
}

static void digests_are_of_the_files_used(void **state)
{
	struct find_world world;
	struct digest *digest = digest_new();
	struct text bytes = TEXT_INIT;
	char hex[DIGEST_HEX_SIZE];

	(void)state;
	program_build(&whole, &bytes);
	digest_add(digest, bytes.bytes, bytes.size);
	digest_hex(digest, hex);
	world_begin(&world);
	world_put(&world, "d/a", whole);
	world_debug_dir(&world, "d");
	world_find(&world);
	assert_string_equal(world.found.file_sha256, "");
	world.wanted.takes_digests = true;
	world_find(&world);
	assert_string_equal(world.found.file_sha256, hex);
	assert_string_equal(world.found.debug_sha256, hex);
	assert_string_equal(world.found.alt_sha256, "");
	world_end(&world);
	digest_free(digest);
	text_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_by_build_id_proves_nothing),
		cmocka_unit_test(a_replaced_binary_is_a_mismatch),
		cmocka_unit_test(a_search_goes_on_behind_a_mismatch),
		cmocka_unit_test(ids_of_8_and_16_bytes_are_compared_whole),
		cmocka_unit_test(an_empty_id_is_none),
		cmocka_unit_test(a_debug_file_of_another_link_leaves_nothing_to_use),
		cmocka_unit_test(moved_code_with_the_id_kept_is_contradicted),
		cmocka_unit_test(a_late_id_may_be_contradicted),
		cmocka_unit_test(a_few_wrong_return_addresses_are_borne),
		cmocka_unit_test(code_without_frame_pointers_is_not_contradicted_by_them),
		cmocka_unit_test(the_code_of_a_kernel_is_not_that_of_its_file),
		cmocka_unit_test(without_an_id_the_return_addresses_decide),
		cmocka_unit_test(without_an_id_a_file_given_by_hand_is_no_more_sure),
		cmocka_unit_test(without_an_id_the_next_file_of_the_name_may_be_the_one),
		cmocka_unit_test(without_an_id_a_debug_file_must_have_that_of_its_binary),
		cmocka_unit_test(another_build_is_taken_where_that_was_asked_for),
		cmocka_unit_test(the_right_file_is_not_forced),
		cmocka_unit_test(contradicted_code_may_be_forced_too),
		cmocka_unit_test(a_packed_module_is_unsupported),
		cmocka_unit_test(damaged_files_are_turned_down),
		cmocka_unit_test(a_folder_at_the_path_is_no_candidate),
		cmocka_unit_test(what_may_not_be_read_is_said),
		cmocka_unit_test(what_was_typed_must_be_there),
		cmocka_unit_test(a_module_that_was_never_there_is_named),
		cmocka_unit_test(digests_are_of_the_files_used),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
