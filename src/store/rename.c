/* rename.c - new names for a capture that a profile holds, without the capture's file */
#include "store/rename.h"

#include "base/mem.h"
#include "model/capture.h"
#include "model/tally.h"
#include "store/captures.h"
#include "store/derived.h"
#include "store/replay.h"
#include "store/store.h"

/* Names that came since are no symbols of the capture. */
static void cover_names(struct replay_tables *tables, uint32_t names_nr)
{
	tables->symbol_of = mem_realloc(tables->symbol_of, names_nr, sizeof(*tables->symbol_of));
	while (tables->names_nr < names_nr)
		tables->symbol_of[tables->names_nr++] = -1;
}

static struct error *write_again(struct store *store, const struct store_capture *from,
				 const struct capture *model, const struct tally *tally,
				 struct replay_tables *tables)
{
	struct derived_bases base = {
		.capture = from->id,
		.event = tables->event,
		.task = tables->task,
		.module = tables->module,
		.location = from->first_location,
	};
	struct error *err = derived_delete(store, from->id);

	if (!err)
		err = store_next_id(store, "SELECT ifnull(max(function_id), 0) FROM function",
				    &base.function);
	cover_names(tables, model->names.nr);
	return err ? err : derived_write(store, model, tally, &base, tables->symbol_of);
}

struct error *store_rename(struct store *store, const struct store_capture *from, store_name *name,
			   void *context)
{
	struct capture model = {0};
	struct replay_tables tables = {0};
	struct replay_options options = {
		.needs_samples = true,
		.needs_addresses = true,
		.needs_all_stacks = true,
		.without_frames = true,
		.tables = &tables,
	};
	struct replay_count count;
	struct tally tally;
	struct error *err;

	tally_init(&tally, &model, &(struct tally_options){.by = TALLY_BY_TASK});
	err = store_replay(store, from, &options, &model, &tally.sink, &count);
	if (!err)
		err = name(context, &model, &tally);
	if (!err)
		err = write_again(store, from, &model, &tally, &tables);
	tally_release(&tally);
	capture_release(&model);
	free(tables.symbol_of);
	return err;
}
