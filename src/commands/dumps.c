/* dumps.c - what unwinds the stack dumps of a capture, by the files that options name */
#include "commands/dumps.h"

#include <unistd.h>

#include "model/capture.h"

/* A module may turn up late, when the trial of those before it is long over. */
#define TRIALS_MAX 4

static void try_files(struct dumps *dumps)
{
	struct unwinder *unwinder;

	dumps->trials++;
	do {
		unwinder = unwind_new(dumps->files->binaries);
		unwind_set_trial(unwinder, &dumps->trial, NULL);
		trial_begin(&dumps->trial);
		dumps->source.say(dumps->source.context, unwinder, &dumps->trial);
		unwind_free(unwinder);
	} while (trial_judge(&dumps->trial));
}

static bool accepts(struct unwind_judge *judge, const char *path)
{
	struct dumps *dumps = (struct dumps *)judge;

	if (trial_verdict(&dumps->trial, path) == TRIAL_UNTRIED && dumps->source.say &&
	    dumps->trials < TRIALS_MAX)
		try_files(dumps);
	return trial_verdict(&dumps->trial, path) == TRIAL_ACCEPTED;
}

struct error *dumps_open(struct symbols_files *files, struct dumps *ret)
{
	const struct symbols_options *options = files->options;
	struct error *err = NULL;

	ret->files = files;
	ret->judge.accepts = accepts;
	if (options->from != SYMBOLS_NO)
		err = symbols_files_open(files);
	if (err)
		return err;
	ret->unwinder = unwind_new(files->binaries);
	unwind_set_threads(ret->unwinder, options->jobs ? (unsigned)options->jobs
							: (unsigned)sysconf(_SC_NPROCESSORS_ONLN));
	unwind_set_trial(ret->unwinder, &ret->trial, &ret->judge);
	return NULL;
}

void dumps_close(struct dumps *dumps)
{
	unwind_free(dumps->unwinder);
	dumps->unwinder = NULL;
	trial_release(&dumps->trial);
	dumps->trials = 0;
}

void dumps_tell_refuted(const struct trial *trial, struct capture *capture)
{
	for (uint32_t i = 0; i < trial->nr; i++) {
		const struct trial_file *file = &trial->files[i];

		if (file->verdict == TRIAL_REFUTED)
			modules_add_refuted(
				&capture->modules,
				&(struct module_refuted){
					.path = names_add_string(&capture->names, file->path),
					.ok = file->ok,
					.total = file->total,
				});
	}
}
