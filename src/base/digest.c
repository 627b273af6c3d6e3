/* digest.c - the SHA-256 of what is read */
#include "base/digest.h"

#include <nettle/base16.h>
#include <nettle/sha2.h>

#include "base/mem.h"

struct digest {
	struct sha256_ctx state;
	uint64_t size;
};

struct digest *digest_new(void)
{
	struct digest *digest = mem_zalloc(1, sizeof(*digest));

	sha256_init(&digest->state);
	return digest;
}

void digest_add(struct digest *digest, const void *at, size_t size)
{
	digest->size += size;
	sha256_update(&digest->state, size, at);
}

uint64_t digest_size(const struct digest *digest)
{
	return digest->size;
}

void digest_hex(struct digest *digest, char ret[static DIGEST_HEX_SIZE])
{
	uint8_t bytes[SHA256_DIGEST_SIZE];

	sha256_digest(&digest->state, sizeof(bytes), bytes);
	base16_encode_update(ret, sizeof(bytes), bytes);
	digest->size = 0;
	ret[DIGEST_HEX_SIZE - 1] = '\0';
}

void digest_free(struct digest *digest)
{
	free(digest);
}
