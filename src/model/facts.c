/* facts.c - what a capture says of itself: host, command line, kernel */
#include "model/facts.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"

void facts_release(struct facts *facts)
{
	for (size_t i = 0; i < facts->nr; i++) {
		free(facts->list[i].name);
		free(facts->list[i].value);
	}
	free(facts->list);
	*facts = (struct facts){0};
}

static char *clean_copy(const char *at, size_t size)
{
	struct text text = TEXT_INIT;

	utf8_add_clean(&text, at, size);
	return text_take(&text);
}

void facts_add(struct facts *facts, const char *name, size_t name_size, const char *value,
	       size_t value_size)
{
	if (facts->nr >= FACTS_MAX)
		return;
	GROW(facts->list, facts->nr + 1, facts->alloc);
	facts->list[facts->nr].name = clean_copy(name, name_size);
	facts->list[facts->nr++].value = clean_copy(value, value_size);
}

const char *facts_find(const struct facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->nr; i++)
		if (strcmp(facts->list[i].name, name) == 0)
			return facts->list[i].value;
	return NULL;
}
