/* audit_chains.c - findings of call chains: none, broken, cut, without a caller */
#include "analysis/audit_parts.h"

#include "base/mem.h"

/* The kernel's own limit (kernel.perf_event_max_stack), where nobody has raised it. */
#define KERNEL_FRAMES_MAX 127

static void add_share(double share, const char *words, struct text *what)
{
	units_add_percent(what, share, 1);
	text_addf(what, " of samples %s", words);
}

static void find_share(enum audit_code code, weight part, weight all, double least,
		       const char *words, struct audit *audit)
{
	double share = weight_share(part, all);
	struct text what = TEXT_INIT;

	if (share < least)
		return;
	add_share(share, words, &what);
	audit_add(audit, code, share, &what);
}

static void find_none(const struct audit_input *input, struct audit *audit)
{
	weight sampled = 0;

	for (uint32_t i = 0; i < input->capture->events.nr; i++)
		if (audit_is_sampled(input, i))
			sampled += summary_event(input->summary, i).samples;
	if (!audit_is_recording(input) || !sampled || input->summary->callchains)
		return;
	find_share(AUDIT_NO_CALL_CHAINS, sampled, sampled, 0, "have no callers", audit);
}

/* An address in no mapping is where a walk by frame pointers left the stack. */
static bool is_nowhere(const struct audit_input *input, uint32_t location)
{
	const struct location *at = locations_get(&input->capture->locations, location);

	return at->module == MODULE_NONE && at->name == NAME_NONE;
}

static void find_ends(const struct audit_input *input, struct audit *audit)
{
	static const enum unwind_stop broken_stops[] = {UNWIND_NO_MAP, UNWIND_NO_CFI,
							UNWIND_BAD_CFA, UNWIND_EXPR_FAILED,
							UNWIND_UNSUPPORTED};
	const struct summary *summary = input->summary;
	const struct stacks *stacks = &input->capture->stacks;
	weight broken = 0, deep = input->chains.by_stop[UNWIND_MAX_DEPTH];

	for (size_t i = 0; i < ARRAY_NR(broken_stops); i++)
		broken += input->chains.by_stop[broken_stops[i]];
	for (uint32_t i = 0; i < summary->stacks_nr; i++) {
		uint32_t nr = stacks_depth(stacks, i);

		if (summary->stacks[i] && nr && is_nowhere(input, stacks_ids(stacks, i)[0]))
			broken += summary->stacks[i];
	}
	find_share(AUDIT_BROKEN_CHAINS, broken, summary->samples, AUDIT_COMMON_LEAST,
		   "have a stack that ends in nowhere", audit);
	find_share(AUDIT_DEEP_STACKS, deep, summary->samples, AUDIT_SHARE_LEAST,
		   "have more frames than are kept", audit);
}

/* Who walked by frame pointers was the kernel, which keeps so many frames and says nothing. */
static void find_deep(const struct audit_input *input, struct audit *audit)
{
	const struct summary_walked *walked = &input->summary->walked[WALKED_FRAME_POINTERS];
	weight deep = 0;

	for (uint32_t i = 0; i < walked->stacks_nr; i++)
		if (stacks_depth(&input->capture->stacks, i) + 1 == KERNEL_FRAMES_MAX)
			deep += walked->of_stack[i];
	find_share(AUDIT_DEEP_STACKS, deep, input->summary->samples, AUDIT_SHARE_LEAST,
		   "have as many frames as the kernel keeps, and may have more", audit);
}

void audit_chains(const struct audit_input *input, struct audit *audit)
{
	const struct summary_chains *chains = &input->chains;

	find_none(input, audit);
	find_ends(input, audit);
	find_deep(input, audit);
	find_share(AUDIT_MISSING_CALLERS, chains->lacks_caller, chains->samples, AUDIT_COMMON_LEAST,
		   "may lack a caller: a function without a frame pointer was running", audit);
	find_share(AUDIT_TRUNCATED_STACKS, chains->by_stop[UNWIND_TRUNCATED],
		   input->summary->samples, AUDIT_SHARE_LEAST,
		   "have a stack that was not copied whole", audit);
	if (audit_has_looked(input))
		find_share(AUDIT_STACKS_NEED_FILES, chains->by_stop[UNWIND_NO_FILE],
			   input->summary->samples, AUDIT_SHARE_LEAST,
			   "have a stack that needs a file which is not here", audit);
}
