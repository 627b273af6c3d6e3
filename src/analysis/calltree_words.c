/* calltree_words.c - paths that come in no order, put in one */
#include "analysis/calltree_words.h"

#include "analysis/calltree_paths.h"
#include "base/mem.h"
#include "model/capture.h"

/*
 * From the root on: the numbers of some depths make a word, paths are sorted by it, and those that
 * have the same one are sorted by the next. So each path is looked up once for some depths, and
 * not for each comparison.
 */
struct key {
	uint64_t word;
	uint32_t path;
};

/* Keys that are the same up to a depth. */
struct group {
	uint32_t begin, end, depth;
	unsigned splits; /* 0: the words of this depth are not looked up yet */
};

struct sorter {
	const struct calltree_paths *paths;
	uint32_t *number_of; /* per function: from 1 on, in the order of names */
	unsigned bits;	     /* of a number in a word: the fewer, the more depths has a word */
	struct key *keys;
	struct group *groups; /* that are to be sorted yet */
	size_t groups_nr, groups_alloc;
};

/* Most words are of callers alone, which lie in a row. */
static bool has_callers_alone(const struct sorter *sorter, const struct calltree_path *path,
			      uint32_t from, uint32_t to)
{
	uint32_t has_root = path->root != FUNCTION_NONE;

	return !sorter->paths->is_reversed && from >= has_root && to <= has_root + path->callers_nr;
}

static uint64_t word_of_callers(const struct sorter *sorter, const struct calltree_path *path,
				uint32_t from, uint32_t to)
{
	const uint32_t *ids = path->callers - (path->root != FUNCTION_NONE);
	const uint32_t *of_caller = path->side->of_caller;
	uint64_t word = 0;

	for (uint32_t i = from; i < to; i++)
		word = word << sorter->bits |
		       sorter->number_of[of_caller ? of_caller[ids[i]] : ids[i]];
	return word;
}

/* Behind its end a path has 0. */
static uint64_t word_of(const struct sorter *sorter, uint32_t path_id, uint32_t depth)
{
	struct calltree_path path = calltree_paths_get(sorter->paths, path_id);
	uint32_t end = depth + 64 / sorter->bits;
	uint64_t word = 0;

	if (has_callers_alone(sorter, &path, depth, end))
		return word_of_callers(sorter, &path, depth, end);
	for (; depth < end; depth++) {
		word <<= sorter->bits;
		if (depth < path.depth)
			word |= sorter->number_of[calltree_paths_function(sorter->paths, &path,
									  depth)];
	}
	return word;
}

static void add_group(struct sorter *sorter, struct group group)
{
	if (group.begin + 1 >= group.end)
		return;
	GROW(sorter->groups, sorter->groups_nr + 1, sorter->groups_alloc);
	sorter->groups[sorter->groups_nr++] = group;
}

static int compare_paths(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	return x->path < y->path ? -1 : x->path > y->path;
}

static int compare_words(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	return x->word < y->word ? -1 : x->word > y->word;
}

/* Those whose word is the same are the same up to the next one, or have ended. */
static void go_deeper(struct sorter *sorter, uint32_t begin, uint32_t end, uint32_t depth)
{
	uint64_t last_number = (UINT64_C(1) << sorter->bits) - 1; /* 32 bits at most */

	if (sorter->keys[begin].word & last_number)
		add_group(sorter, (struct group){begin, end, depth + 64 / sorter->bits, 0});
	else if (begin + 1 < end)
		qsort(sorter->keys + begin, end - begin, sizeof(*sorter->keys), compare_paths);
}

/* For so few a simple sort is the fastest. */
#define FEW 12

static void insert(struct key *keys, uint32_t nr)
{
	for (uint32_t i = 1; i < nr; i++) {
		struct key key = keys[i];
		uint32_t at = i;

		for (; at && keys[at - 1].word > key.word; at--)
			keys[at] = keys[at - 1];
		keys[at] = key;
	}
}

