/* path_weight.c - what the derived table path_block holds: weights by path of functions */
#include "store/path_weight.h"

#include <sqlite3.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/capture.h"
#include "model/tally.h"
#include "store/path_block.h"
#include "store/store.h"
#include "store/value.h"

/* The tally again, but by symbols: its stacks are of functions and hold the leaf, too. */
struct builder {
	const struct tally *tally;
	struct stacks callers; /* of symbols */
	uint32_t *callers_of;  /* per stack of the capture */
	struct stacks paths;   /* of symbols, the leaf last */
	struct tally by_path;  /* callers: a path; no leaf */
	uint32_t *path;	       /* being built */
	size_t path_alloc;
};

static uint32_t symbol_stack(struct builder *builder, uint32_t stack)
{
	const struct capture *capture = builder->tally->capture;
	const uint32_t *ids = stacks_ids(&capture->stacks, stack);
	uint32_t nr = stacks_depth(&capture->stacks, stack);

	if (builder->callers_of[stack] != STACK_NONE)
		return builder->callers_of[stack];
	GROW(builder->path, (size_t)nr + 1, builder->path_alloc);
	for (uint32_t i = 0; i < nr; i++)
		builder->path[i] = locations_symbol(&capture->locations, ids[i]);
	builder->callers_of[stack] = stacks_add(&builder->callers, builder->path, nr);
	return builder->callers_of[stack];
}

static struct error *add_entry(struct builder *builder, const struct tally_entry *entry)
{
	uint32_t callers = symbol_stack(builder, entry->key.callers);
	uint32_t nr = stacks_depth(&builder->callers, callers);
	struct sample sample = {
		.task = builder->tally->roots[entry->key.root].task,
		.event = entry->key.event,
		.cpu = CPU_NONE,
		.leaf = LOCATION_NONE,
		.count = entry->count,
		.period = entry->period,
	};

	GROW(builder->path, (size_t)nr + 1, builder->path_alloc);
	if (nr)
		memcpy(builder->path, stacks_ids(&builder->callers, callers),
		       nr * sizeof(*builder->path));
	if (entry->key.leaf != LOCATION_NONE)
		builder->path[nr++] = entry->key.leaf;
	sample.callers = stacks_add(&builder->paths, builder->path, nr);
	return sink_sample(&builder->by_path.sink, &sample);
}

