/* clock_tie.c - what is known of a clock: how far it is from another one, and how exactly */
#include "model/clock_tie.h"

#include <string.h>

#include "base/mem.h"

#define PPB 1000000000

void clock_ties_release(struct clock_ties *ties)
{
	free(ties->list);
	*ties = (struct clock_ties){0};
}

bool clock_ties_add(struct clock_ties *ties, const struct clock_tie *tie)
{
	size_t nr = 0;

	for (size_t i = 0; i < ties->nr; i++)
		nr += ties->list[i].source == tie->source;
	if (nr >= CLOCK_TIES_MAX)
		return false;
	GROW(ties->list, ties->nr + 1, ties->alloc);
	ties->list[ties->nr++] = *tie;
	return true;
}

/* The error at a time of the source's clock, rounded up. */
static __int128 error_at(const struct clock_tie *tie, __int128 at_ns)
{
	__int128 away = 0;

	if (at_ns < (__int128)tie->first_ns)
		away = (__int128)tie->first_ns - at_ns;
	else if (at_ns > (__int128)tie->last_ns)
		away = at_ns - (__int128)tie->last_ns;
	return (__int128)tie->error_ns + (away * (__int128)tie->drift_ppb + PPB - 1) / PPB;
}

struct clock_interval clock_tie_forward(const struct clock_tie *tie, struct clock_interval at)
{
	return (struct clock_interval){
		at.from_ns + tie->offset_ns - error_at(tie, at.from_ns),
		at.to_ns + tie->offset_ns + error_at(tie, at.to_ns),
	};
}

/* Its error is that at the time that is looked for: found by nearing it, ROUNDS are plenty. */
#define ROUNDS 4

struct clock_interval clock_tie_back(const struct clock_tie *tie, struct clock_interval at)
{
	__int128 from = at.from_ns - tie->offset_ns, to = at.to_ns - tie->offset_ns;
	struct clock_interval back = {from, to};

	for (int i = 0; i < ROUNDS; i++) {
		back.from_ns = from - error_at(tie, back.from_ns);
		back.to_ns = to + error_at(tie, back.to_ns);
	}
	return back;
}

bool clock_tie_of(uint64_t source_ns, uint64_t target_ns, uint64_t error_ns, struct clock_tie *ret)
{
	__int128 offset = (__int128)target_ns - (__int128)source_ns;

	if (offset > INT64_MAX || offset < INT64_MIN)
		return false;
	*ret = (struct clock_tie){
		.first_ns = source_ns,
		.last_ns = source_ns,
		.offset_ns = (int64_t)offset,
		.error_ns = error_ns,
		.target = CLOCK_WALL,
		.drift_ppb = TIE_DRIFT_PPB,
	};
	return true;
}

uint64_t clock_tie_drift_ppb(enum source_clock clock)
{
	switch (clock) {
	case SOURCE_CLOCK_MONOTONIC:
	case SOURCE_CLOCK_BOOTTIME:
	case SOURCE_CLOCK_TAI:
	case SOURCE_CLOCK_REALTIME:
		return 0;
	default:
		return TIE_DRIFT_PPB;
	}
}

static const struct {
	const char *word, *text;
} hows[TIE_HOW_NR] = {
	[TIE_CLOCK_DATA] = {"clock-data", "the recorder read both clocks"},
	[TIE_COLUMNS] = {"columns", "both clocks stand in each row"},
	[TIE_KERNEL_LOG] = {"kernel-log", "a line of the kernel log with its wall time"},
	[TIE_GIVEN] = {"given", "given by hand"},
	[TIE_SAME] = {"same-clock", "said to be one clock of one boot"},
	[TIE_FIT] = {"fit", "sampled CPU time fits a counter of it"},
};

const char *tie_how_word(enum tie_how how)
{
	return hows[how].word;
}

enum tie_how tie_how_of_word(const char *word)
{
	int how = 0;

	while (how < TIE_HOW_NR && strcmp(hows[how].word, word) != 0)
		how++;
	return how;
}

const char *tie_how_text(enum tie_how how)
{
	return hows[how].text;
}
