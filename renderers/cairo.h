/* cairo.h - figure -> PNG or PDF, with text in whatever fonts there are */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct figure;

/* Twice as many pixels as the figure has, less where that is more than a PNG file of cairo's can
 * have. False with errno. */
bool cairo_draw_png(const struct figure *figure, FILE *out);

/*
 * A4 in landscape, light unless the figure is dark, text as text; scaled to the page's width. What
 * is higher than a page goes on on more of them, broken where no box and no word is. False with
 * errno.
 */
bool cairo_draw_pdf(const struct figure *figure, FILE *out);
