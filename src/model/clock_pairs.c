/* clock_pairs.c - rows that have the time of two clocks, as few ties between them */
#include "model/clock_pairs.h"

#include "base/mem.h"

/*
 * Clocks that are corrected together differ by what is set alone, which nobody sees between rows:
 * this little makes the nearest stretch the most exact one.
 */
#define DRIFT_PPB_MIN 1000

void clock_pairs_release(struct clock_pairs *pairs)
{
	free(pairs->list);
	*pairs = (struct clock_pairs){0};
}

/* Takes b into a where all their offsets are within the band. */
static bool join(struct clock_stretch *a, const struct clock_stretch *b, uint64_t band_ns)
{
	int64_t low = a->low_ns < b->low_ns ? a->low_ns : b->low_ns;
	int64_t high = a->high_ns > b->high_ns ? a->high_ns : b->high_ns;

	if ((uint64_t)high - (uint64_t)low > band_ns)
		return false;
	a->low_ns = low;
	a->high_ns = high;
	a->last_ns = b->last_ns;
	return true;
}

/* A column of whole seconds makes a stretch of every few rows: then the band is wider. */
static void widen(struct clock_pairs *pairs)
{
	size_t nr = 0;

	pairs->band_ns = pairs->band_ns > UINT64_MAX / 4 ? UINT64_MAX : pairs->band_ns * 4;
	for (size_t i = 0; i < pairs->nr; i++)
		if (!nr || !join(&pairs->list[nr - 1], &pairs->list[i], pairs->band_ns))
			pairs->list[nr++] = pairs->list[i];
	pairs->nr = nr;
}

void clock_pairs_add(struct clock_pairs *pairs, uint64_t source_ns, uint64_t wall_ns)
{
	struct clock_stretch row;
	int64_t offset;

	if (source_ns > INT64_MAX || wall_ns > INT64_MAX)
		return;
	offset = (int64_t)wall_ns - (int64_t)source_ns;
	row = (struct clock_stretch){source_ns, source_ns, offset, offset};
	if (!pairs->band_ns)
		pairs->band_ns = CLOCK_PAIRS_BAND_NS;
	if (pairs->nr && join(&pairs->list[pairs->nr - 1], &row, pairs->band_ns))
		return;
	GROW(pairs->list, pairs->nr + 1, pairs->alloc);
	pairs->list[pairs->nr++] = row;
	while (pairs->nr > CLOCK_PAIRS_MAX)
		widen(pairs);
}

void clock_pairs_finish(const struct clock_pairs *pairs, enum source_clock clock,
			struct clock_ties *ties)
{
	uint64_t drift_ppb = clock_tie_drift_ppb(clock);

	for (size_t i = 0; i < pairs->nr; i++) {
		const struct clock_stretch *stretch = &pairs->list[i];
		uint64_t width = (uint64_t)stretch->high_ns - (uint64_t)stretch->low_ns;

		clock_ties_add(ties, &(struct clock_tie){
					     .target = CLOCK_WALL,
					     .how = TIE_COLUMNS,
					     .first_ns = stretch->first_ns,
					     .last_ns = stretch->last_ns,
					     .offset_ns = stretch->low_ns + (int64_t)(width / 2),
					     .error_ns = width - width / 2 + CLOCK_PAIRS_DELAY_NS,
					     .drift_ppb = drift_ppb ? drift_ppb : DRIFT_PPB_MIN,
				     });
	}
}
