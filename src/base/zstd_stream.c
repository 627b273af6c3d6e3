/* zstd_stream.c - one zstd stream that comes in pieces, each unpacked when it is there */
#include "base/zstd_stream.h"

#include <zstd.h>

#include "base/mem.h"
#include "base/text.h"

struct zstd_stream {
	ZSTD_DStream *state;
	char *buffer;
	size_t buffer_size;
};

struct zstd_stream *zstd_stream_new(void)
{
	struct zstd_stream *stream = mem_zalloc(1, sizeof(*stream));

	stream->state = ZSTD_createDStream();
	stream->buffer_size = ZSTD_DStreamOutSize();
	stream->buffer = mem_alloc(stream->buffer_size);
	return stream;
}

void zstd_stream_free(struct zstd_stream *stream)
{
	if (!stream)
		return;
	ZSTD_freeDStream(stream->state);
	free(stream->buffer);
	free(stream);
}

void zstd_stream_restart(struct zstd_stream *stream)
{
	ZSTD_DCtx_reset(stream->state, ZSTD_reset_session_only);
}

bool zstd_stream_feed(struct zstd_stream *stream, const void *at, size_t size, struct text *out)
{
	ZSTD_inBuffer in = {at, size, 0};
	size_t begin = out->size;

	for (;;) {
		ZSTD_outBuffer piece = {stream->buffer, stream->buffer_size, 0};
		size_t status = ZSTD_decompressStream(stream->state, &piece, &in);

		if (ZSTD_isError(status))
			return false;
		text_add_bytes(out, stream->buffer, piece.pos);
		if (out->size - begin > ZSTD_STREAM_PIECE_MAX)
			return false;
		/* all was taken, and what came of it did not fill the buffer: nothing is left */
		if (in.pos == in.size && piece.pos < piece.size)
			return true;
	}
}
