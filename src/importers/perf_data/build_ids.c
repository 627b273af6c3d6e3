/* build_ids.c - build IDs: of the header's table, and of mappings */
#include "importers/perf_data/build_ids.h"

#include <stdio.h>
#include <string.h>

#include "importers/perf_data/record_types.h"
#include "importers/perf_data/state.h"

uint32_t perf_build_id_name(struct perf_data *data, struct bytes id, unsigned size)
{
	enum {
		BUILD_ID_MAX = 20
	};
	char hex[2 * BUILD_ID_MAX + 1];
	unsigned any = 0;

	if (!size || size > BUILD_ID_MAX || size > bytes_left(&id))
		return NAME_NONE;
	for (unsigned i = 0; i < size; i++) {
		snprintf(hex + 2 * i, 3, "%02x", id.at[i]);
		any |= id.at[i];
	}
	return any ? names_add(&data->capture->names, hex, 2 * (size_t)size) : NAME_NONE;
}

/* Nothing says how long it is: of 16 and 8 bytes the rest of the 20 is zero. */
static uint8_t unpadded_size(struct bytes id)
{
	static const unsigned char zeros[12];

	if (memcmp(id.at + 8, zeros, 12) == 0)
		return 8;
	return memcmp(id.at + 16, zeros, 4) == 0 ? 16 : 20;
}

/*
 * An entry of the BUILD_ID table, which is a record, too: s32 pid, u8 id[20], u8 size, name.
 * Before 2.6.34 there was no pid; then the name seems to begin inside the kernel's.
 */
bool perf_build_ids_take(struct perf_data *data, struct bytes *bytes, enum id_source source)
{
	struct bytes entry = *bytes, name;
	uint32_t type, pid;
	uint16_t misc, size;
	struct bytes id;
	uint8_t id_size = 0;
	const char *path;
	size_t path_size;
	uint32_t build_id;

	if (!bytes_u32(&entry, &type) || !bytes_u16(&entry, &misc) || !bytes_u16(&entry, &size) ||
	    size < 36 || !bytes_part(bytes, size, &entry))
		return false;
	bytes_skip(&entry, 8);
	bytes_u32(&entry, &pid);
	bytes_part(&entry, 20, &id);
	bytes_u8(&entry, &id_size);
	bytes_skip(&entry, 3);
	name = entry;
	path_size = bytes_string(&name, &path);
	if (path_size >= 4 && memcmp(path, "nel.", 4) == 0)
		return true; /* of the oldest kind; its ids stand elsewhere */
	if (!(misc & PERF_MISC_BUILD_ID_SIZE))
		id_size = unpadded_size(id);
	build_id = perf_build_id_name(data, id, id_size);
	if (build_id != NAME_NONE && path_size)
		perf_chains_build_id(&data->chains, path, path_size, build_id, source);
	return true;
}
