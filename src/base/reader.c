/* reader.c - one buffered way to read an input, line by line, compressed or not */
#include "base/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/progress.h"
#include "base/unpack.h"

/* Large enough that system calls do not count, small enough to stay in the second cache. */
#define BUFFER_SIZE ((size_t)256 << 10)

/* reader_line() may be followed by a write of one byte behind the line. */
#define BUFFER_SLACK 1

static ssize_t read_plain(struct reader *reader, char *to, size_t size)
{
	ssize_t got;

	do
		got = read(reader->fd, to, size);
	while (got < 0 && errno == EINTR);
	if (got > 0 && reader->digest)
		digest_add(reader->digest, to, (size_t)got);
	return got;
}

static struct error *read_some(struct reader *reader)
{
	char *to = reader->buf + reader->end;
	size_t size = reader->alloc - BUFFER_SLACK - reader->end;
	long got = reader->unpack ? unpack_read(reader->unpack, to, size)
				  : read_plain(reader, to, size);

	if (got < 0)
		return error_os("cannot read '%s'", reader->name);
	reader->end += (size_t)got;
	reader->taken_bytes += (uint64_t)got;
	reader->is_eof = got == 0;
	progress_tell(reader->progress, reader->taken_bytes, reader->size_bytes);
	return NULL;
}

struct error *reader_fill(struct reader *reader, size_t want)
{
	if (reader->begin) {
		memmove(reader->buf, reader->buf + reader->begin, reader->end - reader->begin);
		reader->offset += reader->begin;
		reader->end -= reader->begin;
		reader->begin = 0;
	}
	GROW(reader->buf, want + BUFFER_SLACK, reader->alloc);
	while (reader->end < want && !reader->is_eof) {
		struct error *err = read_some(reader);

		if (err)
			return err;
	}
	return NULL;
}

struct error *reader_line_slow(struct reader *reader, char **ret, size_t *ret_size)
{
	size_t searched = reader->end - reader->begin;

	for (;;) {
		size_t want = searched < BUFFER_SIZE / 2 ? BUFFER_SIZE : searched * 2;
		struct error *err;
		char *end;

		if (searched > READER_LINE_MAX)
			return error_new(
				ERROR_LIMIT, "%s: byte 0x%llx: a line is longer than %zu bytes",
				reader->name, (unsigned long long)reader->offset, READER_LINE_MAX);
		err = reader_fill(reader, want);
		if (err)
			return err;
		end = memchr(reader->buf + searched, '\n', reader->end - searched);
		if (!end && !reader->is_eof) {
			searched = reader->end;
			continue;
		}
		*ret = reader->end ? reader->buf : NULL;
		*ret_size = end ? (size_t)(end - reader->buf) : reader->end;
		reader->begin = end ? *ret_size + 1 : reader->end;
		return NULL;
	}
}

/* `perf record --threads` writes a directory; the file "data" in it is where to begin. */
static struct error *open_folder(struct reader *reader, const char *path)
{
	int folder = reader->fd;
	struct stat st;

	reader->fd = openat(folder, "data", O_RDONLY | O_CLOEXEC);
	close(folder);
	if (reader->fd < 0 || fstat(reader->fd, &st) < 0 || !S_ISREG(st.st_mode))
		return error_new(ERROR_INPUT, "'%s' is a directory, expected a file", path);
	reader->folder = mem_strdup(path);
	reader->size_bytes = (uint64_t)st.st_size;
	return NULL;
}

static struct error *open_file(struct reader *reader, const char *path)
{
	struct stat st;

	reader->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (reader->fd < 0)
		return error_os("cannot open '%s'", path);
	if (fstat(reader->fd, &st) < 0)
		return error_os("cannot look at '%s'", path);
	if (S_ISDIR(st.st_mode))
		return open_folder(reader, path);
	if (S_ISREG(st.st_mode))
		reader->size_bytes = (uint64_t)st.st_size;
	return NULL;
}

/* Looks at the first bytes; what is compressed is replaced by what is in it. */
static struct error *take_off_compression(struct reader *reader)
{
	struct error *err = reader_fill(reader, 16);

	if (err)
		return err;
	reader->unpack = unpack_new(reader->fd, reader->buf, reader->end);
	if (!reader->unpack)
		return NULL;
	unpack_set_digest(reader->unpack, reader->digest);
	reader->end = 0;
	reader->is_eof = false;
	reader->size_bytes = 0;
	return NULL;
}

static struct error *open_reader(const char *path, struct digest *digest, struct reader **ret)
{
	struct reader *reader = mem_zalloc(1, sizeof(*reader));
	struct error *err = NULL;

	reader->digest = digest;
	reader->spool_fd = -1;
	if (strcmp(path, "-") == 0) {
		reader->name = mem_strdup("<stdin>");
		reader->fd = STDIN_FILENO;
	} else {
		reader->name = mem_strdup(path);
		err = open_file(reader, path);
	}
	reader->alloc = BUFFER_SIZE + BUFFER_SLACK;
	reader->buf = mem_alloc(reader->alloc);
	if (!err)
		err = take_off_compression(reader);
	if (err) {
		reader_close(reader);
		return err;
	}
	*ret = reader;
	return NULL;
}

struct error *reader_open(const char *path, struct reader **ret)
{
	return open_reader(path, NULL, ret);
}

struct error *reader_open_hashed(const char *path, struct reader **ret)
{
	return open_reader(path, digest_new(), ret);
}

struct error *reader_open_again(const struct reader *reader, struct reader **ret)
{
	int fd = reader->spool_fd >= 0 ? reader->spool_fd : reader->fd;
	char path[40];
	struct stat st;

	if (reader->folder)
		return open_reader(reader->folder, NULL, ret);
	if (fstat(fd, &st) < 0)
		return error_os("cannot look at '%s'", reader->name);
	if (!S_ISREG(st.st_mode))
		return error_new(ERROR_LIMIT, "'%s' can be read once only", reader->name);
	/* the same file with a place of its own in it, whatever its name has become */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open_reader(path, NULL, ret);
}

struct error *reader_hash(struct reader *reader, char ret_hex[static DIGEST_HEX_SIZE],
			  uint64_t *ret_size_bytes)
{
	char rest[4096];
	ssize_t got;

	/* behind the end of compressed data there may be more */
	while ((got = read_plain(reader, rest, sizeof(rest))) > 0)
		;
	if (got < 0)
		return error_os("cannot read '%s'", reader->name);
	*ret_size_bytes = digest_size(reader->digest);
	digest_hex(reader->digest, ret_hex);
	return NULL;
}

void reader_close(struct reader *reader)
{
	if (!reader)
		return;
	if (reader->fd > STDIN_FILENO)
		close(reader->fd);
	unpack_free(reader->unpack);
	digest_free(reader->digest);
	free(reader->buf);
	free(reader->name);
	free(reader->folder);
	free(reader);
}

const char *reader_damage(const struct reader *reader)
{
	return reader->unpack ? unpack_damage(reader->unpack) : NULL;
}
