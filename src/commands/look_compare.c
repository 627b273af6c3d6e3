/* look_compare.c - tephra look at two captures, or at counters alone */
#include "commands/look_compare.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "commands/command.h"
#include "commands/json.h"
#include "commands/look_facts.h"
#include "commands/look_lines.h"
#include "commands/shell_word.h"

/* Runs a command as if it had been typed. */
static struct error *run_command(const char *name, int argc, char **argv, int *ret_status)
{
	const struct command *command = commands_find(name);
	char *options = mem_zalloc(1, command->size);
	struct error *err;
	bool is_help;
	int first;

	if (command->defaults)
		memcpy(options, command->defaults, command->size);
	err = options_parse(command->options, options, argc, argv, &first, &is_help);
	if (!err)
		err = command->run(options, argc - first, argv + first, ret_status);
	options_release(command->options, options);
	free(options);
	return err;
}

static void print_next(const char *head, const char *words, char **operands, int nr,
		       const char *more)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	for (int i = 0; i < nr; i++) {
		text_add_char(&text, ' ');
		shell_word_add(&text, operands[i]);
	}
	printf("%-*stephra %s%s%s\n", LOOK_HEAD, head, words, text_string(&text), more);
}

struct error *look_compare(const struct look_options *options, char **two, int *ret_status)
{
	bool is_json = options->format == LOOK_JSON;
	char words[][16] = {"diff", "-q", "--limit=8", "--format=table", "--format=json", "--"};
	char *argv[] = {words[0], words[1], words[2], words[is_json ? 4 : 3],
			words[5], two[0],   two[1],   NULL};
	struct error *err = run_command("diff", ARRAY_NR(argv) - 1, argv, ret_status);

	if (err || is_json)
		return err;
	print_next("next", "diff", two, 2, " -o diff.svg");
	print_next("", "look", two, 1, "");
	print_next("", "look", two + 1, 1, "");
	return NULL;
}

struct error *look_compare_counters(const struct look_options *options, int argc, char **argv)
{
	CLEANUP(look_queue_release) struct look_queue queue = {0};
	struct json json = {.out = stdout};
	struct error *err = look_queue_read(&options->profile, argc, argv, &queue);

	if (err)
		return err;
	if (options->format == LOOK_JSON) {
		json_begin_object(&json);
		look_queue_write_json(&queue, &json);
		json_end_object(&json);
		json_finish(&json);
		return NULL;
	}
	look_queue_write(&queue, stdout);
	print_next("next", "order", argv, argc, "");
	print_next("", "counters", argv, argc, "");
	return NULL;
}
