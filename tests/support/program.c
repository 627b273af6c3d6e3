/* program.c - a command of tephra run inside a test, for tests that run it a thousand times */
#include "tests/support/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "commands/command.h"
#include "tests/support/input.h"

#define WORDS_MAX 64

static void stop(const char *what)
{
	perror(what);
	exit(99);
}

static void take_file(const char *path, struct text *out)
{
	FILE *file = fopen(path, "re");
	char buf[65536];
	size_t got;

	if (!file)
		return;
	while ((got = fread(buf, 1, sizeof(buf), file)))
		text_add_bytes(out, buf, got);
	fclose(file);
}

static struct error *run(const struct command *command, int argc, char **argv)
{
	char *options = mem_zalloc(1, command->size);
	struct error *err;
	bool is_help;
	int first, status = 0;

	if (command->defaults)
		memcpy(options, command->defaults, command->size);
	err = options_parse(command->options, options, argc, argv, &first, &is_help);
	if (!err)
		err = command->run(options, argc - first, argv + first, &status);
	options_release(command->options, options);
	free(options);
	return err;
}

static char *take_failure(struct error *err)
{
	CLEANUP(text_release) struct text failure = TEXT_INIT;

	if (!err)
		return NULL;
	text_add(&failure, error_text(err));
	if (error_hint_text(err))
		text_addf(&failure, "\nhint: %s", error_hint_text(err));
	error_free(err);
	return text_take(&failure);
}

char *program_call(const char *const *words)
{
	const struct command *command = commands_find(words[0]);
	char *argv[WORDS_MAX] = {0};
	int argc = 0;

	if (!command)
		stop(words[0]);
	for (; words[argc] && argc < WORDS_MAX - 1; argc++)
		argv[argc] = (char *)words[argc];
	return take_failure(run(command, argc, argv));
}

char *program_run(const char *const *words, const void *input, size_t size, struct text *out)
{
	const struct command *command = commands_find(words[0]);
	char folder[] = "program-XXXXXX", path[64];
	char *argv[WORDS_MAX] = {0}, *failure = NULL;
	int argc = 0;
	struct error *err;

	if (!command || !mkdtemp(folder))
		stop(words[0]);
	snprintf(path, sizeof(path), "%s/out.svg", folder);
	for (; words[argc]; argc++)
		argv[argc] = (char *)words[argc];
	argv[argc++] = (char *)"-q";
	argv[argc++] = (char *)"-o";
	argv[argc++] = path;
	argv[argc++] = (char *)"-";
	input_put(input, size);
	err = run(command, argc, argv);
	take_file(path, out);
	unlink(path);
	rmdir(folder);
	if (err)
		failure = mem_strdup(error_text(err));
	error_free(err);
	return failure;
}
