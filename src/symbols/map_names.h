/* map_names.h - code that a runtime made, named by the perf-PID.map that it wrote */
#pragma once

#include <stdbool.h>

struct answer;
struct capture;
struct places;
struct places_module;
struct symbolizer_options;

/*
 * Names the places of a module "/tmp/perf-PID.map" and sets its status: unverified, for the
 * file has neither an ID nor times. It is looked for beside the capture and in the folders of
 * the options, never in /tmp: another process of that number may have run here. False where
 * the module is no such map.
 */
bool map_names_find(struct capture *capture, const struct symbolizer_options *options,
		    const struct places *places, const struct places_module *at,
		    struct answer *ret);
