/* svg_tree.h - the whole tree of a picture as text that a script reads */
#pragma once

#include <stdbool.h>

struct figure;
struct paper;

/*
 * Writes chart->whole as metadata elements, one for each kind of data; renderers/assets/tree.js
 * reads them. False: short of memory.
 */
bool svg_put_tree(struct paper *paper, const struct figure *figure);
