/* options.h - one static table per command: parsed by getopt_long, printed by -h */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* What an option's argument is, and what type its member has. */
enum option_type {
	OPTION_TYPE_FLAG,    /* bool */
	OPTION_TYPE_NUMBER,  /* int64_t, within least and most */
	OPTION_TYPE_TEXT,    /* const char *, borrowed from argv */
	OPTION_TYPE_CHOICE,  /* int: index into words */
	OPTION_TYPE_TEXTS,   /* struct option_texts: may be given more than once */
	OPTION_TYPE_NUMBERS, /* struct option_numbers: the same */
};

struct option_texts {
	const char **list; /* owned array of borrowed strings */
	size_t nr, alloc;
};

struct option_numbers {
	int64_t *list; /* owned */
	size_t nr, alloc;
};

struct option_entry {
	char letter; /* 0: long only */
	const char *name;
	enum option_type type;
	size_t offset;		  /* of the member in the command's options */
	const char *arg;	  /* "<px>"; NULL for a flag */
	const char *help;	  /* NULL: a hidden alias, works but is not listed */
	const char *const *words; /* of a choice, NULL-terminated */
	int64_t least, most;	  /* of a number */
	int bare; /* of a choice: value when given without "=word"; 0: needs a word */
};

/* A member of the wrong type is a compiler warning ("comparison of distinct pointer types"). */
#define OPTION_MEMBER(type, options, member) \
	(offsetof(options, member) + 0 * sizeof((type *)0 == &((options *)0)->member))

/* clang-format off */
#define OPTION_FLAG(letter_, name_, options, member_, help_) \
	{.letter = letter_, .name = name_, .type = OPTION_TYPE_FLAG, \
	 .offset = OPTION_MEMBER(bool, options, member_), .help = help_}
#define OPTION_NUMBER(letter_, name_, options, member_, arg_, least_, most_, help_) \
	{.letter = letter_, .name = name_, .type = OPTION_TYPE_NUMBER, \
	 .offset = OPTION_MEMBER(int64_t, options, member_), .help = help_, .arg = arg_, .least = least_, .most = most_}
#define OPTION_TEXT(letter_, name_, options, member_, arg_, help_) \
	{.letter = letter_, .name = name_, .type = OPTION_TYPE_TEXT, \
	 .offset = OPTION_MEMBER(const char *, options, member_), .help = help_, .arg = arg_}
#define OPTION_CHOICE(letter_, name_, options, member_, arg_, words_, help_) \
	{.letter = letter_, .name = name_, .type = OPTION_TYPE_CHOICE, \
	 .offset = OPTION_MEMBER(int, options, member_), .help = help_, .arg = arg_, .words = words_}
#define OPTION_BARE_CHOICE(letter_, name_, options, member_, arg_, words_, bare_, help_) \
	{.letter = letter_, .name = name_, .type = OPTION_TYPE_CHOICE, \
	 .offset = OPTION_MEMBER(int, options, member_), .help = help_, .arg = arg_, .words = words_, .bare = bare_}
#define OPTION_TEXTS(letter_, name_, options, member_, arg_, help_) \
	{.letter = letter_, .name = name_, .type = OPTION_TYPE_TEXTS, \
	 .offset = OPTION_MEMBER(struct option_texts, options, member_), .help = help_, .arg = arg_}
#define OPTION_NUMBERS(letter_, name_, options, member_, arg_, least_, most_, help_) \
	{.letter = letter_, .name = name_, .type = OPTION_TYPE_NUMBERS, \
	 .offset = OPTION_MEMBER(struct option_numbers, options, member_), .help = help_, .arg = arg_, .least = least_, .most = most_}
#define OPTION_END {0}
/* clang-format on */

/*
 * Fills `options` from argv[1...]. argv is put in order: operands behind options;
 * *ret_first is the index of the first operand. -h and --help are in every table: *ret_help.
 */
ERROR_RESULT struct error *options_parse(const struct option_entry *table, void *options, int argc,
					 char **argv, int *ret_first, bool *ret_help);

/* Frees what lists own. */
void options_release(const struct option_entry *table, void *options);

/* The options part of a help text, a line or two each. */
void options_print(const struct option_entry *table, FILE *out);

/* All long options with their dashes, a line each, for completion. */
void options_list(const struct option_entry *table, FILE *out);

/* The word of wanted's closest spelling in a NULL-terminated list, NULL when none is close. */
const char *options_closest(const char *wanted, const char *const *words);
