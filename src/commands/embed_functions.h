/* embed_functions.h - the functions of a whole tree, as a picture tells them */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "renderers/flame.h"

struct calltree_node;
struct embed_functions;
struct flame_paints;
struct naming;

/* Borrows both: the functions' texts are the naming's names. */
struct embed_functions *embed_functions_new(const struct naming *naming,
					    const struct flame_paints *paints);
void embed_functions_free(struct embed_functions *functions);

/*
 * The number of a node's function: one for each function, and one more where the node's name is
 * doubted for another one of the same name (see struct calltree_node).
 */
uint32_t embed_functions_add(struct embed_functions *functions, const struct calltree_node *node);

/* The same of a function whose name is doubted for its own sake, or not at all. */
uint32_t embed_functions_number(struct embed_functions *functions, uint32_t function,
				bool is_doubted);

/* Per function of the naming its number and one more, 0 where it has none yet. */
const uint32_t *embed_functions_numbers(const struct embed_functions *functions);

/* The function of the naming that a number stands for; FUNCTION_NONE is the root. */
uint32_t embed_functions_of(const struct embed_functions *functions, uint32_t number);

/* What was added, in the order of numbers; valid until the next one is added. */
const struct flame_function *embed_functions_list(const struct embed_functions *functions);
uint32_t embed_functions_nr(const struct embed_functions *functions);

/* Bytes of text that they take in a picture, about. */
size_t embed_functions_size(const struct embed_functions *functions);
