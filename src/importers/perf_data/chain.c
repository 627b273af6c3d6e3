/* chain.c - call chains of addresses to locations: module and place in it */
#include "importers/perf_data/chain.h"

#include "base/mem.h"
#include "importers/perf_data/attr.h"
#include "importers/perf_data/record_types.h"
#include "importers/perf_data/sample.h"
#include "model/capture.h"

/* Spaces that are of no process and have no maps. */
enum {
	SPACE_HYPERVISOR = -2,
	SPACE_GUEST = -3,
	SPACE_UNKNOWN = -4,
	SPACE_NOBODY = -5, /* user code of a process that has no id any more */
};

/* 2^64 over the golden ratio: its products differ in their high bits. */
#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

#define KERNEL_BEGIN 0x8000000000000000u

/* The maps of a space are others than before. */
static void changed(struct perf_chains *chains, int32_t space)
{
	if (space == SPACE_KERNEL)
		chains->kernel_version = spaces_get(&chains->spaces, SPACE_KERNEL)->version;
	else
		chains->user_pid = SPACE_KERNEL;
}

/* The version of a space's maps. Those that have none have one that no maps get to. */
static uint64_t version_of(struct perf_chains *chains, int32_t space)
{
	if (space == SPACE_KERNEL)
		return chains->kernel_version;
	if (space < SPACE_KERNEL)
		return (UINT64_C(1) << 60) - (uint64_t) - (int64_t)space;
	if (space != chains->user_pid) {
		chains->user_pid = space;
		chains->user_version = spaces_get(&chains->spaces, space)->version;
	}
	return chains->user_version;
}

void perf_chains_init(struct perf_chains *chains, struct capture *capture)
{
	*chains = (struct perf_chains){
		.capture = capture,
		.kernel_module = MODULE_NONE,
		.caller_flags = LOCATION_RETURN,
		.places = mem_zalloc(PERF_PLACES, sizeof(*chains->places)),
		.user_pid = SPACE_KERNEL,
	};
	changed(chains, SPACE_KERNEL);
}

void perf_chains_release(struct perf_chains *chains)
{
	spaces_release(&chains->spaces);
	perf_carried_release(&chains->carried);
	memo_release(&chains->chains);
	free(chains->places);
	free(chains->ids);
}

static uint32_t module_called(struct perf_chains *chains, const char *path, size_t size,
			      uint32_t build_id)
{
	struct capture *capture = chains->capture;

	return modules_add_build(&capture->modules, &capture->names,
				 names_add(&capture->names, path, size), build_id);
}

void perf_chains_build_id(struct perf_chains *chains, const char *path, size_t path_size,
			  uint32_t build_id, enum id_source source)
{
	uint32_t id = module_called(chains, path, path_size, build_id);
	struct module *module = &chains->capture->modules.list[id];

	if (module->id_source == ID_NONE_RECORDED)
		module->id_source = source;
}

void perf_chains_reference(struct perf_chains *chains, const char *path, size_t path_size,
			   const char *symbol, size_t symbol_size)
{
	struct capture *capture = chains->capture;
	uint32_t id = module_called(chains, path, path_size, NAME_NONE);

	if (symbol_size)
		capture->modules.list[id].reference =
			names_add(&capture->names, symbol, symbol_size);
}

static uint64_t end_of(uint64_t begin, uint64_t size)
{
	return begin > UINT64_MAX - size ? UINT64_MAX : begin + size;
}

void perf_chains_map(struct perf_chains *chains, int32_t pid, uint64_t begin, uint64_t size,
		     uint64_t offset, const char *path, size_t path_size, uint32_t build_id,
		     bool is_data)
{
	struct space_map map = {begin, end_of(begin, size), offset,
				module_called(chains, path, path_size, build_id), NAME_NONE};
	struct module *module = &chains->capture->modules.list[map.module];

	if (!is_data)
		module_add_map(module, offset);
	if (build_id != NAME_NONE)
		module->id_source = ID_MMAP2;
	chains->refused += !spaces_add(&chains->spaces, pid, &map);
	changed(chains, pid);
}

void perf_chains_name(struct perf_chains *chains, uint64_t begin, uint64_t size, const char *module,
		      size_t module_size, uint32_t name)
{
	struct space_map map = {begin, end_of(begin, size), 0,
				module_called(chains, module, module_size, NAME_NONE), name};

	chains->refused += !spaces_add(&chains->spaces, SPACE_KERNEL, &map);
	changed(chains, SPACE_KERNEL);
}

void perf_chains_unname(struct perf_chains *chains, uint64_t begin, uint64_t size)
{
	spaces_remove(&chains->spaces, SPACE_KERNEL, begin, end_of(begin, size));
	changed(chains, SPACE_KERNEL);
}

