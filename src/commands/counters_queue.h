/* counters_queue.h - what several series of a queue tell: utilisation, means, Little's law */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct counters_rows;
struct counters_side;

/* Adds the rows that follow from a capture's roles, for each queue that labels tell apart. */
ERROR_RESULT struct error *counters_queue_add(struct counters_side *side, size_t capture,
					      uint64_t from_ns, uint64_t to_ns,
					      struct counters_rows *rows);
