/* symbols.c - the options that say which files names come from, and the naming itself */
#include "commands/symbols.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/progress.h"
#include "base/text.h"
#include "binaries/find.h"
#include "model/capture.h"
#include "symbols/build_facts.h"
#include "symbols/symbolizer.h"
#include "unwind/leaves.h"

const char *const symbols_from_words[] = {"auto", "given", "no", NULL};

bool symbols_has_given(const struct symbols_options *options)
{
	return options->debug_dirs.nr || options->binaries.nr || options->sysroots.nr ||
	       options->accepted.nr || options->map_dirs.nr || options->kallsyms;
}

/* A module that was typed and is not in the capture is a slip of the finger. */
static void tell_unmatched(const struct binaries *binaries, const char *capture_path)
{
	size_t at = 0;
	const char *module;

	while ((module = binaries_next_unmatched(binaries, &at)))
		fprintf(stderr, "%s: note: no frame without a name is of a module '%.*s'\n",
			capture_path, (int)strcspn(module, "="), module);
}

static struct error *run(const struct symbols_files *files, unsigned flags, struct capture *capture)
{
	const struct symbols_options *options = files->options;
	struct symbolizer_options symbolizer = {
		.binaries = files->binaries,
		.kallsyms = options->kallsyms,
		.capture_path = files->capture_path,
		.map_dirs = options->map_dirs.list,
		.map_dirs_nr = options->map_dirs.nr,
		.only_given = options->from == SYMBOLS_GIVEN,
		.is_uninlined = flags & SYMBOLS_UNINLINED,
		.takes_digests = flags & SYMBOLS_DIGESTS,
		.processes = (unsigned)options->jobs,
	};
	struct progress *progress = progress_new("naming", !(flags & SYMBOLS_QUIET));
	struct error *err = symbolizer_run(capture, &symbolizer, progress);

	progress_free(progress);
	if (!err && !(flags & SYMBOLS_QUIET))
		tell_unmatched(files->binaries, files->capture_path);
	return err;
}

/*
 * The given ones, and the copy of the recorded machine's files that fetch-list's script made:
 * modules without a build ID can be found by their path alone.
 */
static const char **list_sysroots(struct symbols_files *files, size_t *ret_nr)
{
	const struct symbols_options *options = files->options;
	const char *capture_path = files->capture_path;
	struct text *bundle = &files->bundle;
	const char **list = mem_alloc((options->sysroots.nr + 1) * sizeof(*list));
	size_t nr = 0;

	for (; nr < options->sysroots.nr; nr++)
		list[nr] = options->sysroots.list[nr];
	text_addf(bundle, "%s.symbols/root", capture_path);
	if (strcmp(capture_path, "-") != 0 && access(text_string(bundle), R_OK | X_OK) == 0)
		list[nr++] = text_string(bundle);
	*ret_nr = nr;
	return list;
}

struct error *symbols_files_open(struct symbols_files *files)
{
	const struct symbols_options *options = files->options;
	struct binaries_options where = {
		.debug_dirs = options->debug_dirs.list,
		.debug_dirs_nr = options->debug_dirs.nr,
		.binaries = options->binaries.list,
		.binaries_nr = options->binaries.nr,
		.accept_mismatch = options->accepted.list,
		.accept_mismatch_nr = options->accepted.nr,
		.capture_path = files->capture_path,
		.only_given = options->from == SYMBOLS_GIVEN,
	};

	if (files->binaries)
		return NULL;
	files->sysroots = list_sysroots(files, &where.sysroots_nr);
	where.sysroots = files->sysroots;
	return binaries_new(&where, &files->binaries);
}

void symbols_files_close(struct symbols_files *files)
{
	binaries_free(files->binaries);
	free(files->sysroots);
	text_release(&files->bundle);
	*files = (struct symbols_files){0};
}

struct error *symbols_name(struct symbols_files *files, unsigned flags, struct capture *capture)
{
	struct error *err;

	if (!capture->has_offsets || files->options->from == SYMBOLS_NO)
		return NULL;
	err = symbols_files_open(files);
	if (!err)
		err = run(files, flags, capture);
	if (!err)
		leaves_mark(capture);
	if (!err && flags & SYMBOLS_BUILD_FACTS)
		err = build_facts_add(capture);
	return err;
}
