/* series.h - counters: what a series is, and a point of it */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/decimal.h"

struct names;

/* What the numbers of a series are. */
enum series_kind {
	SERIES_GAUGE,	   /* an amount at a moment */
	SERIES_CUMULATIVE, /* all since some beginning: only differences mean something */
	SERIES_DELTA,	   /* how much in the time that the point covers */
	SERIES_RATE,	   /* how much a second in that time, or a mean over it */
	SERIES_KIND_NR,
};

enum series_role {
#define ROLE(code, word, kind, what) ROLE_##code,
#include "model/roles.def"
#undef ROLE
	ROLE_NR,
};

/* How the role is known. */
enum role_source {
	ROLE_SOURCE_NONE,   /* it has none */
	ROLE_SOURCE_NAME,   /* guessed from the name */
	ROLE_SOURCE_FORMAT, /* the format says so */
	ROLE_SOURCE_USER,   /* somebody said so */
	ROLE_SOURCE_NR,
};

/* A gap, not counted, not supported, NaN and 0 are five answers. */
enum point_state {
	POINT_OK,
	POINT_RESET, /* it began anew: no difference to the point before; its value is good */
	POINT_GAP,   /* nothing was written where a value could stand */
	POINT_NAN,   /* what was written is no finite number */
	POINT_NOT_COUNTED,
	POINT_NOT_SUPPORTED,
	POINT_STATE_NR,
};

/*
 * Times are in the capture's own clock. A gauge and a cumulative value are of a moment: begin is
 * end. Points of a series come in the order of end_ns and no two have the same.
 */
struct point {
	uint64_t begin_ns, end_ns; /* what it covers: begin < t <= end */
	struct decimal value;	   /* in the series' unit; valid with point_has_value() */
	enum point_state state;
	uint64_t enabled_ns, running_ns; /* of a multiplexed counter; 0 and 0 where nothing says */
};

static inline bool point_has_value(const struct point *point)
{
	return point->state <= POINT_RESET;
}

/* Pairs of name ids: {queue="classify"}. */
struct series_label {
	uint32_t key, value;
};

#define SERIES_LABELS_MAX 64

struct series {
	uint32_t name; /* name id */
	uint32_t unit; /* name id, NAME_NONE where it is not known: "ns", "s", "bytes", "percent" */
	enum series_kind kind;
	enum series_role role;
	enum role_source role_source;
	struct series_label *labels; /* owned, in the order of the source */
	uint32_t labels_nr;
	uint64_t age_ns; /* a value may be older than its time by this: a server repeats the last */
	/* counted by series_watch() or read from a profile */
	uint64_t points;	    /* with a value; what is missing is no point of these */
	uint64_t missing;	    /* gaps, NaN, not counted, not supported */
	uint64_t resets;	    /* of points */
	uint64_t start_ns, last_ns; /* of all, valid where there is one */
};

/* All series of a capture; their index is their id. */
struct series_list {
	struct series *list; /* owned */
	uint32_t nr;
	size_t alloc;
};

/* More are no counters that somebody looks at. */
#define SERIES_MAX (1u << 20)

void series_list_release(struct series_list *list);

/* Adds a copy; its labels are copied too. SERIES_MAX is the caller's to check. */
uint32_t series_add(struct series_list *list, const struct series *series);

/* Have they the same name and labels? */
bool series_is_same(const struct series *a, const struct series *b);

/* Counts a point that was said. */
void series_watch(struct series *series, const struct point *point);

/* The value of a label, NAME_NONE where it has none of that key. */
uint32_t series_label(const struct series *series, const struct names *names, const char *key);

struct text;

/* Adds the name as it is shown: "depth{queue="classify"}". */
void series_add_display(struct text *text, const struct series *series, const struct names *names);

/* Words: keys of JSON and of the profile, never renamed. The reverse gives ..._NR for none. */
const char *series_kind_word(enum series_kind kind);
enum series_kind series_kind_of_word(const char *word);
const char *series_role_word(enum series_role role); /* "" for none */
enum series_role series_role_of_word(const char *word);
enum series_kind series_role_kind(enum series_role role);
const char *role_source_word(enum role_source source);
const char *point_state_word(enum point_state state);
