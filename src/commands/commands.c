/* commands.c - the table of subcommands */
#include "commands/command.h"

#include <string.h>

extern const struct command command_import, command_info, command_fold, command_samples,
	command_flame, command_top, command_tree, command_diff, command_counters, command_order,
	command_fetch_list, command_symbolize, command_sql;

const struct command *const commands[] = {
	&command_import,   &command_info,  &command_fold,      &command_samples,
	&command_flame,	   &command_top,   &command_tree,      &command_diff,
	&command_counters, &command_order, &command_symbolize, &command_fetch_list,
	&command_sql,	   NULL,
};

const struct command *commands_find(const char *name)
{
	for (const struct command *const *at = commands; *at; at++)
		if (strcmp((*at)->name, name) == 0)
			return *at;
	return NULL;
}
