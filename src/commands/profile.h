/* profile.h - what every command that reads a capture does first: read, select, name */
#pragma once

#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/options.h"
#include "commands/profile_names.h"
#include "commands/symbols.h"
#include "model/bins.h"
#include "model/capture.h"
#include "model/select.h"
#include "model/tally.h"

struct importer;
struct recorder;
struct sink;
struct text;

/* The options that are the same word in every such command; a member of its options struct. */
struct profile_options {
	const char *input_format, *capture;
	int weight; /* enum profile_weight */
	const char *event, *from, *to;
	struct option_texts comms;
	struct option_numbers pids, tids, cpus;
	struct option_texts focus, ignore, hide, show, collapse_modules, subtrees;
	bool no_idle, mask, source_lines, collapse_chains;
	int group;     /* enum profile_group */
	int recursion; /* enum transform_recursion */
	int tidy;      /* enum naming_tidy */
	int inlined;   /* index into profile_inline_words: 0 on, 1 off */
	int unknown;   /* enum naming_unknown */
	int by;	       /* 0: as people expect of the format; else 1 + enum tally_by */
	const char *annotate;
	struct symbols_options symbols;
	bool strict, quiet;
	/* no options, set by commands: */
	bool is_from_leaf;	   /* what is drawn grows from the leaf */
	struct recorder *recorder; /* hears each sample with its time; NULL: not needed */
	struct sink *also;	   /* hears every sample, of all events; NULL: nobody */
	bool wants_build;	   /* facts of how the executable was built */
	bool draws_calls;  /* nothing but a tree from the outermost frame on is made of paths */
	bool keeps_times;  /* profile->bins are filled; not with a recorder */
	bool allows_empty; /* no sample is no error */
	enum capture_column column; /* the side of a text that has two */
};

enum profile_group {
	PROFILE_GROUP_FUNCTION,
	PROFILE_GROUP_MODULE
};

enum profile_weight {
	PROFILE_WEIGHT_AUTO,
	PROFILE_WEIGHT_PERIOD,
	PROFILE_WEIGHT_SAMPLES
};

extern const char *const profile_weight_words[], *const profile_by_words[];

/* clang-format off */
/* Entries for a table of options whose struct has a member "profile": which samples. */
#define PROFILE_READ_OPTIONS(options)                                                              \
	OPTION_TEXT(0, "input-format", options, profile.input_format, "<format>",                  \
		    "perf-data, perf-script, folded, csv ...; otherwise found by looking"),                          \
	OPTION_TEXT(0, "capture", options, profile.capture, "<name>",                              \
		    "which capture of a profile; all: those of one event added up"),               \
	OPTION_TEXT('e', "event", options, profile.event, "<event>",                               \
		    "which event; otherwise that of the first sample"),                            \
	OPTION_TEXTS(0, "comm", options, profile.comms, "<name>", "only threads of this name"),    \
	OPTION_NUMBERS(0, "pid", options, profile.pids, "<pid>", INT32_MIN, INT32_MAX,             \
		       "only this process"),                                                       \
	OPTION_NUMBERS(0, "tid", options, profile.tids, "<tid>", INT32_MIN, INT32_MAX,             \
		       "only this thread"),                                                        \
	OPTION_NUMBERS(0, "cpu", options, profile.cpus, "<cpu>", 0, INT32_MAX,                     \
		       "only samples on this CPU"),                                                \
	OPTION_TEXT(0, "from", options, profile.from, "<time>",                                    \
		    "only from this time on; +12.5 counts from the first sample"),                 \
	OPTION_TEXT(0, "to", options, profile.to, "<time>", "only before this time"),              \
	OPTION_FLAG(0, "strict", options, profile.strict,                                          \
		    "refuse an input that is damaged or holds odd lines"),                         \
	OPTION_FLAG('q', "quiet", options, profile.quiet, "print errors only")

