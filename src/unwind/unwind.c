/* unwind.c - registers and a stack dump into a call chain */
#include "unwind/unwind.h"

#include <string.h>

#include "base/mem.h"
#include "model/capture.h"
#include "model/details.h"
#include "model/spaces.h"
#include "unwind/crew.h"
#include "unwind/cursor.h"
#include "unwind/lookup.h"
#include "unwind/trial.h"

/* Addresses of user code have so many bits at least; what is above may be no address. */
#define AARCH64_CODE_MIN (UINT64_C(1) << 39)

/* To wake a thread takes as long as to unwind some dumps. */
#define MANY 64

struct unwind {
	struct unwinder unwinder;
	struct unwind_files files;
	struct lookup *lookups; /* owned, of each thread */
	unsigned threads;
	struct crew *crew;		      /* owned, NULL: none was needed yet */
	size_t facts_nr;		      /* of the capture when its machine was looked for */
	bool is_other;			      /* a machine that is not known here */
	const struct cursor_machine *machine; /* NULL: the capture does not say */
};

/* One dump on its way. */
struct walk {
	struct unwind *unwind;
	struct lookup *lookup;
	const struct capture *capture;
	struct space *space;
	struct cursor cursor;
	struct unwound *ret;
	bool is_on_trial; /* it came by a file whose verdict is open */
};

/* ---- which machine */

static const struct cursor_machine *machine_of_arch(const char *arch)
{
	if (strcmp(arch, "x86_64") == 0)
		return &cursor_x86_64;
	if (strcmp(arch, "aarch64") == 0 || strcmp(arch, "arm64") == 0)
		return &cursor_aarch64;
	return NULL;
}

/* A pipe may tell it later, or not at all: then the registers tell aarch64 from x86-64. */
static const struct cursor_machine *find_machine(struct unwind *unwind,
						 const struct capture *capture, uint64_t mask)
{
	if (unwind->facts_nr != capture->facts.nr) {
		const char *arch = facts_find(&capture->facts, "arch");

		unwind->facts_nr = capture->facts.nr;
		unwind->machine = arch ? machine_of_arch(arch) : NULL;
		unwind->is_other = arch && !unwind->machine;
	}
	if (unwind->machine || unwind->is_other)
		return unwind->machine;
	return mask >> cursor_aarch64.ip & mask >> cursor_aarch64.sp & 1 ? &cursor_aarch64
									 : &cursor_x86_64;
}

/* Pointers of aarch64 may carry authentication codes and tags above the address. */
static uint64_t mask_of(const struct cursor_machine *machine, const struct space *space)
{
	uint64_t end = AARCH64_CODE_MIN;

	if (machine != &cursor_aarch64)
		return UINT64_MAX;
	if (space->maps && space->maps->nr && space->maps->list[space->maps->nr - 1].end > end)
		end = space->maps->list[space->maps->nr - 1].end;
	return UINT64_MAX >> __builtin_clzll(end - 1);
}

/* ---- guesses, where no rule helps */

/* A leaf that has pushed nothing yet, as the stubs of a PLT: the return address is on top. */
static bool guess_leaf(struct walk *walk)
{
	struct cursor *cursor = &walk->cursor;
	uint64_t sp = cursor->registers.value[cursor->machine->sp], ip;

	if (cursor->machine != &cursor_x86_64 || !cursor->is_exact ||
	    !cursor_load(cursor, sp, &ip) ||
	    lookup_is_return(walk->lookup, walk->capture, walk->space, ip) != LOOKUP_YES)
		return false;
	cursor->registers.known &= cursor->machine->preserved;
	cursor_set(cursor, cursor->machine->sp, sp + 8);
	cursor_set(cursor, cursor->machine->ip, ip);
	cursor->found = FOUND_GUESS_LEAF;
	return true;
}

/* {the caller's frame pointer, the return address}, on both machines. */
static enum unwind_stop guess_by_fp(struct walk *walk)
{
	struct cursor *cursor = &walk->cursor;
	unsigned fp = cursor->machine->fp;
	uint64_t sp = cursor->registers.value[cursor->machine->sp];
	uint64_t at = cursor->registers.value[fp], caller_fp, ip;

	if (!cursor_knows(cursor, fp) || at % 8 || at < sp || at - sp > UNWIND_JUMP_MAX ||
	    !cursor_load(cursor, at, &caller_fp) || !cursor_load(cursor, at + 8, &ip))
		return UNWIND_NO_CFI;
	ip &= cursor->mask;
	switch (lookup_is_return(walk->lookup, walk->capture, walk->space, ip)) {
	case LOOKUP_NO:
		return UNWIND_NO_CFI;
	case LOOKUP_LACKS_FILE:
		walk->ret->lacks_file = true;
		return UNWIND_NO_FILE;
	case LOOKUP_UNTESTED:
		/* at least the next frame must be outside of this one, too */
		if (caller_fp && caller_fp <= at)
			return UNWIND_NO_CFI;
		break;
	case LOOKUP_YES:
		break;
	}
	cursor->registers.known = 0;
	cursor_set(cursor, fp, caller_fp);
	cursor_set(cursor, cursor->machine->sp, at + 16);
	cursor_set(cursor, cursor->machine->ip, ip);
	cursor->found = FOUND_GUESS_FP;
	return UNWIND_STOP_NR;
}

