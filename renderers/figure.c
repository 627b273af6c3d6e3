/* figure.c - a picture before it has a format: boxes and labels on paper */
#include "renderers/figure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_ROOM 65536

/* Texts live in blocks that never move, since boxes and labels point into them. */
struct figure_text {
	struct figure_text *before;
	size_t used, size;
	char bytes[];
};

void figure_paint(struct figure *figure, struct figure_box *box, struct fill fill)
{
	enum palette_family family = palette_family_of(fill.paint);

	box->fill = fill;
	figure->is_hatched |= fill.hatch != HATCH_NONE;
	if (family > figure->family)
		figure->family = family;
}

void figure_release(struct figure *figure)
{
	while (figure->texts) {
		struct figure_text *text = figure->texts;

		figure->texts = text->before;
		free(text);
	}
	free(figure->boxes);
	free(figure->function_fills);
	free(figure->labels);
	free(figure->lines);
	free(figure->points);
	memset(figure, 0, sizeof(*figure));
}

/* The next element of a growing array, zeroed. */
static void *next(struct figure *figure, void **array, size_t *nr, size_t *alloc, size_t size)
{
	if (*nr == *alloc) {
		size_t more = *alloc ? *alloc * 2 : 64;
		void *moved = reallocarray(*array, more, size);

		if (!moved) {
			figure->is_short_of_memory = true;
			return NULL;
		}
		*array = moved;
		*alloc = more;
	}
	return memset((char *)*array + size * (*nr)++, 0, size);
}

void figure_reserve(struct figure *figure, size_t boxes_nr)
{
	struct figure_box *boxes = reallocarray(figure->boxes, boxes_nr + 1, sizeof(*boxes));

	if (!boxes)
		return; /* they are asked for again, one by one */
	figure->boxes = boxes;
	figure->boxes_alloc = boxes_nr + 1;
}

struct figure_box *figure_box(struct figure *figure)
{
	return next(figure, (void **)&figure->boxes, &figure->boxes_nr, &figure->boxes_alloc,
		    sizeof(*figure->boxes));
}

struct figure_label *figure_label(struct figure *figure)
{
	return next(figure, (void **)&figure->labels, &figure->labels_nr, &figure->labels_alloc,
		    sizeof(*figure->labels));
}

struct figure_label *figure_text(struct figure *figure, enum figure_style style, double x,
				 double top, const char *text, size_t cells)
{
	struct figure_label *label = cells ? figure_label(figure) : NULL;

	if (!label)
		return NULL;
	label->x = x;
	label->y = top + FIGURE_BASELINE_PX;
	label->style = style;
	label->text = label_cut(text, cells);
	return label;
}

bool figure_finish(struct figure *figure, struct figure *ret)
{
	if (figure->is_short_of_memory) {
		figure_release(figure);
		errno = ENOMEM;
		return false;
	}
	*ret = *figure;
	return true;
}

const struct figure_pen *figure_pen(enum figure_stroke stroke)
{
	static const struct figure_pen pens[FIGURE_STROKE_NR] = {
		[FIGURE_FIRST] = {INK_FIRST, 1.6, 0, 0}, [FIGURE_SECOND] = {INK_SECOND, 1.6, 6, 2},
		[FIGURE_THIRD] = {INK_THIRD, 1.8, 2, 2}, [FIGURE_LIMIT] = {INK_QUIET, 1, 10, 4},
		[FIGURE_GRID] = {INK_GRID, 1, 0, 0},	 [FIGURE_MARK] = {INK_SEARCH, 1.4, 0, 0},
	};

	return &pens[stroke];
}

struct figure_line *figure_line(struct figure *figure)
{
	struct figure_line *line = next(figure, (void **)&figure->lines, &figure->lines_nr,
					&figure->lines_alloc, sizeof(*figure->lines));

	if (line)
		line->begin = figure->points_nr;
	return line;
}

void figure_point(struct figure *figure, double x, double y)
{
	struct figure_point *point = next(figure, (void **)&figure->points, &figure->points_nr,
					  &figure->points_alloc, sizeof(*figure->points));

	if (!point)
		return;
	*point = (struct figure_point){x, y};
	figure->lines[figure->lines_nr - 1].nr++;
}

static char *text_room(struct figure *figure, size_t size)
{
	struct figure_text *text = figure->texts;
	char *room;

	if (!text || text->size - text->used < size) {
		size_t whole = size > TEXT_ROOM ? size : TEXT_ROOM;

		text = malloc(sizeof(*text) + whole);
		if (!text) {
			figure->is_short_of_memory = true;
			return NULL;
		}
		*text = (struct figure_text){figure->texts, 0, whole};
		figure->texts = text;
	}
	room = text->bytes + text->used;
	text->used += size;
	return room;
}

const char *figure_join(struct figure *figure, const char *const *parts)
{
	size_t size = 1;
	char *joined, *at;

	for (size_t i = 0; parts[i]; i++)
		size += strlen(parts[i]);
	joined = at = text_room(figure, size);
	if (!joined)
		return "";
	for (size_t i = 0; parts[i]; i++)
		at = stpcpy(at, parts[i]);
	*at = '\0';
	return joined;
}
