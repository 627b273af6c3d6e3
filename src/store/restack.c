/* restack.c - stacks of a capture in a profile, unwound again by files that turned up */
#include "store/restack.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/capture.h"
#include "model/details.h"
#include "model/dump_stack.h"
#include "model/spaces.h"
#include "model/unwinder.h"
#include "store/captures.h"
#include "store/derived.h"
#include "store/replay.h"
#include "store/store.h"
#include "store/unwindings.h"
#include "store/write_places.h"

/* What a sample becomes. */
struct restacked {
	struct dump_stack_ids ids;
	bool has_unwinding, is_done; /* is_done: its dump is of no more use */
};

/* A sink: the samples as they were come in. In the table they are changed behind the last. */
struct restack {
	struct sink sink;
	struct store *store;
	const struct store_capture *from;
	struct capture *model; /* as it was; its names and modules stay */
	struct unwinder *unwinder;
	struct locations locations; /* those that are found now, in the order of an import */
	struct stacks stacks;
	struct unwindings unwindings;
	uint32_t *location_of, *stack_of; /* by id of the model, UINT32_MAX: not yet */
	struct place_bases base;
	int64_t unwinding;	/* where ids of unwindings begin */
	struct restacked *list; /* owned, of the samples in their order */
	size_t nr, alloc;
	struct dump_stack stack;
	struct unwound unwound;
};

/* The one number that a query of a capture gives. */
static struct error *number(const struct store *store, const char *sql, int64_t capture,
			    int64_t *ret)
{
	sqlite3_stmt *row;
	struct error *err = store_prepare(store, sql, &row);
	int status;

	if (err)
		return err;
	if (sqlite3_bind_parameter_count(row))
		sqlite3_bind_int64(row, 1, capture);
	status = sqlite3_step(row);
	if (status == SQLITE_ROW)
		*ret = sqlite3_column_int64(row, 0);
	sqlite3_finalize(row);
	return status == SQLITE_ROW ? NULL : store_error(store, status);
}

/* ---- samples */

static uint32_t location_of(struct restack *restack, uint32_t old)
{
	if (old == LOCATION_NONE)
		return LOCATION_NONE;
	if (restack->location_of[old] == UINT32_MAX)
		restack->location_of[old] = locations_add(
			&restack->locations, locations_get(&restack->model->locations, old));
	return restack->location_of[old];
}

/* As an import meets them: the leaf, then its callers from the innermost on. */
static uint32_t stack_of(struct restack *restack, uint32_t old)
{
	const struct stacks *stacks = &restack->model->stacks;
	uint32_t nr = stacks_depth(stacks, old);

	if (restack->stack_of[old] != UINT32_MAX)
		return restack->stack_of[old];
	dump_stack_begin(&restack->stack, nr);
	for (uint32_t i = nr; i--;)
		restack->stack.ids[i] = location_of(restack, stacks_ids(stacks, old)[i]);
	restack->stack_of[old] = stacks_add(&restack->stacks, restack->stack.ids, nr);
	return restack->stack_of[old];
}

static uint32_t place_of(struct restack *restack, struct space *space,
			 const struct unwound_frame *frame)
{
	const struct space_map *map = spaces_find(space, frame->ip);
	struct location location = {
		.address = map ? frame->ip - map->begin + map->offset : frame->ip,
		.name = NAME_NONE,
		.module = map ? map->module : MODULE_NONE,
		.line = NAME_NONE,
		.flags = LOCATION_HAS_ADDRESS | (frame->is_return ? LOCATION_RETURN : 0),
	};

	return locations_add(&restack->locations, &location);
}

/* The kernel's frames stay as they were: those at the leaf's end that its chain had. */
static void add_kernel(struct restack *restack, const struct sample *sample)
{
	const struct unwindings *old = &restack->model->unwindings;
	const struct stacks *stacks = &restack->model->stacks;
	const char *found = unwindings_found(old, sample->unwinding);
	uint32_t nr = stacks_depth(stacks, sample->callers);

	/* letters are those of the callers and the leaf; of a damaged profile there may be less */
	if (old->list[sample->unwinding].nr != nr + 1 || sample->leaf == LOCATION_NONE)
		return;
	for (uint32_t i = nr + 1; i-- && found[i] == found_by_letter(FOUND_KERNEL_CHAIN);)
		dump_stack_add(
			&restack->stack,
			location_of(restack, i == nr ? sample->leaf
						     : stacks_ids(stacks, sample->callers)[i]),
			FOUND_KERNEL_CHAIN);
}

static void add_root(struct restack *restack)
{
	const char *name = unwind_stop_root(restack->unwound.stop);
	struct location root = {.module = MODULE_NONE, .line = NAME_NONE};

	if (!name)
		return;
	root.name = names_add_string(&restack->model->names, name);
	dump_stack_add(&restack->stack, locations_add(&restack->locations, &root), FOUND_NOTHING);
}

