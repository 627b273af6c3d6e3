/* schema.h - is a picture what schema/flamegraph.rng says? */
#pragma once

#include <stdbool.h>

struct _xmlDoc;

/* Whether the document is valid; what is not is said on stderr. Ends the program without schema. */
bool schema_accepts(struct _xmlDoc *document);

/* Frees what the first call read. */
void schema_forget(void);
