/* input.c - bytes of a test as an input that can be read */
#include "tests/support/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/reader.h"

static void stop(const char *what)
{
	perror(what);
	exit(99);
}

void input_put(const void *bytes, size_t size)
{
	const char *at = bytes;
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd < 0)
		stop("memfd_create");
	while (size) {
		ssize_t written = write(fd, at, size);

		if (written < 0)
			stop("write");
		at += written;
		size -= (size_t)written;
	}
	if (lseek(fd, 0, SEEK_SET) < 0)
		stop("lseek");
	if (fd != STDIN_FILENO) {
		if (dup2(fd, STDIN_FILENO) < 0)
			stop("dup2");
		close(fd);
	}
}

char *input_try_open(const void *at, size_t size, struct reader **ret)
{
	struct error *err;
	char *text;

	input_put(at, size);
	err = reader_open("-", ret);
	if (!err)
		return NULL;
	text = mem_strdup(error_text(err));
	error_free(err);
	return text;
}

struct reader *input_open(const void *at, size_t size)
{
	struct reader *reader = NULL;
	char *failure = input_try_open(at, size, &reader);

	if (failure) {
		fprintf(stderr, "%s\n", failure);
		exit(99);
	}
	return reader;
}

struct reader *input_open_string(const char *s)
{
	return input_open(s, strlen(s));
}
