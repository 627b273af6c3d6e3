/* svg_style.h - the palette as rules of a style sheet, and hatches as patterns */
#pragma once

#include <stdbool.h>

struct figure;
struct paper;

/* What stands before each id of the picture, "" for nothing. It needs no escape. */
const char *svg_id(const struct figure *figure);

/* Layout and colours, light and dark as the figure's theme asks. */
void svg_put_style(struct paper *paper, const struct figure *figure);

/* Hatched fills, which stand in the defs of a picture that has any. */
bool svg_has_patterns(const struct figure *figure);
void svg_put_patterns(struct paper *paper, const struct figure *figure);
