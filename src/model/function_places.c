/* function_places.c - where a function is written: file, and lines that samples were in */
#include "model/function_places.h"

#include <inttypes.h>
#include <stdbool.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"
#include "model/capture.h"

#define NO_FUNCTION UINT32_MAX

struct place {
	const char *file; /* interned, without its folders, NULL: not known */
	size_t size;
	uint64_t first, last; /* lines */
};

static int compare_files(const struct place *a, const struct place *b)
{
	size_t size = a->size < b->size ? a->size : b->size;
	int order = memcmp(a->file, b->file, size);

	return order ? order : a->size < b->size ? -1 : a->size > b->size;
}

static void add(struct place *place, const struct place *seen)
{
	int order = place->file ? compare_files(seen, place) : -1;

	if (order < 0) {
		*place = *seen;
	} else if (!order) {
		place->first = seen->first < place->first ? seen->first : place->first;
		place->last = seen->last > place->last ? seen->last : place->last;
	}
}

static const char *without_folders(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void add_frames(const struct capture *capture, const uint32_t *of_location,
		       struct place *places)
{
	for (size_t i = 0; i < capture->frames.nr; i++) {
		const struct frame *frame = &capture->frames.list[i];
		uint32_t function = of_location[frame->function];
		struct place seen = {.first = frame->line, .last = frame->line};

		if (function == NO_FUNCTION || frame->file == NAME_NONE || !frame->line)
			continue;
		seen.file = without_folders(names_get(&capture->names, frame->file)->bytes);
		seen.size = strlen(seen.file);
		add(&places[function], &seen);
	}
}

/* Of a location's "file.c:12", or a function's "file.c:12-15" that a profile has. */
static bool read_line(const struct names *names, uint32_t line, struct place *ret)
{
	const char *whole = without_folders(names_get(names, line)->bytes);
	const char *colon = strrchr(whole, ':'), *dash;
	uint64_t first, last;

	if (!colon)
		return false;
	dash = strchrnul(colon, '-');
	if (!units_parse_u64(colon + 1, (size_t)(dash - colon - 1), &first))
		return false;
	last = first;
	if (*dash && !units_parse_u64(dash + 1, strlen(dash + 1), &last))
		return false;
	*ret = (struct place){whole, (size_t)(colon - whole), first, last};
	return true;
}

static void add_locations(const struct capture *capture, const uint32_t *of_location,
			  struct place *places)
{
	for (uint32_t i = 0; i < capture->locations.nr; i++) {
		const struct location *location = locations_get(&capture->locations, i);
		uint32_t function = of_location[i];
		struct place seen;

		if (location->line == NAME_NONE || function == NO_FUNCTION)
			continue;
		if (read_line(&capture->names, location->line, &seen))
			add(&places[function], &seen);
	}
}

static char *words(const struct place *place)
{
	struct text text = TEXT_INIT;

	if (!place->file)
		return NULL;
	utf8_add_clean(&text, place->file, place->size);
	text_addf(&text, ":%" PRIu64, place->first);
	if (place->last > place->first)
		text_addf(&text, "-%" PRIu64, place->last);
	return text_take(&text);
}

char **function_places_find(const struct capture *capture, const uint32_t *of_location, uint32_t nr)
{
	struct place *places = mem_zalloc((size_t)nr + 1, sizeof(*places));
	char **ret = mem_zalloc((size_t)nr + 1, sizeof(*ret));

	add_frames(capture, of_location, places);
	add_locations(capture, of_location, places);
	for (uint32_t i = 0; i < nr; i++)
		ret[i] = words(&places[i]);
	free(places);
	return ret;
}

void function_places_free(char **places, uint32_t nr)
{
	for (uint32_t i = 0; places && i < nr; i++)
		free(places[i]);
	free(places);
}
