/* flame.h - the flamegraph: frames in, figure out, then written by a backend */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "renderers/draw.h"

#include "renderers/palette.h"

/* The parent of the root frame, which has none. */
#define FLAME_NO_PARENT UINT32_MAX

/*
 * One box. All strings are borrowed until the picture is written; they are valid UTF-8
 * without control characters (nothing else is assumed of them: names are untrusted text).
 */
struct flame_frame {
	const char *name;
	/* Its weight for people, e.g. "1,012.5 samples" or "1.2 s in 122 samples". */
	const char *value;
	/* A word or two for the tip: "kernel", "library libc.so.6"; NULL: nothing. */
	const char *origin;
	double weight;	     /* the same weight as a plain number */
	double begin, width; /* place on the axis, as shares of the whole picture (0 to 1) */
	uint32_t parent;     /* index of its parent, FLAME_NO_PARENT for the root */
	uint32_t depth;	     /* 0 is the root */
	uint32_t more;	     /* 0: a frame; n: "+ n more", n narrower children of parent */
	enum paint paint;
	enum hatch mark; /* the frame is hatched; chart->mark_words say what that means */
};

/* Of a comparison: what became of a frame. */
struct flame_change {
	const char *points;   /* for the label: "+12.3" */
	unsigned char shade;  /* the step of the frame's paint */
	enum outline outline; /* new, or vanished */
};

struct flame_rows;

/* What rows call a function: what a frame is, wherever it stands. Strings as above. */
struct flame_function {
	const char *name;
	const char *origin; /* a word: "library"; NULL: nothing is known */
	const char *module; /* "libc.so.6", NULL */
	const char *status; /* how far the name is to be trusted; NULL: nothing speaks against it */
	const char *place;  /* its file and line, NULL */
	enum paint paint;
	enum hatch mark;
};

/* What was found of a function, wherever it stands in a comparison. */
enum flame_verdict {
	FLAME_NO_VERDICT, /* it was no part of the question */
	FLAME_UNJUDGED,
	FLAME_BELOW, /* less than what could have been seen */
	FLAME_OPEN,  /* as much, and not established */
	FLAME_ESTABLISHED,
};

struct flame_judged {
	enum flame_verdict verdict;
	uint64_t before, after; /* what was judged: all of it, in steps */
	double smallest;	/* change that could have been seen, in points; can be infinite */
	const char *words;	/* "established: the function everywhere +1.2 ms/s to +3.4 ms/s" */
};

/* How a second weight of each row is compared with the first one. */
struct flame_comparison {
	const char *unit;	    /* of weights: "ns", "samples", ... */
	const char *after_step;	    /* what 1 of the second weight is, a decimal number */
	const char *reading;	    /* "per_work", "per_second", "share" */
	double before_by, after_by; /* what the reading divides a weight by; 0: there is nothing */
	double whole;		    /* 100 points, in that reading */
	double after_scale; /* how wide a weight of the second is, beside one of the first */
	double points_max;  /* of the strongest colour */
	const char *widths; /* whose widths are drawn: "before", "after", "both" */
	/* "Width: the larger side of each frame, ...", then of after, of before: so begins the head
	 */
	const char *width_words[3];
	bool is_judged;
	enum flame_verdict total;	      /* of all weights together */
	const struct flame_judged *functions; /* per function of the whole */
};

/*
 * The whole tree, of which the frames are what is drawn. A picture that has it is walked in by a
 * script: all else that is said of it in a browser comes from here.
 */
struct flame_whole {
	const struct flame_rows *rows;
	const struct flame_function *functions;
	size_t functions_nr;
	const char *step; /* what 1 in a row's weight is, a decimal number */
	const char
		*samples_step; /* so much of a row's weight is one sample; NULL: rows have both */
	const char *note;      /* what is left out of it; NULL: nothing */
	const char *head; /* the quiet line where it is another one than the chart's; or NULL */
	const struct flame_comparison *comparison; /* of two sides; NULL: rows have one weight */
};

enum flame_flags {
	FLAME_ICICLE = 1 << 0,	       /* root at the top */
	FLAME_PAINT_NAME = 1 << 1,     /* warm colours by name; they say nothing of origin */
	FLAME_FROM_LEAF = 1 << 2,      /* leaves stand upon the root, callers upon them;
					  `whole` is the other way around */
	FLAME_HEAVIEST_FIRST = 1 << 3, /* siblings stand by weight; in `whole` by name */
	FLAME_AS_TABLE = 1 << 4,       /* what is drawn is a table of `whole`, see table.h */
	FLAME_IN_TIME = 1 << 5,	       /* what is drawn are its samples, see flamechart.h */
};

enum flame_theme {
	FLAME_THEME_AUTO,
	FLAME_THEME_LIGHT,
	FLAME_THEME_DARK
};

/* A picture has no row for frames that are deeper: it says how many levels it leaves out. */
#define FLAME_LEVELS_MAX 256

/*
 * What a picture shows. frames[0] is the root ("all"); a parent stands before its children,
 * siblings from left to right. Strings as in struct flame_frame.
 */
struct flame_chart {
	enum draw_format format;
	const char *title;    /* "Flame graph" when NULL */
	const char *subtitle; /* below the title, may be NULL */
	/* The quiet line: what a unit of width is, how many samples, what was lost; or NULL. */
	const char *head;
	/* For those who do not see the picture, behind the head; NULL: its largest frames. */
	const char *summary;
	/* What weight counts: "samples", "ns", "bytes" ...; NULL: the root's value says it. */
	const char *unit;
	/* Legend texts; NULL: the palette's own word (for PAINT_ROOT: no entry). */
	const char *origin_words[PAINT_NR];
	/* The same of marks; NULL: no entry. */
	const char *mark_words[HATCH_NR];
	const struct flame_frame *frames;
	size_t frames_nr;
	const struct flame_change *changes; /* per frame; NULL: nothing is compared */
	/*
	 * A sandwich where there are any: frames are a function and what it calls, these are it and
	 * who calls it. The roots of both are not drawn; what is below them is the same in both.
	 */
	const struct flame_frame *callers;
	size_t callers_nr;
	const char *of; /* of a sandwich that is walked in: the name of its function */
	const struct flame_whole *whole; /* NULL: the picture is a still one, without a script */
	const char *id;	 /* before each id in the file, for pages with several; or NULL */
	double width_px; /* 200 to 20000 */
	enum flame_flags flags;
	enum flame_theme theme;
};

/*
 * Whether a frame's value, origin and points are told: not where it is one of many and too thin to
 * be pointed at. Then they need not be set. Of the chart only its width and number are asked.
 */
bool flame_has_words(const struct flame_chart *chart, const struct flame_frame *frame);

/*
 * Draws the chart in its format. The same chart gives the same bytes. False with errno set when
 * out could not be written (ENOSPC, EPIPE ...); what was written until then is no picture.
 */
bool flame_draw(const struct flame_chart *chart, FILE *out);
