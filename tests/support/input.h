/* input.h - bytes of a test as an input that can be read */
#pragma once

#include <stddef.h>

struct reader;

/* Standard input becomes a file in memory of these bytes, at its beginning. */
void input_put(const void *bytes, size_t size);

/*
 * A reader on these bytes, which come through standard input and so have the name
 * "<stdin>". Owned: reader_close(). One at a time.
 */
struct reader *input_open(const void *at, size_t size);
struct reader *input_open_string(const char *s);

/* The same where opening may fail: the error's text, owned, or NULL and *ret. */
char *input_try_open(const void *at, size_t size, struct reader **ret);
