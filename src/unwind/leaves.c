/* leaves.c - frames whose caller a chain of frame pointers does not hold */
#include "unwind/leaves.h"

#include <elf.h>
#include <stdbool.h>

#include "base/mem.h"
#include "binaries/elf_file.h"
#include "model/capture.h"
#include "unwind/rules.h"

#define X86_RBP 6

/* Of the registers that rules save, x29 is aarch64's first. */
#define AARCH64_FP 0

/* A module's files, opened when its first place is asked for. */
struct module_rules {
	bool is_asked;
	struct elf_file binary, debug;
	const struct elf_file *elf; /* NULL: nothing can be said */
	struct rules *rules;
};

static void release(struct module_rules *list, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		rules_close(list[i].rules);
		elf_file_close(&list[i].binary);
		elf_file_close(&list[i].debug);
	}
	free(list);
}

static bool open_elf(const struct capture *capture, uint32_t path, struct elf_file *ret)
{
	struct error *err;

	if (path == NAME_NONE)
		return false;
	err = elf_file_open(names_get(&capture->names, path)->bytes, ret);
	error_free(err);
	return !err;
}

/* A debug file alone has addresses, and perhaps .debug_frame. */
static void open_rules(const struct capture *capture, const struct module *module,
		       struct module_rules *ret)
{
	bool has_debug = open_elf(capture, module->debug_file, &ret->debug), is_alone;
	struct error *err;

	if (!open_elf(capture, module->file, &ret->binary))
		return;
	is_alone = elf_file_is_debug_only(&ret->binary);
	if (is_alone)
		err = rules_open(NULL, &ret->binary, &ret->rules);
	else
		err = rules_open(&ret->binary, has_debug ? &ret->debug : NULL, &ret->rules);
	if (!err)
		ret->elf = &ret->binary;
	error_free(err);
}

static bool is_shown_to_have_run(const struct module *module)
{
	return module->status == MODULE_EXACT || module->status == MODULE_CONSISTENT ||
	       module->status == MODULE_UNSUPPORTED;
}

/* Does {the caller's frame pointer, the return address} lie where the register points to? */
static bool has_frame(const struct elf_file *elf, const struct rule *rule)
{
	switch (rule->kind) {
	case RULE_REG:
		/* x29 may count from another register all along; it is set where it was saved */
		if (elf->machine == EM_AARCH64)
			return rule->off[AARCH64_FP] != RULE_SAME;
		return rule->reg == X86_RBP && rule->cfa == 16;
	case RULE_DEREF:
	case RULE_DEREF_8:
		return rule->reg == X86_RBP;
	case RULE_PLT:
		return false;
	default: /* nothing is known, or there is no caller */
		return true;
	}
}

static bool lacks_caller(const struct module_rules *rules, const struct module *module,
			 const struct location *place)
{
	const struct rule *rule;
	uint64_t vaddr;

	if (!rules->elf ||
	    !elf_file_address(rules->elf, place->address, module->map_offset, &vaddr))
		return false;
	rule = rules_find(rules->rules, vaddr);
	return !(rule->flags & RULE_SIGNAL) && !has_frame(rules->elf, rule);
}

/* The function that a place is in, be others inlined there, becomes one that lacks its caller. */
static void mark(struct capture *capture, uint32_t place)
{
	struct frame *frame = &capture->frames.list[capture->frames.first[place]];
	struct location function = *locations_get(&capture->locations, frame->function);

	function.flags |= LOCATION_LACKS_CALLER;
	frame->function = locations_add(&capture->locations, &function);
}

static void mark_place(struct capture *capture, struct module_rules *rules, uint32_t place)
{
	const struct location *location = locations_get(&capture->locations, place);
	const struct module *module;
	uint32_t frames_nr;

	frames_of(&capture->frames, place, &frames_nr);
	if (!frames_nr || location->flags & LOCATION_RETURN || location->module == MODULE_NONE)
		return;
	module = &capture->modules.list[location->module];
	if (module->origin == ORIGIN_KERNEL || !is_shown_to_have_run(module))
		return;
	rules += location->module;
	if (!rules->is_asked)
		open_rules(capture, module, rules);
	rules->is_asked = true;
	if (lacks_caller(rules, module, location))
		mark(capture, place);
}

void leaves_mark(struct capture *capture)
{
	uint32_t places_nr = frames_places(&capture->frames, capture->locations.nr);
	uint32_t modules_nr = capture->modules.nr;
	struct module_rules *rules;
	bool is_needed = false;

	for (uint32_t i = 0; i < capture->events.nr; i++)
		is_needed |= capture->events.list[i].walked_by == WALKED_FRAME_POINTERS;
	if (!is_needed)
		return;
	rules = mem_zalloc(modules_nr, sizeof(*rules));
	for (uint32_t i = 0; i < places_nr; i++)
		mark_place(capture, rules, i);
	release(rules, modules_nr);
}
