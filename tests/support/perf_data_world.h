/* perf_data_world.h - a recording that is good in all parts: two processes on two CPUs, in rounds
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct text;

struct world_options {
	bool is_big, is_pipe, is_packed;
	bool lacks_rounds;
	uint32_t attr_size; /* 0: 128 */
	unsigned rounds;    /* of 16 samples each */
	unsigned packing;   /* 81 or 83; 0: 81 */
};

/* What `perf record -e cpu-clock -e page-faults -g` would have written. Added to ret. */
void world_build(const struct world_options *options, struct text *ret);
