/* series.c - counters: what a series is, and a point of it */
#include "model/series.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/names.h"

void series_list_release(struct series_list *list)
{
	for (uint32_t i = 0; i < list->nr; i++)
		free(list->list[i].labels);
	free(list->list);
	*list = (struct series_list){0};
}

uint32_t series_add(struct series_list *list, const struct series *series)
{
	struct series *added;

	GROW(list->list, (size_t)list->nr + 1, list->alloc);
	added = &list->list[list->nr];
	*added = *series;
	added->labels = NULL;
	if (series->labels_nr) {
		added->labels = mem_alloc(series->labels_nr * sizeof(*series->labels));
		memcpy(added->labels, series->labels, series->labels_nr * sizeof(*series->labels));
	}
	return list->nr++;
}

bool series_is_same(const struct series *a, const struct series *b)
{
	return a->name == b->name && a->labels_nr == b->labels_nr &&
	       (!a->labels_nr ||
		memcmp(a->labels, b->labels, a->labels_nr * sizeof(*a->labels)) == 0);
}

void series_watch(struct series *series, const struct point *point)
{
	if (!series->points && !series->missing)
		series->start_ns = point->end_ns;
	series->last_ns = point->end_ns;
	if (!point_has_value(point)) {
		series->missing++;
		return;
	}
	series->points++;
	series->resets += point->state == POINT_RESET;
}

uint32_t series_label(const struct series *series, const struct names *names, const char *key)
{
	for (uint32_t i = 0; i < series->labels_nr; i++)
		if (strcmp(names_display(names, series->labels[i].key), key) == 0)
			return series->labels[i].value;
	return NAME_NONE;
}

/* As OpenMetrics has it: a quote, a backslash and a line feed in a value are escaped. */
static void add_quoted(struct text *text, const char *s)
{
	text_add_char(text, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			text_add_char(text, '\\');
		text_add_char(text, *s);
	}
	text_add_char(text, '"');
}

void series_add_display(struct text *text, const struct series *series, const struct names *names)
{
	text_add(text, names_display(names, series->name));
	for (uint32_t i = 0; i < series->labels_nr; i++) {
		text_add_char(text, i ? ',' : '{');
		text_add(text, names_display(names, series->labels[i].key));
		text_add_char(text, '=');
		add_quoted(text, names_display(names, series->labels[i].value));
	}
	if (series->labels_nr)
		text_add_char(text, '}');
}

/* ---- words */

const char *series_kind_word(enum series_kind kind)
{
	static const char *const words[SERIES_KIND_NR] = {
		[SERIES_GAUGE] = "gauge",
		[SERIES_CUMULATIVE] = "cumulative",
		[SERIES_DELTA] = "delta",
		[SERIES_RATE] = "rate",
	};

	return words[kind];
}

enum series_kind series_kind_of_word(const char *word)
{
	int kind = 0;

	while (kind < SERIES_KIND_NR && strcmp(series_kind_word(kind), word) != 0)
		kind++;
	return kind;
}

static const struct {
	const char *word;
	enum series_kind kind;
} roles[ROLE_NR] = {
#define ROLE(code, word, kind, what) {word, SERIES_##kind},
#include "model/roles.def"
#undef ROLE
};

const char *series_role_word(enum series_role role)
{
	return roles[role].word;
}

enum series_role series_role_of_word(const char *word)
{
	int role = 0;

	while (role < ROLE_NR && strcmp(roles[role].word, word) != 0)
		role++;
	return role;
}

enum series_kind series_role_kind(enum series_role role)
{
	return roles[role].kind;
}

const char *role_source_word(enum role_source source)
{
	static const char *const words[ROLE_SOURCE_NR] = {
		[ROLE_SOURCE_NONE] = "none",
		[ROLE_SOURCE_NAME] = "name",
		[ROLE_SOURCE_FORMAT] = "format",
		[ROLE_SOURCE_USER] = "user",
	};

	return words[source];
}

const char *point_state_word(enum point_state state)
{
	static const char *const words[POINT_STATE_NR] = {
		[POINT_OK] = "ok",
		[POINT_RESET] = "reset",
		[POINT_GAP] = "gap",
		[POINT_NAN] = "nan",
		[POINT_NOT_COUNTED] = "not_counted",
		[POINT_NOT_SUPPORTED] = "not_supported",
	};

	return words[state];
}
