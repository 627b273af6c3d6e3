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
	free(dumps->ids);
	free(dumps->letters);
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

static void add(struct perf_dumps *dumps, uint32_t location, enum found_by found)
{
	dumps->ids[dumps->nr] = location;
	dumps->letters[dumps->nr++] = found_by_letter(found);
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
		add(dumps, perf_chains_place(chains, space, pid, ip, flags), FOUND_KERNEL_CHAIN);
		flags = chains->caller_flags;
	}
}

static void unwind(struct perf_dumps *dumps, struct perf_chains *chains,
		   const struct perf_sample *sample, uint64_t mask)
{
	int32_t pid = perf_chains_pid(sample);
	struct capture *capture = chains->capture;
	struct space *space = spaces_get(&chains->spaces, pid);
	struct sample_user user = {sample->regs_abi, mask, sample->regs, sample->stack, space};

	capture->unwinder->unwind(capture->unwinder, capture, space, &user, &dumps->unwound);
	for (uint32_t i = 0; i < dumps->unwound.nr; i++) {
		const struct unwound_frame *frame = &dumps->unwound.frames[i];

		add(dumps,
		    perf_chains_place(chains, pid, pid, frame->ip,
				      frame->is_return ? LOCATION_RETURN : 0),
		    frame->found);
	}
}

/* What is missing is seen to be missing: it has a frame, at the root. */
static void add_root(struct perf_dumps *dumps, struct capture *capture)
{
	const char *name = unwind_stop_root(dumps->unwound.stop);
	struct location root = {.module = MODULE_NONE, .line = NAME_NONE};

	if (!name)
		return;
	root.name = names_add_string(&capture->names, name);
	add(dumps, locations_add(&capture->locations, &root), FOUND_NOTHING);
}

static void reverse(struct perf_dumps *dumps)
{
	for (size_t i = 0, j = dumps->nr; i + 1 < j--; i++) {
		uint32_t id = dumps->ids[i];
		char letter = dumps->letters[i];

		dumps->ids[i] = dumps->ids[j];
		dumps->ids[j] = id;
		dumps->letters[i] = dumps->letters[j];
		dumps->letters[j] = letter;
	}
}

bool perf_dumps_find(struct perf_dumps *dumps, struct perf_chains *chains,
		     const struct perf_sample *sample, uint64_t mask, unsigned misc,
		     struct perf_dump_stack *ret)
{
	struct capture *capture = chains->capture;
	size_t words = kernel_words(sample, bytes_left(&sample->chain) / 8);
	size_t most = words + UNWIND_FRAMES_MAX + 2;

	GROW(dumps->ids, most, dumps->ids_alloc);
	GROW(dumps->letters, most, dumps->letters_alloc);
	dumps->nr = 0;
	add_kernel(dumps, chains, sample, words);
	unwind(dumps, chains, sample, mask);
	if (!dumps->nr && sample->has_ip && (misc & PERF_MISC_CPUMODE) == PERF_MISC_USER)
		add(dumps,
		    perf_chains_place(chains, perf_chains_pid(sample), perf_chains_pid(sample),
				      sample->ip, 0),
		    FOUND_LEAF);
	if (!dumps->nr)
		return false;
	add_root(dumps, capture);
	reverse(dumps);
	ret->leaf = dumps->ids[dumps->nr - 1];
	ret->callers = stacks_add(&capture->stacks, dumps->ids, (uint32_t)dumps->nr - 1);
	ret->unwinding = unwindings_add(&capture->unwindings, dumps->unwound.stop, dumps->letters,
					(uint32_t)dumps->nr);
	ret->lacks_file = dumps->unwound.lacks_file;
	return true;
}
