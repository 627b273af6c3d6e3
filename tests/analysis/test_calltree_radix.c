/* test_calltree_radix.c - paths of places with several functions, put in order by a radix tree */
#include "tests/test.h"

#include "analysis/calltree.h"
#include "analysis/calltree_places.h"
#include "analysis/calltree_sort.h"
#include "base/mem.h"
#include "base/text.h"
#include "importers/perf_script.h"
#include "tests/support/reading.h"

#define NAMES 3

static uint32_t draw(uint64_t *seed, uint32_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*seed >> 33) % below;
}

/*
 * Samples of few places in two modules, which have no names yet: chains begin alike, end early and
 * come again. Roots have the names of functions, too.
 */
static void add_samples(struct text *text, uint64_t *seed, uint32_t nr, uint32_t places_nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t depth = draw(seed, draw(seed, 4) ? 5 : 12);

		text_addf(text, "f%u %u 1.%06u: %u c: \n", draw(seed, 2), 1 + draw(seed, 2), i,
			  1 + draw(seed, 9));
		for (uint32_t j = 0; j <= depth; j++) {
			uint32_t place = draw(seed, j + 3 > depth ? 2 : places_nr);

			text_addf(text, "\t%x [unknown] (/lib/%c.so)\n", 0x10 + place,
				  'x' + (int)(place % 2));
		}
		text_add(text, "\n");
	}
}

static void add_frame(struct capture *capture, uint32_t place, uint64_t *seed)
{
	CLEANUP(text_release) struct text name = TEXT_INIT;
	struct location location = {
		.module = locations_get(&capture->locations, place)->module,
		.line = NAME_NONE,
		.flags = draw(seed, 3) ? LOCATION_INLINED : 0,
	};

	text_addf(&name, "f%u", draw(seed, NAMES));
	location.name = names_add_string(&capture->names, text_string(&name));
	frames_add(&capture->frames, place,
		   &(struct frame){.function = locations_add(&capture->locations, &location)});
}

/* Some stay without a name. Frames are added in the order of locations. */
static void name_places(struct capture *capture, uint64_t *seed)
{
	uint32_t nr = capture->locations.nr;

	for (uint32_t i = 0; i < nr; i++)
		for (uint32_t j = draw(seed, 5); j; j--)
			add_frame(capture, i, seed);
}

static void build(struct reading *reading, bool keeps_places, struct paths *ret)
{
	paths_build(ret, &reading->tally, &reading->naming, reading->capture.first_event,
		    &(struct path_filter){.keeps_places = keeps_places});
}

/* ---- the order */

struct named {
	uint32_t functions[64], nr;
};

static struct named functions_of(const struct calltree_paths *paths, uint32_t path)
{
	struct calltree_path at = calltree_places_path(paths, path);
	struct named ret = {.nr = at.depth};

	assert_in_range(at.depth, 0, ARRAY_NR(ret.functions));
	calltree_places_functions(&at, 0, ret.functions);
	return ret;
}

/* Below 0, 0 or above it; *ret_names and *ret_own are what they begin with alike. */
static int compare(const struct calltree_paths *paths, const struct named *a, const struct named *b,
		   uint32_t *ret_names, uint32_t *ret_own)
{
	uint32_t nr = a->nr < b->nr ? a->nr : b->nr, i = 0, own = 0;

	for (; i < nr; i++) {
		uint32_t f = paths->rank_of[a->functions[i]], g = paths->rank_of[b->functions[i]];

		if (f != g)
			break;
		own += own == i && a->functions[i] == b->functions[i];
	}
	*ret_names = i;
	*ret_own = own;
	if (i < nr)
		return paths->rank_of[a->functions[i]] < paths->rank_of[b->functions[i]] ? -1 : 1;
	return a->nr < b->nr ? -1 : a->nr > b->nr;
}

