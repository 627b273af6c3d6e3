/* replay_names.h - what the ids of a profile mean, read into a model; for replay.c alone */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "store/dumps.h"

struct capture;
struct replay_options;
struct sink;
struct sqlite3_stmt;
struct store;
struct store_capture;

/* From an id of a table to the id of the model: table ids of a capture follow each other. */
struct ids {
	int64_t base;
	uint32_t *list; /* owned; ID_NONE where the table has no such row */
	uint32_t nr;
	bool has_base; /* it is set; else the first row's id becomes it */
};

#define ID_NONE UINT32_MAX

/* Ids of one capture in one table; more are no profile of ours. */
#define ROWS_MAX ((uint64_t)1 << 31)

/* The stacks that samples of a small range refer to; without marks: all. */
struct needed {
	int64_t first;
	uint64_t nr;
	unsigned char *marks; /* owned; a byte a row, enum need */
};

enum need {
	NEED_NOT,
	NEED_YES,
	NEED_MET, /* it was read */
};

struct replay {
	struct store *store;
	const struct store_capture *from;
	const struct replay_options *options;
	struct capture *model;
	struct sink *sink;
	struct ids events, tasks, modules, symbols, locations, stacks, functions, unwindings;
	int64_t first_series;  /* its id in the table */
	uint32_t series_begin; /* its id in the model */
	int64_t begin, end;    /* the samples that are said: begin <= id < end */
	struct needed needed_stacks;
	size_t stacks_alloc;
	struct store_dump dump; /* of the sample that is said */
	uint64_t rows_max;	/* a row is longer than a byte: the file's size, at most ROWS_MAX */
	uint32_t *list;		/* an array of ids, read from a row */
	size_t list_alloc;
};

static inline uint32_t ids_get(const struct ids *ids, int64_t id)
{
	uint64_t at = (uint64_t)id - (uint64_t)ids->base;

	return at < ids->nr ? ids->list[at] : ID_NONE;
}

/* Damaged ids lead to no row that could be marked. */
static inline void need(struct needed *needed, int64_t id)
{
	uint64_t at = (uint64_t)id - (uint64_t)needed->first;

	if (needed->marks && at < needed->nr && needed->marks[at] == NEED_NOT)
		needed->marks[at] = NEED_YES;
}

static inline bool is_needed(const struct needed *needed, int64_t id)
{
	uint64_t at = (uint64_t)id - (uint64_t)needed->first;

	return !needed->marks || (at < needed->nr && needed->marks[at] == NEED_YES);
}

/* "'run.tephra' is damaged: table stack, row 7 leads nowhere" */
ERROR_RESULT struct error *replay_damaged(const struct replay *replay, const char *table,
					  int64_t id);

/* A statement with `id` for its first parameter, if it has one. */
ERROR_RESULT struct error *replay_prepare(struct store *store, const char *sql, int64_t id,
					  struct sqlite3_stmt **ret);

/* The end of a loop over rows: NULL when it ended because there were no more. */
ERROR_RESULT struct error *replay_finish(struct store *store, struct sqlite3_stmt *statement,
					 int status, struct error *err);

/* The meaning of an id in a column: `none` for NULL; false where it leads nowhere. */
bool replay_column_id(struct sqlite3_stmt *row, int column, const struct ids *ids, uint32_t none,
		      uint32_t *ret);

/* Sets what a table id means. The first id that is set is the base of all. */
bool replay_set_any_id(const struct replay *replay, struct ids *ids, int64_t id, uint32_t meaning,
		       size_t *alloc);

/* The same; in place what nearly all are: the next one, for which there is room. */
static inline bool replay_set_id(const struct replay *replay, struct ids *ids, int64_t id,
				 uint32_t meaning, size_t *alloc)
{
	if ((uint64_t)id - (uint64_t)ids->base != ids->nr || ids->nr >= *alloc ||
	    ids->nr >= replay->rows_max)
		return replay_set_any_id(replay, ids, id, meaning, alloc);
	ids->list[ids->nr++] = meaning;
	return true;
}

/* Modules and, unless they are found anew, their files and those that were turned down. */
ERROR_RESULT struct error *replay_read_modules(struct replay *replay);

/* Events, tasks, modules, symbols, facts and notes. */
ERROR_RESULT struct error *replay_read_names(struct replay *replay);

/* For path weights: functions, which become locations without an address. */
ERROR_RESULT struct error *replay_read_functions(struct replay *replay);

/* For samples: the functions of all locations, or where addresses are needed these. */
ERROR_RESULT struct error *replay_read_places(struct replay *replay);

/* Behind the places: the stacks that are needed and were not read yet. */
ERROR_RESULT struct error *replay_read_stacks(struct replay *replay);

void replay_release(struct replay *replay);
