/* index.c - the ELF files in a folder, by build ID and by name */
#include "binaries/index.h"

#include <dirent.h>
#include <sys/stat.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "binaries/elf_file.h"
#include "binaries/roots.h"

/* ---- reading */

struct folder_id {
	dev_t device;
	ino_t inode;
};

struct reading {
	struct index *index;
	struct folder_id *folders; /* that were read */
	size_t folders_alloc;
	struct map map; /* of folders */
	size_t entries_nr;
};

struct key {
	const struct reading *reading;
	struct folder_id id;
};

static bool same(const void *key, uint32_t id)
{
	const struct key *wanted = key;
	const struct folder_id *known = &wanted->reading->folders[id];

	return known->device == wanted->id.device && known->inode == wanted->id.inode;
}

/* False for a folder that was read already: links may form a loop. */
static bool enter(struct reading *reading, const struct stat *st)
{
	struct key key = {reading, {st->st_dev, st->st_ino}};
	uint64_t words[] = {st->st_dev, st->st_ino};
	uint32_t hash = map_hash(words, sizeof(words));
	struct map_slot *slot;

	map_grow(&reading->map);
	slot = map_find(&reading->map, hash, same, &key);
	if (slot->id != MAP_NONE)
		return false;
	GROW(reading->folders, (size_t)reading->map.nr + 1, reading->folders_alloc);
	reading->folders[reading->map.nr] = key.id;
	map_fill(&reading->map, slot, hash, reading->map.nr);
	return true;
}

static void add_file(struct index *index, const char *path)
{
	struct elf_file file;
	struct error *err = elf_file_open(path, &file);

	if (err) {
		error_free(err);
		return;
	}
	GROW(index->by_id, index->nr + 1, index->alloc);
	index->by_id[index->nr++] =
		(struct index_entry){mem_strdup(path), mem_strdup(file.build_id)};
	elf_file_close(&file);
}

static int by_bytes(const struct dirent **left, const struct dirent **right)
{
	return strcmp((*left)->d_name, (*right)->d_name);
}

static int is_entry(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static void read_folder(struct reading *reading, const char *folder, unsigned depth);

static void read_entry(struct reading *reading, const char *path, unsigned depth)
{
	struct stat st;

	if (++reading->entries_nr > INDEX_ENTRIES_MAX)
		reading->index->is_cut = true;
	else if (stat(path, &st) < 0)
		return;
	else if (S_ISREG(st.st_mode) && st.st_size)
		add_file(reading->index, path);
	else if (S_ISDIR(st.st_mode) && enter(reading, &st))
		read_folder(reading, path, depth + 1);
}

static void read_folder(struct reading *reading, const char *folder, unsigned depth)
{
	struct dirent **entries;
	int nr;

	if (depth > INDEX_DEPTH_MAX) {
		reading->index->is_cut = true;
		return;
	}
	nr = scandir(folder, &entries, is_entry, by_bytes);
	for (int i = 0; i < nr; i++) {
		struct text path = TEXT_INIT;

		text_addf(&path, "%s/%s", folder, entries[i]->d_name);
		read_entry(reading, path.bytes, depth);
		text_release(&path);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
}

/* ---- the two orders */

static int compare_ids(const void *left, const void *right)
{
	const struct index_entry *a = left, *b = right;
	int order = strcmp(a->build_id, b->build_id);

	return order ? order : strcmp(a->path, b->path);
}

static int compare_names(const void *left, const void *right)
{
	const struct index_entry *a = *(struct index_entry *const *)left;
	const struct index_entry *b = *(struct index_entry *const *)right;
	int order = strcmp(roots_basename(a->path), roots_basename(b->path));

	return order ? order : strcmp(a->path, b->path);
}

static void sort(struct index *index)
{
	if (!index->nr)
		return;
	qsort(index->by_id, index->nr, sizeof(*index->by_id), compare_ids);
	index->by_name = mem_zalloc(index->nr, sizeof(struct index_entry *));
	for (size_t i = 0; i < index->nr; i++)
		index->by_name[i] = &index->by_id[i];
	qsort(index->by_name, index->nr, sizeof(struct index_entry *), compare_names);
}

void index_read(const char *folder, struct index *ret)
{
	struct reading reading = {.index = ret};
	struct stat st;

	*ret = (struct index){0};
	if (stat(folder, &st) == 0 && enter(&reading, &st))
		read_folder(&reading, folder, 0);
	sort(ret);
	free(reading.folders);
	map_release(&reading.map);
}

void index_release(struct index *index)
{
	for (size_t i = 0; i < index->nr; i++) {
		free(index->by_id[i].path);
		free(index->by_id[i].build_id);
	}
	free(index->by_id);
	free(index->by_name);
	*index = (struct index){0};
}

/* ---- finding: the first that is not before the wanted one, and those that are equal */

const struct index_entry *index_find_id(const struct index *index, const char *build_id,
					size_t *ret_nr)
{
	size_t low = 0, high = index->nr, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(index->by_id[middle].build_id, build_id) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < index->nr && strcmp(index->by_id[end].build_id, build_id) == 0; end++)
		;
	*ret_nr = end - low;
	return index->by_id + low;
}

struct index_entry *const *index_find_name(const struct index *index, const char *name,
					   size_t *ret_nr)
{
	size_t low = 0, high = index->nr, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(roots_basename(index->by_name[middle]->path), name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low;
	     end < index->nr && strcmp(roots_basename(index->by_name[end]->path), name) == 0; end++)
		;
	*ret_nr = end - low;
	return index->by_name + low;
}
