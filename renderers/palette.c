/* palette.c - the colours of every picture */
#include "renderers/palette.h"

struct paint_colours {
	char letter;
	const char *word;
	uint32_t light[PALETTE_SHADES], dark[PALETTE_SHADES];
};

static const struct paint_colours paints[PAINT_NR] = {
#define PAINT(name, letter, word, l0, l1, l2, l3, d0, d1, d2, d3) \
	[PAINT_##name] = {letter, word, {l0, l1, l2, l3}, {d0, d1, d2, d3}},
#define INK(name, light, dark)
#include "renderers/palette.def"
#undef PAINT
#undef INK
};

static const uint32_t inks[INK_NR][2] = {
#define PAINT(...)
#define INK(name, light, dark) [INK_##name] = {light, dark},
#include "renderers/palette.def"
#undef PAINT
#undef INK
};

/* The halves are mixed since the low bits alone see only the low bits of a name. */
uint32_t palette_name_hash(const char *name)
{
	uint32_t hash = 2166136261u;

	for (const unsigned char *at = (const unsigned char *)name; *at; at++)
		hash = (hash ^ *at) * 16777619u;
	return hash ^ hash >> 16;
}

unsigned int palette_shade(const char *name)
{
	return palette_name_hash(name) % PALETTE_SHADES;
}

struct fill palette_fill_by_hash(uint32_t hash)
{
	/* the warm ones alone: a blue frame would be read as the kernel's */
	static const enum paint hues[] = {PAINT_APP, PAINT_LIBRARY};

	return (struct fill){
		.paint = hues[hash / PALETTE_SHADES % 2],
		.shade = hash % PALETTE_SHADES,
	};
}

struct fill palette_fill_by_name(const char *name)
{
	return palette_fill_by_hash(palette_name_hash(name));
}

uint32_t palette_rgb(struct fill fill, bool is_dark)
{
	const struct paint_colours *paint = &paints[fill.paint];

	return is_dark ? paint->dark[fill.shade] : paint->light[fill.shade];
}

uint32_t palette_ink_rgb(enum ink ink, bool is_dark)
{
	return inks[ink][is_dark];
}

enum palette_family palette_family_of(enum paint paint)
{
	if (paint >= PAINT_HEAT_LOW)
		return PALETTE_HEAT;
	if (paint >= PAINT_MORE_THAN)
		return PALETTE_CHANGES;
	if (paint >= PAINT_STEP1)
		return PALETTE_STEPS;
	return paint >= PAINT_GROUP1 ? PALETTE_GROUPS : PALETTE_ORIGINS;
}

bool palette_is_of(enum paint paint, enum palette_family family)
{
	if (paint == PAINT_ROOT || paint == PAINT_UNKNOWN || paint == PAINT_MORE)
		return true;
	return palette_family_of(paint) == family ||
	       (family == PALETTE_HEAT && palette_family_of(paint) == PALETTE_ORIGINS);
}

const char *palette_word(enum paint paint)
{
	return paints[paint].word;
}

char palette_letter(enum paint paint)
{
	return paints[paint].letter;
}

char palette_hatch_letter(enum hatch hatch)
{
	return hatch == HATCH_STRIPED ? 'x' : 'y';
}
