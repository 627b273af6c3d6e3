/* options.c - one static table per command: parsed by getopt_long, printed by -h */
#include "base/options.h"

#include <getopt.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"

/* getopt_long's value of the first table entry: above all letters. */
#define FIRST_VALUE 1000
#define HELP_VALUE  999

static size_t table_size(const struct option_entry *table)
{
	size_t nr = 0;

	while (table[nr].name)
		nr++;
	return nr;
}

static int has_arg(const struct option_entry *entry)
{
	if (entry->type == OPTION_TYPE_FLAG)
		return no_argument;
	return entry->bare ? optional_argument : required_argument;
}

static struct option *long_options(const struct option_entry *table)
{
	size_t nr = table_size(table);
	struct option *list = mem_zalloc(nr + 2, sizeof(*list));

	for (size_t i = 0; i < nr; i++)
		list[i] = (struct option){table[i].name, has_arg(&table[i]), NULL,
					  FIRST_VALUE + (int)i};
	list[nr] = (struct option){"help", no_argument, NULL, HELP_VALUE};
	return list;
}

static void letters(const struct option_entry *table, struct text *text)
{
	text_add(text, ":h"); /* a colon first: errors are ours to report */
	for (size_t i = 0; table[i].name; i++) {
		if (!table[i].letter)
			continue;
		text_add_char(text, table[i].letter);
		if (table[i].type != OPTION_TYPE_FLAG)
			text_add(text, table[i].bare ? "::" : ":");
	}
}

static const struct option_entry *entry_of(const struct option_entry *table, int value)
{
	if (value >= FIRST_VALUE)
		return &table[value - FIRST_VALUE];
	for (size_t i = 0; table[i].name; i++)
		if (table[i].letter == value)
			return &table[i];
	return NULL;
}

static struct error *parse_choice(const struct option_entry *entry, const char *arg, int *ret)
{
	CLEANUP(text_release) struct text words = TEXT_INIT;

	if (!arg) {
		*ret = entry->bare;
		return NULL;
	}
	for (int i = 0; entry->words[i]; i++) {
		if (strcmp(entry->words[i], arg) == 0) {
			*ret = i;
			return NULL;
		}
		text_addf(&words, "%s%s", i ? ", " : "", entry->words[i]);
	}
	return error_new(ERROR_USAGE, "--%s takes one of %s, not '%s'", entry->name,
			 text_string(&words), arg);
}

static struct error *parse_number(const struct option_entry *entry, const char *arg, int64_t *ret)
{
	bool is_negative = arg[0] == '-';
	uint64_t number;
	int64_t value;

	if (!units_parse_u64(arg + is_negative, strlen(arg) - is_negative, &number) ||
	    number > INT64_MAX)
		goto wrong;
	value = is_negative ? -(int64_t)number : (int64_t)number;
	if (value < entry->least || value > entry->most)
		goto wrong;
	*ret = value;
	return NULL;
wrong:
	return error_new(ERROR_USAGE, "--%s takes a number from %lld to %lld, not '%s'",
			 entry->name, (long long)entry->least, (long long)entry->most, arg);
}

static struct error *set(const struct option_entry *entry, void *options, const char *arg)
{
	char *member = (char *)options + entry->offset;
	struct error *err;

	switch (entry->type) {
	case OPTION_TYPE_FLAG:
		*(bool *)member = true;
		return NULL;
	case OPTION_TYPE_NUMBER:
		return parse_number(entry, arg, (int64_t *)member);
	case OPTION_TYPE_TEXT:
		*(const char **)member = arg;
		return NULL;
	case OPTION_TYPE_CHOICE:
		return parse_choice(entry, arg, (int *)member);
	case OPTION_TYPE_TEXTS: {
		struct option_texts *texts = (struct option_texts *)member;

		GROW(texts->list, texts->nr + 1, texts->alloc);
		texts->list[texts->nr++] = arg;
		return NULL;
	}
	case OPTION_TYPE_NUMBERS: {
		struct option_numbers *numbers = (struct option_numbers *)member;

		GROW(numbers->list, numbers->nr + 1, numbers->alloc);
		err = parse_number(entry, arg, &numbers->list[numbers->nr]);
		numbers->nr += !err;
		return err;
	}
	}
	return NULL;
}

/* The closest option for "did you mean"; hidden ones are not proposed. */
static struct error *unknown_option(const struct option_entry *table, const char *wanted)
{
	size_t nr = table_size(table);
	const char **names = mem_zalloc(nr + 1, sizeof(*names));
	size_t size = strcspn(wanted, "=");
	char *bare = mem_memdup(wanted, strlen(wanted) + 1);
	struct error *err = error_new(ERROR_USAGE, "there is no option '%s'", wanted);
	const char *closest;

	for (size_t i = 0, kept = 0; i < nr; i++)
		if (table[i].help)
			names[kept++] = table[i].name;
	bare[size] = '\0';
	closest = strncmp(bare, "--", 2) == 0 ? options_closest(bare + 2, names) : NULL;
	if (closest)
		err = error_hint(err, "did you mean --%s?", closest);
	free(bare);
	free(names);
	return err;
}

