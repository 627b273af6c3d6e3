/* bytes.h - numbers and strings out of hostile binary input, in either byte order */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * What is left to be read. Every function that takes something answers false where there is
 * not enough of it, and takes nothing then. No pointer into the input is cast to a struct:
 * records may stand at any address.
 */
struct bytes {
	const unsigned char *at, *end;
	bool is_swapped; /* the writer's byte order is not ours */
};

static inline size_t bytes_left(const struct bytes *bytes)
{
	return (size_t)(bytes->end - bytes->at);
}

static inline bool bytes_skip(struct bytes *bytes, uint64_t size)
{
	if (size > bytes_left(bytes))
		return false;
	bytes->at += size;
	return true;
}

/* The next bytes as they stand, whatever their order. */
static inline bool bytes_copy(struct bytes *bytes, void *ret, size_t size)
{
	if (bytes_left(bytes) < size)
		return false;
	memcpy(ret, bytes->at, size);
	bytes->at += size;
	return true;
}

static inline bool bytes_u8(struct bytes *bytes, uint8_t *ret)
{
	if (bytes->at == bytes->end)
		return false;
	*ret = *bytes->at++;
	return true;
}

static inline bool bytes_u16(struct bytes *bytes, uint16_t *ret)
{
	if (!bytes_copy(bytes, ret, sizeof(*ret)))
		return false;
	if (bytes->is_swapped)
		*ret = __builtin_bswap16(*ret);
	return true;
}

static inline bool bytes_u32(struct bytes *bytes, uint32_t *ret)
{
	if (!bytes_copy(bytes, ret, sizeof(*ret)))
		return false;
	if (bytes->is_swapped)
		*ret = __builtin_bswap32(*ret);
	return true;
}

static inline bool bytes_u64(struct bytes *bytes, uint64_t *ret)
{
	if (!bytes_copy(bytes, ret, sizeof(*ret)))
		return false;
	if (bytes->is_swapped)
		*ret = __builtin_bswap64(*ret);
	return true;
}

/* The next `size` bytes as a range of their own. */
static inline bool bytes_part(struct bytes *bytes, uint64_t size, struct bytes *ret)
{
	if (size > bytes_left(bytes))
		return false;
	*ret = (struct bytes){bytes->at, bytes->at + size, bytes->is_swapped};
	bytes->at += size;
	return true;
}

/* The bytes up to the first NUL or the end; takes all. Never past the end. */
static inline size_t bytes_string(const struct bytes *bytes, const char **ret)
{
	*ret = (const char *)bytes->at;
	return strnlen(*ret, bytes_left(bytes));
}
