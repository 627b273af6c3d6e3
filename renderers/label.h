/* label.h - how much of a text fits into a box */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What stands where a text was cut; one cell wide. */
#define LABEL_ELLIPSIS "\xe2\x80\xa6"

/*
 * Monospace fonts advance by 0.6 em, the widest common one (DejaVu Sans Mono) by 0.602; a
 * picture is drawn with whatever font its viewer has, so the widest counts.
 */
#define LABEL_CELL_PX 7.23 /* at 12 px */

/* A part of a text, and whether an ellipsis has to follow it. */
struct label {
	const char *text; /* borrowed */
	size_t size;
	bool is_cut;
};

/*
 * The longest part of text from its start that is at most `cells` wide, the ellipsis
 * counted. East Asian wide characters are 2 cells, marks that join the character before
 * them none; a character is never parted from its marks. Empty if nothing fits.
 */
struct label label_cut(const char *text, size_t cells);

/* The same for one of several lines: breaks at a blank where there is one, no ellipsis. */
struct label label_line(const char *text, size_t cells);

/* So many cells have room in a width; 0 in none. */
size_t label_room(double width_px);

/* How wide the whole text is. */
size_t label_cells(const char *text);
