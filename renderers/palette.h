/* palette.h - the colours of every picture, one truth for all output formats */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * What a box or text is painted as. Values (light and dark) are in palette.def. Frame
 * paints have PALETTE_SHADES shades; which one a frame gets depends on its name only, so
 * that the same function looks the same in every picture.
 */
enum paint {
	PAINT_ROOT,    /* the root frame and roots by command, process or thread */
	PAINT_APP,     /* the program itself */
	PAINT_LIBRARY, /* a shared library */
	PAINT_KERNEL,
	PAINT_JIT,
	PAINT_UNKNOWN, /* no name, or nothing says where it comes from */
	PAINT_MORE,    /* stands for frames that are too narrow to be drawn */
	PAINT_GROUP1,  /* groups of the chart's own */
	PAINT_GROUP2,
	PAINT_GROUP3,
	PAINT_GROUP4,
	PAINT_GROUP5,
	PAINT_GROUP6,
	PAINT_GROUP7,
	PAINT_STEP1, /* steps of a scale, the first is the least */
	PAINT_STEP2,
	PAINT_STEP3,
	PAINT_STEP4,
	PAINT_MORE_THAN, /* of a comparison: the shade is a step of how much more, */
	PAINT_LESS_THAN, /* how much less, */
	PAINT_SAME_AS,	 /* or neither */
	PAINT_HEAT_LOW,	 /* of a heat map: the shade is a step of how many, */
	PAINT_HEAT_HIGH, /* and on from there */
	PAINT_NR,
};

/* Paints that stand in one picture; the root's, the unknown's and "more" stand in all. */
enum palette_family {
	PALETTE_ORIGINS,
	PALETTE_GROUPS,
	PALETTE_STEPS,
	PALETTE_CHANGES,
	PALETTE_HEAT, /* beside origins: it can be asked for a flame graph */
};

/* What is not a box: the paper, the writing on it and on every box, and what search found. */
enum ink {
	INK_SURFACE,
	INK_TEXT,
	INK_QUIET,
	INK_SEARCH,
	INK_FIRST, /* lines of a chart; they differ in their dashes, too */
	INK_SECOND,
	INK_THIRD,
	INK_GRID, /* what helps to read them */
	INK_NR,
};

#define PALETTE_SHADES 4

/*
 * Lines of the paper's colour over a fill, so that the text on it stays legible. What they
 * mean is the chart's to say.
 */
enum hatch {
	HATCH_NONE,
	HATCH_STRIPED,
	HATCH_CROSSED,
	HATCH_NR,
};

/* A line around a box: there is nothing of it on the other side of a comparison. */
enum outline {
	OUTLINE_NONE,
	OUTLINE_SOLID,	/* new */
	OUTLINE_DASHED, /* vanished */
};

/* A box's colour: a paint and one of its shades. */
struct fill {
	enum paint paint;
	unsigned int shade;
	enum hatch hatch;
};

/* FNV-1a of a name, its halves mixed. */
uint32_t palette_name_hash(const char *name);

/* The shade that a name has in every paint. */
unsigned int palette_shade(const char *name);

/* A fill by name alone, hue too, for pictures that do not say where code comes from. */
struct fill palette_fill_by_name(const char *name);

/* The same of a name's palette_name_hash(). Its shade is palette_shade() of the name. */
struct fill palette_fill_by_hash(uint32_t hash);

/* Colours as 0xrrggbb. */
uint32_t palette_rgb(struct fill fill, bool is_dark);
uint32_t palette_ink_rgb(enum ink ink, bool is_dark);

/* Is this paint of a family, or of all? */
bool palette_is_of(enum paint paint, enum palette_family family);

/* The family of a paint; that of paints of all families is the first. */
enum palette_family palette_family_of(enum paint paint);

/* The legend's word for a paint. */
const char *palette_word(enum paint paint);

/* One letter, the same for a paint in every picture: what style sheets call it. */
char palette_letter(enum paint paint);

/* The same of a hatch; not for HATCH_NONE. */
char palette_hatch_letter(enum hatch hatch);
