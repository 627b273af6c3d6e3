/* svg_timeline.h - what the lines of a timeline say, as text that a script reads */
#pragma once

struct figure;
struct paper;

/*
 * The figure is of a timeline. Of a line with more points than can be pointed at, the text has
 * the least, the largest and the mean value of each stretch of the grid.
 */
void svg_put_timeline(struct paper *paper, const struct figure *figure);
