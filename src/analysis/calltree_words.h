/* calltree_words.h - paths that come in no order, put in one */
#pragma once

#include <stdint.h>

struct calltree_paths;

/*
 * Sorts the numbers of all paths, which stand in their order, by names. What begins as the other
 * one goes on stands first, those called the same stay as they are.
 */
void calltree_words_sort(const struct calltree_paths *paths, uint32_t *ret);
