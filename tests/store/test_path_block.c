/* test_path_block.c - paths that share what they begin with come back whole */
#include "tests/test.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "store/path_block.h"

static const uint32_t ids[] = {0, 7, 4999};

/* What a block says, path by path: "0:12,19 x1 2\n", and "!" at the end of a damaged one. */
static void show(const char *text, int64_t base, uint32_t limit, struct text *shown)
{
	struct path_block block = {.base = base, .limit = limit};
	enum path_block_step step = PATH_BLOCK_DAMAGED;

	text_clear(shown);
	if (path_block_begin(&block, text, strlen(text)))
		while ((step = path_block_next(&block)) == PATH_BLOCK_PATH) {
			text_addf(shown, "%u:", block.shared);
			for (uint32_t i = 0; i < block.nr; i++)
				text_addf(shown, "%s%u", i ? "," : "", block.path[i]);
			text_add(shown, " ");
			weight_add(shown, block.count);
			text_add(shown, " ");
			weight_add(shown, block.period);
			text_add(shown, "\n");
		}
	if (step == PATH_BLOCK_DAMAGED)
		text_add(shown, "!");
	path_block_release(&block);
}

static void paths_come_back_whole(void **state)
{
	const weight part = WEIGHT_ONE / 4, large = weight_of(UINT64_MAX), most = ~(weight)0;
	CLEANUP(text_release) struct text block = TEXT_INIT, shown = TEXT_INIT;

	(void)state;
	path_block_add(&block, 0, ids, 3, 12, weight_of(1), weight_of(INT64_MAX));
	path_block_add(&block, 3, ids, 1, 12, part, large);
	path_block_add(&block, 1, ids, 0, 12, 0, most);
	path_block_end(&block);
	assert_string_equal(text_string(&block),
			    "[[0,[12,19,5011],1,9223372036854775807],"
			    "[3,[12],\"0.25\",\"18446744073709551615\"],"
			    "[1,[],0,\"340282366920938463463374607431.768211455\"]]");
	show(text_string(&block), 12, 5000, &shown);
	assert_string_equal(text_string(&shown),
			    "0:0,7,4999 1 9223372036854775807\n"
			    "3:0,7,4999,0 0.25 18446744073709551615\n"
			    "1:0 0 340282366920938463463374607431.768211455\n");
}

static void a_path_may_be_empty(void **state)
{
	CLEANUP(text_release) struct text block = TEXT_INIT, shown = TEXT_INIT;

	(void)state;
	path_block_add(&block, 0, NULL, 0, 12, WEIGHT_ONE, WEIGHT_ONE);
	path_block_end(&block);
	assert_string_equal(text_string(&block), "[[0,[],1,1]]");
	show(text_string(&block), 12, 5000, &shown);
	assert_string_equal(text_string(&shown), "0: 1 1\n");
	show("[]", 0, 0, &shown);
	assert_string_equal(text_string(&shown), "");
}

/* A path has what its ids mean, and what it shares with the one before, too. */
static void ids_become_what_they_mean(void **state)
{
	static const char text[] = "[[0,[5,6],1,1],[1,[7],1,1],[1,[8],1,1]]";
	static const uint32_t meaning_of[] = {77, 78, 79, PATH_BLOCK_NOTHING};
	struct path_block block = {.base = 5, .limit = 4, .meaning_of = meaning_of};

	(void)state;
	assert_true(path_block_begin(&block, text, strlen(text)));
	assert_int_equal(path_block_next(&block), PATH_BLOCK_PATH);
	assert_int_equal(path_block_next(&block), PATH_BLOCK_PATH);
	assert_int_equal(block.shared, 1);
	assert_int_equal(block.nr, 2);
	assert_int_equal(block.path[0], 77);
	assert_int_equal(block.path[1], 79);
	assert_int_equal(path_block_next(&block), PATH_BLOCK_DAMAGED);
	path_block_release(&block);
}

static void hostile_blocks_are_damaged(void **state)
{
	static const char *const texts[] = {
		"",
		"[",
		"[[",
		"[0]",
		"[] ",
		"[[]]",
		"[[0]]",
		"[[0,[1]]]",
		"[[0,[1],1]]",
		"[[0,[1],1,1,1]]",
		"[[0,[1],1,1]",
		"[[0,[1],1,1],",
		"[[0,[1],1,1],]",
		"[[0,[1],1,1]]x",
		"[[0,[1],1,1][0,[1],1,1]]",
		"[[0,[1,],1,1]]",
		"[[0,[,1],1,1]]",
		"[[0,[0],1,1]]",
		"[[0,[4],1,1]]",
		"[[0,[-1],1,1]]",
		"[[0,[4294967297],1,1]]",
		"[[0,[18446744073709551617],1,1]]",
		"[[0,[99999999999999999999999999],1,1]]",
		"[[1,[1],1,1]]",
		"[[4294967296,[1],1,1]]",
		"[[-1,[1],1,1]]",
		"[[0,[1],-1,1]]",
		"[[0,[1],1.5,1]]",
		"[[0,[1],,1]]",
		"[[0,[1],1,\"\"]]",
		"[[0,[1],1,\"much\"]]",
		"[[0,[1],1,\"1]]",
		"[[0,[1],1,\"340282366920938463463374607432\"]]",
		"[[0,[1],1,null]]",
		"[[ 0,[1],1,1]]",
		"{\"a\":[0,[1],1,1]}",
	};
	CLEANUP(text_release) struct text shown = TEXT_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(texts); i++) {
		show(texts[i], 1, 3, &shown);
		if (!shown.size || shown.bytes[shown.size - 1] != '!')
			fail_msg("'%s' was taken for a block: %s", texts[i], text_string(&shown));
	}
	show("[[0,[1,2,3],1,1],[3,[],1,1]]", 1, 3, &shown);
	assert_string_equal(text_string(&shown), "0:0,1,2 1 1\n3:0,1,2 1 1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_come_back_whole),
		cmocka_unit_test(a_path_may_be_empty),
		cmocka_unit_test(ids_become_what_they_mean),
		cmocka_unit_test(hostile_blocks_are_damaged),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
