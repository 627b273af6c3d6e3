/* function_origin.h - where a function comes from, by the file that declares it */
#pragma once

#include "model/modules.h"

/*
 * Programs in Rust and Go are one module with all their libraries in it; the paths of sources
 * tell them apart: /rustc/<hash>/library (the language's own), .cargo/registry and
 * go/pkg/mod (libraries), <GOROOT>/src/runtime. ORIGIN_UNKNOWN: as its module; path may be NULL.
 */
enum origin function_origin(const char *path);
