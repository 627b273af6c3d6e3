/* dumps.h - registers and stacks that wait for a file, in tables dump and dump_space */
#pragma once

#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "base/text.h"
#include "model/details.h"
#include "model/spaces.h"

struct ids;
struct pack;
struct replay;
struct sqlite3_stmt;
struct store;

/* What a stack may unpack to, and the registers: perf's limit is less than 64 KB. */
#define STORE_DUMP_MAX ((size_t)1 << 20)

/* ---- writing */

struct store_dumps {
	struct store *store;	 /* borrowed */
	int64_t capture, module; /* where ids of modules begin */
	int64_t next_dump, next_space;
	struct sqlite3_stmt *insert, *insert_space;
	struct pack *pack;
	struct text text;
	uint64_t *versions; /* owned: of the spaces that were written, from first_space on */
	int64_t first_space;
	uint32_t versions_nr;
	size_t versions_alloc;
	struct map map;
};

/* Where ids begin is for the caller to say, who begins it with the rest zeroed. */
void store_dumps_release(struct store_dumps *dumps);
ERROR_RESULT struct error *store_dumps_add(struct store_dumps *dumps,
					   const struct sample_user *user, int64_t *ret_id);

/* ---- reading */

struct store_dump {
	struct sqlite3_stmt *row, *space_row;
	struct text registers, stack;
	struct space space;
	struct space_maps maps;
	int64_t space_id; /* what `space` is of; 0: none yet */
	struct sample_user user;
};

void store_dump_release(struct store_dump *dump);

/* The dump of this id into dump->user, which lives until the next one. */
ERROR_RESULT struct error *store_dump_read(struct replay *replay, struct store_dump *dump,
					   int64_t id);
