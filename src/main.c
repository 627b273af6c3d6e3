/* main.c - finds the command, runs it, turns an error into a message and an exit status */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "commands/command.h"
#include "commands/output.h"

enum status {
	STATUS_DONE,
	STATUS_NO,
	STATUS_TROUBLE
};

static void print_commands(FILE *out)
{
	fputs("usage: tephra <capture>...\n"
	      "       tephra <command> [<options>] [<capture>]\n\n"
	      "Reads perf.data, perf script text and folded stacks ('-' is standard input), also packed\n"
	      "with gzip, zstd or xz.\n\n",
	      out);
	for (const struct command *const *at = commands; *at; at++)
		fprintf(out, "  %-12s%s\n", (*at)->name, (*at)->summary);
	fputs("\n'tephra <command> --help' lists a command's options, 'man tephra' explains.\n",
	      out);
}

/* Commands that are too narrow a fault to be one: "tephra: cannot ..." has no command name. */
static int report(struct error *err, const char *command)
{
	const char *hint = error_hint_text(err);

	if (command && error_kind(err) == ERROR_USAGE)
		fprintf(stderr, "tephra: %s: %s\n", command, error_text(err));
	else
		fprintf(stderr, "tephra: %s\n", error_text(err));
	if (hint)
		fprintf(stderr, "hint: %s\n", hint);
	error_free(err);
	return STATUS_TROUBLE;
}

static int unknown_command(const char *wanted)
{
	const char *words[64] = {0};
	struct error *err = error_new(ERROR_USAGE, "'%s' is not a tephra command", wanted);
	const char *closest;

	for (size_t i = 0; commands[i] && i + 1 < ARRAY_NR(words); i++)
		words[i] = commands[i]->name;
	closest = options_closest(wanted, words);
	if (closest)
		err = error_hint(err, "did you mean 'tephra %s'?", closest);
	else
		err = error_hint(err, "'tephra' alone lists the commands");
	return report(err, NULL);
}

static void print_help(const struct command *command)
{
	printf("usage: tephra %s [<options>] %s\n\n%s\n\n", command->name, command->args,
	       command->summary);
	options_print(command->options, stdout);
}

static int finish(const char *command, int status)
{
	struct error *err = output_check_stdout();

	return err ? report(err, command) : status;
}

static int run_command(const struct command *command, int argc, char **argv)
{
	char *options = mem_zalloc(1, command->size);
	struct error *err;
	bool is_help;
	int first, status = STATUS_DONE;

	if (argc == 2 && strcmp(argv[1], "--list-options") == 0) {
		options_list(command->options, stdout);
		free(options);
		return finish(command->name, STATUS_DONE);
	}
	if (command->defaults)
		memcpy(options, command->defaults, command->size);
	err = options_parse(command->options, options, argc, argv, &first, &is_help);
	if (!err && is_help)
		print_help(command);
	else if (!err)
		err = command->run(options, argc - first, argv + first, &status);
	options_release(command->options, options);
	free(options);
	return err ? report(err, command->name) : finish(command->name, status);
}

static int global_option(const char *word)
{
	if (strcmp(word, "--version") == 0)
		printf("tephra %s\n", PACKAGE_VERSION);
	else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		print_commands(stdout);
	else if (strcmp(word, "--list-commands") == 0)
		for (const struct command *const *at = commands; *at; at++)
			puts((*at)->name);
	else
		return unknown_command(word);
	return finish(NULL, STATUS_DONE);
}

/* A file, perhaps with a range behind it, and no word that should have been a command. */
static bool is_operand(const char *word)
{
	const char *at = strrchr(word, '@');
	char *file = mem_strdup(word);
	bool is;

	if (at && access(word, F_OK) != 0)
		file[at - word] = '\0';
	is = strcmp(word, "-") == 0 || (*word != '-' && access(file, F_OK) == 0);
	free(file);
	return is;
}

int main(int argc, char **argv)
{
	const struct command *command;

	/* libdw would ask servers by itself; tephra is offline */
	unsetenv("DEBUGINFOD_URLS");
	signal(SIGPIPE, SIG_IGN);
	if (argc < 2) {
		print_commands(stderr);
		return STATUS_TROUBLE;
	}
	mem_begin();
	command = commands_find(argv[1]);
	if (command)
		return run_command(command, argc - 1, argv + 1);
	if (is_operand(argv[1]))
		return run_command(commands_find("look"), argc, argv);
	return global_option(argv[1]);
}
