/* test_calltree_chain.c - nodes that are said as a chain are those that are said one by one */
#include "tests/test.h"

#include "analysis/calltree.h"
#include "analysis/naming.h"
#include "base/mem.h"
#include "base/text.h"
#include "importers/folded.h"
#include "tests/support/reading.h"

/* Writes "depth name value self" of each node; a chain is one line, of all names of it. */
struct teller {
	struct calltree_visitor visitor;
	const struct reading *reading;
	struct text text;
};

static void tell_name(struct teller *teller, uint32_t function)
{
	const struct reading *reading = teller->reading;

	text_add(&teller->text, function == FUNCTION_NONE
					? "all"
					: names_display(&reading->capture.names,
							reading->naming.list[function].name));
	text_add_char(&teller->text, ' ');
}

static void tell_weights(struct teller *teller, const struct calltree_node *node)
{
	weight_add(&teller->text, node->value);
	text_add_char(&teller->text, ' ');
	weight_add(&teller->text, node->self);
	text_add_char(&teller->text, '\n');
}

static void tell_node(struct calltree_visitor *visitor, const struct calltree_node *node)
{
	struct teller *teller = (struct teller *)visitor;

	text_addf(&teller->text, "%u ", node->depth);
	tell_name(teller, node->function);
	tell_weights(teller, node);
}

static void tell_chain(struct calltree_visitor *visitor, const struct calltree_chain *chain)
{
	struct teller *teller = (struct teller *)visitor;

	text_addf(&teller->text, "%u ", chain->node->depth);
	tell_name(teller, chain->node->function);
	for (uint32_t i = 0; i < chain->nr; i++)
		tell_name(teller, chain->functions[i]);
	tell_weights(teller, chain->node);
}

static void expect(const char *stacks, bool by_chain, const struct calltree_options *options,
		   const char *told)
{
	CLEANUP(reading_release) struct reading reading;
	struct teller teller = {.visitor = {tell_node, by_chain ? tell_chain : NULL, NULL},
				.reading = &reading};

	reading_init(&reading, &importer_folded, stacks, NULL, NULL, NULL);
	calltree_walk(&reading.paths, options, &teller.visitor);
	assert_string_equal(text_string(&teller.text), told);
	text_release(&teller.text);
}

static const char stacks[] = "a;b;c;d;e 3\na;b;c;f 4\na;b;c 1\na;b;g;h;i 5\n";

static void a_chain_goes_as_far_as_its_paths_are_one(void **state)
{
	(void)state;
	expect(stacks, true, &(struct calltree_options){0},
	       "0 all a 13 0\n"
	       "2 b 13 0\n"
	       "3 c 8 1\n"
	       "4 d e 3 3\n"
	       "4 f 4 4\n"
	       "3 g h i 5 5\n");
}

static void who_knows_no_chain_is_told_its_nodes(void **state)
{
	(void)state;
	expect(stacks, false, &(struct calltree_options){0},
	       "0 all 13 0\n"
	       "1 a 13 0\n"
	       "2 b 13 0\n"
	       "3 c 8 1\n"
	       "4 d 3 0\n"
	       "5 e 3 3\n"
	       "4 f 4 4\n"
	       "3 g 5 0\n"
	       "4 h 5 0\n"
	       "5 i 5 5\n");
}

static void chains_go_from_the_leaf_outwards_too(void **state)
{
	(void)state;
	expect("a;b;x 1\na;c;x 2\n", true, &(struct calltree_options){.is_reversed = true},
	       "0 all 3 0\n"
	       "1 x 3 0\n"
	       "2 b a 1 1\n"
	       "2 c a 2 2\n");
}

static void a_limit_of_depth_cuts_chains(void **state)
{
	(void)state;
	expect("a;b;c 1\n", true, &(struct calltree_options){.deepest = 2},
	       "0 all 1 0\n"
	       "1 a 1 0\n"
	       "2 b 1 0\n"
	       "3 all 1 0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_goes_as_far_as_its_paths_are_one),
		cmocka_unit_test(who_knows_no_chain_is_told_its_nodes),
		cmocka_unit_test(chains_go_from_the_leaf_outwards_too),
		cmocka_unit_test(a_limit_of_depth_cuts_chains),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
