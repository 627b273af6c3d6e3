/* test_answer.c - what a worker found out comes back whole, or not at all */
#include "tests/test.h"

#include "base/mem.h"
#include "symbols/answer.h"

static void fill(struct answer *answer)
{
	struct names *names = &answer->names;

	*answer = (struct answer){.outside = 1};
	answer_add(answer, &(struct answer_frame){
				   .raw_name = names_add_string(names, "_Z4mainv"),
				   .name = names_add_string(names, "main()"),
				   .file = names_add_string(names, "/src/main.cc"),
				   .line = 12,
			   });
	answer_add(answer, &(struct answer_frame){
				   .raw_name = names_add_string(names, "copy"),
				   .name = names_add_string(names, "copy"),
				   .file = NAME_NONE,
				   .is_inlined = 1,
				   .source = ANSWER_DWARF,
				   .origin = ORIGIN_LIBRARY,
			   });
	answer_end_address(answer);
	answer_end_address(answer);
	text_add(&answer->unsupported, "zstd");
}

static bool read_back(const struct text *bytes, size_t size, struct answer *ret)
{
	const unsigned char *at = (const unsigned char *)text_string(bytes);

	return answer_read((struct bytes){at, at + size, false}, 2, ret);
}

static void answer_comes_back_as_it_was(void **state)
{
	CLEANUP(answer_release) struct answer answer, copy;
	CLEANUP(text_release) struct text bytes = TEXT_INIT;

	(void)state;
	fill(&answer);
	answer_write(&answer, &bytes);
	assert_true(read_back(&bytes, bytes.size, &copy));
	assert_int_equal(copy.nr, 2);
	assert_int_equal(copy.counts[0], 2);
	assert_int_equal(copy.counts[1], 0);
	assert_int_equal(copy.outside, 1);
	assert_memory_equal(copy.frames, answer.frames, 2 * sizeof(*copy.frames));
	assert_string_equal(names_get(&copy.names, copy.frames[0].name)->bytes, "main()");
	assert_string_equal(text_string(&copy.unsupported), "zstd");
}

static void cut_answer_is_refused(void **state)
{
	CLEANUP(answer_release) struct answer answer;
	CLEANUP(text_release) struct text bytes = TEXT_INIT;

	(void)state;
	fill(&answer);
	answer_write(&answer, &bytes);
	for (size_t size = 0; size < bytes.size; size++) {
		CLEANUP(answer_release) struct answer copy;

		assert_false(read_back(&bytes, size, &copy));
	}
}

static void answer_of_other_addresses_is_refused(void **state)
{
	CLEANUP(answer_release) struct answer answer, copy;
	CLEANUP(text_release) struct text bytes = TEXT_INIT;

	(void)state;
	fill(&answer);
	answer_end_address(&answer);
	answer_write(&answer, &bytes);
	assert_false(read_back(&bytes, bytes.size, &copy));
}

/* Whatever a worker that went mad wrote: ids that lead somewhere, or a refusal. */
static void damaged_answer_leads_nowhere_else(void **state)
{
	CLEANUP(answer_release) struct answer answer;
	CLEANUP(text_release) struct text bytes = TEXT_INIT;

	(void)state;
	fill(&answer);
	answer_write(&answer, &bytes);
	for (size_t i = 0; i < bytes.size * 8; i++) {
		CLEANUP(answer_release) struct answer copy;

		bytes.bytes[i / 8] ^= (char)(1 << i % 8);
		if (read_back(&bytes, bytes.size, &copy))
			for (size_t j = 0; j < copy.frames_nr; j++) {
				assert_true(copy.frames[j].name < copy.names.nr);
				assert_true(copy.frames[j].raw_name < copy.names.nr);
			}
		bytes.bytes[i / 8] ^= (char)(1 << i % 8);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answer_comes_back_as_it_was),
		cmocka_unit_test(cut_answer_is_refused),
		cmocka_unit_test(answer_of_other_addresses_is_refused),
		cmocka_unit_test(damaged_answer_leads_nowhere_else),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
