/* replay.h - a main() for fuzz targets that are not built with libFuzzer: runs files through them
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Called with any bytes; must return 0. */
int LLVMFuzzerTestOneInput(const uint8_t *at, size_t size);
