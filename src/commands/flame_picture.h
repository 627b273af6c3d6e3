/* flame_picture.h - what all views of tephra flame have in common: options, words, the file */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "commands/flame_frames.h"
#include "commands/profile.h"
#include "commands/rows.h"
#include "model/recorder.h"

enum flame_view {
	FLAME_VIEW_FLAME,
	FLAME_VIEW_ICICLE,
	FLAME_VIEW_CALLERS,
	FLAME_VIEW_SANDWICH,
	FLAME_VIEW_TABLE,
	FLAME_VIEW_FLAMECHART,
};

enum flame_format {
	FLAME_FORMAT_AUTO, /* by the ending of the output's name, else a picture */
	FLAME_FORMAT_SVG,
	FLAME_FORMAT_CSV,
	FLAME_FORMAT_JSON,
};

struct flame_options {
	struct profile_options profile;
	const char *output, *title, *subtitle, *least, *count_name, *id;
	const char *of; /* of a sandwich: a name or an expression */
	const char *total;
	int64_t width, max_size;
	int paint;  /* enum flame_paint_by */
	int theme;  /* enum flame_theme */
	int view;   /* enum flame_view */
	int format; /* enum flame_format */
	int sort;   /* 1: siblings by weight */
	bool icicle, reverse, flamechart, still;
};

/* A picture while it is made. */
struct flame_picture {
	const struct flame_options *options;
	struct profile *profile;
	enum flame_view view;
	struct flame_words words;
	struct flame_paints paints;
	char *title, *subtitle;	  /* owned, clean, NULL where not asked for */
	char *count_name;	  /* the same: what weights are called, NULL: their unit */
	struct paths callers;	  /* of a sandwich; profile->paths are its callees then */
	struct paths entire;	  /* of a sandwich of one name: what it was cut out of */
	const char *of;		  /* that name, borrowed; NULL: there is none */
	struct recorder recorder; /* of a flame chart */
	weight whole; /* what the whole width stands for: the total, or more with --total */
	struct text head, entire_head; /* the second one of what a sandwich was cut out of */
};

/* Borrows the options and the profile, which is read afterwards. */
void flame_picture_init(struct flame_picture *picture, const struct flame_options *options,
			struct profile *profile);
void flame_picture_release(struct flame_picture *picture);

/*
 * Cuts the paths for a sandwich. An error where no function is called so, or matches: what is
 * no expression can only be a name.
 */
ERROR_RESULT struct error *flame_picture_cut(struct flame_picture *picture);

/* Has the samples kept with their times while they are read, and lanes take the place of roots. */
ERROR_RESULT struct error *flame_picture_record(struct flame_picture *picture,
						struct profile_options *reading);

/* The weight of all that is shown. */
weight flame_picture_total(const struct flame_picture *picture);

/* The profile as it was before a sandwich was cut out of it; it borrows all that it has. */
struct profile flame_picture_entire(const struct flame_picture *picture);

/* Chooses the colours, when the paths are what is drawn. */
void flame_picture_paint(struct flame_picture *picture);

/* Sets the whole: --total, which is no less than what is drawn. */
ERROR_RESULT struct error *flame_picture_scale(struct flame_picture *picture);

/* Makes the head: "Width: period of cpu-clock. 1.235 s in 1,234 samples; ..." */
void flame_picture_make_head(struct flame_picture *picture);

/* Says on stderr what is left out of the file; an empty note is nothing to say. */
void flame_picture_tell(const struct flame_picture *picture, const struct text *note);

/* The views, each in a file of its own: they draw to the file at path. */
ERROR_RESULT struct error *flame_tree_view(struct flame_picture *picture, const char *path);
ERROR_RESULT struct error *flame_chart_view(struct flame_picture *picture, const char *path);
ERROR_RESULT struct error *flame_table_view(struct flame_picture *picture, const char *path,
					    enum flame_format format);
