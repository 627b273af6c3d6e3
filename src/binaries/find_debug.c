/* find_debug.c - the files that a binary and its debug file name themselves */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "binaries/find_parts.h"

/* ---- .gnu_debuglink: a name, to be looked for beside the binary and in the debug folders */

struct link {
	struct find_search *search;
	const struct elf_file *binary;
	struct find_check check;
};

static void try_beside(const struct link *link, const char *folder)
{
	find_tryf(link->search, &link->check, "%s/%s", folder, link->binary->debuglink);
	find_tryf(link->search, &link->check, "%s/.debug/%s", folder, link->binary->debuglink);
}

/* The binary may be a symbolic link into the folder that holds both. */
static void try_own_folder(const struct link *link)
{
	char *folder = roots_folder(link->binary->path);
	char *real = realpath(link->binary->path, NULL);

	try_beside(link, folder);
	free(folder);
	if (!real)
		return;
	folder = roots_folder(real);
	try_beside(link, folder);
	free(folder);
	free(real);
}

/* <debug folder>/<folder of the recorded path>/NAME */
static void try_debug_folder(const struct link *link, const char *debug_folder)
{
	struct roots_variants variants;

	roots_variants(link->search->wanted->path, &variants);
	for (size_t i = 0; i < variants.nr; i++) {
		char *folder = roots_folder(variants.paths[i]);

		if (!strstr(folder, "/../"))
			find_tryf(link->search, &link->check, "%s%s/%s", debug_folder, folder,
				  link->binary->debuglink);
		free(folder);
	}
	roots_variants_release(&variants);
}

void find_debuglink(struct find_search *search, const struct elf_file *binary)
{
	struct binaries *binaries = search->binaries;
	/* an equal CRC is no identity: a file with another ID can have it */
	const struct link link = {
		search, binary,
		.check = {.build_id = binary->build_id[0] ? binary->build_id : NULL,
			  .has_crc = !binary->build_id[0],
			  .crc = binary->debuglink_crc}};

	if (!binary->debuglink[0] || strchr(binary->debuglink, '/'))
		return;
	try_own_folder(&link);
	for (size_t i = 0; i < binaries->folders_nr; i++) {
		find_tryf(search, &link.check, "%s/%s", binaries->folders[i].path,
			  binary->debuglink);
		try_debug_folder(&link, binaries->folders[i].path);
	}
	for (size_t i = 0; i < binaries->roots_nr; i++) {
		struct text folder = TEXT_INIT;

		text_addf(&folder, "%s/usr/lib/debug", binaries->roots[i]);
		try_debug_folder(&link, folder.bytes);
		text_release(&folder);
	}
}

/* ---- .gnu_debugaltlink: what dwz took out of several debug files */

struct alt {
	struct find_search *search;
	const struct elf_file *debug;
	struct find_check check;
};

static bool open_alt(const struct alt *alt, struct elf_file *ret, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static bool open_alt(const struct alt *alt, struct elf_file *ret, const char *format, ...)
{
	va_list args;
	char *path;
	int size;
	bool is_open;

	va_start(args, format);
	size = vasprintf(&path, format, args);
	va_end(args);
	if (size < 0)
		return false;
	is_open = find_open(alt->search, path, &alt->check, ret);
	free(path);
	return is_open;
}

static bool alt_in_debug_folder(const struct alt *alt, const char *folder, struct elf_file *ret)
{
	const char *id = alt->check.build_id;

	return open_alt(alt, ret, "%s/.build-id/%.2s/%s.debug", folder, id, id + 2) ||
	       open_alt(alt, ret, "%s/%.2s/%s.debug", folder, id, id + 2) ||
	       open_alt(alt, ret, "%s/.dwz/%s", folder, roots_basename(alt->debug->altlink));
}

static bool alt_in_folder(const struct alt *alt, struct find_folder *folder, struct elf_file *ret)
{
	const struct index_entry *entries;
	size_t nr;

	if (alt_in_debug_folder(alt, folder->path, ret))
		return true;
	if (!folder->is_read)
		index_read(folder->path, &folder->index);
	folder->is_read = true;
	entries = index_find_id(&folder->index, alt->check.build_id, &nr);
	return nr && find_open(alt->search, entries[0].path, &alt->check, ret);
}

/* "../../.dwz/x86_64-linux-gnu/foo.debug" is meant from the debug file's real folder. */
static bool alt_at_path(const struct alt *alt, struct elf_file *ret)
{
	const char *path = alt->debug->altlink;
	char *real, *folder;
	bool is_open;

	if (path[0] == '/')
		return !alt->search->binaries->options.only_given && open_alt(alt, ret, "%s", path);
	real = realpath(alt->debug->path, NULL);
	if (!real)
		return false;
	folder = roots_folder(real);
	is_open = open_alt(alt, ret, "%s/%s", folder, path);
	free(folder);
	free(real);
	return is_open;
}

static bool alt_in_root(const struct alt *alt, const char *root, struct elf_file *ret)
{
	struct text folder = TEXT_INIT;
	bool is_open;

	text_addf(&folder, "%s/usr/lib/debug", root);
	is_open = alt_in_debug_folder(alt, folder.bytes, ret);
	text_release(&folder);
	if (!is_open && root[0] && alt->debug->altlink[0] == '/')
		is_open = open_alt(alt, ret, "%s%s", root, alt->debug->altlink);
	return is_open;
}

bool find_alt(struct find_search *search, const struct elf_file *debug, struct elf_file *ret)
{
	struct binaries *binaries = search->binaries;
	const struct alt alt = {search, debug, .check = {.build_id = debug->altlink_id}};

	if (!debug->altlink[0] || strlen(debug->altlink_id) < 4)
		return false;
	for (size_t i = 0; i < binaries->folders_nr; i++)
		if (alt_in_folder(&alt, &binaries->folders[i], ret))
			return true;
	if (alt_at_path(&alt, ret))
		return true;
	for (size_t i = 0; i < binaries->roots_nr; i++)
		if (alt_in_root(&alt, binaries->roots[i], ret))
			return true;
	if (!binaries->debuginfod_cache)
		return false;
	return open_alt(&alt, ret, "%s/%s/debuginfo", binaries->debuginfod_cache,
			debug->altlink_id);
}
