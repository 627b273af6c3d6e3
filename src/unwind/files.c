/* files.c - the files of modules that callers are looked for in, opened once each */
#include "unwind/files.h"

#include <string.h>

#include "base/mem.h"
#include "binaries/callsites.h"
#include "binaries/find.h"
#include "model/capture.h"
#include "unwind/rules.h"
#include "unwind/trial.h"
#include "unwind/unwind.h"

static void close_file(struct unwind_file *file)
{
	rules_close(file->rules);
	elf_file_close(&file->binary);
	elf_file_close(&file->debug);
	free(file);
}

void unwind_files_init(struct unwind_files *files, struct binaries *binaries)
{
	*files = (struct unwind_files){.binaries = binaries};
	pthread_mutex_init(&files->lock, NULL);
}

void unwind_files_release(struct unwind_files *files)
{
	for (size_t i = 0; i < files->nr; i++)
		if (files->list[i])
			close_file(files->list[i]);
	free(files->list);
	pthread_mutex_destroy(&files->lock);
	*files = (struct unwind_files){0};
}

/* The file that runtimes list their code in is no file with the code. */
static bool is_code_list(const char *path)
{
	size_t size = strlen(path);

	return size >= 4 && strcmp(path + size - 4, ".map") == 0;
}

/* "[vdso]" is an ELF file, though on no disk; "[stack]" and "//anon" are memory. */
static bool has_file(const struct capture *capture, const struct module *module)
{
	const char *path = names_get(&capture->names, module->path)->bytes;

	if (module->origin == ORIGIN_JIT)
		return path[0] == '/' && !is_code_list(path);
	return strcmp(path, "[vdso]") == 0 || (path[0] == '/' && path[1] != '/');
}

static bool open_elf(const char *path, struct elf_file *ret)
{
	struct error *err;

	if (!path)
		return false;
	err = elf_file_open(path, ret);
	error_free(err);
	return !err;
}

/* Errors are those of files that were found: what cannot be used is as good as missing. */
static void open_files(struct unwind_file *file, const struct binaries_found *found)
{
	bool has_binary = open_elf(found->file, &file->binary);
	bool is_apart = found->debug && (!found->file || strcmp(found->debug, found->file) != 0);
	bool has_debug = is_apart && open_elf(found->debug, &file->debug);
	struct error *err;

	if (!has_binary && !has_debug)
		return;
	err = rules_open(has_binary ? &file->binary : NULL, has_debug ? &file->debug : NULL,
			 &file->rules);
	if (!err)
		file->elf = has_binary ? &file->binary : &file->debug;
	error_free(err);
}

/* ---- where no build ID was recorded */

static size_t list_refuted(const struct trial *trial, struct binaries_refuted *ret)
{
	size_t nr = 0;

	for (uint32_t i = 0; trial && i < trial->nr; i++)
		if (trial->files[i].verdict == TRIAL_REFUTED)
			ret[nr++] = (struct binaries_refuted){
				trial->files[i].path, trial->files[i].ok, trial->files[i].total};
	return nr;
}

/* May it be used? False with *ret_again: it was refuted, and there may be another candidate. */
static bool is_accepted(struct unwind_files *files, const struct binaries_found *found,
			struct unwind_file *file, bool *ret_again)
{
	*ret_again = false;
	if (!files->trial || found->status != MODULE_UNVERIFIED)
		return true;
	if (!found->file) /* a debug file has no code that could speak for it */
		return false;
	if (!files->judge) {
		file->on_trial = trial_file(files->trial, found->file);
		return file->on_trial != NULL;
	}
	if (files->judge->accepts(files->judge, found->file))
		return true;
	*ret_again = trial_verdict(files->trial, found->file) == TRIAL_REFUTED;
	return false;
}

static void find(struct unwind_files *files, const struct capture *capture,
		 const struct module *module, uint64_t map_offset, struct unwind_file *file)
{
	struct binaries_refuted refuted[TRIAL_FILES_MAX];
	struct binaries_wanted wanted = {
		.path = names_get(&capture->names, module->path)->bytes,
		.build_id = module->build_id == NAME_NONE
				    ? NULL
				    : names_get(&capture->names, module->build_id)->bytes,
		.id_source = module->id_source,
		.map_offset = map_offset,
		.refuted = refuted,
	};
	bool is_again = true;

	/* each time round one more is refuted */
	for (unsigned i = 0; is_again && i <= TRIAL_FILES_MAX; i++) {
		struct binaries_found found;

		wanted.refuted_nr = list_refuted(files->trial, refuted);
		binaries_find(files->binaries, &wanted, &found);
		if (is_accepted(files, &found, file, &is_again))
			open_files(file, &found);
		binaries_found_release(&found);
	}
}

static struct unwind_file *get(struct unwind_files *files, const struct capture *capture,
			       uint32_t module, uint64_t map_offset)
{
	struct unwind_file *file;

	while (files->nr <= module) {
		GROW(files->list, files->nr + 1, files->alloc);
		files->list[files->nr++] = NULL;
	}
	file = files->list[module];
	if (file)
		return file;
	file = files->list[module] = mem_zalloc(1, sizeof(*file));
	if (!has_file(capture, &capture->modules.list[module])) {
		file->has_none = true;
		return file;
	}
	if (files->binaries)
		find(files, capture, &capture->modules.list[module], map_offset, file);
	/* of a debug file alone the code is not there, and perhaps no CFI */
	file->is_missing =
		!file->elf || (file->elf == &file->debug && !rules_functions(file->rules));
	return file;
}

/* What it gives never changes again; the list does, and so does all that looks for files. */
struct unwind_file *unwind_files_get(struct unwind_files *files, const struct capture *capture,
				     uint32_t module, uint64_t map_offset)
{
	struct unwind_file *file;

	if (!files->is_shared)
		return get(files, capture, module, map_offset);
	pthread_mutex_lock(&files->lock);
	file = get(files, capture, module, map_offset);
	pthread_mutex_unlock(&files->lock);
	return file;
}

bool unwind_file_is_behind_call(const struct unwind_file *file, uint64_t vaddr)
{
	size_t ok, total;

	callsites_count(file->elf, &vaddr, 1, &ok, &total);
	return ok == 1;
}
