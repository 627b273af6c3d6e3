/* dumps.c - samples with a stack dump: its frames joined with the kernel's chain */
#include "importers/perf_data/dumps.h"

#include "base/mem.h"
#include "importers/perf_data/attr.h"
#include "importers/perf_data/chain.h"
#include "importers/perf_data/record_types.h"
#include "importers/perf_data/sample.h"
#include "model/capture.h"
#include "model/details.h"

void perf_dumps_release(struct perf_dumps *dumps)
{
	dump_stack_release(&dumps->stack);
}

/* The chain's words before its first user address: all of them, or user frames follow. */
static size_t kernel_words(const struct perf_sample *sample, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (perf_sample_word(&sample->chain, i) == PERF_CONTEXT_USER)
			return i;
	return nr;
}

bool perf_dumps_has(const struct perf_sample *sample)
{
	size_t nr = bytes_left(&sample->chain) / 8;

	return sample->regs_abi && bytes_left(&sample->stack) && kernel_words(sample, nr) + 1 >= nr;
}

static void add_kernel(struct perf_dumps *dumps, struct perf_chains *chains,
		       const struct perf_sample *sample, size_t words)
{
	int32_t pid = perf_chains_pid(sample), space = SPACE_KERNEL;
	unsigned flags = 0; /* where a context was left, by no call */

	for (size_t i = 0; i < words; i++) {
		uint64_t ip = perf_sample_word(&sample->chain, i);

		if (ip >= PERF_CONTEXT_FIRST) {
			space = perf_chains_space(ip, pid);
			flags = 0;
			/* a cookie follows, which is no address */
			i += ip == PERF_CONTEXT_USER_DEFERRED;
			continue;
		}
		dump_stack_add(&dumps->stack, perf_chains_place(chains, space, pid, ip, flags),
			       FOUND_KERNEL_CHAIN);
		flags = chains->caller_flags;
	}
}

void perf_dumps_prepare(struct perf_chains *chains, const struct perf_sample *sample, uint64_t mask,
			struct unwinder_job *job)
{
	job->space = *spaces_get(&chains->spaces, perf_chains_pid(sample));
	job->user = (struct sample_user){sample->regs_abi, mask, sample->regs, sample->stack,
					 &job->space};
}

static const struct unwound *unwind(struct perf_dumps *dumps, struct perf_chains *chains,
				    const struct perf_sample *sample, uint64_t mask)
{
	struct capture *capture = chains->capture;
	struct space *space = spaces_get(&chains->spaces, perf_chains_pid(sample));
	struct sample_user user = {sample->regs_abi, mask, sample->regs, sample->stack, space};

	capture->unwinder->unwind(capture->unwinder, capture, space, &user, &dumps->unwound);
	return &dumps->unwound;
}

static void add_unwound(struct perf_dumps *dumps, struct perf_chains *chains,
			const struct perf_sample *sample, const struct unwound *unwound)
{
	int32_t pid = perf_chains_pid(sample);

	for (uint32_t i = 0; i < unwound->nr; i++) {
		const struct unwound_frame *frame = &unwound->frames[i];

		dump_stack_add(&dumps->stack,
			       perf_chains_place(chains, pid, pid, frame->ip,
						 frame->is_return ? LOCATION_RETURN : 0),
			       frame->found);
	}
}

/* What is missing is seen to be missing: it has a frame, at the root. */
static void add_root(struct perf_dumps *dumps, struct capture *capture, enum unwind_stop stop)
{
	const char *name = unwind_stop_root(stop);
	struct location root = {.module = MODULE_NONE, .line = NAME_NONE};

	if (!name)
		return;
	root.name = names_add_string(&capture->names, name);
	dump_stack_add(&dumps->stack, locations_add(&capture->locations, &root), FOUND_NOTHING);
}

bool perf_dumps_find(struct perf_dumps *dumps, struct perf_chains *chains,
		     const struct perf_sample *sample, uint64_t mask, unsigned misc,
		     const struct unwound *ahead, struct dump_stack_ids *ret, bool *ret_lacks_file)
{
	const struct unwound *unwound = ahead;
	struct capture *capture = chains->capture;
	size_t words = kernel_words(sample, bytes_left(&sample->chain) / 8);
	int32_t pid = perf_chains_pid(sample);

	dump_stack_begin(&dumps->stack, words + UNWIND_FRAMES_MAX + 1);
	add_kernel(dumps, chains, sample, words);
	if (!unwound)
		unwound = unwind(dumps, chains, sample, mask);
	add_unwound(dumps, chains, sample, unwound);
	if (!dumps->stack.nr && sample->has_ip && (misc & PERF_MISC_CPUMODE) == PERF_MISC_USER)
		dump_stack_add(&dumps->stack, perf_chains_place(chains, pid, pid, sample->ip, 0),
			       FOUND_LEAF);
	if (!dumps->stack.nr)
		return false;
	add_root(dumps, capture, unwound->stop);
	dump_stack_end(&dumps->stack, unwound->stop, &capture->stacks, &capture->unwindings, ret);
	*ret_lacks_file = unwound->lacks_file;
	return true;
}
