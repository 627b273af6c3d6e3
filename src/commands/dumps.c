/* dumps.c - what unwinds the stack dumps of a capture, by the files that options name */
#include "commands/dumps.h"

#include "unwind/unwind.h"

struct error *dumps_open(const struct symbols_options *options, const char *capture_path,
			 struct dumps *ret)
{
	struct error *err = NULL;

	if (options->from != SYMBOLS_NO)
		err = symbols_files_open(options, capture_path, false, &ret->files);
	if (!err)
		ret->unwinder = unwind_new(ret->files.binaries);
	return err;
}

void dumps_close(struct dumps *dumps)
{
	unwind_free(dumps->unwinder);
	dumps->unwinder = NULL;
	symbols_files_close(&dumps->files);
}
