/* pack.h - many small pieces of data packed, each alone */
#pragma once

#include <stddef.h>

struct pack;
struct text;

struct pack *pack_new(void);
void pack_free(struct pack *pack);

/* Adds the piece as a zstd frame of its own, which unpack_bytes() reads. */
void pack_add(struct pack *pack, const void *at, size_t size, struct text *out);
