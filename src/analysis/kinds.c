/* kinds.c - what kind of work costs, told by the names in kinds.def */
#include "analysis/kinds.h"

#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/mem.h"
#include "model/capture.h"

enum where {
	WHERE_ANY,
	WHERE_USER,
	WHERE_KERNEL
};

static const struct {
	enum kind kind;
	const char *word;
	enum where where;
	const char *names;
} kinds_table[] = {
#define KIND(code, word, where, names) {KIND_##code, word, WHERE_##where, names},
#define ENTRY(names)
#include "analysis/kinds.def"
#undef ENTRY
#undef KIND
};

static const char *const entries[] = {
#define KIND(code, word, where, names)
#define ENTRY(names) names,
#include "analysis/kinds.def"
#undef ENTRY
#undef KIND
};

/* Not looked at yet, in what is remembered of functions. */
#define KIND_NOT_YET (KIND_NR + 1)

const char *kind_word(enum kind kind)
{
	static const char *const others[] = {
		[KIND_OWN - KIND_OWN] = "own code",
		[KIND_LIBRARY - KIND_OWN] = "other library",
		[KIND_KERNEL - KIND_OWN] = "other kernel",
		[KIND_JIT - KIND_OWN] = "generated code",
		[KIND_UNKNOWN - KIND_OWN] = "unknown",
	};

	return kind < KIND_OWN ? kinds_table[kind].word : others[kind - KIND_OWN];
}

/* '*' is any bytes, '?' one. One star is tried at a time, so this is no worse than size by size. */
static bool matches(const char *pattern, const char *end, const char *name)
{
	const char *star = NULL, *again = NULL;

	while (*name) {
		if (pattern < end && *pattern == '*') {
			star = pattern++;
			again = name;
		} else if (pattern < end && (*pattern == '?' || *pattern == *name)) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star + 1;
			name = ++again;
		} else {
			return false;
		}
	}
	while (pattern < end && *pattern == '*')
		pattern++;
	return pattern == end;
}

static bool is_in(const char *names, const char *name)
{
	while (*names) {
		size_t size = strcspn(names, " ");

		if ((*names == *name || *names == '*' || *names == '?') &&
		    matches(names, names + size, name))
			return true;
		names += size;
		names += *names == ' ';
	}
	return false;
}

bool kinds_is_entry(const char *name)
{
	for (size_t i = 0; i < ARRAY_NR(entries); i++)
		if (is_in(entries[i], name))
			return true;
	return false;
}

enum kind kinds_of_name(const char *name, bool is_kernel)
{
	for (size_t i = 0; i < ARRAY_NR(kinds_table); i++) {
		if (kinds_table[i].where == (is_kernel ? WHERE_USER : WHERE_KERNEL))
			continue;
		if (is_in(kinds_table[i].names, name))
			return kinds_table[i].kind;
	}
	return KIND_NR;
}

/* Once per function. */
static enum kind kind_of(const struct naming *naming, uint32_t function, unsigned char *known)
{
	const struct function *of = &naming->list[function];

	if (known[function] == KIND_NOT_YET)
		known[function] =
			of->is_unnamed ? KIND_NR
				       : (unsigned char)kinds_of_name(
						 names_display(&naming->capture->names, of->name),
						 of->origin == ORIGIN_KERNEL);
	return known[function];
}

static enum kind kind_of_origin(enum origin origin)
{
	switch (origin) {
	case ORIGIN_APP:
		return KIND_OWN;
	case ORIGIN_LIBRARY:
		return KIND_LIBRARY;
	case ORIGIN_KERNEL:
		return KIND_KERNEL;
	case ORIGIN_JIT:
		return KIND_JIT;
	case ORIGIN_UNKNOWN:
	case ORIGIN_NR:
		break;
	}
	return KIND_UNKNOWN;
}

/* From the leaf outwards, up to the first frame of the program itself. */
static enum kind kind_of_path(const struct paths *paths, uint32_t path, unsigned char *known)
{
	const struct naming *naming = paths->naming;
	enum origin leaf = ORIGIN_NR;

	for (uint32_t i = paths_depth(paths, path); i--;) {
		uint32_t id = paths_function(paths, path, i);
		const struct function *function = &naming->list[id];
		enum kind kind;

		if (function->kind == FUNCTION_ROOT)
			break;
		if (leaf == ORIGIN_NR)
			leaf = function->origin;
		kind = kind_of(naming, id, known);
		if (kind != KIND_NR)
			return kind;
		if (function->origin == ORIGIN_APP || function->origin == ORIGIN_JIT)
			break;
	}
	return kind_of_origin(leaf);
}

void kinds_count(const struct paths *paths, bool counts_samples, struct kinds *ret)
{
	unsigned char *known = mem_alloc(paths->naming->nr + 1);

	*ret = (struct kinds){0};
	memset(known, KIND_NOT_YET, paths->naming->nr + 1);
	for (uint32_t i = 0; i < paths->nr; i++) {
		weight value = paths_weight(paths, i, counts_samples);

		ret->by_kind[kind_of_path(paths, i, known)] += value;
		ret->total += value;
	}
	free(known);
}

size_t kinds_sorted(const struct kinds *kinds, enum kind ret[KIND_NR])
{
	size_t nr = 0;

	for (int i = 0; i < KIND_NR; i++) {
		size_t at = nr;

		if (!kinds->by_kind[i])
			continue;
		while (at && kinds->by_kind[ret[at - 1]] < kinds->by_kind[i]) {
			ret[at] = ret[at - 1];
			at--;
		}
		ret[at] = (enum kind)i;
		nr++;
	}
	return nr;
}
