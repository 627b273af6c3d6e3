/* carried.c - names of code that the recording itself carries (simpleperf) */
#include "importers/perf_data/carried.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model/names.h"
#include "model/spaces.h"

static const char kallsyms_path[] = "[kernel.kallsyms]";

void perf_carried_release(struct perf_carried *carried)
{
	for (uint32_t i = 0; i < carried->nr; i++)
		free(carried->list[i].list);
	free(carried->list);
	map_release(&carried->map);
	*carried = (struct perf_carried){0};
}

/* ---- files */

struct key {
	const struct perf_carried *carried;
	uint32_t path;
};

static bool is_same(const void *key_of, uint32_t index)
{
	const struct key *key = key_of;

	return key->carried->list[index].path == key->path;
}

static struct map_slot *slot_of(const struct perf_carried *carried, uint32_t path)
{
	return map_find(&carried->map, map_hash(&path, sizeof(path)), is_same,
			&(struct key){carried, path});
}

/* The file of this path; NULL where there are too many. */
static struct perf_carried_file *file_of(struct perf_carried *carried, uint32_t path)
{
	struct map_slot *slot;

	map_grow(&carried->map);
	slot = slot_of(carried, path);
	if (slot->id != MAP_NONE)
		return &carried->list[slot->id];
	if (carried->nr >= PERF_CARRIED_FILES_MAX)
		return NULL;
	map_fill(&carried->map, slot, map_hash(&path, sizeof(path)), carried->nr);
	GROW(carried->list, (size_t)carried->nr + 1, carried->alloc);
	carried->list[carried->nr] = (struct perf_carried_file){.path = path};
	return &carried->list[carried->nr++];
}

static void add_symbol(struct perf_carried *carried, struct perf_carried_file *file, uint64_t begin,
		       uint64_t size, uint32_t name)
{
	uint64_t end = begin + size < begin ? UINT64_MAX : begin + size;

	if (carried->symbols_nr >= PERF_CARRIED_SYMBOLS_MAX)
		return;
	carried->symbols_nr++;
	GROW(file->list, (size_t)file->nr + 1, file->alloc);
	file->list[file->nr++] = (struct perf_carried_symbol){begin, end, name};
}

