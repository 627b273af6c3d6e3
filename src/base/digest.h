/* digest.h - the SHA-256 of what is read */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define DIGEST_HEX_SIZE 65 /* with its NUL */

struct digest;

struct digest *digest_new(void);
void digest_add(struct digest *digest, const void *at, size_t size);

/* Bytes that were added. */
uint64_t digest_size(const struct digest *digest);

/* The digest of all that was added, in lower-case hex. Begins anew afterwards. */
void digest_hex(struct digest *digest, char ret[static DIGEST_HEX_SIZE]);
void digest_free(struct digest *digest);
