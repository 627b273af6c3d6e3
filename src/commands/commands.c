/* commands.c - the table of subcommands */
#include "commands/command.h"

#include <string.h>

/* One a line, so that each addition is one. */
/* clang-format off */
#define COMMANDS(command) \
	command(look) \
	command(import) \
	command(info) \
	command(audit) \
	command(fold) \
	command(samples) \
	command(flame) \
	command(top) \
	command(tree) \
	command(diff) \
	command(counters) \
	command(order) \
	command(timeline) \
	command(symbolize) \
	command(fetch_list) \
	command(align) \
	command(record_plan) \
	command(sql)
/* clang-format on */

#define DECLARE(name) extern const struct command command_##name;
COMMANDS(DECLARE)

#define LIST(name) &command_##name,
const struct command *const commands[] = {COMMANDS(LIST) NULL};

const struct command *commands_find(const char *name)
{
	for (const struct command *const *at = commands; *at; at++)
		if (strcmp((*at)->name, name) == 0)
			return *at;
	return NULL;
}