/* False where there is no frame. */
static bool unwind(struct restack *restack, const struct sample *sample, struct dump_stack_ids *ret)
{
	/* dumps are read into room of the source's, which nobody else looks at */
	struct space space = *sample->user->space;
	struct unwound *unwound = &restack->unwound;

	dump_stack_begin(&restack->stack, stacks_depth(&restack->model->stacks, sample->callers) +
						  UNWIND_FRAMES_MAX + 1);
	add_kernel(restack, sample);
	restack->unwinder->unwind(restack->unwinder, restack->model, &space, sample->user, unwound);
	for (uint32_t i = 0; i < unwound->nr; i++)
		dump_stack_add(&restack->stack, place_of(restack, &space, &unwound->frames[i]),
			       unwound->frames[i].found);
	if (!restack->stack.nr)
		return false;
	add_root(restack);
	dump_stack_end(&restack->stack, unwound->stop, &restack->stacks, &restack->unwindings, ret);
	return true;
}

static uint32_t old_unwinding(struct restack *restack, const struct sample *sample)
{
	const struct unwindings *old = &restack->model->unwindings;

	return unwindings_add(&restack->unwindings, old->list[sample->unwinding].stop,
			      unwindings_found(old, sample->unwinding),
			      old->list[sample->unwinding].nr);
}

static void bind_id(sqlite3_stmt *statement, int at, bool is_there, int64_t id)
{
	if (is_there)
		sqlite3_bind_int64(statement, at, id);
	else
		sqlite3_bind_null(statement, at);
}

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct restack *restack = (struct restack *)sink;
	struct restacked *to;
	bool has_dump;

	GROW(restack->list, restack->nr + 1, restack->alloc);
	to = &restack->list[restack->nr++];
	*to = (struct restacked){.has_unwinding = sample->flags & SAMPLE_HAS_UNWINDING};
	has_dump = to->has_unwinding && sample->user && unwind(restack, sample, &to->ids);
	to->is_done = has_dump && !restack->unwound.lacks_file;
	if (has_dump)
		return NULL;
	to->ids.leaf = location_of(restack, sample->leaf);
	to->ids.callers = stack_of(restack, sample->callers);
	if (to->has_unwinding)
		to->ids.unwinding = old_unwinding(restack, sample);
	return NULL;
}

/* Only now: whoever unwinds may look at samples that are still to come, or again at others. */
static struct error *update_samples(const struct restack *restack)
{
	sqlite3_stmt *update;
	struct error *err = store_prepare(restack->store,
					  "UPDATE sample SET stack_id = ?1, leaf_location_id = ?2, "
					  "unwinding_id = ?3, dump_id = iif(?4, NULL, dump_id) "
					  "WHERE sample_id = ?5",
					  &update);

	for (size_t i = 0; !err && i < restack->nr; i++) {
		const struct restacked *to = &restack->list[i];

		sqlite3_bind_int64(update, 1, restack->base.stack + to->ids.callers);
		bind_id(update, 2, to->ids.leaf != LOCATION_NONE,
			restack->base.location + to->ids.leaf);
		bind_id(update, 3, to->has_unwinding, restack->unwinding + to->ids.unwinding);
		sqlite3_bind_int(update, 4, to->is_done);
		sqlite3_bind_int64(update, 5, restack->from->first_sample + (int64_t)i);
		err = store_step(restack->store, update);
	}
	sqlite3_finalize(update);
	return err;
}

/* ---- tables */

/* New rows stand behind all others, until the old ones are gone. */
static struct error *find_bases(struct restack *restack)
{
	const struct {
		const char *sql;
		int64_t *ret;
	} tables[] = {
		{"SELECT ifnull(max(symbol_id), 0) + 1 FROM symbol", &restack->base.symbol},
		{"SELECT ifnull(max(location_id), 0) + 1 FROM location", &restack->base.location},
		{"SELECT ifnull(max(stack_id), 0) + 1 FROM stack", &restack->base.stack},
		{"SELECT ifnull(max(unwinding_id), 0) + 1 FROM unwinding", &restack->unwinding},
	};
	struct error *err = NULL;

	for (size_t i = 0; !err && i < ARRAY_NR(tables); i++)
		err = number(restack->store, tables[i].sql, 0, tables[i].ret);
	return err;
}

static struct error *delete_old(const struct restack *restack)
{
	CLEANUP(text_release) struct text sql = TEXT_INIT;
	const struct store_capture *from = restack->from;

