/* test_digest.c - the SHA-256 of what is read, by the vectors of FIPS 180-2 */
#include "tests/test.h"

#include <string.h>

#include "base/digest.h"
#include "base/mem.h"

static const struct {
	const char *text, *hex;
} vectors[] = {
	{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
	{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
};

static void known_texts_have_known_digests(void **state)
{
	struct digest *digest = digest_new();
	char hex[DIGEST_HEX_SIZE];

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(vectors); i++) {
		digest_add(digest, vectors[i].text, strlen(vectors[i].text));
		assert_true(digest_size(digest) == strlen(vectors[i].text));
		digest_hex(digest, hex);
		assert_string_equal(hex, vectors[i].hex);
		assert_true(digest_size(digest) == 0);
	}
	digest_free(digest);
}

static void pieces_make_the_digest_of_the_whole(void **state)
{
	struct digest *digest = digest_new();
	char hex[DIGEST_HEX_SIZE], block[1000];

	(void)state;
	memset(block, 'a', sizeof(block));
	for (size_t added = 0, size = 1; added < 1000000; added += size, size = added % 997 + 1) {
		if (size > 1000000 - added)
			size = 1000000 - added;
		digest_add(digest, block, size);
	}
	assert_true(digest_size(digest) == 1000000);
	digest_hex(digest, hex);
	assert_string_equal(hex,
			    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	digest_free(digest);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_texts_have_known_digests),
		cmocka_unit_test(pieces_make_the_digest_of_the_whole),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
