/* packing.h - bytes packed as gzip, zstd or xz, to be unpacked by what is tested */
#pragma once

#include <stddef.h>

struct text;

/* One member, frame or stream each, added to what `packed` holds already. */
void packing_gzip(struct text *packed, const void *at, size_t size);
void packing_zstd(struct text *packed, const void *at, size_t size);
void packing_xz(struct text *packed, const void *at, size_t size);
