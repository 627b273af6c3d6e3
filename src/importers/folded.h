/* folded.h - folded stacks: "outermost;...;leaf COUNT", a line each */
#pragma once

#include "importers/importer.h"

extern const struct importer importer_folded;

/* "outermost;...;leaf BEFORE AFTER": read once for each side, which capture->column says. */
extern const struct importer importer_folded_diff;
