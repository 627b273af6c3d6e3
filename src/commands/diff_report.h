/* diff_report.h - a comparison that was made, for all that writes it: table, rows, picture */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/calltree.h"
#include "analysis/diff.h"
#include "analysis/judge.h"
#include "analysis/moves.h"
#include "base/text.h"
#include "commands/diff_sides.h"

/* What is known of both sides, and may make the comparison doubtful. */
struct diff_fact {
	char *what;	      /* owned: "kernel" */
	char *before, *after; /* owned, clean UTF-8 */
	char *doubt;	      /* owned: why numbers may not mean what they seem to; NULL */
	bool differs;
};

struct diff_report {
	const struct diff_sides *sides; /* borrowed */
	enum diff_match match;
	const char *work_name; /* what was counted as work; NULL: nothing */
	struct diff diff;
	struct judge judge;
	struct moves moves;
	size_t *order; /* owned: rows of diff.functions, what is sure first */
	struct diff_fact *facts;
	size_t facts_nr, facts_alloc;
	struct calltree tree; /* all of it or, for a picture, what is wide enough */
	struct calltree_options tree_options;
};

/*
 * Of report->sides, which are joined: all but the facts. Wall times are put into divisors, which
 * has what was done already. Without needs_tree there is no tree.
 */
void diff_report_build(struct diff_report *report, struct diff_divisors *divisors, bool needs_tree);
void diff_report_release(struct diff_report *report);

/* False: there are no times, or captures are too short; then no change is told from noise. */
bool diff_report_is_judged(const struct diff_report *report);

/* ---- diff_facts.c */

/* Finds report->facts; before names of one capture are taken into another. */
void diff_facts_find(struct diff_report *report);

/* A new fact, which differs where its words do; valid until the next one. */
struct diff_fact *diff_facts_new(struct diff_report *report, const char *what, const char *before,
				 const char *after);

/* Adds "kernel: 6.1 before, 6.18 after" for people. */
void diff_facts_add(const struct diff_fact *fact, struct text *text);

/* ---- diff_load.c */

/*
 * Adds to report->facts what counters of load say, where profiles carry them in the clock of their
 * samples: queues, use of CPUs, steal, throttling, pressure; as means over what is compared.
 */
ERROR_RESULT struct error *diff_load_find(struct diff_report *report);

/* ---- diff_words.c */

const char *diff_report_name(const struct diff_report *report, size_t row);

/* A value of a reading with its unit: "327.2 ms/s", "320 us", "12.34 %"; with a sign if asked. */
void diff_words_add_value(const struct diff_report *report, enum diff_reading reading, double value,
			  bool is_signed, struct text *text);

/* "+12.3": signed points with one decimal, two below one. */
void diff_words_add_points(double points, struct text *text);

/* "1.742 s of cpu-clock in 1,740 samples, 1.000 s of wall time": what there is of a side. */
void diff_words_add_side(const struct diff_report *report, bool is_after, struct text *text);

/* The whole in a reading: "cpu-clock per second of wall time: 1.742 s/s before, 1.733 s/s after" */
void diff_words_add_whole(const struct diff_report *report, enum diff_reading reading,
			  struct text *text);

/* The reading that leads, with its unit: "cpu-clock per second of wall time". */
void diff_words_add_reading(const struct diff_report *report, enum diff_reading reading,
			    struct text *text);

/* "Width: the larger side of each frame, cpu-clock per second of wall time." */
void diff_words_add_widths(const struct diff_report *report, enum calltree_widths widths,
			   struct text *text);

/* "established: the function everywhere +1.2 ms/s to +3.4 ms/s": its interval where it has one. */
void diff_words_add_verdict(const struct diff_report *report, size_t row, struct text *text);

/* What verdicts rest on, and their limits; why there are none. */
void diff_words_add_basis(const struct diff_report *report, struct text *text);

/* The same in few words: "One pair, 19 and 19 blocks of 0.1 s: a screen, at most 1 % false". */
void diff_words_add_short_basis(const struct diff_report *report, struct text *text);

/* What grew, what shrank, by how much, how sure, and what could not have been seen. */
void diff_words_add_sentence(const struct diff_report *report, struct text *text);

/* A row whose readings say different things. False and nothing added where they do not. */
bool diff_words_add_contradiction(const struct diff_report *report, size_t row, struct text *text);

/* "mix_fast +4.2 moved within mix, from mix_slow -4.1". */
void diff_words_add_move(const struct diff_report *report, const struct move *move,
			 struct text *text);

/* "to see 10 % in rules_parse: record 5 captures of 4 s at 499 Hz on each side"; or nothing. */
void diff_words_add_plan(const struct diff_report *report, struct text *text);

/* ---- diff_table.c, diff_json.c */

/* rows_max 0: all, also those that are the same. */
void diff_table_write(const struct diff_report *report, size_t rows_max, FILE *out);
void diff_csv_write(const struct diff_report *report, FILE *out);
void diff_json_write(const struct diff_report *report, FILE *out);
