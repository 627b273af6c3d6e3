/* svg.h - figure -> SVG, with a style for light and dark and a script to walk in it */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct figure;

/*
 * Writes a figure as well-formed UTF-8, whatever its texts hold. The same figure gives the
 * same bytes. False with errno set when out could not be written.
 */
bool svg_write(const struct figure *figure, FILE *out);