static int compare(const void *a_of, const void *b_of)
{
	const struct perf_carried_symbol *a = a_of, *b = b_of;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static void sort(struct perf_carried_file *file)
{
	if (file->nr)
		qsort(file->list, file->nr, sizeof(*file->list), compare);
}

/* ---- feature FILE */

static bool take_string(struct bytes *bytes, struct names *names, uint32_t *ret)
{
	const char *s;
	size_t size = bytes_string(bytes, &s);

	if (!bytes_skip(bytes, size + 1))
		return false;
	*ret = names_add(names, s, size);
	return true;
}

static bool take_symbols(struct perf_carried *carried, struct perf_carried_file *file,
			 struct names *names, struct bytes *bytes)
{
	uint32_t nr, size, name;
	uint64_t begin;

	if (!bytes_u32(bytes, &nr))
		return false;
	while (nr--) {
		if (!bytes_u64(bytes, &begin) || !bytes_u32(bytes, &size) ||
		    !take_string(bytes, names, &name))
			return false;
		add_symbol(carried, file, begin, size, name);
	}
	return true;
}

static bool take_file(struct perf_carried *carried, struct names *names, struct bytes bytes)
{
	struct perf_carried_file *file;
	uint32_t path, kind;
	bool is_good;

	if (!take_string(&bytes, names, &path) || !bytes_u32(&bytes, &kind))
		return false;
	file = file_of(carried, path);
	if (!file)
		return true;
	file->kind = kind;
	is_good = bytes_u64(&bytes, &file->min_vaddr) && take_symbols(carried, file, names, &bytes);
	/* recordings before Android 10 end here */
	if (is_good && (kind == PERF_CARRIED_ELF || kind == PERF_CARRIED_KERNEL_MODULE))
		file->has_base = bytes_u64(&bytes, &file->base);
	sort(file);
	return is_good;
}

bool perf_carried_take_files(struct perf_carried *carried, struct names *names, struct bytes bytes)
{
	struct bytes entry;
	uint32_t size;

	while (bytes_left(&bytes))
		if (!bytes_u32(&bytes, &size) || !bytes_part(&bytes, size, &entry) ||
		    !take_file(carried, names, entry))
			return false;
	return true;
}

/* ---- feature FILE2: protobuf */

/* A base-128 number, the lowest 7 bits first: at most 10 bytes. */
static bool take_varint(struct bytes *bytes, uint64_t *ret)
{
	uint8_t byte;

	*ret = 0;
	for (unsigned shift = 0; shift < 70; shift += 7) {
		if (!bytes_u8(bytes, &byte))
			return false;
		if (shift < 64)
			*ret |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* A field: its number, and its value as a number or as bytes. */
struct proto_field {
	uint64_t number, value;
	struct bytes bytes;
};

/* Wire types: 0 a varint, 1 eight bytes, 2 a length and bytes, 5 four bytes. */
static bool take_field(struct bytes *bytes, struct proto_field *ret)
{
	uint64_t tag;
	uint32_t word = 0;

	*ret = (struct proto_field){.bytes = {bytes->at, bytes->at, false}};
	if (!take_varint(bytes, &tag))
		return false;
	ret->number = tag >> 3;
	switch (tag & 7) {
	case 0:
		return take_varint(bytes, &ret->value);
	case 1:
		return bytes_u64(bytes, &ret->value);
	case 2:
		return take_varint(bytes, &ret->value) &&
		       bytes_part(bytes, ret->value, &ret->bytes);
	case 5:
		if (!bytes_u32(bytes, &word))
			return false;
		ret->value = word;
		return true;
	default:
		return false;
	}
}

static uint32_t add_name(struct names *names, struct bytes bytes)
{
	return names_add(names, (const char *)bytes.at, bytes_left(&bytes));
}

/* Symbol { uint64 vaddr = 1; uint32 len = 2; string name = 3; } */
static bool take_symbol2(struct perf_carried *carried, struct perf_carried_file *file,
			 struct names *names, struct bytes bytes)
{
	struct proto_field field;
	uint64_t begin = 0, size = 0;
	uint32_t name = NAME_NONE;

	while (bytes_left(&bytes)) {
		if (!take_field(&bytes, &field))
			return false;
		if (field.number == 1)
			begin = field.value;
		else if (field.number == 2)
			size = field.value;
		else if (field.number == 3)
			name = add_name(names, field.bytes);
	}
	if (name != NAME_NONE)
		add_symbol(carried, file, begin, size, name);
	return true;
}

/* ElfFile and KernelModule: { uint64 base = 1; } */
static void take_base(struct perf_carried_file *file, struct bytes bytes)
{
	struct proto_field field;

	file->has_base = true;
	while (bytes_left(&bytes) && take_field(&bytes, &field))
		if (field.number == 1)
			file->base = field.value;
}

/* The path stands first where simpleperf wrote it; elsewhere its symbols are of no file. */
static uint32_t path_of(struct bytes bytes, struct names *names)
{
	struct proto_field field;

	while (bytes_left(&bytes) && take_field(&bytes, &field))
		if (field.number == 1)
			return add_name(names, field.bytes);
	return NAME_NONE;
}

/*
 * FileFeature { string path = 1; uint32 type = 2; uint64 min_vaddr = 3; repeated Symbol symbol =
 * 4; oneof { DexFile = 5; ElfFile = 6; KernelModule = 7 } }
 */
static bool take_file2(struct perf_carried *carried, struct names *names, struct bytes bytes)
{
	uint32_t path = path_of(bytes, names);
	struct perf_carried_file *file = path == NAME_NONE ? NULL : file_of(carried, path);
	struct proto_field field;
	bool is_good = true;

	if (!file)
		return path != NAME_NONE;
	while (is_good && bytes_left(&bytes)) {
		is_good = take_field(&bytes, &field);
		if (is_good && field.number == 2)
			file->kind = (enum perf_carried_kind)field.value;
		else if (is_good && field.number == 3)
			file->min_vaddr = field.value;
		else if (is_good && field.number == 4)
			is_good = take_symbol2(carried, file, names, field.bytes);
		else if (is_good && (field.number == 6 || field.number == 7))
			take_base(file, field.bytes);
	}
	sort(file);
	return is_good;
}

bool perf_carried_take_files2(struct perf_carried *carried, struct names *names, struct bytes bytes)
{
	struct bytes entry;
	uint32_t size;

	while (bytes_left(&bytes))
		if (!bytes_u32(&bytes, &size) || !bytes_part(&bytes, size, &entry) ||
		    !take_file2(carried, names, entry))
			return false;
	return true;
}

/* ---- kallsyms */

/* Hexadecimal digits; the place behind them. */
static const char *take_hex(const char *at, const char *end, uint64_t *ret)
{
	*ret = 0;
	for (; at < end; at++) {
		unsigned char c = (unsigned char)*at, digit;

		if (c >= '0' && c <= '9')
			digit = c - '0';
		else if (c >= 'a' && c <= 'f')
			digit = c - 'a' + 10;
		else
			break;
		*ret = *ret << 4 | digit;
	}
	return at;
}

/* "ffffffff81000000 T _text"; zeros stand where the recorder was not told. */
static void take_line(struct perf_carried *carried, struct perf_carried_file *file,
		      struct names *names, const char *at, const char *end)
{
	const char *name, *name_end;
	uint64_t address;

	at = take_hex(at, end, &address);
	if (!address || end - at < 4 || at[0] != ' ' || at[2] != ' ')
		return;
	name = at + 3;
	name_end = name;
	while (name_end < end && *name_end != '\t' && *name_end != ' ')
		name_end++;
	/* only of code */
	if (at[1] != 't' && at[1] != 'T' && at[1] != 'w' && at[1] != 'W')
		return;
	add_symbol(carried, file, address, 0, names_add(names, name, (size_t)(name_end - name)));
}

void perf_carried_take_kallsyms(struct perf_carried *carried, struct names *names,
				struct bytes bytes)
{
	const char *at = (const char *)bytes.at, *end = (const char *)bytes.end;
	struct perf_carried_file *file = file_of(carried, names_add_string(names, kallsyms_path));

	while (file && at < end) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));

		if (!line_end)
			line_end = end;
		take_line(carried, file, names, at, line_end);
		at = line_end + 1;
	}
	if (!file)
		return;
	sort(file);
	/* each reaches to the next one */
	for (uint32_t i = 0; i + 1 < file->nr; i++)
		if (file->list[i].end == file->list[i].begin)
			file->list[i].end = file->list[i + 1].begin;
}

