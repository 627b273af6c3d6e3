/* output.c - where a result goes: standard output, or a file that is complete or absent */
#include "commands/output.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"

static bool is_special_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

struct error *output_open(const char *path, struct output *ret)
{
	struct output output = {0};
	CLEANUP(text_release) struct text part = TEXT_INIT;

	if (!path || strcmp(path, "-") == 0) {
		*ret = (struct output){.file = stdout};
		return NULL;
	}
	if (!is_special_file(path))
		text_addf(&part, "%s.part", path);
	output.file = fopen(part.size ? text_string(&part) : path, "we");
	if (!output.file)
		return error_os("cannot write '%s'", path);
	output.path = mem_strdup(path);
	if (part.size)
		output.part = text_take(&part);
	*ret = output;
	return NULL;
}

static void forget(struct output *output)
{
	free(output->path);
	free(output->part);
	*output = (struct output){0};
}

static struct error *stdout_error(void)
{
	if (errno == EPIPE)
		return error_new(ERROR_OS,
				 "standard output was closed before all was written (broken pipe)");
	return error_os("cannot write to standard output");
}

struct error *output_check_stdout(void)
{
	return fflush(stdout) == 0 && !ferror(stdout) ? NULL : stdout_error();
}

struct error *output_failed(struct output *output)
{
	struct error *err =
		output->path ? error_os("cannot write '%s'", output->path) : stdout_error();

	output_abort(output);
	return err;
}

struct error *output_commit(struct output *output)
{
	struct error *err = NULL;
	bool is_bad;

	if (!output->path)
		return output_check_stdout();
	errno = 0;
	is_bad = fflush(output->file) != 0 || ferror(output->file);
	if (is_bad)
		err = error_os("cannot write '%s'", output->path);
	if (fclose(output->file) != 0 && !err)
		err = error_os("cannot write '%s'", output->path);
	if (!err && output->part && rename(output->part, output->path) != 0)
		err = error_os("cannot write '%s'", output->path);
	if (err && output->part)
		unlink(output->part);
	forget(output);
	return err;
}

void output_abort(struct output *output)
{
	if (!output->path)
		return;
	fclose(output->file);
	if (output->part)
		unlink(output->part);
	forget(output);
}
