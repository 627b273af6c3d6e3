/* unpack.h - gzip, zstd and xz around an input, taken off while it is read */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct digest;
struct text;
struct unpack;

/* Memory that a compressed input may make its decoder use (xz; zstd has its own 128 MB). */
#define UNPACK_MEMORY_MAX (256u << 20)

/* The name of the compression that these first bytes show ("gzip"), NULL for none. */
const char *unpack_sniff(const void *at, size_t size);

/*
 * Begins to unpack what follows in fd after the `size` bytes at `at`, which were read for
 * sniffing. The descriptor is borrowed. NULL when the bytes are not compressed.
 */
struct unpack *unpack_new(int fd, const void *at, size_t size);
void unpack_free(struct unpack *unpack);

/*
 * Unpacks up to size bytes. Returns their number, 0 at the end, -1 with errno set when fd
 * cannot be read. Damage (bad data, a file that ends too early) ends the data like an end
 * of file, and unpack_damage() then says what it was.
 */
long unpack_read(struct unpack *unpack, void *to, size_t size);

/* Compressed bytes that are read from now on are added to the digest, which is borrowed. */
void unpack_set_digest(struct unpack *unpack, struct digest *digest);

/* What is wrong with the compressed data; NULL while nothing is. */
const char *unpack_damage(const struct unpack *unpack);

/*
 * Unpacks what is all in memory and adds it to ret, max bytes of it at most. NULL, or what is
 * wrong with it, a constant; what was good before that is in ret.
 */
const char *unpack_bytes(const void *at, size_t size, size_t max, struct text *ret);

/* The same of a zlib stream (RFC 1950), which only its place tells: sections of ELF files. */
const char *unpack_zlib(const void *at, size_t size, size_t max, struct text *ret);
