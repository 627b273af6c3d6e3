/* reader.h - one buffered way to read an input, line by line, compressed or not */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/digest.h"
#include "base/error.h"

struct progress;
struct unpack;

/* The longest line that is read; a stack of a million frames fits. */
#define READER_LINE_MAX ((size_t)256 << 20)

struct reader {
	char *folder; /* owned: a directory capture, whose file "data" is read; else NULL */
	char *name;   /* owned: as the user wrote it, "<stdin>" for "-" */
	int fd;
	int spool_fd; /* borrowed: a file with all of the unpacked input, of whoever made one; -1 */
	struct progress *progress; /* borrowed, NULL: silent */
	struct unpack *unpack;	   /* owned, NULL when the input is plain */
	char *buf;		   /* owned */
	size_t begin, end, alloc;  /* what was not given out yet is begin..end */
	uint64_t offset;	   /* of buf[0] in the unpacked input */
	uint64_t taken_bytes;	   /* read from the file itself, for progress */
	uint64_t size_bytes;	   /* of the file, 0 when not known (a pipe) */
	struct digest *digest;	   /* owned; of the file, NULL where it is not asked for */
	bool is_eof;
};

/* Opens a file, or standard input for "-". Directories are refused. Owned: reader_close(). */
ERROR_RESULT struct error *reader_open(const char *path, struct reader **ret);

/* The same, and takes the SHA-256 of the file as it is (packed, where it is packed). */
ERROR_RESULT struct error *reader_open_hashed(const char *path, struct reader **ret);

/*
 * Reads the file to its end, if that was not done yet, and gives its SHA-256 in hex and its
 * size. For readers that were opened with reader_open_hashed().
 */
ERROR_RESULT struct error *reader_hash(struct reader *reader, char ret_hex[static DIGEST_HEX_SIZE],
				       uint64_t *ret_size_bytes);
/*
 * Another reader of the same input from its beginning, unpacked, while the first is in use. Fails
 * where the input cannot be read twice: it is no file, and nobody made one of it.
 */
ERROR_RESULT struct error *reader_open_again(const struct reader *reader, struct reader **ret);
void reader_close(struct reader *reader);

/* What was wrong with the compression around the input, NULL if nothing. */
const char *reader_damage(const struct reader *reader);

/*
 * Reads until at least `want` bytes are there or the input ends. Earlier pointers into the
 * buffer are no longer valid.
 */
ERROR_RESULT struct error *reader_fill(struct reader *reader, size_t want);

/* Reads on when fewer than `want` bytes are left of the buffer, to have many again. */
ERROR_RESULT static inline struct error *reader_have(struct reader *reader, size_t want)
{
	if (reader->end - reader->begin >= want || reader->is_eof)
		return NULL;
	return reader_fill(reader, reader->alloc / 2);
}

/* The byte position in the unpacked input of a pointer into the buffer. */
static inline uint64_t reader_offset(const struct reader *reader, const char *at)
{
	return reader->offset + (uint64_t)(at - reader->buf);
}

/* The slow half of reader_line(): the end of the line is not in the buffer yet. */
ERROR_RESULT struct error *reader_line_slow(struct reader *reader, char **ret, size_t *ret_size);

/*
 * The next line without its line feed (a carriage return stays), borrowed until the next
 * call; *ret is NULL at the end of the input. The byte behind the line may be written to.
 */
ERROR_RESULT static inline struct error *reader_line(struct reader *reader, char **ret,
						     size_t *ret_size)
{
	char *begin = reader->buf + reader->begin;
	char *end = memchr(begin, '\n', reader->end - reader->begin);

	if (__builtin_expect(!end, 0))
		return reader_line_slow(reader, ret, ret_size);
	*ret = begin;
	*ret_size = (size_t)(end - begin);
	reader->begin += *ret_size + 1;
	return NULL;
}
