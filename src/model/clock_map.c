/* clock_map.c - a time of one capture on the clock of another, as exactly as is known */
#include "model/clock_map.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "model/clock_missing.h"

/* Where a time lies on the clock of a node: one for each capture, the last is wall time. */
struct node {
	struct clock_interval at;
	uint32_t hows;
	bool is_reached, is_done;
};

struct search {
	const struct clock_map *map;
	struct node *nodes; /* owned */
	uint32_t nr;
};

static uint32_t node_of(const struct clock_map *map, uint32_t source)
{
	return source == CLOCK_WALL ? map->sources_nr : source;
}

static const char *name_of(const struct clock_map *map, uint32_t node)
{
	return node == map->sources_nr ? "wall time" : map->sources[node].name;
}

static __int128 width(struct clock_interval at)
{
	return at.to_ns - at.from_ns;
}

static bool is_wall_clock(const struct clock_map *map, uint32_t node)
{
	return node == map->sources_nr || map->sources[node].clock == SOURCE_CLOCK_REALTIME;
}

/* The tie of that kind between two nodes that says most of the time; false where there is none. */
static bool nearest(const struct search *search, uint32_t from, uint32_t to, enum tie_how how,
		    struct clock_interval *ret)
{
	const struct clock_map *map = search->map;
	bool is_found = false;

	for (size_t i = 0; i < map->ties->nr; i++) {
		const struct clock_tie *tie = &map->ties->list[i];
		uint32_t source = node_of(map, tie->source), target = node_of(map, tie->target);
		struct clock_interval at = search->nodes[from].at;

		if (tie->how != how)
			continue;
		if (source == from && target == to)
			at = clock_tie_forward(tie, at);
		else if (source == to && target == from)
			at = clock_tie_back(tie, at);
		else
			continue;
		if (!is_found || width(at) < width(*ret))
			*ret = at;
		is_found = true;
	}
	return is_found;
}

/* ---- one clock of one boot */

/* A time of that node on wall time, as exactly as one tie says. */
static bool wall_of(const struct clock_map *map, uint32_t node, uint64_t time_ns,
		    struct clock_interval *ret)
{
	bool is_found = false;

	for (size_t i = 0; i < map->ties->nr; i++) {
		const struct clock_tie *tie = &map->ties->list[i];
		struct clock_interval at = {time_ns, time_ns};

		if (tie->source != node || tie->target != CLOCK_WALL)
			continue;
		at = clock_tie_forward(tie, at);
		if (!is_found || width(at) < width(*ret))
			*ret = at;
		is_found = true;
	}
	return is_found;
}

static bool is_tied_directly(const struct clock_map *map, uint32_t a, uint32_t b)
{
	for (size_t i = 0; i < map->ties->nr; i++) {
		const struct clock_tie *tie = &map->ties->list[i];

		if ((tie->source == a && tie->target == b) ||
		    (tie->source == b && tie->target == a))
			return true;
	}
	return false;
}

/* Two machines may have been up as long: then the same time is another one on the wall. */
static bool is_one_wall_time(const struct clock_map *map, uint32_t a, uint32_t b, uint64_t time_ns)
{
	struct clock_interval x, y;

	if (!wall_of(map, a, time_ns, &x) || !wall_of(map, b, time_ns, &y))
		return true;
	return x.from_ns <= y.to_ns && y.from_ns <= x.to_ns;
}

static bool is_one_clock(const struct clock_map *map, uint32_t from, uint32_t to)
{
	const struct clock_source *a, *b;
	uint64_t time_ns;

	if (is_wall_clock(map, from) && is_wall_clock(map, to))
		return true;
	if (from == map->sources_nr || to == map->sources_nr)
		return false;
	a = &map->sources[from];
	b = &map->sources[to];
	if (a->clock != b->clock || a->clock == SOURCE_CLOCK_UNKNOWN ||
	    a->clock == SOURCE_CLOCK_START || a->clock == SOURCE_CLOCK_NONE)
		return false;
	if (!a->has_times || !b->has_times || a->first_ns > b->last_ns || b->first_ns > a->last_ns)
		return false;
	if (is_tied_directly(map, from, to))
		return false;
	time_ns = a->first_ns > b->first_ns ? a->first_ns : b->first_ns;
	return is_one_wall_time(map, from, to, time_ns);
}

/* ---- a way from clock to clock */

static struct error *contradict(const struct search *search, uint32_t from, uint32_t to,
				uint32_t hows, enum tie_how how, __int128 gap_ns)
{
	const struct clock_map *map = search->map;
	CLEANUP(text_release) struct text gap = TEXT_INIT;
	int first = 0;

	while (!(hows >> first & 1))
		first++;
	units_add_time(&gap, weight_of((uint64_t)gap_ns));
	return error_hint(
		error_new(ERROR_INPUT,
			  "what ties the clock of '%s' to that of '%s' contradicts itself: %s and "
			  "%s are %s apart; a clock was set, or one is of another boot",
			  name_of(map, from), name_of(map, to), tie_how_text(first),
			  tie_how_text(how), text_string(&gap)),
		"tephra align %s --capture '%s' --forget=%s",
		map->profile ? map->profile : "<profile>",
		name_of(map, from == map->sources_nr ? to : from), tie_how_word(how));
}

