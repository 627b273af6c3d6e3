/* mappings.c - MMAP records: what a mapping is called, and what addresses in it mean */
#include "importers/perf_data/mappings.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "importers/perf_data/build_ids.h"
#include "importers/perf_data/state.h"

static bool begins_with_one_of(const char *path, size_t size, const char *const *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (size >= strlen(words[i]) && memcmp(path, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

/*
 * Memory of no file that is executed holds code that a runtime made. perf calls it after the
 * file that runtimes write the names of such code to.
 */
static bool is_generated_code(const char *path, size_t size)
{
	static const char *const words[] = {"//anon", "/dev/zero", "/anon_hugepage", "[anon"};

	return begins_with_one_of(path, size, words, ARRAY_NR(words));
}

/* What has no file has no offset in one: its addresses stay as they are. */
static bool is_no_file(const char *path, size_t size)
{
	static const char *const words[] = {"[stack", "[heap]", "/SYSV"};

	return begins_with_one_of(path, size, words, ARRAY_NR(words));
}

void perf_mapping_take(struct perf_data *data, const struct perf_record *record, struct bytes body)
{
	uint32_t pid, tid;
	uint64_t begin, size, offset;
	uint32_t build_id = NAME_NONE;
	struct bytes ids;
	const char *path;
	size_t path_size;

	if (!bytes_u32(&body, &pid) || !bytes_u32(&body, &tid) || !bytes_u64(&body, &begin) ||
	    !bytes_u64(&body, &size) || !bytes_u64(&body, &offset))
		return;
	ids = body;
	if (record->type == PERF_RECORD_MMAP2 && !bytes_skip(&body, 32))
		return;
	if (record->type == PERF_RECORD_MMAP2 && record->misc & PERF_MISC_MMAP_BUILD_ID) {
		uint8_t id_size = 0;

		bytes_u8(&ids, &id_size);
		bytes_skip(&ids, 3);
		build_id = perf_build_id_name(data, ids, id_size);
	}
	if (record->type == PERF_RECORD_MMAP && record->misc & PERF_MISC_MMAP_DATA)
		return; /* data, no code */
	path_size = bytes_string(&body, &path);
	if ((record->misc & PERF_MISC_CPUMODE) == PERF_MISC_KERNEL || pid == UINT32_MAX) {
		const char *bracket =
			path_size && *path == '[' ? memchr(path, ']', path_size) : NULL;

		/* "[kernel.kallsyms]_text" tells the symbol that stood at `offset` */
		if (bracket) {
			size_t bracket_size = (size_t)(bracket - path) + 1;

			perf_chains_reference(&data->chains, path, bracket_size, bracket + 1,
					      path_size - bracket_size);
			path_size = bracket_size;
		}
		pid = (uint32_t)SPACE_KERNEL;
	}
	if (pid != (uint32_t)SPACE_KERNEL && is_generated_code(path, path_size)) {
		char map[32];
		int map_size =
			snprintf(map, sizeof(map), "/tmp/perf-%" PRId32 ".map", (int32_t)pid);

		perf_chains_map(&data->chains, (int32_t)pid, begin, size, begin, map,
				(size_t)map_size, NAME_NONE, false);
		return;
	}
	if (path_size && is_no_file(path, path_size))
		offset = begin;
	perf_chains_map(&data->chains, (int32_t)pid, begin, size, offset, path, path_size, build_id,
			record->misc & PERF_MISC_MMAP_DATA);
}
