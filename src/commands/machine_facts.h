/* machine_facts.h - what fetch-list's script noted of the recorded machine */
#pragma once

struct facts;

/* Begins the name of each such fact, so that it is not taken for one of the capture's own. */
#define MACHINE_FACTS_PREFIX "machine."

/* More of the file is not read; the script writes less than a tenth of it. */
#define MACHINE_FACTS_SIZE_MAX 65536

/*
 * Adds the NAME=VALUE lines of `<path>.symbols/facts`, the names with the prefix. Lines of
 * another form are left out; nothing where there is no such file, and for "-".
 */
void machine_facts_add(const char *path, struct facts *facts);