/* Ties of different kinds say it together: what is possible by all of them. */
static struct error *hop(const struct search *search, uint32_t from, uint32_t to, struct node *ret)
{
	*ret = (struct node){.hows = search->nodes[from].hows};
	if (is_one_clock(search->map, from, to)) {
		ret->at = search->nodes[from].at;
		ret->is_reached = true;
		return NULL;
	}
	for (int how = 0; how < TIE_HOW_NR; how++) {
		struct clock_interval at = {0, 0};

		if (!nearest(search, from, to, how, &at))
			continue;
		if (ret->is_reached && at.from_ns > ret->at.to_ns)
			return contradict(search, from, to, ret->hows, how,
					  at.from_ns - ret->at.to_ns);
		if (ret->is_reached && at.to_ns < ret->at.from_ns)
			return contradict(search, from, to, ret->hows, how,
					  ret->at.from_ns - at.to_ns);
		if (!ret->is_reached || at.from_ns > ret->at.from_ns)
			ret->at.from_ns = at.from_ns;
		if (!ret->is_reached || at.to_ns < ret->at.to_ns)
			ret->at.to_ns = at.to_ns;
		ret->hows |= UINT32_C(1) << how;
		ret->is_reached = true;
	}
	return NULL;
}

/* The nearest node that is not done yet: Dijkstra's way, by how exact it is. */
static bool next_node(const struct search *search, uint32_t *ret)
{
	bool is_found = false;

	for (uint32_t i = 0; i < search->nr; i++) {
		const struct node *node = &search->nodes[i];

		if (!node->is_reached || node->is_done)
			continue;
		if (!is_found || width(node->at) < width(search->nodes[*ret].at))
			*ret = i;
		is_found = true;
	}
	return is_found;
}

static struct error *look(struct search *search, uint32_t target)
{
	uint32_t from = 0;

	while (!search->nodes[target].is_done && next_node(search, &from)) {
		search->nodes[from].is_done = true;
		for (uint32_t to = 0; to < search->nr; to++) {
			struct node reached;
			struct error *err;

			if (search->nodes[to].is_done)
				continue;
			err = hop(search, from, to, &reached);
			if (err)
				return err;
			if (reached.is_reached && (!search->nodes[to].is_reached ||
						   width(reached.at) < width(search->nodes[to].at)))
				search->nodes[to] = reached;
		}
	}
	return NULL;
}

static struct error *result(const struct search *search, uint32_t target, struct clock_time *ret)
{
	const struct node *node = &search->nodes[target];
	__int128 middle = node->at.from_ns + width(node->at) / 2;
	__int128 error = width(node->at) - width(node->at) / 2;

	if (middle < 0 || middle > UINT64_MAX || error > UINT64_MAX)
		return error_new(ERROR_INPUT, "that was before the clock of '%s' began",
				 name_of(search->map, target));
	*ret = (struct clock_time){(uint64_t)middle, (uint64_t)error, node->hows};
	return NULL;
}

/* Owned by the caller: search->nodes. */
static struct error *find(const struct clock_map *map, uint32_t source, uint64_t time_ns,
			  uint32_t target, struct search *ret)
{
	uint32_t begin = node_of(map, source);

	*ret = (struct search){.map = map, .nr = map->sources_nr + 1};
	if (map->sources_nr > CLOCK_SOURCES_MAX)
		return error_new(ERROR_LIMIT, "more than %d captures are on no common clock",
				 CLOCK_SOURCES_MAX);
	ret->nodes = mem_zalloc(ret->nr, sizeof(*ret->nodes));
	ret->nodes[begin] = (struct node){.at = {time_ns, time_ns}, .is_reached = true};
	return look(ret, node_of(map, target));
}

struct error *clock_map_time(const struct clock_map *map, uint32_t source, uint64_t time_ns,
			     uint32_t target, struct clock_time *ret)
{
	struct search search;
	struct error *err = find(map, source, time_ns, target, &search);

	if (!err)
		err = search.nodes[node_of(map, target)].is_reached
			      ? result(&search, node_of(map, target), ret)
			      : clock_missing(map, source, target);
	free(search.nodes);
	return err;
}

bool clock_map_is_tied(const struct clock_map *map, uint32_t source, uint32_t target)
{
	struct search search;
	struct error *err = find(map, source, 0, target, &search);
	bool is_tied = !err && search.nodes[node_of(map, target)].is_reached;

	free(search.nodes);
	error_free(err);
	return is_tied;
}