void perf_chains_fork(struct perf_chains *chains, int32_t pid, int32_t parent)
{
	spaces_fork(&chains->spaces, pid, parent);
	changed(chains, pid);
}

void perf_chains_exec(struct perf_chains *chains, int32_t pid)
{
	spaces_exec(&chains->spaces, pid);
}

void perf_chains_exit(struct perf_chains *chains, int32_t pid)
{
	spaces_exit(&chains->spaces, pid);
	changed(chains, pid);
}

/* The space that addresses of a mode are in. */
static int32_t space_of_mode(unsigned mode, int32_t pid)
{
	switch (mode) {
	case PERF_MISC_KERNEL:
		return SPACE_KERNEL;
	case PERF_MISC_USER:
		return pid;
	case PERF_MISC_HYPERVISOR:
		return SPACE_HYPERVISOR;
	case PERF_MISC_GUEST_KERNEL:
	case PERF_MISC_GUEST_USER:
		return SPACE_GUEST;
	default:
		return SPACE_UNKNOWN;
	}
}

int32_t perf_chains_space(uint64_t marker, int32_t pid)
{
	switch (marker) {
	case PERF_CONTEXT_HV:
		return SPACE_HYPERVISOR;
	case PERF_CONTEXT_KERNEL:
		return SPACE_KERNEL;
	case PERF_CONTEXT_USER:
		return pid;
	case PERF_CONTEXT_GUEST:
	case PERF_CONTEXT_GUEST_KERNEL:
	case PERF_CONTEXT_GUEST_USER:
		return SPACE_GUEST;
	default:
		return SPACE_UNKNOWN;
	}
}

static uint32_t module_without_map(struct perf_chains *chains, int32_t space)
{
	static const char kernel[] = "[kernel.kallsyms]", guest[] = "[guest.kernel.kallsyms]";
	static const char hypervisor[] = "[hypervisor]";

	switch (space) {
	case SPACE_KERNEL:
		if (chains->kernel_module == MODULE_NONE)
			chains->kernel_module =
				module_called(chains, kernel, strlen(kernel), NAME_NONE);
		return chains->kernel_module;
	case SPACE_HYPERVISOR:
		return module_called(chains, hypervisor, strlen(hypervisor), NAME_NONE);
	case SPACE_GUEST:
		return module_called(chains, guest, strlen(guest), NAME_NONE);
	default:
		return MODULE_NONE;
	}
}

static struct location locate(struct perf_chains *chains, int32_t space, uint64_t ip,
			      unsigned flags)
{
	struct location location = {
		.address = ip,
		.name = NAME_NONE,
		.module = MODULE_NONE,
		.line = NAME_NONE,
		.flags = LOCATION_HAS_ADDRESS | flags,
	};
	const struct space_map *map = NULL;

	if (space >= SPACE_KERNEL)
		map = spaces_find(spaces_get(&chains->spaces, space), ip);
	location.module = map ? map->module : module_without_map(chains, space);
	/* in files addresses are where they stand in the file; the kernel has no file */
	if (map && space != SPACE_KERNEL)
		location.address = ip - map->begin + map->offset;
	if (map && map->name != NAME_NONE)
		location.name = map->name;
	else if (location.module != MODULE_NONE)
		location.name = perf_carried_find(
			&chains->carried, chains->capture->modules.list[location.module].path, map,
			ip);
	return location;
}

/* Versions of maps that fit into a key; behind them stand the spaces that have no maps. */
#define KEY_VERSIONS (UINT64_C(1) << 28)
#define KEY_NONE     UINT32_MAX

/*
 * What an address means depends on the maps of its space, and on whether it is a return address.
 * What was found under another version of the maps may not hold. KEY_NONE: nothing is kept, the
 * maps have changed too often.
 */
static uint32_t key_of(struct perf_chains *chains, int32_t space, unsigned flags)
{
	uint64_t version = version_of(chains, space);

	if (space < SPACE_KERNEL)
		version = KEY_VERSIONS + (uint64_t) - (int64_t)space;
	else if (version >= KEY_VERSIONS)
		return KEY_NONE;
	return (uint32_t)version << 3 ^ flags;
}

static struct perf_place *slot_of(const struct perf_chains *chains, uint64_t ip, uint32_t key)
{
	return &chains->places[(ip ^ (uint64_t)key << 40) * GOLDEN >> 50];
}

uint32_t perf_chains_place(struct perf_chains *chains, int32_t space, int32_t pid, uint64_t ip,
			   unsigned flags)
{
	struct perf_place *place;
	struct location location;
	uint32_t key, id;

	if (space == SPACE_UNKNOWN)
		space = ip >= KERNEL_BEGIN ? SPACE_KERNEL : pid;
	key = key_of(chains, space, flags);
	place = slot_of(chains, ip, key);
	if (place->ip == ip && place->key == key)
		return place->location;
	location = locate(chains, space, ip, flags);
	id = locations_add(&chains->capture->locations, &location);
	if (key != KEY_NONE)
		*place = (struct perf_place){ip, key, id};
	return id;
}

