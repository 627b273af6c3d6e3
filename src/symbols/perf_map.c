/* perf_map.c - perf-PID.map: what a runtime says of the code that it made */
#include "symbols/perf_map.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/reader.h"

void perf_map_release(struct perf_map *map)
{
	free(map->list);
	intervals_release(&map->ranges);
	text_release(&map->names);
	*map = (struct perf_map){0};
}

/* A hexadecimal number with or without 0x (JDK 25 writes it), up to a blank. */
static bool parse_number(const char **at, const char *end, uint64_t *ret)
{
	const char *begin;

	*ret = 0;
	if (end - *at > 2 && (*at)[0] == '0' && ((*at)[1] | 0x20) == 'x')
		*at += 2;
	for (begin = *at; *at < end; (*at)++) {
		char c = **at;

		if (c >= '0' && c <= '9')
			*ret = *ret << 4 | (uint64_t)(c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			*ret = *ret << 4 | (uint64_t)((c | 0x20) - 'a' + 10);
		else
			break;
	}
	return *at > begin && *at - begin <= 16 && *at < end && (**at == ' ' || **at == '\t');
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

static void add(struct perf_map *map, uint64_t lo, uint64_t hi, const char *name, size_t size)
{
	uint32_t id = (uint32_t)map->nr;

	GROW(map->list, map->nr + 1, map->alloc);
	map->list[map->nr++] = (struct perf_map_symbol){lo, hi, map->names.size};
	text_add_bytes(&map->names, name, size);
	text_add_char(&map->names, '\0');
	/* the number of the line takes the place of a time: later ones count */
	intervals_add(&map->ranges, (struct interval){lo, hi, id, UINT64_MAX, id});
}

static void take_line(struct perf_map *map, const char *at, size_t line_size)
{
	const char *end = at + line_size;
	uint64_t lo, size, hi;

	if (end > at && end[-1] == '\r')
		end--;
	if (!parse_number(&at, end, &lo)) {
		map->lines_bad++;
		return;
	}
	at = skip_blanks(at, end);
	if (!parse_number(&at, end, &size)) {
		map->lines_bad++;
		return;
	}
	at = skip_blanks(at, end);
	if (at == end || memchr(at, '\0', (size_t)(end - at)) ||
	    __builtin_add_overflow(lo, size, &hi))
		map->lines_bad++;
	else if (size == 0)
		map->lines_empty++;
	else
		add(map, lo, hi, at, (size_t)(end - at));
}

static struct error *read_lines(struct perf_map *map, struct reader *reader)
{
	struct error *err;
	char *line;
	size_t size;

	for (;;) {
		err = reader_line(reader, &line, &size);
		if (err)
			return err;
		if (!line)
			break;
		take_line(map, line, size);
		if (map->nr > PERF_MAP_MAX || map->names.size > PERF_MAP_NAMES_MAX)
			return error_new(ERROR_LIMIT, "'%s' has more than %u functions",
					 reader->name, PERF_MAP_MAX);
	}
	if (reader_damage(reader))
		return error_new(ERROR_INPUT, "'%s': %s", reader->name, reader_damage(reader));
	return NULL;
}

struct error *perf_map_read(struct perf_map *ret, const char *path)
{
	struct reader *reader = NULL;
	struct error *err;

	*ret = (struct perf_map){0};
	err = reader_open(path, &reader);
	if (err)
		return err;
	err = read_lines(ret, reader);
	reader_close(reader);
	if (err) {
		perf_map_release(ret);
		return err;
	}
	intervals_seal(&ret->ranges);
	return NULL;
}

const struct perf_map_symbol *perf_map_find(const struct perf_map *map, uint64_t address)
{
	uint32_t id = intervals_find(&map->ranges, address, UINT64_MAX - 1);

	return id == INTERVALS_NONE ? NULL : &map->list[id];
}