/* NULL unless the word is an abbreviation of several options. */
static struct error *ambiguous_option(const struct option_entry *table, const char *word)
{
	CLEANUP(text_release) struct text meant = TEXT_INIT;
	size_t size = strcspn(word, "="), nr = 0;

	if (strncmp(word, "--", 2) != 0)
		return NULL;
	for (size_t i = 0; table[i].name; i++)
		if (strncmp(table[i].name, word + 2, size - 2) == 0)
			text_addf(&meant, "%s--%s", nr++ ? ", " : "", table[i].name);
	if (nr < 2)
		return NULL;
	return error_new(ERROR_USAGE, "option '%.*s' can be %s", (int)size, word,
			 text_string(&meant));
}

static struct error *getopt_error(const struct option_entry *table, int value, char **argv)
{
	char letter[3] = {'-', (char)optopt, '\0'};
	const char *word = optopt && optopt < HELP_VALUE ? letter : argv[optind - 1];
	struct error *err;

	if (value == ':')
		return error_new(ERROR_USAGE, "option '%s' needs a value", word);
	if (optopt >= HELP_VALUE)
		return error_new(ERROR_USAGE, "option '%.*s' takes no value",
				 (int)strcspn(word, "="), word);
	err = ambiguous_option(table, word);
	return err ? err : unknown_option(table, word);
}

struct error *options_parse(const struct option_entry *table, void *options, int argc, char **argv,
			    int *ret_first, bool *ret_help)
{
	CLEANUP(text_release) struct text short_options = TEXT_INIT;
	struct option *list = long_options(table);
	struct error *err = NULL;
	int value;

	letters(table, &short_options);
	*ret_help = false;
	optind = 0; /* glibc: begin anew */
	opterr = 0;
	while (!err &&
	       (value = getopt_long(argc, argv, text_string(&short_options), list, NULL)) != -1) {
		if (value == '?' || value == ':')
			err = getopt_error(table, value, argv);
		else if (value == 'h' || value == HELP_VALUE)
			*ret_help = true;
		else
			err = set(entry_of(table, value), options, optarg);
	}
	*ret_first = optind;
	free(list);
	return err;
}

void options_release(const struct option_entry *table, void *options)
{
	for (size_t i = 0; table[i].name; i++) {
		char *member = (char *)options + table[i].offset;

		if (table[i].type == OPTION_TYPE_TEXTS) {
			free(((struct option_texts *)member)->list);
			*(struct option_texts *)member = (struct option_texts){0};
		} else if (table[i].type == OPTION_TYPE_NUMBERS) {
			free(((struct option_numbers *)member)->list);
			*(struct option_numbers *)member = (struct option_numbers){0};
		}
	}
}

void options_print(const struct option_entry *table, FILE *out)
{
	enum {
		HELP_COLUMN = 30
	};

	for (; table->name; table++) {
		CLEANUP(text_release) struct text left = TEXT_INIT;

		if (!table->help)
			continue;
		if (table->letter)
			text_addf(&left, "  -%c, --%s", table->letter, table->name);
		else
			text_addf(&left, "      --%s", table->name);
		if (table->arg)
			text_addf(&left, table->bare ? "[=%s]" : "=%s", table->arg);
		if (left.size + 2 > HELP_COLUMN)
			fprintf(out, "%s\n%*s%s\n", text_string(&left), HELP_COLUMN, "",
				table->help);
		else
			fprintf(out, "%-*s%s\n", HELP_COLUMN, text_string(&left), table->help);
	}
	fprintf(out, "%-*s%s\n", HELP_COLUMN, "  -h, --help", "show this help");
}

void options_list(const struct option_entry *table, FILE *out)
{
	for (; table->name; table++)
		if (table->help)
			fprintf(out, "--%s%s\n", table->name,
				table->arg && !table->bare ? "=" : "");
	fputs("--help\n", out);
}

/* Edits (insert, delete, replace, swap of neighbours) between two short words. */
static size_t distance(const char *a, const char *b)
{
	enum {
		WORD_MAX = 32
	};
	size_t rows[WORD_MAX + 1][WORD_MAX + 1];
	size_t a_size = strlen(a), b_size = strlen(b);

	if (a_size > WORD_MAX || b_size > WORD_MAX)
		return WORD_MAX;
	for (size_t i = 0; i <= a_size; i++) {
		for (size_t j = 0; j <= b_size; j++) {
			size_t best;

			if (!i || !j) {
				rows[i][j] = i + j;
				continue;
			}
			best = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			if (rows[i - 1][j] + 1 < best)
				best = rows[i - 1][j] + 1;
			if (rows[i][j - 1] + 1 < best)
				best = rows[i][j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    rows[i - 2][j - 2] + 1 < best)
				best = rows[i - 2][j - 2] + 1;
			rows[i][j] = best;
		}
	}
	return rows[a_size][b_size];
}

const char *options_closest(const char *wanted, const char *const *words)
{
	const char *closest = NULL;
	size_t least = strlen(wanted) / 3 + 2;

	for (; *words; words++) {
		size_t edits = distance(wanted, *words);

		if (edits < least) {
			least = edits;
			closest = *words;
		}
	}
	return closest;
}
