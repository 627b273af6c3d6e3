/* symbolize.c - tephra symbolize: new names for a profile, or for plain addresses */
#include "commands/addresses.h"
#include "commands/command.h"
#include "commands/rows.h"
#include "commands/symbols.h"

struct symbolize_options {
	const char *addresses, *output;
	struct symbols_options symbols;
	int format;  /* enum rows_format */
	int inlined; /* index into inline_words */
};

static const char *const inline_words[] = {"on", "off", NULL};

static const struct option_entry options_table[] = {
	OPTION_TEXT(0, "addresses", struct symbolize_options, addresses, "<file>",
		    "name these addresses of the one --binary, a hexadecimal one a line"),
	OPTION_TEXT('o', "output", struct symbolize_options, output, "<file>",
		    "write to this file, '-' is standard output"),
	OPTION_CHOICE(0, "format", struct symbolize_options, format, "table|csv|json",
		      rows_format_words, "form of the output; json is one object a line"),
	OPTION_CHOICE(0, "inline", struct symbolize_options, inlined, "on|off", inline_words,
		      "show inlined frames (on)"),
	SYMBOLS_OPTIONS(struct symbolize_options, symbols),
	OPTION_END,
};

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct symbolize_options *options = options_of;

	(void)argv;
	(void)ret_status;
	if (!options->addresses || argc)
		return error_new(ERROR_USAGE, "needs --addresses");
	return addresses_run(&(struct addresses_options){
		.list = options->addresses,
		.output = options->output,
		.format = options->format,
		.symbols = &options->symbols,
		.is_uninlined = options->inlined,
	});
}

const struct command command_symbolize = {
	.name = "symbolize",
	.args = "[<profile>]",
	.summary = "name the frames of a profile, or addresses of a file",
	.options = options_table,
	.size = sizeof(struct symbolize_options),
	.run = run,
};
