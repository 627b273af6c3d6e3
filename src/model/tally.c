/* tally.c - a sink that keeps weights per call chain in memory and writes no row */
#include "model/tally.h"

#include "base/mem.h"
#include "model/capture.h"

#define ROOT_NOT_YET UINT32_MAX

struct root_key {
	const struct tally *tally;
	const struct tally_root *root;
};

_Static_assert(sizeof(struct tally_root) == 24, "padding in struct tally_root");
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
		.task = by == TALLY_BY_TASK ? task_id : TASK_NONE,
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

	if (tally->options.by == TALLY_BY_CPU)
		return make_root(tally, sample->task, sample->cpu);
	if (sample->task == TASK_NONE) {
		if (tally->root_of_nobody == ROOT_NOT_YET)
			tally->root_of_nobody = make_root(tally, TASK_NONE, CPU_NONE);
		return tally->root_of_nobody;
	}
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

static uint32_t add_entry(struct tally *tally, const struct tally_key *key)
{
	GROW(tally->list, (size_t)tally->nr + 1, tally->list_alloc);
	tally->list[tally->nr] = (struct tally_entry){.key = *key};
	return tally->nr++;
}

/* Key by key cheaper than a hash of their bytes: this is done twice for each sample. */
static uint32_t hash_of(const struct tally_key *key)
{
	uint64_t hash = (uint64_t)key->leaf << 32 | key->callers;

	hash ^= ((uint64_t)key->root << 32 | key->event) * UINT64_C(0xc2b2ae3d27d4eb4f);
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(hash >> 32);
}

static uint32_t find_by_hash(struct tally *tally, const struct tally_key *key)
{
	uint32_t hash = hash_of(key);
	struct map_slot *slot;

	map_grow(&tally->map);
	slot = map_find(&tally->map, hash, is_same, &(struct key){tally, key});
	if (slot->id != MAP_NONE)
		return slot->id;
	map_fill(&tally->map, slot, hash, tally->nr);
	return add_entry(tally, key);
}

static uint32_t *first_of(struct tally *tally, uint32_t callers)
{
	while (tally->of_callers_nr <= callers) {
		GROW(tally->of_callers, tally->of_callers_nr + 1, tally->of_callers_alloc);
		tally->of_callers[tally->of_callers_nr++] = TALLY_NONE;
	}
	return &tally->of_callers[callers];
}

/*
 * The first entry of a stack needs no hash: most text and folded stacks have no other. Where leaves
 * are addresses most have several, and to look at the first one is a miss of the cache for nothing.
 */
static uint32_t find_entry(struct tally *tally, const struct tally_key *key)
{
	uint32_t *first;

	if (!tally->nr)
		tally->has_all = tally->capture->has_offsets && !tally->capture->locations.named_nr;
	if (tally->has_all)
		return find_by_hash(tally, key);
	first = first_of(tally, key->callers);
	if (*first == TALLY_NONE)
		*first = add_entry(tally, key);
	else if (memcmp(&tally->list[*first].key, key, sizeof(*key)) != 0)
		return find_by_hash(tally, key);
	return *first;
}

/* A place without a name, which may get one. Mostly all are, and none has to be looked at. */
static bool is_place(const struct capture *capture, uint32_t location)
{
	const struct locations *locations = &capture->locations;

	return !locations->named_nr || locations_get(locations, location)->name == NAME_NONE;
}

static uint32_t leaf_of(const struct tally *tally, uint32_t leaf)
{
	const struct capture *capture = tally->capture;

	if (leaf == LOCATION_NONE || tally->options.keeps_address ||
	    (capture->has_offsets && is_place(capture, leaf)))
		return leaf;
	return locations_symbol(&capture->locations, leaf);
}

static uint32_t find(struct tally *tally, const struct sample *sample)
{
	const struct tally_key key = {
		.callers = sample->callers,
		.leaf = leaf_of(tally, sample->leaf),
		.event = sample->event,
		.root = root_of(tally, sample),
	};

	return find_entry(tally, &key);
}

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct tally *tally = (struct tally *)sink;
	struct tally_entry *entry;

	tally->last = sample->known == SAMPLE_NOT_KNOWN ? find(tally, sample) : sample->known - 1;
	entry = &tally->list[tally->last];
	entry->count += sample->count;
	entry->period += sample->period;
	return NULL;
}

/* The entry's number and 1. Where CPUs are kept apart it may be another for the next sample. */
static uint32_t known(const struct sink *sink)
{
	const struct tally *tally = (const struct tally *)sink;

	return tally->options.by == TALLY_BY_CPU ? SAMPLE_NOT_KNOWN : tally->last + 1;
}

/* An entry may stand on the border of two lines. */
static void fetch(const struct tally *tally, uint32_t id)
{
	const struct tally_entry *entry = &tally->list[id];

	__builtin_prefetch(entry);
	__builtin_prefetch(&entry->period);
}

static void fetch_first(const struct tally *tally, uint32_t callers, bool is_again)
{
	if (callers >= tally->of_callers_nr)
		return;
	if (!is_again)
		__builtin_prefetch(&tally->of_callers[callers]);
	else if (tally->of_callers[callers] != TALLY_NONE)
		fetch(tally, tally->of_callers[callers]);
}

/* Entries lie all over memory, and one that is not at hand costs more than all else here. */
static void soon(const struct sink *sink, const struct sample *sample, bool is_again)
{
	const struct tally *tally = (const struct tally *)sink;
	const struct map_slot *slot;
	struct tally_key key = {
		.callers = sample->callers,
		.event = sample->event,
	};

	if (sample->known != SAMPLE_NOT_KNOWN) {
		if (!is_again)
			fetch(tally, sample->known - 1);
		return;
	}
	if (sample->task >= tally->root_of_task_nr || !tally->map.slots)
		return;
	if (!tally->has_all)
		fetch_first(tally, key.callers, is_again);
	key.leaf = leaf_of(tally, sample->leaf);
	key.root = tally->root_of_task[sample->task];
	slot = &tally->map.slots[hash_of(&key) & tally->map.mask];
	if (!is_again)
		__builtin_prefetch(slot);
	else if (slot->id != MAP_NONE)
		fetch(tally, slot->id);
}

static void expect(struct sink *sink, size_t nr)
{
	struct tally *tally = (struct tally *)sink;

	GROW(tally->list, tally->nr + nr, tally->list_alloc);
	GROW(tally->of_callers, tally->of_callers_nr + nr, tally->of_callers_alloc);
}

void tally_init(struct tally *tally, struct capture *capture, const struct tally_options *options)
{
	*tally = (struct tally){
		.sink = {.sample = on_sample, .soon = soon, .expect = expect, .known = known},
		.capture = capture,
		.options = *options,
		.root_of_nobody = ROOT_NOT_YET,
	};
}

void tally_release(struct tally *tally)
{
	free(tally->list);
	free(tally->of_callers);
	map_release(&tally->map);
	free(tally->roots);
	map_release(&tally->root_map);
	free(tally->root_of_task);
	*tally = (struct tally){0};
}
