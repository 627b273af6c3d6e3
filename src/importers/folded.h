/* folded.h - folded stacks: "outermost;...;leaf COUNT", a line each */
#pragma once

#include "importers/importer.h"

extern const struct importer importer_folded;
