/* flame_memo.c - what was made for one frame and is the same for others */
#include "renderers/flame_memo.h"

#include <stdlib.h>
#include <string.h>

#include "renderers/figure.h"
#include "renderers/flame.h"
#include "renderers/number.h"

/* 128 KB, which take less time than what they save. */
#define HASHES_LOG_MAX 13

bool flame_memo_init(struct flame_memo *memo, size_t names_nr)
{
	memset(memo, 0, sizeof(*memo));
	memo->hashes_log = 4;
	while (memo->hashes_log < HASHES_LOG_MAX && (size_t)1 << memo->hashes_log < names_nr)
		memo->hashes_log++;
	memo->hashes = calloc((size_t)1 << memo->hashes_log, sizeof(*memo->hashes));
	return memo->hashes;
}

void flame_memo_release(struct flame_memo *memo)
{
	free(memo->hashes);
	memo->hashes = NULL;
}

/* A number of so many bits, of a string's place and something else. */
static size_t slot_of(const char *string, uint64_t other, unsigned int bits_nr)
{
	uint64_t mixed = ((uint64_t)(uintptr_t)string ^ other) * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(mixed >> (64 - bits_nr));
}

uint32_t flame_memo_name_hash(struct flame_memo *memo, const char *name)
{
	struct flame_memo_hash *slot = &memo->hashes[slot_of(name, 0, memo->hashes_log)];

	if (slot->name != name)
		*slot = (struct flame_memo_hash){name, palette_name_hash(name)};
	return slot->hash;
}

static const char *join_rest(struct figure *figure, const struct flame_frame *frame, double share)
{
	char percent[NUMBER_SIZE];
	const char *parts[7] = {", ", frame->value};
	size_t nr = 2;

	if (share >= 0) {
		number_share(percent, share);
		parts[nr++] = ", ";
		parts[nr++] = percent;
	}
	if (frame->origin) {
		parts[nr++] = ", ";
		parts[nr++] = frame->origin;
	}
	return figure_join(figure, parts);
}

const char *flame_memo_tip_rest(struct flame_memo *memo, struct figure *figure,
				const struct flame_frame *frame, double share)
{
	uint64_t origin = (uint64_t)(uintptr_t)frame->origin << 32;
	struct flame_memo_rest *slot =
		&memo->rests[slot_of(frame->value, origin, FLAME_MEMO_RESTS_LOG)];

	if (!slot->text || slot->value != frame->value || slot->origin != frame->origin ||
	    slot->share != share)
		*slot = (struct flame_memo_rest){frame->value, frame->origin, share,
						 join_rest(figure, frame, share)};
	return slot->text;
}
