/* find_world.h - folders full of programs, and one module that is looked for in them */
#pragma once

#include <stdbool.h>

#include "binaries/find.h"
#include "tests/support/elf_builder.h"

#define FIND_WORLD_WORDS_MAX 4

/* The ID and path that are wanted unless the test says otherwise; another ID. */
#define WORLD_ID    "11223344556677889900aabbccddeeff00112233"
#define WORLD_OTHER "ffeeddccbbaa00998877665544332211ffeeddcc"
#define WORLD_TREE  "11/223344556677889900aabbccddeeff00112233"
#define WORLD_PATH  "/opt/demo/spin"

/*
 * HOME is the folder "home" of the world, and no variable names another cache. Paths of a test
 * are below the world's folder.
 */
struct find_world {
	char *folder; /* owned */
	struct binaries_options options;
	char *debug_dirs[FIND_WORLD_WORDS_MAX], *binaries[FIND_WORLD_WORDS_MAX];
	char *sysroots[FIND_WORLD_WORDS_MAX], *capture;
	const char *accept_mismatch[FIND_WORLD_WORDS_MAX];
	struct binaries_wanted wanted;
	uint64_t returns[PROGRAM_CALLS];
	struct binaries *search; /* of the last world_find() */
	struct binaries_found found;
	bool is_found;
};

void world_begin(struct find_world *world);
void world_end(struct find_world *world);

/* A program of this kind at a path. */
void world_put(struct find_world *world, const char *path, struct program_kind kind);

/* Options: paths are below the world's folder. */
void world_debug_dir(struct find_world *world, const char *path);
void world_sysroot(struct find_world *world, const char *path);
void world_binary(struct find_world *world, const char *module, const char *path);
void world_capture(struct find_world *world, const char *path);
void world_accept_mismatch(struct find_world *world, const char *module);

/* The capture has the first nr return addresses of an unshifted program. */
void world_returns(struct find_world *world, unsigned nr);

/* Looks for the wanted module; what was found before is released. */
void world_find(struct find_world *world);

/* Was that found? The paths below the world's folder, NULL for none. */
void world_check(struct find_world *world, enum module_status status, const char *file,
		 const char *debug);
#define world_finds(world, status, file, debug)                  \
	do {                                                     \
		world_find(world);                               \
		world_check((world), (status), (file), (debug)); \
	} while (0)

/* Is the nth rejected one this, for this reason? */
void world_rejected(const struct find_world *world, size_t nth, const char *path,
		    const char *reason);
