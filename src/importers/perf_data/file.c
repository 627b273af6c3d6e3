/* file.c - the container of perf.data: header, attr table, data, features */
#include "importers/perf_data/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/reader.h"
#include "importers/perf_data/attr.h"

/* tools/perf/util/header.h, struct perf_file_header and struct perf_pipe_file_header */
#define HEADER_PIPE	 16
#define HEADER_OLD	 72 /* without the feature bitmap */
#define HEADER_FILE	 104
#define BITMAP_OFFSET	 72
#define FEATURE_HOSTNAME 3

bool perf_file_sniff(const char *at, size_t size)
{
	return size >= 8 && (memcmp(at, "PERFILE2", 8) == 0 || memcmp(at, "2ELIFREP", 8) == 0 ||
			     memcmp(at, "PERFFILE", 8) == 0);
}

/* ---- bytes in memory */

static struct error *map_fd(int fd, const char *name, const unsigned char **ret, size_t *ret_size)
{
	struct stat st;
	void *map;

	if (fstat(fd, &st) < 0)
		return error_os("cannot look at '%s'", name);
	*ret = NULL;
	*ret_size = (size_t)st.st_size;
	if (!st.st_size)
		return NULL;
	map = mmap(NULL, *ret_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return error_os("cannot map '%s'", name);
	*ret = map;
	return NULL;
}

struct error *perf_file_map(const char *path, const unsigned char **ret, size_t *ret_size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct error *err;

	if (fd < 0)
		return error_os("cannot open '%s'", path);
	err = map_fd(fd, path, ret, ret_size);
	close(fd);
	return err;
}

void perf_file_unmap(const unsigned char *map, size_t size)
{
	if (map)
		munmap((void *)map, size);
}

static struct error *write_all(int fd, const char *at, size_t size)
{
	while (size) {
		ssize_t put = write(fd, at, size);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return error_os("cannot write a temporary file");
		at += put;
		size -= (size_t)put;
	}
	return NULL;
}

/* The attrs and features of a file may stand behind its data: it is needed as a whole. */
static struct error *spool(struct reader *reader, struct perf_file *file)
{
	const char *folder = getenv("TMPDIR");
	struct error *err = NULL;

