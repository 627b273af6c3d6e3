/* packing.c - bytes packed as gzip, zstd or xz, to be unpacked by what is tested */
#include "tests/support/packing.h"

#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "base/mem.h"
#include "base/text.h"

/* Room for what does not get smaller, and for heads. */
#define SLACK 4096

static void must(int is_true, const char *what)
{
	if (is_true)
		return;
	fprintf(stderr, "%s failed\n", what);
	exit(99);
}

void packing_gzip(struct text *packed, const void *at, size_t size)
{
	size_t room = size + size / 100 + SLACK;
	char *out = mem_alloc(room);
	z_stream z = {.next_in = (Bytef *)at,
		      .avail_in = (uInt)size,
		      .next_out = (Bytef *)out,
		      .avail_out = (uInt)room};

	must(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "deflate");
	must(deflate(&z, Z_FINISH) == Z_STREAM_END, "deflate");
	deflateEnd(&z);
	text_add_bytes(packed, out, room - z.avail_out);
	free(out);
}

void packing_zstd(struct text *packed, const void *at, size_t size)
{
	size_t room = ZSTD_compressBound(size);
	char *out = mem_alloc(room);
	size_t written = ZSTD_compress(out, room, at, size, 3);

	must(!ZSTD_isError(written), "zstd");
	text_add_bytes(packed, out, written);
	free(out);
}

void packing_xz(struct text *packed, const void *at, size_t size)
{
	size_t room = lzma_stream_buffer_bound(size), written = 0;
	char *out = mem_alloc(room);

	must(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, at, size, (uint8_t *)out, &written,
				     room) == LZMA_OK,
	     "xz");
	text_add_bytes(packed, out, written);
	free(out);
}
