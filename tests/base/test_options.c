/* test_options.c - a command's table of options parses, explains and proposes */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/options.h"
#include "base/text.h"

struct picks {
	bool all;
	int64_t width;
	const char *output;
	int paint, tidy;
	struct option_texts comms;
	struct option_numbers cpus;
};

static const char *const paint_words[] = {"auto", "origin", "name", NULL};

static const struct option_entry table[] = {
	OPTION_TEXT('o', "output", struct picks, output, "<file>", "where it goes"),
	OPTION_NUMBER('w', "width", struct picks, width, "<px>", 200, 20000, "how wide"),
	OPTION_NUMBER(0, "breadth", struct picks, width, "<px>", 200, 20000, NULL),
	OPTION_FLAG('a', "all", struct picks, all, "everything"),
	OPTION_CHOICE(0, "paint", struct picks, paint, "origin|name", paint_words, "colours"),
	OPTION_BARE_CHOICE(0, "tidy", struct picks, tidy, "<what>", paint_words, 2,
			   "shorter names"),
	OPTION_TEXTS(0, "comm", struct picks, comms, "<name>", "threads"),
	OPTION_NUMBERS(0, "cpu", struct picks, cpus, "<cpu>", 0, 100, "CPUs"),
	OPTION_END,
};

/* Splits words at blanks into an argv of a command. */
static int make_argv(char *words, char **argv)
{
	int argc = 0;

	argv[argc++] = (char *)"test";
	for (char *word = strtok_r(words, " ", &words); word; word = strtok_r(NULL, " ", &words))
		argv[argc++] = word;
	argv[argc] = NULL;
	return argc;
}

struct parsed {
	struct picks picks;
	char *words;
	char *argv[32];
	int argc, first;
	bool is_help;
	char *failure, *hint;
};

static void parsed_release(struct parsed *parsed)
{
	options_release(table, &parsed->picks);
	free(parsed->words);
	free(parsed->failure);
	free(parsed->hint);
}

static void parse(const char *words, struct parsed *ret)
{
	struct error *err;

	*ret = (struct parsed){.words = mem_strdup(words)};
	ret->argc = make_argv(ret->words, ret->argv);
	err = options_parse(table, &ret->picks, ret->argc, ret->argv, &ret->first, &ret->is_help);
	if (!err)
		return;
	ret->failure = mem_strdup(error_text(err));
	if (error_hint_text(err))
		ret->hint = mem_strdup(error_hint_text(err));
	assert_int_equal(error_kind(err), ERROR_USAGE);
	error_free(err);
}

static void long_short_and_abbreviated_options_are_the_same(void **state)
{
	static const char *const ways[] = {"--output=x --width=300 --all", "-o x -w 300 -a",
					   "--out x --wid 300 --al", "-aw300 -ox",
					   "--breadth=300 -a -o x"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(ways); i++) {
		CLEANUP(parsed_release) struct parsed parsed;

		parse(ways[i], &parsed);
		assert_null(parsed.failure);
		assert_string_equal(parsed.picks.output, "x");
		assert_int_equal(parsed.picks.width, 300);
		assert_true(parsed.picks.all);
		assert_int_equal(parsed.first, parsed.argc);
	}
}

static void operands_are_put_behind_the_options(void **state)
{
	CLEANUP(parsed_release) struct parsed parsed;

	(void)state;
	parse("run.perf -a other -w 200", &parsed);
	assert_null(parsed.failure);
	assert_true(parsed.picks.all);
	assert_int_equal(parsed.argc - parsed.first, 2);
	assert_string_equal(parsed.argv[parsed.first], "run.perf");
	assert_string_equal(parsed.argv[parsed.first + 1], "other");
}

static void two_dashes_end_the_options(void **state)
{
	CLEANUP(parsed_release) struct parsed parsed;

	(void)state;
	parse("-- -a", &parsed);
	assert_null(parsed.failure);
	assert_false(parsed.picks.all);
	assert_string_equal(parsed.argv[parsed.first], "-a");
}

static void single_dash_is_an_operand(void **state)
{
	CLEANUP(parsed_release) struct parsed parsed;

	(void)state;
	parse("- -a", &parsed);
	assert_null(parsed.failure);
	assert_true(parsed.picks.all);
	assert_string_equal(parsed.argv[parsed.first], "-");
}

static void lists_grow_with_each_use(void **state)
{
	CLEANUP(parsed_release) struct parsed parsed;

	(void)state;
	parse("--comm a --comm=b --cpu 0 --cpu=7 --cpu 100", &parsed);
	assert_null(parsed.failure);
	assert_int_equal(parsed.picks.comms.nr, 2);
	assert_string_equal(parsed.picks.comms.list[1], "b");
	assert_int_equal(parsed.picks.cpus.nr, 3);
	assert_int_equal(parsed.picks.cpus.list[2], 100);
}

static void choices_are_words_of_their_list(void **state)
{
	CLEANUP(parsed_release) struct parsed parsed;

	(void)state;
	parse("--paint=name", &parsed);
	assert_null(parsed.failure);
	assert_int_equal(parsed.picks.paint, 2);
}

static void bare_choice_has_a_value_of_its_own(void **state)
{
	CLEANUP(parsed_release) struct parsed bare, with_word;

	(void)state;
	parse("--tidy input", &bare);
	parse("--tidy=origin", &with_word);
	assert_int_equal(bare.picks.tidy, 2);
	assert_int_equal(bare.argc - bare.first, 1);
	assert_int_equal(with_word.picks.tidy, 1);
}

