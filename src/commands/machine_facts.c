/* machine_facts.c - what fetch-list's script noted of the recorded machine */
#include "commands/machine_facts.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/facts.h"
#include "symbols/beside.h"

static void add_line(struct facts *facts, const char *line, size_t size)
{
	CLEANUP(text_release) struct text name = TEXT_INIT;
	const char *equals = memchr(line, '=', size);

	if (!equals || equals == line)
		return;
	text_add(&name, MACHINE_FACTS_PREFIX);
	text_add_bytes(&name, line, (size_t)(equals - line));
	equals++;
	size -= (size_t)(equals - line);
	while (size && (equals[size - 1] == ' ' || equals[size - 1] == '\r'))
		size--;
	facts_add(facts, name.bytes, name.size, equals, size);
}

void machine_facts_add(const char *path, struct facts *facts)
{
	CLEANUP(text_release) struct text folder = TEXT_INIT, file = TEXT_INIT;
	char *bytes, *at, *end;
	FILE *in;

	text_addf(&folder, "%s.symbols", path);
	if (strcmp(path, "-") == 0 || !beside_has(text_string(&folder), "facts", &file))
		return;
	in = fopen(text_string(&file), "re");
	if (!in)
		return;
	bytes = mem_alloc(MACHINE_FACTS_SIZE_MAX);
	end = bytes + fread(bytes, 1, MACHINE_FACTS_SIZE_MAX, in);
	fclose(in);
	for (char *line = bytes; line < end; line = at + 1) {
		at = memchr(line, '\n', (size_t)(end - line));
		if (!at)
			at = end;
		add_line(facts, line, (size_t)(at - line));
	}
	free(bytes);
}
