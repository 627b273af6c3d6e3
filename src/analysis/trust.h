/* trust.h - how far the names in a result are shown to be right */
#pragma once

#include <stdbool.h>

#include "base/units.h"
#include "model/modules.h"

struct capture;
struct function;
struct naming;
struct paths;
struct tally;
struct text;

/* By the module of each leaf. */
struct trust {
	weight all;
	weight named;			    /* whose leaf has a name */
	weight truncated, incomplete;	    /* whose callers are not all there */
	weight lacks_caller;		    /* where frame pointers may have led past a caller */
	weight by_status[MODULE_STATUS_NR]; /* those without a module are in none */
};

/* What is known of a function's name. */
enum trust_grade {
	TRUST_SHOWN,   /* nothing speaks against it: also what a capture says itself */
	TRUST_DOUBTED, /* it comes from a file that is not shown to be the one that ran */
	TRUST_REFUSED, /* it has none, since the file that is here is another build */
};

enum trust_grade trust_grade(const struct capture *capture, const struct function *function);

/*
 * Of functions that have the same name, the one whose name is doubted most: so it hides behind no
 * other. `than` is the one so far, FUNCTION_NONE for none; ties go to the first module by its path.
 */
uint32_t trust_more_doubted(const struct naming *naming, uint32_t function, uint32_t than);

/* The grade in a few words for people, by the module's status: "no name: ..."; "" if shown. */
const char *trust_grade_words(const struct capture *capture, const struct function *function);

/* Of what is shown. */
void trust_count(struct trust *trust, const struct paths *paths, bool counts_samples);

/* Of all samples of a tally, whatever their event. */
void trust_count_all(struct trust *trust, const struct tally *tally);

/*
 * Adds a sentence for each status that a reader must know of, with its share, each behind
 * `before`: "12.4 % is in modules whose files here are not those that ran, and has no names".
 * Nothing where all is well.
 */
void trust_add(const struct trust *trust, const char *before, struct text *text);

/* The same of those alone whose names, or whose callers, are shown and may be wrong. */
void trust_add_doubts(const struct trust *trust, const char *before, struct text *text);

/* Adds "names: 3,400 of 3,474 samples; exact 3,380, missing 74": each status that occurs. */
void trust_add_counts(const struct trust *trust, struct text *text);
