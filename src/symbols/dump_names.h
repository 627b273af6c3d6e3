/* dump_names.h - code that a runtime made, named by the jit-PID.dump that it wrote */
#pragma once

#include <stdbool.h>

struct answer;
struct capture;
struct places;
struct places_module;
struct symbolizer_options;

/*
 * Names the places of a module that is called "perf-PID.map", as code without a file is, if there
 * is a jit-PID.dump in the folders that were given or beside the capture. False: there is none.
 *
 * Runtimes use memory again, and places have no time: where code of different names was at the
 * address while the capture was made there is no name, and the module's detail says how often.
 * Times are compared where the capture was made with the dump's clock (perf record -k mono).
 * Nothing shows that the dump is of the recorded process, so the status is unverified.
 */
bool dump_names_find(struct capture *capture, const struct symbolizer_options *options,
		     const struct places *places, const struct places_module *at,
		     struct answer *ret);
