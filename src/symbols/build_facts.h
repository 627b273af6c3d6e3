/* build_facts.h - how the main executable was built, as its debug information tells */
#pragma once

#include "base/error.h"

struct capture;

/* Begins the name of each such fact. */
#define BUILD_FACTS_PREFIX "built."

/*
 * Adds facts of the executable that most places of the capture are in, where a file of it was
 * found: built.program, built.compiler, built.flags, built.optimisation, built.frame_pointers
 * (`kept`, `omitted` or `not told`, by the flags) and built.dwarf, the version. Most units of the
 * file are of that compiler. Nothing where there is no file, no debug information, or the file
 * cannot be read. For captures that symbolizer_run() has named. An error is the system's.
 */
ERROR_RESULT struct error *build_facts_add(struct capture *capture);
