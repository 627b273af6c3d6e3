/* find_places.c - the places where the files that ran may be, in their order */
#include <dirent.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "binaries/find_parts.h"

/* Files with one build ID, or of one name, in one folder. */
#define SAME_MAX 256u

/* ---- is there anything left to look for? */

/* A file with code, and DWARF that belongs to it. */
static bool is_complete(struct find_search *search)
{
	struct find_candidate *runtime = find_runtime(search);

	if (!runtime)
		return false;
	for (size_t i = 0; i < search->nr; i++) {
		const struct elf_file *file = &search->list[i].file;
		char *difference;

		if (!elf_file_has_dwarf(file))
			continue;
		difference = elf_file_layout_difference(&runtime->file, file);
		free(difference);
		if (!difference)
			return true;
	}
	return false;
}

/* ---- a tree by build ID: xx/rest.debug, and xx/rest, which is the binary, or a folder of
 * perf's cache that holds it. Which of the two a file is, it says itself. */

static bool is_hex(const char *build_id)
{
	return strlen(build_id) >= 4 && build_id[strspn(build_id, "0123456789abcdef")] == '\0';
}

static void try_tree(struct find_search *search, const char *folder, const struct find_check *check)
{
	static const char *const names[] = {"", "/elf", "/vdso", "/debug", ".debug"};
	const char *id = check->build_id;

	if (!is_hex(id))
		return;
	for (size_t i = 0; i < ARRAY_NR(names); i++)
		find_tryf(search, check, "%s/%.2s/%s%s", folder, id, id + 2, names[i]);
}

/* A folder with a .build-id in it; perf's has the files themselves at <recorded path>/<ID>/. */
static void try_cache(struct find_search *search, const char *folder,
		      const struct find_check *check)
{
	static const char *const names[] = {"elf", "vdso", "debug"};
	const char *path = search->wanted->path;
	struct text tree = TEXT_INIT;

	text_addf(&tree, "%s/.build-id", folder);
	try_tree(search, tree.bytes, check);
	text_release(&tree);
	if (strstr(path, "..") || !is_hex(check->build_id))
		return;
	for (size_t i = 0; i < ARRAY_NR(names); i++)
		find_tryf(search, check, "%s/%s/%s/%s", folder, path, check->build_id, names[i]);
}

/* ---- folders that were given */

static const struct index *read_folder(struct find_search *search, struct find_folder *folder)
{
	if (!folder->is_read)
		index_read(folder->path, &folder->index);
	folder->is_read = true;
	if (folder->index.is_cut)
		find_reject(search, FIND_NO_WORD, folder->path,
			    "it is deeper than %u folders or holds more than %u entries; the rest "
			    "was not looked at",
			    INDEX_DEPTH_MAX, INDEX_ENTRIES_MAX);
	return &folder->index;
}

static void try_folder(struct find_search *search, struct find_folder *folder,
		       const struct find_check *check)
{
	const struct index_entry *entries;
	size_t nr;

	try_cache(search, folder->path, check);
	try_tree(search, folder->path, check);
	if (is_complete(search))
		return;
	entries = index_find_id(read_folder(search, folder), check->build_id, &nr);
	for (size_t i = 0; i < nr && i < SAME_MAX && !is_complete(search); i++)
		find_try(search, entries[i].path, check);
}

static void try_folder_by_name(struct find_search *search, struct find_folder *folder,
			       const char *name)
{
	const struct find_check any = {0};
	size_t nr;
	struct index_entry *const *entries =
		index_find_name(read_folder(search, folder), name, &nr);

	for (size_t i = 0; i < nr && i < SAME_MAX && !find_runtime(search); i++)
		find_try(search, entries[i]->path, &any);
}

static void try_given(struct find_search *search, const struct find_check *check)
{
	for (size_t i = 0; i < search->binaries->options.binaries_nr; i++) {
		const char *path = find_given(search->binaries, search->wanted, i);

		if (path)
			find_try(search, path, check);
	}
}

/* ---- file systems */

static void try_resolved(struct find_search *search, const char *root, const char *path,
			 const struct find_check *check)
{
	char *resolved = roots_resolve(root, path);

	if (resolved)
		find_try(search, resolved, check);
	else
		find_reject(search, FIND_NO_WORD, path, "more than %u symbolic links in '%s'",
			    ROOTS_LINKS_MAX, root);
	free(resolved);
}

static void try_paths(struct find_search *search, const char *root, const struct find_check *check)
{
	struct roots_variants variants;

	roots_variants(search->wanted->path, &variants);
	for (size_t i = 0; i < variants.nr; i++)
		try_resolved(search, root, variants.paths[i], check);
	roots_variants_release(&variants);
}

/* Debian, Fedora: links to debug files, and in the second to binaries. */
static void try_root(struct find_search *search, const char *root, const struct find_check *check)
{
	struct text tree = TEXT_INIT;

	text_addf(&tree, "%s/usr/lib/debug/.build-id", root);
	try_tree(search, tree.bytes, check);
	text_clear(&tree);
	text_addf(&tree, "%s/usr/lib/.build-id", root);
	try_tree(search, tree.bytes, check);
	text_release(&tree);
}

/* ---- kernels: their recorded name is no path, so every image is looked into */