static enum unwind_stop guess(struct walk *walk)
{
	enum unwind_stop stop = guess_leaf(walk) ? UNWIND_STOP_NR : guess_by_fp(walk);

	if (stop == UNWIND_STOP_NR)
		walk->cursor.is_exact = false;
	return stop;
}

/* ---- frame by frame */

/* The frame below a signal's handler: where the kernel made the handler return to, and nobody
 * called. */
static bool is_signal_frame(const struct lookup_place *place)
{
	return place->flags & LOOKUP_TRAMPOLINE || place->rule.flags & RULE_SIGNAL;
}

static bool leave_signal(struct cursor *cursor)
{
	if (!cursor->machine->leave_signal(cursor))
		return false;
	cursor->registers.value[cursor->machine->ip] &= cursor->mask;
	cursor->is_exact = true;
	cursor->found = FOUND_SIGNAL;
	return cursor->registers.value[cursor->machine->ip] != 0;
}

/* From the frame at `place` to its caller. */
static enum unwind_stop step(struct walk *walk, const struct lookup_place *place)
{
	/* whether the code has rules of its own, or none that reach over a signal */
	if (place->flags & LOOKUP_TRAMPOLINE)
		return leave_signal(&walk->cursor) ? UNWIND_STOP_NR : UNWIND_TRUNCATED;
	if (place->file->is_missing) {
		walk->ret->lacks_file = true;
		return UNWIND_NO_FILE;
	}
	if (place->rule.kind == RULE_NO_FDE)
		return guess(walk);
	return cursor_step(&walk->cursor, &place->rule, place->file->rules, place->vaddr);
}

/* The place of the frame that the walk is at; valid until the next one. */
static const struct lookup_place *find_place(struct walk *walk)
{
	const struct cursor *cursor = &walk->cursor;

	return lookup_find(walk->lookup, walk->capture, walk->space, cursor->machine,
			   cursor->registers.value[cursor->machine->ip], cursor->is_exact);
}

/* ---- evidence for a trial */

/* The file on trial that has this address, NULL for none, and where it has it. */
static struct trial_file *trial_file_at(struct walk *walk, uint64_t ip, uint64_t *ret_vaddr)
{
	const struct space_map *map = spaces_find(walk->space, ip);
	const struct unwind_file *file;

	if (!map)
		return NULL;
	file = unwind_files_get(&walk->unwind->files, walk->capture, map->module, map->offset);
	/* where there is no such place, there is no call either */
	*ret_vaddr = ip - map->begin + map->offset;
	if (file->on_trial)
		(void)!elf_file_address(file->elf, *ret_vaddr, map->offset, ret_vaddr);
	return file->on_trial;
}

/* What a rule of `from` led to, from the place vaddr in it: is it behind a call? */
static void testify(struct walk *walk, struct trial_file *from, uint64_t vaddr)
{
	struct trial *trial = walk->unwind->files.trial;
	uint64_t ip = walk->cursor.registers.value[walk->cursor.machine->ip];
	enum lookup_answer answer = lookup_is_return(walk->lookup, walk->capture, walk->space, ip);
	const struct lookup_place *place = find_place(walk);
	struct trial_file *to;
	uint64_t to_vaddr;

	/* a handler returns to where no call is, also in the file that ran */
	if (place && is_signal_frame(place))
		return;
	if (answer == LOOKUP_UNTESTED || answer == LOOKUP_LACKS_FILE)
		return;
	if (from)
		trial_add(trial, from, vaddr << 1, answer == LOOKUP_YES);
	to = trial_file_at(walk, ip - 1, &to_vaddr);
	if (to)
		trial_add(trial, to, to_vaddr << 1 | 1, answer == LOOKUP_YES);
}

static bool is_by_rule(const struct lookup_place *place)
{
	return !is_signal_frame(place) && place->rule.kind != RULE_NO_FDE;
}

/* step(), and what is to be learnt from it. */
static enum unwind_stop step_on_trial(struct walk *walk, const struct lookup_place *place)
{
	struct trial_file *from = place->file->on_trial;
	bool is_rule = is_by_rule(place);
	uint64_t vaddr = place->vaddr;
	enum unwind_stop stop = step(walk, place);

	walk->is_on_trial |= from != NULL;
	if (stop == UNWIND_STOP_NR && is_rule)
		testify(walk, from, vaddr);
	return stop;
}

/* ---- the walk */

static void push(struct walk *walk)
{
	walk->ret->frames[walk->ret->nr++] = (struct unwound_frame){
		.ip = walk->cursor.registers.value[walk->cursor.machine->ip],
		.found = walk->cursor.found,
		.is_return = !walk->cursor.is_exact,
	};
}

static enum unwind_stop walk_up(struct walk *walk)
{
	const struct unwind_files *files = &walk->unwind->files;
	bool has_trial = files->trial && !files->judge;
	const struct lookup_place *place;
	enum unwind_stop stop;

