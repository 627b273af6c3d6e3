/* facts.h - what a capture says of itself: host, command line, kernel */
#pragma once

#include <stddef.h>

struct fact {
	char *name, *value; /* owned, clean UTF-8 */
};

/* In order of appearance; a name may stand there more than once ("event"). */
struct facts {
	struct fact *list;
	size_t nr, alloc;
};

/* A header has some dozen lines; what is beyond this is left out. */
#define FACTS_MAX 4096

void facts_release(struct facts *facts);
void facts_add(struct facts *facts, const char *name, size_t name_size, const char *value,
	       size_t value_size);

/* The value of the first fact of that name, NULL where there is none. */
const char *facts_find(const struct facts *facts, const char *name);