static int is_image(const struct dirent *entry)
{
	return strncmp(entry->d_name, "vmlinux", strlen("vmlinux")) == 0;
}

static int is_version(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int by_bytes(const struct dirent **left, const struct dirent **right)
{
	return strcmp((*left)->d_name, (*right)->d_name);
}

/* <root>/<folder>/<entry><name> */
static void try_entries(struct find_search *search, const char *root, const char *folder,
			int (*select)(const struct dirent *), const char *name,
			const struct find_check *check)
{
	struct text path = TEXT_INIT;
	struct dirent **entries;
	int nr;

	text_addf(&path, "%s/%s", root, folder);
	nr = scandir(path.bytes, &entries, select, by_bytes);
	for (int i = 0; i < nr; i++) {
		if (i < (int)SAME_MAX)
			find_tryf(search, check, "%s/%s%s", path.bytes, entries[i]->d_name, name);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
	text_release(&path);
}

static void try_kernels(struct find_search *search, const char *root, const char *build_id)
{
	const struct find_check check = {.build_id = build_id, .is_quiet = true};

	try_entries(search, root, "boot", is_image, "", &check);
	try_entries(search, root, "usr/lib/debug/boot", is_image, "", &check);
	try_entries(search, root, "usr/lib/debug/lib/modules", is_version, "/vmlinux", &check);
	try_entries(search, root, "usr/lib/modules", is_version, "/vmlinux", &check);
}

/* ---- the orders */

static void by_id_given(struct find_search *search, const struct find_check *check)
{
	struct binaries *binaries = search->binaries;

	try_given(search, check);
	for (size_t i = 0; i < binaries->folders_nr && !is_complete(search); i++)
		try_folder(search, &binaries->folders[i], check);
	if (binaries->archive && !is_complete(search))
		try_cache(search, binaries->archive, check);
}

static void by_id_caches(struct find_search *search, const struct find_check *check)
{
	struct binaries *binaries = search->binaries;

	if (binaries->perf_cache && !is_complete(search))
		try_cache(search, binaries->perf_cache, check);
	if (binaries->debuginfod_cache && !is_complete(search) && is_hex(check->build_id)) {
		find_tryf(search, check, "%s/%s/executable", binaries->debuginfod_cache,
			  check->build_id);
		find_tryf(search, check, "%s/%s/debuginfo", binaries->debuginfod_cache,
			  check->build_id);
	}
}

void find_by_id(struct find_search *search, const char *build_id, bool by_path)
{
	struct binaries *binaries = search->binaries;
	const struct find_check check = {.build_id = build_id};

	by_id_given(search, &check);
	by_id_caches(search, &check);
	for (size_t i = 0; i < binaries->roots_nr && !is_complete(search); i++)
		try_root(search, binaries->roots[i], &check);
	if (search->wanted->is_kernel)
		for (size_t i = 0; i < binaries->roots_nr && !is_complete(search); i++)
			try_kernels(search, binaries->roots[i], build_id);
	if (by_path)
		for (size_t i = 0; i < binaries->roots_nr && !find_runtime(search); i++)
			try_paths(search, binaries->roots[i], &check);
}

/* The name of the file that ran: "" where the module is none. */
static char *file_name(const char *path)
{
	struct roots_variants variants;
	char *name;

	roots_variants(path, &variants);
	/* the second form, if there is one, is without " (deleted)" */
	name = mem_strdup(variants.nr ? roots_basename(variants.paths[variants.nr > 1]) : "");
	roots_variants_release(&variants);
	return name;
}

void find_by_name(struct find_search *search)
{
	struct binaries *binaries = search->binaries;
	const struct find_check any = {0};
	char *name = file_name(search->wanted->path);

	try_given(search, &any);
	for (size_t i = 0; name[0] && i < binaries->folders_nr && !find_runtime(search); i++)
		try_folder_by_name(search, &binaries->folders[i], name);
	for (size_t i = 0; i < binaries->roots_nr && !find_runtime(search); i++)
		try_paths(search, binaries->roots[i], &any);
	free(name);
}

/* ---- kallsyms in perf's cache: [kernel.kallsyms]/<ID>/kallsyms, and where .build-id leads */

static char *if_readable(struct text *path)
{
	if (access(path->bytes, R_OK) == 0)
		return text_take(path);
	text_clear(path);
	return NULL;
}

static char *kallsyms_in(const char *folder, const char *id)
{
	struct text path = TEXT_INIT;
	char *found;

	text_addf(&path, "%s/.build-id/%.2s/%s/kallsyms", folder, id, id + 2);
	found = if_readable(&path);
	if (!found) {
		text_addf(&path, "%s/[kernel.kallsyms]/%s/kallsyms", folder, id);
		found = if_readable(&path);
	}
	text_release(&path);
	return found;
}

char *binaries_find_kallsyms(struct binaries *binaries, const char *build_id)
{
	char *path = NULL;

	if (!is_hex(build_id))
		return NULL;
	for (size_t i = 0; i < binaries->folders_nr && !path; i++)
		path = kallsyms_in(binaries->folders[i].path, build_id);
	if (!path && binaries->archive)
		path = kallsyms_in(binaries->archive, build_id);
	if (!path && binaries->perf_cache)
		path = kallsyms_in(binaries->perf_cache, build_id);
	return path;
}