/* All of a group at one go. */
static void sort_words(struct sorter *sorter, const struct group *group)
{
	struct key *keys = sorter->keys;
	uint32_t nr = group->end - group->begin;

	if (nr <= FEW)
		insert(keys + group->begin, nr);
	else
		qsort(keys + group->begin, nr, sizeof(*keys), compare_words);
	for (uint32_t begin = group->begin, end; begin < group->end; begin = end) {
		for (end = begin + 1; end < group->end && keys[end].word == keys[begin].word;)
			end++;
		go_deeper(sorter, begin, end, group->depth);
	}
}

static uint64_t middle(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t least = a < b ? a : b, most = a < b ? b : a;

	return c < least ? least : c > most ? most : c;
}

static void swap(struct key *a, struct key *b)
{
	struct key key = *a;

	*a = *b;
	*b = key;
}

/* Less than one of the words, the same, and more: most groups have few different ones. */
static void split(struct sorter *sorter, const struct group *group)
{
	struct key *keys = sorter->keys;
	uint32_t less = group->begin, more = group->end;
	uint64_t word =
		middle(keys[less].word, keys[less + (more - less) / 2].word, keys[more - 1].word);
	struct group part = *group;

	for (uint32_t i = less; i < more;) {
		if (keys[i].word < word)
			swap(&keys[i++], &keys[less++]);
		else if (keys[i].word > word)
			swap(&keys[i], &keys[--more]);
		else
			i++;
	}
	part.splits++;
	part.end = less;
	add_group(sorter, part);
	part.begin = more;
	part.end = group->end;
	add_group(sorter, part);
	go_deeper(sorter, less, more, group->depth);
}

/* So often a group is split by a word of its own before its words are sorted in any case. */
#define SPLITS_MAX 48

static void find_words(struct sorter *sorter, const struct group *group)
{
	struct key *keys = sorter->keys;

	for (uint32_t i = group->begin; i < group->end; i++) {
		if (i + 2 * CALLTREE_PATHS_AHEAD < group->end)
			calltree_paths_fetch(sorter->paths, keys[i + 2 * CALLTREE_PATHS_AHEAD].path,
					     keys[i + CALLTREE_PATHS_AHEAD].path, group->depth);
		keys[i].word = word_of(sorter, keys[i].path, group->depth);
	}
}

static void sort_group(struct sorter *sorter, const struct group *group)
{
	if (!group->splits)
		find_words(sorter, group);
	if (group->end - group->begin <= FEW || group->splits > SPLITS_MAX)
		sort_words(sorter, group);
	else
		split(sorter, group);
}

/* Of the names that functions have, which are few of all. */
static void number_functions(struct sorter *sorter)
{
	const struct naming *naming = sorter->paths->naming;
	const uint32_t *rank_of = sorter->paths->rank_of;
	uint32_t names_nr = naming->capture->names.nr, nr = 0;
	uint32_t *numbers = mem_zalloc(names_nr, sizeof(*numbers)); /* per rank */

	for (uint32_t i = 0; i < naming->nr; i++)
		numbers[rank_of[i]] = 1;
	for (uint32_t i = 0; i < names_nr; i++)
		if (numbers[i])
			numbers[i] = ++nr;
	sorter->number_of = mem_alloc(naming->nr * sizeof(*sorter->number_of));
	for (uint32_t i = 0; i < naming->nr; i++)
		sorter->number_of[i] = numbers[rank_of[i]];
	sorter->bits = nr ? 32 - (unsigned)__builtin_clz(nr) : 1;
	free(numbers);
}

void calltree_words_sort(const struct calltree_paths *paths, uint32_t *ret)
{
	struct sorter sorter = {
		.paths = paths,
		.keys = mem_alloc(paths->nr * sizeof(*sorter.keys)),
	};

	for (uint32_t i = 0; i < paths->nr; i++)
		sorter.keys[i].path = ret[i];
	number_functions(&sorter);
	add_group(&sorter, (struct group){0, paths->nr, 0, 0});
	while (sorter.groups_nr) {
		struct group group = sorter.groups[--sorter.groups_nr];

		sort_group(&sorter, &group);
	}
	for (uint32_t i = 0; i < paths->nr; i++)
		ret[i] = sorter.keys[i].path;
	free(sorter.number_of);
	free(sorter.keys);
	free(sorter.groups);
}
