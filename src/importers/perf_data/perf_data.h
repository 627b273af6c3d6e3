/* perf_data.h - the files that `perf record` writes, of any age, machine and mode */
#pragma once

#include "importers/importer.h"

extern const struct importer importer_perf_data;
