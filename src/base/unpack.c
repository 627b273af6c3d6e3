/* unpack.c - gzip, zstd and xz around an input, taken off while it is read */
#include "base/unpack.h"

#include <errno.h>
#include <limits.h>
#include <lzma.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/digest.h"
#include "base/mem.h"
#include "base/text.h"

#define INPUT_SIZE (64u << 10)

/*
 * One decoder step: takes from in[in_at..in_end], writes to `to`, returns what it wrote.
 * Sets is_between when a whole stream ended there (more may follow), damage when it is bad.
 */
struct codec {
	const char *name;
	unsigned char magic[6];
	size_t magic_size;
	bool (*open)(struct unpack *unpack);
	size_t (*step)(struct unpack *unpack, void *to, size_t size);
	void (*close)(struct unpack *unpack);
};

struct unpack {
	const struct codec *codec;
	int fd;
	unsigned char *in; /* owned */
	size_t in_at, in_end;
	bool is_input_end;
	bool is_between; /* at the end of a stream, where the file may end as well */
	const char *damage;
	struct digest *digest; /* borrowed, may be NULL */
	union {
		z_stream zlib;
		lzma_stream lzma;
		ZSTD_DStream *zstd;
	} state;
};

static bool gzip_open(struct unpack *unpack)
{
	return inflateInit2(&unpack->state.zlib, 15 + 16) == Z_OK;
}

static size_t gzip_step(struct unpack *unpack, void *to, size_t size)
{
	z_stream *z = &unpack->state.zlib;
	int status;

	/* members may follow each other (RFC 1952, 2.2) */
	if (unpack->is_between && inflateReset(z) != Z_OK)
		unpack->damage = "gzip cannot be reset";
	unpack->is_between = false;
	z->next_in = unpack->in + unpack->in_at;
	z->avail_in = (uInt)(unpack->in_end - unpack->in_at);
	z->next_out = to;
	z->avail_out = (uInt)size;
	status = inflate(z, Z_NO_FLUSH);
	unpack->in_at = unpack->in_end - z->avail_in;
	if (status == Z_STREAM_END)
		unpack->is_between = true;
	else if (status != Z_OK && status != Z_BUF_ERROR)
		unpack->damage = "the gzip data is damaged";
	return size - z->avail_out;
}

static void gzip_close(struct unpack *unpack)
{
	inflateEnd(&unpack->state.zlib);
}

static bool xz_open(struct unpack *unpack)
{
	unpack->state.lzma = (lzma_stream)LZMA_STREAM_INIT;
	return lzma_stream_decoder(&unpack->state.lzma, UNPACK_MEMORY_MAX, LZMA_CONCATENATED) ==
	       LZMA_OK;
}

static size_t xz_step(struct unpack *unpack, void *to, size_t size)
{
	lzma_stream *xz = &unpack->state.lzma;
	lzma_ret status;

	xz->next_in = unpack->in + unpack->in_at;
	xz->avail_in = unpack->in_end - unpack->in_at;
	xz->next_out = to;
	xz->avail_out = size;
	status = lzma_code(xz, unpack->is_input_end ? LZMA_FINISH : LZMA_RUN);
	unpack->in_at = unpack->in_end - xz->avail_in;
	if (status == LZMA_STREAM_END)
		unpack->is_between = true;
	else if (status == LZMA_MEMLIMIT_ERROR)
		unpack->damage = "the xz data needs too much memory";
	else if (status != LZMA_OK && status != LZMA_BUF_ERROR)
		unpack->damage = "the xz data is damaged";
	return size - xz->avail_out;
}

static void xz_close(struct unpack *unpack)
{
	lzma_end(&unpack->state.lzma);
}

static bool zstd_open(struct unpack *unpack)
{
	unpack->state.zstd = ZSTD_createDStream();
	return unpack->state.zstd != NULL;
}

static size_t zstd_step(struct unpack *unpack, void *to, size_t size)
{
	ZSTD_inBuffer in = {unpack->in, unpack->in_end, unpack->in_at};
	ZSTD_outBuffer out = {to, size, 0};
	size_t status = ZSTD_decompressStream(unpack->state.zstd, &out, &in);

	unpack->in_at = in.pos;
	if (ZSTD_isError(status))
		unpack->damage = "the zstd data is damaged";
	unpack->is_between = status == 0;
	return out.pos;
}

static void zstd_close(struct unpack *unpack)
{
	ZSTD_freeDStream(unpack->state.zstd);
}