_Static_assert(PERF_PLACES == 1 << (64 - 50), "the high bits of the hash are the index");

/* ---- chains */

/* Where the leaf is in the chain, and in which space; the chain's size where there is none. */
static size_t find_leaf(const struct bytes *chain, size_t nr, int32_t pid, int32_t *space)
{
	for (size_t i = 0; i < nr; i++) {
		uint64_t ip = perf_sample_word(chain, i);

		if (ip < PERF_CONTEXT_FIRST)
			return i;
		*space = perf_chains_space(ip, pid);
		i += ip == PERF_CONTEXT_USER_DEFERRED; /* a cookie, which is no address */
	}
	return nr;
}

/* Chains come leaf first, stacks are kept outermost first. */
static void reverse(uint32_t *ids, size_t nr)
{
	for (size_t i = 0, j = nr; i + 1 < j--; i++) {
		uint32_t swap = ids[i];

		ids[i] = ids[j];
		ids[j] = swap;
	}
}

/* The chain behind its leaf as a stack: callers from the outermost on. */
static uint32_t stack_of(struct perf_chains *chains, const struct bytes *chain, size_t begin,
			 size_t nr, int32_t space, int32_t pid)
{
	struct capture *capture = chains->capture;
	unsigned flags = chains->caller_flags;
	size_t kept = 0;

	GROW(chains->ids, nr + 1, chains->ids_alloc);
	for (size_t i = begin; i < nr && kept < STACK_FRAMES_MAX; i++) {
		uint64_t ip = perf_sample_word(chain, i);

		if (ip >= PERF_CONTEXT_FIRST) {
			space = perf_chains_space(ip, pid);
			flags = 0; /* where this context was left, by no call */
			/* a cookie follows, which is no address */
			i += ip == PERF_CONTEXT_USER_DEFERRED;
			continue;
		}
		chains->ids[kept++] = perf_chains_place(chains, space, pid, ip, flags);
		flags = chains->caller_flags;
	}
	reverse(chains->ids, kept);
	return stacks_add(&capture->stacks, chains->ids, (uint32_t)kept);
}

/* Chains repeat; what the same bytes in the same process meant the last time they mean again. */
static uint32_t known_stack(struct perf_chains *chains, const struct bytes *chain,
			    const struct perf_chain_hint *hint, int32_t pid)
{
	size_t nr = bytes_left(chain) / 8;
	uint32_t known = memo_find(&chains->chains, hint->key);

	if (known != MEMO_NONE)
		return known;
	known = stack_of(chains, chain, hint->leaf + 1, nr, hint->space, pid);
	memo_add(&chains->chains, hint->key, known);
	return known;
}

static uint32_t empty_stack(struct perf_chains *chains)
{
	return stacks_add(&chains->capture->stacks, NULL, 0);
}

/*
 * Last branches as a call stack (perf record --call-graph lbr): the newest entry's target is
 * the leaf, the sources of all are its callers; they replace the user part of the chain, whose
 * kernel part stays in front.
 */
static void find_by_branches(struct perf_chains *chains, const struct perf_sample *sample,
			     size_t kernel_nr, int32_t pid, uint32_t *ret_callers,
			     uint32_t *ret_leaf)
{
	const struct bytes *branches = &sample->branches;
	size_t nr = bytes_left(branches) / 24, kept = 0;
	int32_t space = SPACE_KERNEL;
	unsigned flags = 0;

	GROW(chains->ids, kernel_nr + nr + 2, chains->ids_alloc);
	for (size_t i = 0; i < kernel_nr; i++) {
		uint64_t ip = perf_sample_word(&sample->chain, i);

		if (ip >= PERF_CONTEXT_FIRST) {
			space = perf_chains_space(ip, pid);
			flags = 0;
			continue;
		}
		chains->ids[kept++] = perf_chains_place(chains, space, pid, ip, flags);
		flags = chains->caller_flags;
	}
	/* a branch's source is the call itself */
	chains->ids[kept++] = perf_chains_place(chains, pid, pid, perf_sample_word(branches, 1), 0);
	for (size_t i = 0; i < nr && kept < STACK_FRAMES_MAX; i++) {
		uint64_t from = perf_sample_word(branches, 3 * i);

		if (!from && !perf_sample_word(branches, 3 * i + 1))
			break;
		chains->ids[kept++] = perf_chains_place(chains, pid, pid, from, 0);
	}
	*ret_leaf = chains->ids[0];
	reverse(chains->ids, kept);
	*ret_callers = stacks_add(&chains->capture->stacks, chains->ids, (uint32_t)(kept - 1));
}

