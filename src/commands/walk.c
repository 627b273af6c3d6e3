/* walk.c - the path of a call tree's node, as the tree is read from its root on */
#include "commands/walk.h"

#include "base/mem.h"

void walk_release(struct walk *walk)
{
	text_release(&walk->path);
	free(walk->ends);
}

void walk_to(struct walk *walk, size_t depth, const char *name)
{
	size_t begin;

	GROW(walk->ends, depth + 1, walk->ends_alloc);
	walk->ends[0] = 0;
	walk->path.size = walk->ends[depth - 1];
	if (depth > 1)
		text_add_char(&walk->path, ';');
	begin = walk->path.size;
	text_add(&walk->path, name);
	for (size_t i = begin; i < walk->path.size; i++)
		if (walk->path.bytes[i] == ';')
			walk->path.bytes[i] = ':';
	walk->ends[depth] = walk->path.size;
}
