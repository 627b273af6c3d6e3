/* perf_script.h - the text that `perf script` prints */
#pragma once

#include "importers/importer.h"

extern const struct importer importer_perf_script;
