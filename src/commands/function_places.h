/* function_places.h - where a function is written: its source file and the lines that samples were in */
#pragma once

struct naming;

/*
 * Per function of the naming: "relay.c:120", or "relay.c:120-188" where samples were in several
 * lines of it; NULL where no line is known. The file without its folders; of several files the
 * first by its bytes. Released with function_places_free().
 */
char **function_places_find(const struct naming *naming);
void function_places_free(char **places, const struct naming *naming);