static int compare_numbers(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

/* By event, task and path, so that what a picture draws together is read together. */
static int compare_entries(const void *a, const void *b, void *builder_of)
{
	const struct builder *builder = builder_of;
	const struct tally *by_path = &builder->by_path;
	const struct tally_key *x = &by_path->list[*(const uint32_t *)a].key;
	const struct tally_key *y = &by_path->list[*(const uint32_t *)b].key;
	const uint32_t *ids = stacks_ids(&builder->paths, x->callers);
	const uint32_t *others = stacks_ids(&builder->paths, y->callers);
	uint32_t nr = stacks_depth(&builder->paths, x->callers);
	uint32_t others_nr = stacks_depth(&builder->paths, y->callers), i = 0;

	if (x->event != y->event)
		return compare_numbers(x->event, y->event);
	if (x->root != y->root)
		return compare_numbers(by_path->roots[x->root].task, by_path->roots[y->root].task);
	while (i < nr && i < others_nr && ids[i] == others[i])
		i++;
	if (i == nr || i == others_nr)
		return compare_numbers(nr, others_nr);
	return compare_numbers(ids[i], others[i]);
}

static uint32_t *sort_entries(struct builder *builder)
{
	uint32_t nr = builder->by_path.nr;
	uint32_t *sorted = mem_alloc(nr * sizeof(*sorted));

	for (uint32_t i = 0; i < nr; i++)
		sorted[i] = i;
	qsort_r(sorted, nr, sizeof(*sorted), compare_entries, builder);
	return sorted;
}

/* Frames that two paths begin with. */
static uint32_t shared_by(const struct stacks *paths, uint32_t a, uint32_t b)
{
	const uint32_t *x = stacks_ids(paths, a), *y = stacks_ids(paths, b);
	uint32_t nr = stacks_depth(paths, a), i = 0;

	if (nr > stacks_depth(paths, b))
		nr = stacks_depth(paths, b);
	while (i < nr && x[i] == y[i])
		i++;
	return i;
}

/* The entries from `first` on that are one block: of one event and task, and not too many. */
static uint32_t add_block(const struct builder *builder, const uint32_t *sorted, uint32_t first,
			  int64_t base, struct text *block)
{
	const struct tally *by_path = &builder->by_path;
	const struct tally_key *head = &by_path->list[sorted[first]].key;
	uint32_t shared = 0, last = STACK_NONE, i = first;

	text_clear(block);
	for (; i < by_path->nr && block->size < PATH_BLOCK_BYTES; i++) {
		const struct tally_entry *entry = &by_path->list[sorted[i]];
		uint32_t path = entry->key.callers;

		if (entry->key.event != head->event || entry->key.root != head->root)
			break;
		if (last != STACK_NONE)
			shared = shared_by(&builder->paths, last, path);
		path_block_add(block, shared, stacks_ids(&builder->paths, path) + shared,
			       stacks_depth(&builder->paths, path) - shared, base, entry->count,
			       entry->period);
		last = path;
	}
	path_block_end(block);
	return i;
}

static void bind_block(sqlite3_stmt *insert, const struct builder *builder, uint32_t entry,
		       const struct path_weight_bases *base)
{
	const struct tally_key *key = &builder->by_path.list[entry].key;
	uint32_t task = builder->by_path.roots[key->root].task;

	sqlite3_bind_int64(insert, 1, base->capture);
	sqlite3_bind_int64(insert, 3, base->event + key->event);
	if (task == TASK_NONE)
		sqlite3_bind_null(insert, 4);
	else
		sqlite3_bind_int64(insert, 4, base->task + task);
}

static struct error *insert_all(struct store *store, const struct builder *builder,
				const uint32_t *sorted, const struct path_weight_bases *base)
{
	CLEANUP(text_release) struct text block = TEXT_INIT;
	sqlite3_stmt *insert;
	int status = sqlite3_prepare_v2(store->db, "INSERT INTO path_block VALUES (?, ?, ?, ?, ?)",
					-1, &insert, NULL);

	for (uint32_t i = 0; status == SQLITE_OK && i < builder->by_path.nr;) {
		bind_block(insert, builder, sorted[i], base);
		sqlite3_bind_int64(insert, 2, i);
		i = add_block(builder, sorted, i, base->function, &block);
		sqlite3_bind_text(insert, 5, text_string(&block), (int)block.size, SQLITE_STATIC);
		status = sqlite3_step(insert);
		sqlite3_reset(insert);
		status = status == SQLITE_DONE ? SQLITE_OK : status;
	}
	sqlite3_finalize(insert);
	return status == SQLITE_OK ? NULL : store_error(store, status);
}

struct error *path_weight_write(struct store *store, const struct tally *tally,
				const struct path_weight_bases *base)
{
	struct builder builder = {.tally = tally};
	uint32_t stacks_nr = tally->capture->stacks.nr;
	struct error *err = NULL;

	builder.callers_of = mem_alloc(stacks_nr * sizeof(*builder.callers_of));
	memset(builder.callers_of, 0xff, stacks_nr * sizeof(*builder.callers_of));
	tally_init(&builder.by_path, tally->capture, &(struct tally_options){.by = TALLY_BY_TASK});
	for (uint32_t i = 0; !err && i < tally->nr; i++)
		err = add_entry(&builder, &tally->list[i]);
	if (!err) {
		uint32_t *sorted = sort_entries(&builder);

		err = insert_all(store, &builder, sorted, base);
		free(sorted);
	}
	tally_release(&builder.by_path);
	stacks_release(&builder.callers);
	stacks_release(&builder.paths);
	free(builder.callers_of);
	free(builder.path);
	return err;
}
