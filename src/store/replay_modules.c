/* replay_modules.c - the modules of a profile's capture, and what was found of their files */
#include <sqlite3.h>

#include "model/capture.h"
#include "store/captures.h"
#include "store/replay.h"
#include "store/replay_names.h"
#include "store/value.h"

static const char *status_word(int status)
{
	return module_status_word((enum module_status)status);
}

static const char *id_source_word(int source)
{
	return module_id_source_word((enum id_source)source);
}

/* What was found of its files. */
static void take_files(sqlite3_stmt *row, struct names *names, struct module *ret)
{
	ret->status = (enum module_status)value_word((const char *)sqlite3_column_text(row, 6),
						     status_word, MODULE_STATUS_NR);
	ret->detail = value_name(row, 7, names);
	ret->file = value_name(row, 8, names);
	ret->file_sha256 = value_name(row, 9, names);
	ret->debug_file = value_name(row, 10, names);
	ret->debug_sha256 = value_name(row, 11, names);
}

/* The columns from id_source on. */
static void take_module(const struct replay *replay, sqlite3_stmt *row, struct module *ret)
{
	struct names *names = &replay->model->names;

	ret->id_source = (enum id_source)value_word((const char *)sqlite3_column_text(row, 3),
						    id_source_word, ID_INJECTED + 1);
	if (sqlite3_column_type(row, 4) != SQLITE_NULL)
		ret->map_offset = (uint64_t)sqlite3_column_int64(row, 4);
	ret->reference = value_name(row, 5, names);
	if (!replay->options->without_frames)
		take_files(row, names, ret);
}

static struct error *read_list(struct replay *replay)
{
	struct capture *model = replay->model;
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err = replay_prepare(
		replay->store,
		"SELECT module_id, path, build_id, id_source, map_offset, reference, "
		"status, detail, file, file_sha256, debug_file, debug_sha256 "
		"FROM module WHERE capture_id = ? ORDER BY module_id",
		replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		uint32_t path = value_name(row, 1, &model->names);
		int64_t id = sqlite3_column_int64(row, 0);
		uint32_t module;

		if (path == NAME_NONE) {
			err = replay_damaged(replay, "module", id);
			break;
		}
		module = modules_add_build(&model->modules, &model->names, path,
					   value_name(row, 2, &model->names));
		take_module(replay, row, &model->modules.list[module]);
		if (!replay_set_id(replay, &replay->modules, id, module, &alloc))
			err = replay_damaged(replay, "module", id);
	}
	return replay_finish(replay->store, row, status, err);
}

static bool take_candidate(struct replay *replay, sqlite3_stmt *row)
{
	struct names *names = &replay->model->names;
	struct module_candidate candidate = {
		.module = ids_get(&replay->modules, sqlite3_column_int64(row, 0)),
		.path = value_name(row, 1, names),
		.reason = value_name(row, 2, names),
	};

	if (candidate.module == ID_NONE || candidate.path == NAME_NONE ||
	    candidate.reason == NAME_NONE)
		return false;
	modules_add_candidate(&replay->model->modules, &candidate);
	return true;
}

static struct error *read_candidates(struct replay *replay)
{
	sqlite3_stmt *row;
	struct error *err = replay_prepare(replay->store,
					   "SELECT module_id, path, reason FROM module_candidate "
					   "WHERE module_id IN (SELECT module_id FROM module "
					   "WHERE capture_id = ?) ORDER BY module_id, position",
					   replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW)
		if (!take_candidate(replay, row))
			err = replay_damaged(replay, "module_candidate",
					     sqlite3_column_int64(row, 0));
	return replay_finish(replay->store, row, status, err);
}

struct error *replay_read_modules(struct replay *replay)
{
	struct error *err = read_list(replay);

	return err || replay->options->without_frames ? err : read_candidates(replay);
}