/* The index of the user marker in the chain, nr where there is none. */
static size_t find_user(const struct bytes *chain, size_t nr)
{
	size_t i = 0;

	while (i < nr && perf_sample_word(chain, i) != PERF_CONTEXT_USER)
		i++;
	return i;
}

int32_t perf_chains_process(uint32_t pid)
{
	return (int32_t)pid < 0 ? SPACE_NOBODY : (int32_t)pid;
}

int32_t perf_chains_pid(const struct perf_sample *sample)
{
	return perf_chains_process(sample->pid);
}

/* A version of a process's maps is of no other process. */
static uint64_t where_of(struct perf_chains *chains, int32_t pid, uint64_t kind)
{
	return (version_of(chains, pid) << 32 ^ chains->kernel_version << 3 ^ kind) * GOLDEN;
}

uint64_t perf_chains_where(struct perf_chains *chains, int32_t pid, unsigned misc)
{
	return where_of(chains, pid, misc & PERF_MISC_CPUMODE);
}

void perf_chains_look_ips(struct perf_chains *chains, const struct bytes *chain, int32_t pid,
			  unsigned misc, struct perf_chain_hint *ret)
{
	size_t nr = bytes_left(chain) / 8, begin;
	uint64_t kind, where;
	int32_t space;

	space = space_of_mode(misc & PERF_MISC_CPUMODE, pid);
	begin = find_leaf(chain, nr, pid, &space) + 1;
	ret->space = space;
	ret->leaf = begin - 1;
	if (begin >= nr)
		return;
	/* spaces that are not the process itself are few */
	kind = space == pid ? 0 : (uint64_t)(-(int64_t)space);
	where = where_of(chains, pid, kind);
	ret->key = memo_key(chain->at + begin * 8, (nr - begin) * 8);
	ret->key.high ^= where;
	ret->key.low ^= where;
}

void perf_chains_fetch(struct perf_chains *chains, const struct bytes *ips,
		       const struct perf_chain_hint *hint)
{
	size_t nr = bytes_left(ips) / 8;

	if (hint->leaf < nr)
		__builtin_prefetch(slot_of(chains, perf_sample_word(ips, hint->leaf),
					   key_of(chains, hint->space, 0)));
	if (hint->leaf + 1 < nr)
		memo_prefetch(&chains->chains, hint->key);
}

void perf_chains_look(struct perf_chains *chains, const struct perf_sample *sample, unsigned misc,
		      struct perf_chain_hint *ret)
{
	perf_chains_look_ips(chains, &sample->chain, perf_chains_pid(sample), misc, ret);
	perf_chains_fetch(chains, &sample->chain, ret);
}

void perf_chains_find_ips(struct perf_chains *chains, const struct bytes *ips, int32_t pid,
			  const struct perf_chain_hint *hint, uint32_t *ret_callers,
			  uint32_t *ret_leaf)
{
	*ret_leaf =
		perf_chains_place(chains, hint->space, pid, perf_sample_word(ips, hint->leaf), 0);
	*ret_callers = hint->leaf + 1 == bytes_left(ips) / 8 ? empty_stack(chains)
							     : known_stack(chains, ips, hint, pid);
}

void perf_chains_find_ip(struct perf_chains *chains, const uint64_t *ip, int32_t pid, unsigned misc,
			 uint32_t *ret_callers, uint32_t *ret_leaf)
{
	int32_t space = space_of_mode(misc & PERF_MISC_CPUMODE, pid);

	*ret_callers = empty_stack(chains);
	*ret_leaf = ip ? perf_chains_place(chains, space, pid, *ip, 0) : LOCATION_NONE;
}

void perf_chains_find(struct perf_chains *chains, const struct perf_attr *attr,
		      const struct perf_sample *sample, unsigned misc,
		      const struct perf_chain_hint *hint, uint32_t *ret_callers, uint32_t *ret_leaf)
{
	const struct bytes *chain = &sample->chain;
	size_t nr = bytes_left(chain) / 8, user;
	int32_t pid = perf_chains_pid(sample);

	if (perf_attr_is_call_stack(attr) && bytes_left(&sample->branches) >= 24) {
		user = find_user(chain, nr);
		if (user < nr) {
			find_by_branches(chains, sample, user, pid, ret_callers, ret_leaf);
			return;
		}
	}
	if (hint->leaf == nr) /* no chain, or one of markers only */
		perf_chains_find_ip(chains, sample->has_ip ? &sample->ip : NULL, pid, misc,
				    ret_callers, ret_leaf);
	else
		perf_chains_find_ips(chains, chain, pid, hint, ret_callers, ret_leaf);
}
