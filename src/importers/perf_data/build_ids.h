/* build_ids.h - build IDs: of the header's table, and of mappings */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "model/modules.h"

struct perf_data;

/*
 * The hex form of a build ID of so many bytes as a name of the capture. All zeros, or more
 * bytes than there are, is none: NAME_NONE.
 */
uint32_t perf_build_id_name(struct perf_data *data, struct bytes id, unsigned size);

/* Takes the next entry of a BUILD_ID table, which is a record, too. False at the end, or damage. */
bool perf_build_ids_take(struct perf_data *data, struct bytes *bytes, enum id_source source);
