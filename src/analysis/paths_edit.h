/* paths_edit.h - other paths out of paths: frames changed, samples and weights the same */
#pragma once

#include "analysis/paths.h"

/*
 * Get a path, change its ids in place (there may be fewer, at least one), and put it. Several
 * paths may become the same; they stay apart, as paths may.
 */
struct paths_edit {
	const struct paths *from; /* borrowed */
	struct paths to;	  /* owned until paths_edit_finish() */
	uint32_t *ids;		  /* owned: the functions of the path at hand, the root too */
	uint32_t nr;
	size_t ids_alloc;
	uint32_t *made_of; /* owned: per path what was made of it, PATH_NONE: nothing */
};

void paths_edit_init(struct paths_edit *edit, const struct paths *from);

/* Fills ids with the path's functions, the outermost first. */
void paths_edit_get(struct paths_edit *edit, uint32_t path);

/* A path with the weight of this one and the functions in ids. */
void paths_edit_put(struct paths_edit *edit, uint32_t path);

/* Its weight is not in the paths that are made, but counted. */
void paths_edit_leave_out(struct paths_edit *edit, uint32_t path, enum path_reason reason);

/* Frees what the edit owns. ret may be what the edit was made from: that is released then. */
void paths_edit_finish(struct paths_edit *edit, struct paths *ret);
