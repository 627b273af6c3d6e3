/* svg_symbols.h - a figure's boxes and labels as elements */
#pragma once

struct figure;
struct paper;

/* Swatches of the legend, and all labels that stand in no box. */
void svg_put_head(struct paper *paper, const struct figure *figure);

/* A group for each box with a tip, a path for all thin ones of a fill. */
void svg_put_symbols(struct paper *paper, const struct figure *figure);
