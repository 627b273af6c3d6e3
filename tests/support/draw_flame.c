/* draw_flame.c - folded lines on stdin -> flamegraph on stdout, for tests of the picture alone */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "renderers/flame.h"

/* A node of the tree as lines are read; children are a list, sorted by name when drawn. */
struct node {
	char *name;
	double weight;
	struct node *child, *sibling;
};

/* Static, so that what lives until the end is no leak: nodes[i] is what frames[i] shows. */
static struct drawing {
	struct flame_frame *frames;
	struct node **nodes;
	size_t nr, alloc;
	double whole, min_share;
} drawing;

static struct node *node_new(const char *name, size_t size)
{
	struct node *node = calloc(1, sizeof(*node));

	if (!node || !(node->name = strndup(name, size)))
		abort();
	return node;
}

static struct node *child_named(struct node *node, const char *name, size_t size)
{
	struct node **at = &node->child;

	while (*at) {
		int order = strncmp((*at)->name, name, size);

		if (order == 0 && strlen((*at)->name) == size)
			return *at;
		if (order > 0 || (order == 0 && strlen((*at)->name) > size))
			break;
		at = &(*at)->sibling;
	}
	struct node *made = node_new(name, size);

	made->sibling = *at;
	*at = made;
	return made;
}

static void add_line(struct node *root, char *line)
{
	char *count = strrchr(line, ' ');
	struct node *node = root;
	double weight;

	if (!count)
		return;
	*count++ = '\0';
	weight = strtod(count, NULL);
	root->weight += weight;
	for (char *name = line; name; name = strchr(name, ';') ? strchr(name, ';') + 1 : NULL) {
		node = child_named(node, name, strcspn(name, ";"));
		node->weight += weight;
	}
}

static enum paint paint_of(const char *name)
{
	static const struct {
		const char *mark;
		enum paint paint;
	} marks[] = {{"_[k]", PAINT_KERNEL}, {"_[j]", PAINT_JIT}, {"_[l]", PAINT_LIBRARY}};

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (strstr(name, marks[i].mark))
			return marks[i].paint;
	return name[0] == '[' ? PAINT_UNKNOWN : PAINT_APP;
}

static void grow(void)
{
	if (drawing.nr < drawing.alloc)
		return;
	drawing.alloc = drawing.alloc ? drawing.alloc * 2 : 1024;
	drawing.frames = reallocarray(drawing.frames, drawing.alloc, sizeof(*drawing.frames));
	drawing.nodes = reallocarray(drawing.nodes, drawing.alloc, sizeof(*drawing.nodes));
	if (!drawing.frames || !drawing.nodes)
		abort();
}

static struct flame_frame *add_frame(struct node *node, double begin, uint32_t parent)
{
	static const char *const origins[PAINT_NR] = {
		[PAINT_APP] = "application", [PAINT_LIBRARY] = "library",
		[PAINT_KERNEL] = "kernel",   [PAINT_JIT] = "just-in-time",
		[PAINT_UNKNOWN] = "unknown",
	};
	bool is_root = parent == FLAME_NO_PARENT;
	enum paint paint = is_root ? PAINT_ROOT : paint_of(node->name);
	char *value;

	grow();
	if (asprintf(&value, "%.12g samples", node->weight) < 0)
		abort();
	drawing.nodes[drawing.nr] = node;
	drawing.frames[drawing.nr] = (struct flame_frame){
		.name = node->name,
		.value = value,
		.origin = origins[paint],
		.weight = node->weight,
		.begin = begin,
		.width = node->weight / drawing.whole,
		.parent = parent,
		.depth = is_root ? 0 : drawing.frames[parent].depth + 1,
		.paint = paint,
	};
	return &drawing.frames[drawing.nr++];
}

static void add_children(uint32_t at)
{
	double begin = drawing.frames[at].begin;
	struct node *more = node_new("", 0);
	uint32_t more_nr = 0;

	for (struct node *child = drawing.nodes[at]->child; child; child = child->sibling) {
		if (child->weight / drawing.whole < drawing.min_share) {
			more->weight += child->weight;
			more_nr++;
			continue;
		}
		begin += add_frame(child, begin, at)->width;
	}
	if (more->weight / drawing.whole >= drawing.min_share) {
		struct flame_frame *frame = add_frame(more, begin, at);

		frame->more = more_nr;
		frame->paint = PAINT_MORE;
		frame->origin = NULL;
	}
}

/* draw_flame [icicle | dark | light | auto [<title>]] */
int main(int argc, char **argv)
{
	static struct node *root;
	struct flame_chart chart = {.title = argc > 2 ? argv[2] : NULL, .width_px = 1200};
	const char *how = argc > 1 ? argv[1] : "auto";
	char head[64], *line = NULL;
	size_t size = 0;

	if (strcmp(how, "icicle") == 0)
		chart.flags = FLAME_ICICLE;
	else if (strcmp(how, "dark") == 0)
		chart.theme = FLAME_THEME_DARK;
	else if (strcmp(how, "light") == 0)
		chart.theme = FLAME_THEME_LIGHT;
	root = node_new("all", 3);
	while (getline(&line, &size, stdin) > 0)
		add_line(root, line);
	free(line);
	drawing.whole = root->weight;
	drawing.min_share = 0.3 / 1180;
	add_frame(root, 0, FLAME_NO_PARENT);
	for (uint32_t at = 0; at < drawing.nr; at++)
		add_children(at);
	snprintf(head, sizeof(head), "width: samples, %.12g in all", root->weight);
	chart.head = head;
	chart.frames = drawing.frames;
	chart.frames_nr = drawing.nr;
	if (!flame_write_svg(&chart, stdout)) {
		perror("draw_flame");
		return 2;
	}
	return 0;
}