/* ---- names of addresses */

static uint32_t find_symbol(const struct perf_carried_file *file, uint64_t address)
{
	uint32_t low = 0, high = file->nr;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (file->list[middle].begin <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address >= file->list[low - 1].end)
		return NAME_NONE;
	return file->list[low - 1].name;
}

uint32_t perf_carried_find(const struct perf_carried *carried, uint32_t path,
			   const struct space_map *map, uint64_t ip)
{
	const struct perf_carried_file *file;
	const struct map_slot *slot;
	uint32_t name;

	if (!carried->nr)
		return NAME_NONE;
	slot = slot_of(carried, path);
	if (slot->id == MAP_NONE)
		return NAME_NONE;
	file = &carried->list[slot->id];
	if (!map || file->kind == PERF_CARRIED_KERNEL || file->kind == PERF_CARRIED_SYMBOL_MAP)
		return find_symbol(file, ip);
	if (file->kind == PERF_CARRIED_KERNEL_MODULE)
		return find_symbol(file, ip - map->begin - file->base + file->min_vaddr);
	if (file->kind == PERF_CARRIED_DEX)
		return find_symbol(file, ip - map->begin + map->offset);
	if (file->has_base)
		return find_symbol(file,
				   ip - map->begin + map->offset - file->base + file->min_vaddr);
	name = find_symbol(file, ip - map->begin + file->min_vaddr);
	/* code that was made at run time has its addresses as they were */
	return name == NAME_NONE && !file->min_vaddr ? find_symbol(file, ip) : name;
}
