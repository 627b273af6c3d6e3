/* diff_picture.h - a comparison drawn: the differential flamegraph */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct diff_report;

/* Options of the picture; a member of the command's options. */
struct diff_picture_options {
	const char *title, *subtitle, *least;
	int64_t width;
	int widths;	  /* enum calltree_widths */
	int theme;	  /* enum flame_theme */
	int64_t max_size; /* of the file, in MB */
	bool icicle, still;
};

extern const char *const diff_widths_words[], *const diff_theme_words[];

/*
 * Builds report->tree as far as it is wide enough, and writes the picture to the file: one to walk
 * in, but for a still one, PNG and PDF. What is left out of the file is said on stderr.
 */
ERROR_RESULT struct error *diff_picture_write(struct diff_report *report,
					      const struct diff_picture_options *options,
					      const char *path, bool is_quiet);