	file->spool_fd = open(folder ? folder : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (file->spool_fd < 0)
		return error_os("cannot make a temporary file in '%s'", folder ? folder : "/tmp");
	while (!err) {
		err = write_all(file->spool_fd, reader->buf + reader->begin,
				reader->end - reader->begin);
		reader->begin = reader->end;
		if (!err)
			err = reader_fill(reader, 1);
		if (!err && reader->begin == reader->end)
			break;
	}
	reader->spool_fd = file->spool_fd;
	return err ? err : map_fd(file->spool_fd, reader->name, &file->map, &file->size);
}

static bool is_plain_file(const struct reader *reader)
{
	struct stat st;

	return !reader->unpack && fstat(reader->fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       reader->offset == 0 && reader->begin == 0;
}

/* ---- header */

struct bytes perf_file_section(const struct perf_file *file, struct perf_section section)
{
	struct bytes all = {file->map, file->map + file->size, file->is_swapped}, part;

	if (!bytes_skip(&all, section.offset))
		all.at = all.end;
	if (section.size > bytes_left(&all))
		section.size = bytes_left(&all);
	bytes_part(&all, section.size, &part);
	return part;
}

static bool take_section(struct bytes *bytes, struct perf_section *ret)
{
	return bytes_u64(bytes, &ret->offset) && bytes_u64(bytes, &ret->size);
}

/* Sizes of attrs that perf has written, with the ids section behind them. */
static bool is_attr_size(uint64_t size)
{
	return size >= PERF_ATTR_SIZE_LEAST + 16 && size <= 4096 && size % 8 == 0;
}

/* Version 1 has one magic for both byte orders; only the size of an attr tells. */
static bool find_order_of_version_1(struct perf_file *file)
{
	struct bytes at = {file->map + 16, file->map + file->size, false};
	uint64_t size;

	if (!bytes_u64(&at, &size))
		return false;
	file->is_swapped = !is_attr_size(size);
	return is_attr_size(size) || is_attr_size(__builtin_bswap64(size));
}

static bool find_order(struct perf_file *file)
{
	const bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

	file->version = memcmp(file->map, "PERFFILE", 8) == 0 ? 1 : 2;
	if (file->version == 1)
		return find_order_of_version_1(file);
	file->is_swapped = (memcmp(file->map, "2ELIFREP", 8) == 0) == is_little;
	return true;
}

static bool has_bit(const struct bytes *bitmap, unsigned bit, unsigned word_size)
{
	struct bytes at = *bitmap;
	uint64_t word64 = 0;
	uint32_t word32 = 0;

	if (!bytes_skip(&at, bit / (8 * word_size) * word_size))
		return false;
	if (word_size == 4)
		bytes_u32(&at, &word32);
	else
		bytes_u64(&at, &word64);
	return (word_size == 4 ? word32 : word64) >> bit % (8 * word_size) & 1;
}

/*
 * The bitmap is an array of unsigned long of the recorder: of 64 bits, or, on a big-endian
 * machine of 32 bits, in another order. Every recorder has a host name.
 */
static void read_features(struct perf_file *file)
{
	struct bytes bitmap = {file->map + BITMAP_OFFSET, file->map + HEADER_FILE,
			       file->is_swapped};
	struct perf_section table = {file->data.offset + file->data.size, file->size};
	struct bytes at = perf_file_section(file, table);
	unsigned word_size = 8;

	if (!has_bit(&bitmap, FEATURE_HOSTNAME, 8) && has_bit(&bitmap, FEATURE_HOSTNAME, 4))
		word_size = 4;
	for (unsigned i = 0; i < PERF_FEATURES_MAX; i++) {
		if (!has_bit(&bitmap, i, word_size))
			continue;
		/* of a cut file, the table or the section may be behind the end */
		if (take_section(&at, &file->features[i]) &&
		    file->features[i].offset <= file->size &&
		    file->features[i].size <= file->size - file->features[i].offset)
			file->has_feature[i] = true;
		else
			file->lost_features++;
	}
}

static struct error *read_file_header(struct perf_file *file, const char *name, uint64_t size)
{
	struct bytes at = {file->map + 16, file->map + file->size, file->is_swapped};

	file->layout = PERF_LAYOUT_FILE;
	if (!bytes_u64(&at, &file->attr_size) || !take_section(&at, &file->attrs) ||
	    !take_section(&at, &file->data) || !take_section(&at, &file->event_types))
		return error_new(ERROR_INPUT, "%s: byte 0x10: the file ends inside its header",
				 name);
	if (!is_attr_size(file->attr_size))
		return error_new(ERROR_INPUT,
				 "%s: byte 0x10: attributes of %llu bytes, expected 80 to 4096",
				 name, (unsigned long long)file->attr_size);
	if (file->data.offset > file->size)
		return error_new(ERROR_INPUT,
				 "%s: byte 0x28: the data begins at byte 0x%llx, behind the end of "
				 "the file (0x%zx)",
				 name, (unsigned long long)file->data.offset, file->size);
	if (!file->data.size) {
		file->was_killed = true;
		file->data.size = file->size - file->data.offset;
	} else if (file->data.size > file->size - file->data.offset) {
		file->missing_bytes = file->data.size - (file->size - file->data.offset);
		file->data.size = file->size - file->data.offset;
	} else if (size >= HEADER_FILE && file->size >= HEADER_FILE) {
		read_features(file);
	}
	return NULL;
}

static struct error *read_header(struct perf_file *file, const char *name)
{
	struct bytes at;
	uint64_t size;

	if (file->size < HEADER_PIPE)
		return error_new(ERROR_INPUT,
				 "'%s' has %zu bytes, less than the header of a perf.data file",
				 name, file->size);
	if (!find_order(file))
		return error_new(ERROR_INPUT,
				 "%s: byte 0x10: no attribute size that a perf has written", name);
	at = (struct bytes){file->map + 8, file->map + file->size, file->is_swapped};
	bytes_u64(&at, &size);
	if (size == HEADER_PIPE) {
		file->layout = PERF_LAYOUT_PIPE;
		file->data = (struct perf_section){HEADER_PIPE, file->size - HEADER_PIPE};
		return NULL;
	}
	if (size < HEADER_OLD || size > 65536)
		return error_new(ERROR_INPUT,
				 "%s: byte 0x8: a header of %llu bytes, expected 16, 72 or 104",
				 name, (unsigned long long)size);
	return read_file_header(file, name, size);
}

struct error *perf_file_open(struct reader *reader, struct perf_file *ret)
{
	struct error *err;

	*ret = (struct perf_file){.spool_fd = -1};
	err = is_plain_file(reader) ? map_fd(reader->fd, reader->name, &ret->map, &ret->size)
				    : spool(reader, ret);
	return err ? err : read_header(ret, reader->name);
}

void perf_file_close(struct perf_file *file)
{
	perf_file_unmap(file->map, file->size);
	if (file->spool_fd >= 0)
		close(file->spool_fd);
}