	text_addf(&sql,
		  "DELETE FROM stack WHERE stack_id BETWEEN %" PRId64 " AND %" PRId64 ";"
		  "DELETE FROM location WHERE location_id BETWEEN %" PRId64 " AND %" PRId64 ";"
		  "DELETE FROM symbol WHERE capture_id = %" PRId64 ";"
		  "DELETE FROM unwinding WHERE capture_id = %" PRId64 ";",
		  from->first_stack, from->last_stack, from->first_location, from->last_location,
		  from->id, from->id);
	text_addf(&sql,
		  "DELETE FROM dump WHERE dump_space_id IN "
		  "(SELECT dump_space_id FROM dump_space WHERE capture_id = %" PRId64 ") "
		  "AND dump_id NOT IN (SELECT dump_id FROM sample WHERE dump_id IS NOT NULL);"
		  "DELETE FROM dump_space WHERE capture_id = %" PRId64 " "
		  "AND dump_space_id NOT IN (SELECT dump_space_id FROM dump);",
		  from->id, from->id);
	return store_run(restack->store, text_string(&sql));
}

static struct error *set_ranges(const struct restack *restack)
{
	CLEANUP(text_release) struct text sql = TEXT_INIT;

	text_addf(&sql,
		  "UPDATE capture SET first_location_id = %" PRId64 ", last_location_id = %" PRId64
		  ", first_stack_id = %" PRId64 ", last_stack_id = %" PRId64
		  " WHERE capture_id = %" PRId64,
		  restack->base.location, restack->base.location + restack->locations.nr - 1,
		  restack->base.stack, restack->base.stack + restack->stacks.nr - 1,
		  restack->from->id);
	return store_run(restack->store, text_string(&sql));
}

/* The model gives its names and modules, the rest is what was found now. */
static struct error *write_new(struct restack *restack)
{
	struct capture *model = restack->model;
	int64_t *symbol_of = mem_alloc(model->names.nr * sizeof(*symbol_of));
	struct error *err;

	locations_release(&model->locations);
	stacks_release(&model->stacks);
	model->locations = restack->locations;
	model->stacks = restack->stacks;
	restack->locations = (struct locations){0};
	restack->stacks = (struct stacks){0};
	err = write_places(restack->store, model, &restack->base, symbol_of);
	free(symbol_of);
	return err ? err
		   : store_unwindings_write(restack->store, restack->from->id, restack->unwinding,
					    &restack->unwindings);
}

static uint32_t *none(size_t nr)
{
	uint32_t *list = mem_alloc(nr * sizeof(*list));

	memset(list, 0xff, nr * sizeof(*list));
	return list;
}

/* The source knows how many there are once it has read them, before the first sample. */
static struct error *on_first(struct sink *sink, const struct sample *sample)
{
	struct restack *restack = (struct restack *)sink;

	restack->location_of = none(restack->model->locations.nr);
	restack->stack_of = none(restack->model->stacks.nr);
	restack->sink.sample = on_sample;
	return on_sample(sink, sample);
}

static struct error *read_samples(struct restack *restack)
{
	struct replay_tables tables = {0};
	struct replay_options options = {
		.needs_samples = true,
		.needs_addresses = true,
		.needs_all_stacks = true,
		.needs_dumps = true,
		.without_frames = true,
		.tables = &tables,
	};
	struct replay_count count;
	struct error *err = store_replay(restack->store, restack->from, &options, restack->model,
					 &restack->sink, &count);

	free(tables.symbol_of);
	restack->base.module = tables.module;
	/* an id that is missing would have moved all behind it */
	if (!err &&
	    restack->from->first_sample + (int64_t)restack->nr != restack->from->last_sample + 1)
		err = error_new(ERROR_INPUT, "'%s' is damaged: table sample has gaps",
				restack->store->path);
	return err;
}

static void release(struct restack *restack)
{
	free(restack->list);
	locations_release(&restack->locations);
	stacks_release(&restack->stacks);
	unwindings_release(&restack->unwindings);
	dump_stack_release(&restack->stack);
	free(restack->location_of);
	free(restack->stack_of);
}

static struct error *restack_all(struct restack *restack)
{
	struct error *err = derived_delete(restack->store, restack->from->id);

	if (!err)
		err = find_bases(restack);
	if (!err)
		err = read_samples(restack);
	if (!err)
		err = update_samples(restack);
	if (!err)
		err = delete_old(restack);
	if (!err)
		err = set_ranges(restack);
	return err ? err : write_new(restack);
}

struct error *store_restack(struct store *store, const struct store_capture *from,
			    struct unwinder *unwinder, bool *ret_is_changed)
{
	struct capture model = {0};
	struct restack *restack = mem_zalloc(1, sizeof(*restack));
	int64_t dumps = 0;
	struct error *err = number(store, "SELECT count(*) FROM dump_space WHERE capture_id = ?",
				   from->id, &dumps);

	*ret_is_changed = !err && dumps;
	restack->sink.sample = on_first;
	restack->store = store;
	restack->from = from;
	restack->model = &model;
	restack->unwinder = unwinder;
	restack->base.capture = from->id;
	if (*ret_is_changed)
		err = restack_all(restack);
	release(restack);
	free(restack);
	capture_release(&model);
	return err;
}
