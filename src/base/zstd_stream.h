/* zstd_stream.h - one zstd stream that comes in pieces, each unpacked when it is there */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct text;
struct zstd_stream;

/* What one piece may unpack to: a record of 64 KB can hold a thousand times as much. */
#define ZSTD_STREAM_PIECE_MAX ((size_t)256 << 20)

struct zstd_stream *zstd_stream_new(void);
void zstd_stream_free(struct zstd_stream *stream);

/* Forgets what was fed: the next piece begins a frame. */
void zstd_stream_restart(struct zstd_stream *stream);

/*
 * Adds what the piece unpacks to. That can be nothing: a block may end in a later piece. A
 * frame may end and another begin. False where it is no zstd, or more than the limit.
 */
bool zstd_stream_feed(struct zstd_stream *stream, const void *at, size_t size, struct text *out);