/* What is shown of them. */
#define PROFILE_NAME_OPTIONS(options)                                                              \
	OPTION_TEXTS(0, "focus", options, profile.focus, "<regex>",                                \
		     "keep only samples with such a frame"),                                       \
	OPTION_TEXTS(0, "ignore", options, profile.ignore, "<regex>",                              \
		     "drop samples with such a frame"),                                            \
	OPTION_TEXTS(0, "hide", options, profile.hide, "<regex>",                                  \
		     "drop such frames; their samples go to the caller"),                          \
	OPTION_TEXTS(0, "show", options, profile.show, "<regex>", "keep only such frames"),        \
	OPTION_TEXTS(0, "collapse-module", options, profile.collapse_modules, "<regex>",           \
		     "show such modules, not their functions"),                                    \
	OPTION_CHOICE(0, "group", options, profile.group, "function|module", profile_group_words,  \
		      "what a frame is (function)"),                                               \
	OPTION_BARE_CHOICE(0, "collapse-recursion", options, profile.recursion, "<which>",         \
			   profile_recursion_words, TRANSFORM_RECURSION_DIRECT,                    \
			   "show functions that call themselves once (direct),"                    \
			   " also through others (all)"),                                          \
	OPTION_TEXTS(0, "subtree", options, profile.subtrees, "<frame;frame...>",                  \
		     "only what is below this path from the outermost frame"),                     \
	OPTION_FLAG(0, "collapse-chains", options, profile.collapse_chains,                        \
		    "join frames to their only child where it has all of their weight"),           \
	OPTION_FLAG(0, "no-idle", options, profile.no_idle,                                        \
		    "drop samples of CPUs that have nothing to do"),                               \
	OPTION_BARE_CHOICE(0, "tidy", options, profile.tidy, "<what>", profile_tidy_words,         \
			   NAMING_TIDY_NAMES,                                                      \
			   "shorten names as stackcollapse-perf.pl does (names),"                  \
			   " Rust hashes too (hashes)"),                                           \
	OPTION_FLAG(0, "mask", options, profile.mask, "replace numbers in names by *"),            \
	OPTION_CHOICE(0, "inline", options, profile.inlined, "on|off", profile_inline_words,       \
		      "show inlined frames (on)"),                                                 \
	OPTION_CHOICE(0, "unknown", options, profile.unknown, "module|address",                    \
		      profile_unknown_words, "how frames without a name read"),                    \
	OPTION_TEXT(0, "annotate", options, profile.annotate, "<kinds>",                           \
		    "mark names: kernel _[k], jit _[j], inline _[i]; with commas"),                \
	OPTION_FLAG(0, "srcline", options, profile.source_lines,                                   \
		    "add file and line to names, where the input has them"),                       \
	OPTION_CHOICE(0, "by", options, profile.by, "<root>", profile_by_words,                    \
		      "the root frame: comm, process, thread, cpu or none"),                       \
	OPTION_CHOICE(0, "weight", options, profile.weight, "period|samples",                      \
		      profile_weight_words, "what is added up; otherwise periods where there are")

#define PROFILE_OPTIONS(options)                                                                   \
	PROFILE_READ_OPTIONS(options), SYMBOLS_OPTIONS(options, profile.symbols),                  \
		PROFILE_NAME_OPTIONS(options)
/* clang-format on */

/* A capture that was read, selected and named. */
struct profile {
	char *operand;	    /* owned: the file without a range */
	bool is_stored;	    /* read from a profile, not a capture */
	bool needs_samples; /* set before reading: a profile's derived weights do not do */
	const struct importer *importer;
	struct selection selection;
	struct capture capture;
	struct select select;
	struct symbols_files files; /* that stacks and names come from */
	struct tally tally;
	struct bins bins;
	struct naming naming;
	struct paths paths;
	struct profile_names names;
	uint32_t event;	     /* EVENT_NONE where there is no sample */
	bool counts_samples; /* what is added up is samples, not periods */
};

/*
 * Reads the one operand ("-" or none: standard input; "file@+4..+8": a range of it). Says on
 * stderr what was odd, unless quiet. An empty selection is an error that lists what there is.
 * *ret is released by the caller also after an error.
 */
ERROR_RESULT struct error *profile_load(const struct profile_options *options, int argc,
					char **argv, struct profile *ret);

/* The reading alone, into any sink: for commands that need no names. */
ERROR_RESULT struct error *profile_read(const struct profile_options *options, int argc,
					char **argv, struct profile *ret, struct sink *sink);

/* Then, where names are wanted of what was read so: from files, as the options say. */
ERROR_RESULT struct error *profile_name(struct profile *profile,
					const struct profile_options *options);
void profile_release(struct profile *profile);

/* The error where nothing is left to be shown: what left it out, and what there is. */
ERROR_RESULT struct error *profile_empty_selection(const struct profile *profile);

/* Adds the capture's events but one, with their samples: "faults (12), cycles (7)". */
void profile_add_events(const struct capture *capture, uint32_t but, struct text *text);

/* The unit of weights: "samples", "ns", "cycles". */
const char *profile_unit(const struct profile *profile);

/* The weight in its unit for people: "1,012.5 samples", "1.235 s". */
void profile_add_weight(const struct profile *profile, struct text *text, weight w);

/* The name of the event that is shown, "samples" where the capture names none. */
const char *profile_event_name(const struct profile *profile);

/* Adds what a table shows, for the line above it: "1.235 s of cpu-clock; " and the facts. */
void profile_add_headline(const struct profile *profile, struct text *text, weight total);

/* Adds "120 of 130 samples; left out: --comm 10; 2 without a call chain; 13 events lost". */
void profile_add_facts(const struct profile *profile, struct text *text);
