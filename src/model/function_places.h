/* function_places.h - where a function is written: file, and lines that samples were in */
#pragma once

#include <stdint.h>

struct capture;

/*
 * of_location: per location of the capture its function, one of nr, or UINT32_MAX. Per function:
 * "relay.c:120", or "relay.c:120-188" where samples were in several
 * lines of it; NULL where no line is known. The file without its folders; of several files the
 * first by its bytes. Released with function_places_free().
 */
char **function_places_find(const struct capture *capture, const uint32_t *of_location,
			    uint32_t nr);
void function_places_free(char **places, uint32_t nr);
