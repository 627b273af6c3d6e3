/* find_world.c - folders full of programs, and one module that is looked for in them */
#include "tests/test.h"

#include "tests/support/find_world.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tests/support/folder.h"

void world_begin(struct find_world *world)
{
	char *home;

	*world = (struct find_world){.folder = folder_new()};
	home = folder_path(world->folder, "home");
	setenv("HOME", home, 1);
	unsetenv("XDG_CACHE_HOME");
	unsetenv("DEBUGINFOD_CACHE_PATH");
	free(home);
	world->options.debug_dirs = (const char *const *)world->debug_dirs;
	world->options.binaries = (const char *const *)world->binaries;
	world->options.sysroots = (const char *const *)world->sysroots;
	world->options.accept_mismatch = world->accept_mismatch;
	world->wanted = (struct binaries_wanted){.path = WORLD_PATH,
						 .build_id = WORLD_ID,
						 .id_source = ID_MMAP2,
						 .map_offset = PROGRAM_OFFSET,
						 .return_offsets = world->returns};
	for (unsigned i = 0; i < PROGRAM_CALLS; i++)
		world->returns[i] = program_return(i);
}

static void forget(struct find_world *world)
{
	if (!world->is_found)
		return;
	binaries_found_release(&world->found);
	binaries_free(world->search);
	world->is_found = false;
}

void world_end(struct find_world *world)
{
	forget(world);
	for (unsigned i = 0; i < FIND_WORLD_WORDS_MAX; i++) {
		free(world->debug_dirs[i]);
		free(world->binaries[i]);
		free(world->sysroots[i]);
	}
	free(world->capture);
	folder_remove(world->folder);
}

void world_put(struct find_world *world, const char *path, struct program_kind kind)
{
	struct text bytes = TEXT_INIT;

	program_build(&kind, &bytes);
	folder_put(world->folder, path, bytes.bytes, bytes.size);
	text_release(&bytes);
}

void world_debug_dir(struct find_world *world, const char *path)
{
	world->debug_dirs[world->options.debug_dirs_nr++] = folder_path(world->folder, path);
}

void world_sysroot(struct find_world *world, const char *path)
{
	world->sysroots[world->options.sysroots_nr++] = folder_path(world->folder, path);
}

void world_binary(struct find_world *world, const char *module, const char *path)
{
	struct text word = TEXT_INIT;

	text_addf(&word, "%s=%s/%s", module, world->folder, path);
	world->binaries[world->options.binaries_nr++] = text_take(&word);
}

void world_capture(struct find_world *world, const char *path)
{
	world->capture = folder_path(world->folder, path);
	world->options.capture_path = world->capture;
}

void world_accept_mismatch(struct find_world *world, const char *module)
{
	world->accept_mismatch[world->options.accept_mismatch_nr++] = module;
}

void world_returns(struct find_world *world, unsigned nr)
{
	world->wanted.return_offsets_nr = nr;
}

void world_find(struct find_world *world)
{
	struct error *err;

	forget(world);
	err = binaries_new(&world->options, &world->search);
	if (err)
		fail_msg("%s", error_text(err));
	binaries_find(world->search, &world->wanted, &world->found);
	world->is_found = true;
}

static void check_path(const struct find_world *world, const char *what, const char *found,
		       const char *wanted)
{
	size_t size = strlen(world->folder);

	if (!found && !wanted)
		return;
	if (!found || !wanted || strncmp(found, world->folder, size) != 0 ||
	    strcmp(found + size + 1, wanted) != 0)
		fail_msg("%s is %s, not %s", what, found ? found : "none",
			 wanted ? wanted : "none");
}

void world_check(struct find_world *world, enum module_status status, const char *file,
		 const char *debug)
{
	if (world->found.status != status)
		fail_msg("%s, not %s: %s", module_status_word(world->found.status),
			 module_status_word(status), world->found.detail);
	check_path(world, "the file", world->found.file, file);
	check_path(world, "the debug file", world->found.debug, debug);
	assert_non_null(world->found.detail);
}

void world_rejected(const struct find_world *world, size_t nth, const char *path,
		    const char *reason)
{
	assert_true(nth < world->found.rejected_nr);
	check_path(world, "the rejected file", world->found.rejected[nth].path, path);
	assert_string_equal(world->found.rejected[nth].reason, reason);
}
