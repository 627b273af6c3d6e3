/* test_find_links.c - debug files and dwz files that another file names */
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/crc.h"
#include "base/mem.h"
#include "tests/support/find_world.h"
#include "tests/support/folder.h"

#define ALT_ID	 "aabbccddeeff00112233445566778899aabbccdd"
#define ALT_TREE "aa/bbccddeeff00112233445566778899aabbccdd"

static const struct program_kind debug = {.build_id = WORLD_ID, .is_debug_only = true};
static const struct program_kind linked = {.build_id = WORLD_ID, .debuglink = "spin.debug"};

static uint32_t crc_of_kind(struct program_kind kind)
{
	struct text bytes = TEXT_INIT;
	uint32_t crc;

	program_build(&kind, &bytes);
	crc = crc_of(bytes.bytes, bytes.size);
	text_release(&bytes);
	return crc;
}

/* A stripped binary at its recorded path that names spin.debug. */
static void begin(struct find_world *world, struct program_kind binary)
{
	world_begin(world);
	world_put(world, "root/opt/demo/spin", binary);
	world_sysroot(world, "root");
	world->options.only_given = true;
}

/* ---- .gnu_debuglink */

static void a_debug_link_is_followed_to_its_places(void **state)
{
	static const char *const places[] = {"root/opt/demo/spin.debug",
					     "root/opt/demo/.debug/spin.debug",
					     "root/usr/lib/debug/opt/demo/spin.debug",
					     "given/spin.debug", "given/opt/demo/spin.debug"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(places); i++) {
		struct find_world world;

		begin(&world, linked);
		world_put(&world, places[i], debug);
		if (i >= 3)
			world_debug_dir(&world, "given");
		world_finds(&world, MODULE_EXACT, "root/opt/demo/spin", places[i]);
		assert_int_equal(world.found.rejected_nr, 0);
		world_end(&world);
	}
}

static void a_valid_crc_is_no_identity(void **state)
{
	const struct program_kind other = {.build_id = WORLD_OTHER, .is_debug_only = true};
	struct find_world world;
	struct program_kind binary = linked;

	(void)state;
	binary.debuglink_crc = crc_of_kind(other);
	begin(&world, binary);
	world_put(&world, "root/opt/demo/spin.debug", other);
	world_finds(&world, MODULE_EXACT, "root/opt/demo/spin", NULL);
	assert_int_equal(world.found.rejected_nr, 1);
	world_rejected(&world, 0, "root/opt/demo/spin.debug",
		       "its build ID is " WORLD_OTHER ", not " WORLD_ID);
	/* nor is a file without an ID */
	binary.debuglink_crc = crc_of_kind((struct program_kind){.is_debug_only = true});
	world_put(&world, "root/opt/demo/spin", binary);
	world_put(&world, "root/opt/demo/spin.debug", (struct program_kind){.is_debug_only = true});
	world_finds(&world, MODULE_EXACT, "root/opt/demo/spin", NULL);
	world_rejected(&world, 0, "root/opt/demo/spin.debug",
		       "it has no build ID; wanted is " WORLD_ID);
	world_end(&world);
}

static void without_an_id_the_crc_must_be_valid(void **state)
{
	const struct program_kind bare = {.is_debug_only = true};
	struct program_kind binary = {.debuglink = "spin.debug"};
	struct find_world world;

	(void)state;
	binary.debuglink_crc = crc_of_kind(bare);
	begin(&world, binary);
	world_put(&world, "root/opt/demo/spin.debug", bare);
	world.wanted.build_id = NULL;
	world_finds(&world, MODULE_UNVERIFIED, "root/opt/demo/spin", "root/opt/demo/spin.debug");
	world_put(&world, "root/opt/demo/spin.debug",
		  (struct program_kind){.is_debug_only = true, .salt = 1});
	world_finds(&world, MODULE_UNVERIFIED, "root/opt/demo/spin", NULL);
	assert_non_null(strstr(world.found.rejected[0].reason, "as .gnu_debuglink says"));
	world_end(&world);
}

/* The link may have the binary's own name. */
static void a_binary_is_not_its_own_debug_file(void **state)
{
	struct find_world world;

	(void)state;
	begin(&world, (struct program_kind){.build_id = WORLD_ID, .debuglink = "spin"});
	world_put(&world, "root/opt/demo/.debug/spin", debug);
	world_finds(&world, MODULE_EXACT, "root/opt/demo/spin", "root/opt/demo/.debug/spin");
	assert_int_equal(world.found.rejected_nr, 0);
	world_end(&world);
}

static void a_debug_link_leads_nowhere_else(void **state)
{
	struct find_world world;

	(void)state;
	begin(&world, (struct program_kind){.build_id = WORLD_ID, .debuglink = "../demo/x.debug"});
	world_put(&world, "root/opt/demo/x.debug", debug);
	world_finds(&world, MODULE_EXACT, "root/opt/demo/spin", NULL);
	world_end(&world);
}

/* ---- .gnu_debugaltlink */

static void check_alt(const struct find_world *world, const char *wanted)
{
	if (wanted) {
		assert_non_null(world->found.alt);
		assert_string_equal(world->found.alt + strlen(world->folder) + 1, wanted);
	} else {
		assert_null(world->found.alt);
	}
}

static const struct program_kind with_alt = {.build_id = WORLD_ID,
					     .is_debug_only = true,
					     .altlink = "../../../dwz/x.debug",
					     .altlink_id = ALT_ID};
static const struct program_kind alt = {.build_id = ALT_ID, .has_dwarf = true};

static void a_dwz_file_is_found_in_its_places(void **state)
{
	static const char *const places[] = {"d/.build-id/" ALT_TREE ".debug", "d/.dwz/x.debug",
					     "dwz/x.debug", "d/anywhere"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(places); i++) {
		struct find_world world;

		world_begin(&world);
		world_put(&world, "d/.build-id/" WORLD_TREE ".debug", with_alt);
		world_put(&world, places[i], alt);
		world_debug_dir(&world, "d");
		world.wanted.takes_digests = true;
		world_finds(&world, MODULE_EXACT, NULL, "d/.build-id/" WORLD_TREE ".debug");
		if (i != 2)
			check_alt(&world, places[i]);
		else
			assert_non_null(strstr(world.found.alt, "dwz/x.debug"));
		assert_int_equal(strlen(world.found.alt_sha256), DIGEST_HEX_SIZE - 1);
		world_end(&world);
	}
}

static void a_dwz_file_must_have_its_id(void **state)
{
	struct find_world world;

	(void)state;
	world_begin(&world);
	world_put(&world, "d/.build-id/" WORLD_TREE ".debug", with_alt);
	world_put(&world, "d/.build-id/" ALT_TREE ".debug",
		  (struct program_kind){.build_id = WORLD_OTHER});
	world_debug_dir(&world, "d");
	world_finds(&world, MODULE_EXACT, NULL, "d/.build-id/" WORLD_TREE ".debug");
	check_alt(&world, NULL);
	assert_non_null(strstr(world.found.detail,
			       "; the dwz file '../../../dwz/x.debug' that it names is not there"));
	assert_int_equal(world.found.rejected_nr, 1);
	world_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_debug_link_is_followed_to_its_places),
		cmocka_unit_test(a_valid_crc_is_no_identity),
		cmocka_unit_test(without_an_id_the_crc_must_be_valid),
		cmocka_unit_test(a_binary_is_not_its_own_debug_file),
		cmocka_unit_test(a_debug_link_leads_nowhere_else),
		cmocka_unit_test(a_dwz_file_is_found_in_its_places),
		cmocka_unit_test(a_dwz_file_must_have_its_id),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