static const struct codec codecs[] = {
	{"gzip", {0x1f, 0x8b, 0x08}, 3, gzip_open, gzip_step, gzip_close},
	{"zstd", {0x28, 0xb5, 0x2f, 0xfd}, 4, zstd_open, zstd_step, zstd_close},
	{"xz", {0xfd, '7', 'z', 'X', 'Z', 0x00}, 6, xz_open, xz_step, xz_close},
};

static const struct codec *codec_of(const void *at, size_t size)
{
	for (size_t i = 0; i < ARRAY_NR(codecs); i++)
		if (size >= codecs[i].magic_size &&
		    memcmp(at, codecs[i].magic, codecs[i].magic_size) == 0)
			return &codecs[i];
	return NULL;
}

const char *unpack_sniff(const void *at, size_t size)
{
	const struct codec *codec = codec_of(at, size);

	return codec ? codec->name : NULL;
}

struct unpack *unpack_new(int fd, const void *at, size_t size)
{
	const struct codec *codec = codec_of(at, size);
	struct unpack *unpack;

	if (!codec)
		return NULL;
	unpack = mem_zalloc(1, sizeof(*unpack));
	unpack->codec = codec;
	unpack->fd = fd;
	unpack->in = mem_alloc(size > INPUT_SIZE ? size : INPUT_SIZE);
	memcpy(unpack->in, at, size);
	unpack->in_end = size;
	if (!codec->open(unpack))
		unpack->damage = "the decoder cannot be started";
	return unpack;
}

void unpack_free(struct unpack *unpack)
{
	if (!unpack)
		return;
	unpack->codec->close(unpack);
	free(unpack->in);
	free(unpack);
}

/* Reads more compressed bytes once all were taken. -1: errno is set. */
static int refill(struct unpack *unpack)
{
	ssize_t got;

	if (unpack->in_at < unpack->in_end || unpack->is_input_end)
		return 0;
	do
		got = read(unpack->fd, unpack->in, INPUT_SIZE);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return -1;
	if (unpack->digest)
		digest_add(unpack->digest, unpack->in, (size_t)got);
	unpack->in_at = 0;
	unpack->in_end = (size_t)got;
	unpack->is_input_end = got == 0;
	return 0;
}

long unpack_read(struct unpack *unpack, void *to, size_t size)
{
	while (!unpack->damage) {
		bool is_end;
		size_t got;

		if (refill(unpack) < 0)
			return -1;
		is_end = unpack->is_input_end && unpack->in_at == unpack->in_end;
		if (is_end && unpack->is_between)
			return 0;
		got = unpack->codec->step(unpack, to, size);
		if (got)
			return (long)got;
		if (is_end && !unpack->is_between && !unpack->damage)
			unpack->damage = "the compressed data ends too early";
	}
	return 0;
}

void unpack_set_digest(struct unpack *unpack, struct digest *digest)
{
	unpack->digest = digest;
}

const char *unpack_damage(const struct unpack *unpack)
{
	return unpack->damage;
}

const char *unpack_bytes(const void *at, size_t size, size_t max, struct text *ret)
{
	struct unpack *unpack = unpack_new(-1, at, size);
	const char *damage;
	char piece[4096];
	long got;

	if (!unpack)
		return "the data is not compressed in a way that is known";
	unpack->is_input_end = true;
	while ((got = unpack_read(unpack, piece, sizeof(piece))) > 0 && (size_t)got <= max) {
		text_add_bytes(ret, piece, (size_t)got);
		max -= (size_t)got;
	}
	damage = got > 0 ? "the data unpacks to more than is read" : unpack_damage(unpack);
	unpack_free(unpack);
	return damage;
}

const char *unpack_zlib(const void *at, size_t size, size_t max, struct text *ret)
{
	z_stream z = {.next_in = (unsigned char *)at, .avail_in = (uInt)size};
	char piece[4096];
	bool is_more = false;
	int status;

	if (size > UINT_MAX)
		return "the data is too long";
	status = inflateInit(&z);
	while (status == Z_OK && !is_more) {
		size_t got;

		z.next_out = (unsigned char *)piece;
		z.avail_out = sizeof(piece);
		status = inflate(&z, Z_NO_FLUSH);
		got = sizeof(piece) - z.avail_out;
		is_more = got > max;
		if (!is_more)
			text_add_bytes(ret, piece, got);
		max -= got;
	}
	inflateEnd(&z);
	if (is_more)
		return "the data unpacks to more than is read";
	return status == Z_STREAM_END ? NULL : "the zlib data is damaged";
}
