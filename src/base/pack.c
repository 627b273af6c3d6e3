/* pack.c - many small pieces of data packed, each alone */
#include "base/pack.h"

#include <assert.h>
#include <zstd.h>

#include "base/mem.h"
#include "base/text.h"

/* Stacks are packed to a fifth by it; higher levels cost more than they save. */
#define LEVEL 1

struct pack {
	ZSTD_CCtx *context;
	char *room; /* owned */
	size_t room_alloc;
};

struct pack *pack_new(void)
{
	struct pack *pack = mem_zalloc(1, sizeof(*pack));

	pack->context = ZSTD_createCCtx();
	assert(pack->context);
	return pack;
}

void pack_free(struct pack *pack)
{
	if (!pack)
		return;
	ZSTD_freeCCtx(pack->context);
	free(pack->room);
	free(pack);
}

void pack_add(struct pack *pack, const void *at, size_t size, struct text *out)
{
	size_t bound = ZSTD_compressBound(size), packed;

	GROW(pack->room, bound, pack->room_alloc);
	packed = ZSTD_compressCCtx(pack->context, pack->room, bound, at, size, LEVEL);
	/* there is room for whatever it packs to */
	assert(!ZSTD_isError(packed));
	text_add_bytes(out, pack->room, packed);
}