	push(walk);
	place = find_place(walk);
	while (place) {
		/* the call-frame information of a trampoline begins before its first instruction,
		 * to which nobody returned: its name is that of the ip itself */
		if (is_signal_frame(place))
			walk->ret->frames[walk->ret->nr - 1].is_return = false;
		stop = has_trial ? step_on_trial(walk, place) : step(walk, place);
		if (stop != UNWIND_STOP_NR)
			return stop;
		if (walk->ret->nr == UNWIND_FRAMES_MAX)
			return UNWIND_MAX_DEPTH;
		place = find_place(walk);
		if (place)
			push(walk);
	}
	return UNWIND_NO_MAP;
}

static void unwind_one(struct unwind *unwind, struct lookup *lookup, const struct capture *capture,
		       struct space *space, const struct sample_user *user, struct unwound *ret)
{
	struct walk walk = {
		.unwind = unwind,
		.lookup = lookup,
		.capture = capture,
		.space = space,
		.ret = ret,
	};
	struct cursor *cursor = &walk.cursor;

	ret->nr = 0;
	ret->lacks_file = false;
	ret->stop = UNWIND_UNSUPPORTED;
	cursor->machine = find_machine(unwind, capture, user->mask);
	if (user->abi != 2 || !cursor->machine ||
	    !cursor->machine->read(cursor, user->mask, &user->regs))
		return;
	cursor->stack = (struct cursor_stack){
		.bytes = user->stack,
		.begin = cursor->registers.value[cursor->machine->sp],
	};
	if (cursor->machine->is_little)
		cursor->stack.bytes.is_swapped = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__;
	cursor->mask = mask_of(cursor->machine, space);
	cursor->is_exact = true;
	cursor->found = FOUND_LEAF;
	ret->stop = walk_up(&walk);
	if (walk.is_on_trial)
		trial_end_sample(unwind->files.trial);
}

static void unwind(struct unwinder *unwinder, const struct capture *capture, struct space *space,
		   const struct sample_user *user, struct unwound *ret)
{
	struct unwind *unwind_of = (struct unwind *)unwinder;

	unwind_one(unwind_of, unwind_of->lookups, capture, space, user, ret);
}

/* ---- many at once */

struct call {
	struct unwind *unwind;
	const struct capture *capture;
	struct unwinder_job *jobs;
};

static void do_job(void *context, unsigned thread, size_t nr)
{
	const struct call *call = context;
	struct unwinder_job *job = &call->jobs[nr];

	unwind_one(call->unwind, &call->unwind->lookups[thread], call->capture, &job->space,
		   &job->user, job->ret);
}

static void unwind_many(struct unwinder *unwinder, const struct capture *capture,
			struct unwinder_job *jobs, size_t nr)
{
	struct unwind *unwind_of = (struct unwind *)unwinder;
	struct call call = {unwind_of, capture, jobs};

	/* what all are going to look at must not change then */
	if (nr)
		find_machine(unwind_of, capture, jobs->user.mask);
	if (nr < MANY) {
		for (size_t i = 0; i < nr; i++)
			do_job(&call, 0, i);
		return;
	}
	if (!unwind_of->crew)
		unwind_of->crew = crew_new(unwind_of->threads);
	crew_run(unwind_of->crew, do_job, &call, nr);
}

/* ---- */

static void add_lookups(struct unwind *unwind, unsigned threads)
{
	unwind->lookups = mem_realloc(unwind->lookups, threads, sizeof(*unwind->lookups));
	while (unwind->threads < threads)
		lookup_init(&unwind->lookups[unwind->threads++], &unwind->files);
}

struct unwinder *unwind_new(struct binaries *binaries)
{
	struct unwind *unwind_of = mem_zalloc(1, sizeof(*unwind_of));

	unwind_of->unwinder.unwind = unwind;
	unwind_of->facts_nr = SIZE_MAX;
	unwind_files_init(&unwind_of->files, binaries);
	add_lookups(unwind_of, 1);
	return &unwind_of->unwinder;
}

void unwind_set_trial(struct unwinder *unwinder, struct trial *trial, struct unwind_judge *judge)
{
	struct unwind_files *files = &((struct unwind *)unwinder)->files;

	files->trial = trial;
	files->judge = judge;
}

void unwind_set_threads(struct unwinder *unwinder, unsigned threads)
{
	struct unwind *unwind_of = (struct unwind *)unwinder;

	if (threads < 2)
		return;
	if (threads > UNWIND_THREADS_MAX)
		threads = UNWIND_THREADS_MAX;
	add_lookups(unwind_of, threads);
	unwind_of->files.is_shared = true;
	unwinder->unwind_many = unwind_many;
}

void unwind_free(struct unwinder *unwinder)
{
	struct unwind *unwind_of = (struct unwind *)unwinder;

	if (!unwind_of)
		return;
	crew_free(unwind_of->crew);
	for (unsigned i = 0; i < unwind_of->threads; i++)
		lookup_release(&unwind_of->lookups[i]);
	free(unwind_of->lookups);
	unwind_files_release(&unwind_of->files);
	free(unwind_of);
}