static void help_is_in_every_table(void **state)
{
	static const char *const ways[] = {"-h", "--help", "--hel"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(ways); i++) {
		CLEANUP(parsed_release) struct parsed parsed;

		parse(ways[i], &parsed);
		assert_null(parsed.failure);
		assert_true(parsed.is_help);
	}
}

static void wrong_options_are_refused_with_their_reason(void **state)
{
	static const struct {
		const char *words, *failure, *hint;
	} cases[] = {
		{"--width=wide", "--width takes a number from 200 to 20000, not 'wide'", NULL},
		{"--width=199", "--width takes a number from 200 to 20000, not '199'", NULL},
		{"--width=20001", "--width takes a number from 200 to 20000, not '20001'", NULL},
		{"--width=", "--width takes a number from 200 to 20000, not ''", NULL},
		{"--width=99999999999999999999",
		 "--width takes a number from 200 to 20000, not '99999999999999999999'", NULL},
		{"--cpu=-1", "--cpu takes a number from 0 to 100, not '-1'", NULL},
		{"--paint=red", "--paint takes one of auto, origin, name, not 'red'", NULL},
		{"--paint=", "--paint takes one of auto, origin, name, not ''", NULL},
		{"-w", "option '-w' needs a value", NULL},
		{"--output", "option '--output' needs a value", NULL},
		{"--widht=300", "there is no option '--widht=300'", "did you mean --width?"},
		{"--breadht=300", "there is no option '--breadht=300'", NULL},
		{"--nothing-like-it", "there is no option '--nothing-like-it'", NULL},
		{"-x", "there is no option '-x'", NULL},
		{"-ax", "there is no option '-x'", NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(cases); i++) {
		CLEANUP(parsed_release) struct parsed parsed;

		parse(cases[i].words, &parsed);
		if (!parsed.failure)
			fail_msg("'%s' was taken", cases[i].words);
		assert_string_equal(parsed.failure, cases[i].failure);
		if (cases[i].hint)
			assert_string_equal(parsed.hint ? parsed.hint : "", cases[i].hint);
		else if (parsed.hint)
			fail_msg("'%s': hint '%s'", cases[i].words, parsed.hint);
	}
}

static void value_for_a_flag_is_refused(void **state)
{
	CLEANUP(parsed_release) struct parsed parsed;

	(void)state;
	parse("--all=yes", &parsed);
	assert_non_null(parsed.failure);
	assert_string_equal(parsed.failure, "option '--all' takes no value");
}

static void ambiguous_abbreviation_is_refused_as_such(void **state)
{
	CLEANUP(parsed_release) struct parsed parsed;

	(void)state;
	parse("--c 1", &parsed);
	assert_non_null(parsed.failure);
	assert_string_equal(parsed.failure, "option '--c' can be --comm, --cpu");
}

static char *printed(void (*print)(const struct option_entry *, FILE *))
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	print(table, out);
	fclose(out);
	return text;
}

static void help_lists_options_but_not_hidden_ones(void **state)
{
	char *text = printed(options_print);

	(void)state;
	assert_non_null(strstr(text, "  -o, --output=<file>         where it goes\n"));
	assert_non_null(strstr(text, "      --tidy[=<what>]         shorter names\n"));
	assert_non_null(strstr(text, "  -a, --all                   everything\n"));
	assert_non_null(strstr(text, "  -h, --help "));
	assert_null(strstr(text, "breadth"));
	free(text);
}

static void list_for_completion_names_each_once(void **state)
{
	char *text = printed(options_list);

	(void)state;
	assert_string_equal(text, "--output=\n--width=\n--all\n--paint=\n--tidy\n--comm=\n--cpu=\n"
				  "--help\n");
	free(text);
}

static void closest_word_is_proposed_only_where_it_is_close(void **state)
{
	static const char *const words[] = {"flame", "fold", "top", "tree", "info", NULL};

	(void)state;
	assert_string_equal(options_closest("flmae", words), "flame");
	assert_string_equal(options_closest("flam", words), "flame");
	assert_string_equal(options_closest("trees", words), "tree");
	assert_string_equal(options_closest("fodl", words), "fold");
	assert_null(options_closest("flamegraph", words));
	assert_null(options_closest("xyzzy", words));
	assert_null(
		options_closest("a-word-that-is-very-much-longer-than-any-of-the-words", words));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_short_and_abbreviated_options_are_the_same),
		cmocka_unit_test(operands_are_put_behind_the_options),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(single_dash_is_an_operand),
		cmocka_unit_test(lists_grow_with_each_use),
		cmocka_unit_test(choices_are_words_of_their_list),
		cmocka_unit_test(bare_choice_has_a_value_of_its_own),
		cmocka_unit_test(help_is_in_every_table),
		cmocka_unit_test(wrong_options_are_refused_with_their_reason),
		cmocka_unit_test(value_for_a_flag_is_refused),
		cmocka_unit_test(ambiguous_abbreviation_is_refused_as_such),
		cmocka_unit_test(help_lists_options_but_not_hidden_ones),
		cmocka_unit_test(list_for_completion_names_each_once),
		cmocka_unit_test(closest_word_is_proposed_only_where_it_is_close),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