static void check_order(const struct paths *list)
{
	struct calltree_paths paths;
	struct calltree_order order;
	struct named last, path;
	bool *seen;

	calltree_paths_init(&paths, list->naming, &(struct calltree_source){.paths = list}, 1,
			    false);
	calltree_order_init(&order, &paths, false);
	seen = mem_zalloc(paths.nr, sizeof(*seen));
	for (uint32_t i = 0; i < paths.nr; i++, last = path) {
		uint32_t names, own;
		int which;

		assert_true(order.paths[i] < paths.nr && !seen[order.paths[i]]);
		seen[order.paths[i]] = true;
		path = functions_of(&paths, order.paths[i]);
		if (!i) {
			assert_int_equal(order.shared[i], 0);
			continue;
		}
		which = compare(&paths, &last, &path, &names, &own);
		assert_true(which < 0 || (which == 0 && order.paths[i - 1] < order.paths[i]));
		assert_int_equal(order.shared[i], names);
		assert_int_equal(order.own[i], own);
	}
	free(seen);
	free(order.paths);
	free(order.shared);
	free(order.own);
	calltree_paths_release(&paths);
}

/* ---- the tree */

static void check_tree(const struct paths *kept, const struct paths *copied)
{
	struct calltree a = {0}, b = {0};

	calltree_build(&a, kept, &(struct calltree_options){0});
	calltree_build(&b, copied, &(struct calltree_options){0});
	assert_int_equal(a.nr, b.nr);
	for (uint32_t i = 0; i < a.nr; i++) {
		const struct calltree_node *x = &a.nodes[i], *y = &b.nodes[i];

		assert_int_equal(x->function, y->function);
		assert_int_equal(x->doubted, y->doubted);
		assert_int_equal(x->depth, y->depth);
		assert_true(x->value == y->value && x->self == y->self && x->count == y->count);
	}
	calltree_release(&a);
	calltree_release(&b);
}

static void check(uint32_t samples_nr, uint32_t places_nr, enum tally_by by, unsigned flags)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	CLEANUP(paths_release) struct paths kept;
	const struct tally_options tally = {.by = by};
	uint64_t seed = samples_nr * 5 + places_nr;

	add_samples(&text, &seed, samples_nr, places_nr);
	reading_init(&reading, &importer_perf_script, text_string(&text), &tally, NULL, NULL);
	paths_release(&reading.paths);
	naming_release(&reading.naming);
	name_places(&reading.capture, &seed);
	naming_init(&reading.naming, &reading.capture, &(struct naming_options){.flags = flags});
	build(&reading, false, &reading.paths);
	build(&reading, true, &kept);
	assert_non_null(kept.place_of);
	assert_true(kept.nr >= reading.paths.nr && kept.count == reading.paths.count);
	for (uint32_t i = 0; i < kept.nr; i++)
		assert_int_not_equal(paths_last(&kept, i), FUNCTION_NONE);
	check_order(&kept);
	check_tree(&kept, &reading.paths);
}

static void paths_of_places_stand_as_their_functions_do(void **state)
{
	(void)state;
	for (uint32_t nr = 20; nr < 3000; nr = nr * 2 + 1)
		for (uint32_t places_nr = 2; places_nr < 30; places_nr += 3)
			check(nr, places_nr, TALLY_BY_NONE, 0);
}

static void roots_may_be_called_like_functions(void **state)
{
	(void)state;
	for (uint32_t nr = 20; nr < 3000; nr = nr * 2 + 1)
		for (uint32_t places_nr = 2; places_nr < 30; places_nr += 3)
			check(nr, places_nr, TALLY_BY_COMM, 0);
}

static void places_may_have_no_function(void **state)
{
	(void)state;
	for (uint32_t nr = 40; nr < 1000; nr = nr * 2 + 1)
		for (uint32_t places_nr = 4; places_nr < 20; places_nr += 3)
			check(nr, places_nr, TALLY_BY_THREAD, NAMING_NO_INLINED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_of_places_stand_as_their_functions_do),
		cmocka_unit_test(roots_may_be_called_like_functions),
		cmocka_unit_test(places_may_have_no_function),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
