/* tally.c - a sink that keeps weights per call chain in memory and writes no row */
#include "model/tally.h"

#include "base/mem.h"
#include "model/capture.h"

#define ROOT_NOT_YET UINT32_MAX

struct root_key {
	const struct tally *tally;
	const struct tally_root *root;
};

_Static_assert(sizeof(struct tally_root) == 20, "padding in struct tally_root");
_Static_assert(sizeof(struct tally_key) == 16, "padding in struct tally_key");

static bool is_same_root(const void *key_of, uint32_t id)
{
	const struct root_key *key = key_of;

	return memcmp(&key->tally->roots[id], key->root, sizeof(*key->root)) == 0;
}

static uint32_t add_root(struct tally *tally, const struct tally_root *root)
{
	uint32_t hash = map_hash(root, sizeof(*root));
	struct map_slot *slot;

	map_grow(&tally->root_map);
	slot = map_find(&tally->root_map, hash, is_same_root, &(struct root_key){tally, root});
	if (slot->id != MAP_NONE)
		return slot->id;
	map_fill(&tally->root_map, slot, hash, tally->roots_nr);
	GROW(tally->roots, (size_t)tally->roots_nr + 1, tally->roots_alloc);
	tally->roots[tally->roots_nr] = *root;
	return tally->roots_nr++;
}

static uint32_t make_root(struct tally *tally, uint32_t task_id, int32_t cpu)
{
	static const struct task nobody = {TASK_ID_NONE, TASK_ID_NONE, NAME_NONE};
	const struct task *task =
		task_id == TASK_NONE ? &nobody : &tally->capture->tasks.list[task_id];
	enum tally_by by = tally->options.by;
	struct tally_root root = {
		.comm = NAME_NONE,
		.pid = TASK_ID_NONE,
		.tid = TASK_ID_NONE,
		.cpu = by == TALLY_BY_CPU ? cpu : CPU_NONE,
		.is_named = by == TALLY_BY_COMM || by == TALLY_BY_PROCESS || by == TALLY_BY_THREAD,
		.has_pid = by == TALLY_BY_PROCESS || by == TALLY_BY_THREAD,
		.has_tid = by == TALLY_BY_THREAD,
		.is_idle_task = tally->options.keeps_idle && task->tid == 0,
	};

	if (root.is_named)
		root.comm = task->comm;
	if (root.has_pid)
		root.pid = task->pid;
	if (root.has_tid)
		root.tid = task->tid;
	return add_root(tally, &root);
}

static uint32_t root_of(struct tally *tally, const struct sample *sample)
{
	uint32_t *known;

	if (tally->options.by == TALLY_BY_CPU || sample->task == TASK_NONE)
		return make_root(tally, sample->task, sample->cpu);
	while (tally->root_of_task_nr <= sample->task) {
		GROW(tally->root_of_task, tally->root_of_task_nr + 1, tally->root_of_task_alloc);
		tally->root_of_task[tally->root_of_task_nr++] = ROOT_NOT_YET;
	}
	known = &tally->root_of_task[sample->task];
	if (*known == ROOT_NOT_YET)
		*known = make_root(tally, sample->task, sample->cpu);
	return *known;
}

struct key {
	const struct tally *tally;
	const struct tally_key *key;
};

static bool is_same(const void *key_of, uint32_t id)
{
	const struct key *key = key_of;

	return memcmp(&key->tally->list[id].key, key->key, sizeof(*key->key)) == 0;
}

static struct tally_entry *entry_of(struct tally *tally, const struct tally_key *key)
{
	uint32_t hash = map_hash(key, sizeof(*key));
	struct map_slot *slot;

	map_grow(&tally->map);
	slot = map_find(&tally->map, hash, is_same, &(struct key){tally, key});
	if (slot->id != MAP_NONE)
		return &tally->list[slot->id];
	map_fill(&tally->map, slot, hash, tally->nr);
	GROW(tally->list, (size_t)tally->nr + 1, tally->list_alloc);
	tally->list[tally->nr] = (struct tally_entry){.key = *key};
	return &tally->list[tally->nr++];
}

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct tally *tally = (struct tally *)sink;
	struct tally_key key = {
		.callers = sample->callers,
		.leaf = sample->leaf,
		.event = sample->event,
		.root = root_of(tally, sample),
	};
	struct tally_entry *entry;

	if (key.leaf != LOCATION_NONE && !tally->options.keeps_address)
		key.leaf = locations_symbol(&tally->capture->locations, key.leaf);
	entry = entry_of(tally, &key);
	entry->count += sample->count;
	entry->period += sample->period;
	return NULL;
}

void tally_init(struct tally *tally, struct capture *capture, const struct tally_options *options)
{
	*tally = (struct tally){
		.sink = {.sample = on_sample},
		.capture = capture,
		.options = *options,
	};
}

void tally_release(struct tally *tally)
{
	free(tally->list);
	map_release(&tally->map);
	free(tally->roots);
	map_release(&tally->root_map);
	free(tally->root_of_task);
	*tally = (struct tally){0};
}
