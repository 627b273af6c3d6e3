/* kernel_names.c - the kernel's functions, named by its own list of them */
#include "symbols/kernel_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/text.h"
#include "binaries/find.h"
#include "model/capture.h"
#include "symbols/answer.h"
#include "symbols/beside.h"
#include "symbols/kallsyms.h"
#include "symbols/kernel.h"
#include "symbols/places.h"
#include "symbols/running_kernel.h"
#include "symbols/symbolizer.h"

/* A list that was read, and what it may be used for. */
struct list {
	struct kallsyms kallsyms;
	bool is_read;
	uint64_t slide;
	enum module_status status;
	const char *detail;
	struct text path;
};

struct namer {
	struct capture *capture;
	const struct symbolizer_options *options;
	const struct module *image; /* NULL: the capture does not say where the kernel lay */
	const char *build_id;	    /* of the recorded kernel, NULL */
	const struct places *places;
	const struct answer *answers; /* per module of places */
};

static void list_release(struct list *list)
{
	if (list->is_read)
		kallsyms_release(&list->kallsyms);
	text_release(&list->path);
}

static const char *name_of(const struct namer *namer, uint32_t id)
{
	return id == NAME_NONE ? NULL : names_get(&namer->capture->names, id)->bytes;
}

static bool is_guest(const char *path)
{
	return strncmp(path, "[guest", 6) == 0;
}

/* The image: the module with a reference; its build ID may stand at a twin of the same path. */
static void find_image(struct namer *namer)
{
	const struct modules *modules = &namer->capture->modules;

	for (uint32_t i = 0; i < modules->nr && !namer->image; i++) {
		const struct module *module = &modules->list[i];

		if (module->reference == NAME_NONE || module->origin != ORIGIN_KERNEL ||
		    is_guest(name_of(namer, module->path)))
			continue;
		namer->image = module;
		namer->build_id = name_of(namer, module->build_id);
	}
}

static bool wants_list(const struct namer *namer, uint32_t index)
{
	const struct module *module =
		&namer->capture->modules.list[namer->places->modules[index].module];

	return module->origin == ORIGIN_KERNEL && !namer->answers[index].frames_nr &&
	       !is_guest(name_of(namer, module->path));
}

static int compare_addresses(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* What symbol_of() asks for of a list that says where the kernel lay: the caller's. */
static uint64_t *list_addresses(const struct namer *namer, size_t *ret_nr)
{
	const struct places *places = namer->places;
	uint64_t *list = mem_alloc(2 * places->nr * sizeof(*list));
	size_t nr = 0;

	for (uint32_t i = 0; i < places->modules_nr; i++) {
		const struct places_module *at = &places->modules[i];

		if (!wants_list(namer, i))
			continue;
		for (size_t j = at->first; j < at->first + at->nr; j++) {
			list[nr++] = places->addresses[j].offset;
			if (places->addresses[j].is_return)
				list[nr++] = places->addresses[j].offset - 1;
		}
	}
	qsort(list, nr, sizeof(*list), compare_addresses);
	*ret_nr = nr;
	return list;
}

/* Of a list most is not asked for; only where it has to be shifted all of it is kept. */
static struct error *read_functions(const struct namer *namer, const char *path, struct list *ret)
{
	size_t nr;
	uint64_t *addresses = list_addresses(namer, &nr);
	struct error *err = kallsyms_read_for(&ret->kallsyms, path, addresses, nr);

	free(addresses);
	if (err || !namer->image ||
	    !kallsyms_slide(&ret->kallsyms, name_of(namer, namer->image->reference),
			    namer->image->map_offset, &ret->slide) ||
	    !ret->slide)
		return err;
	kallsyms_release(&ret->kallsyms);
	return kallsyms_read(&ret->kallsyms, path);
}

/* Reads the list and asks how it lies to the recorded kernel. */
static struct error *read_list(const struct namer *namer, const char *path, struct list *ret)
{
	struct error *err = read_functions(namer, path, ret);

	if (err)
		return error_within(err, "%s", path);
	ret->is_read = true;
	text_clear(&ret->path);
	text_add(&ret->path, path);
	if (!namer->image ||
	    !kallsyms_slide(&ret->kallsyms, name_of(namer, namer->image->reference),
			    namer->image->map_offset, &ret->slide)) {
		ret->status = MODULE_UNVERIFIED;
		ret->slide = 0;
		ret->detail = "neither the capture nor the list says where the kernel lay";
	}
	return NULL;
}

static void judge_given(struct list *list)
{
	if (list->status == MODULE_UNVERIFIED)
		return;
	list->status = list->slide ? MODULE_MISMATCH : MODULE_UNVERIFIED;
	list->detail = list->slide ? "the list is of a kernel that lay elsewhere"
				   : "the list has no build ID; the kernel lay where it says";
}

/* What the user names must be there; what stands beside the capture may be anything. */
static struct error *use_given(const struct namer *namer, struct list *ret)
{
	CLEANUP(text_release) struct text path = TEXT_INIT;
	struct error *err;

	if (namer->options->kallsyms)
		text_add(&path, namer->options->kallsyms);
	else if (!beside_find(namer->options->capture_path, "kallsyms", &path))
		return NULL;
	err = read_list(namer, text_string(&path), ret);
	if (err && !namer->options->kallsyms) {
		error_free(err);
		err = NULL;
	}
	if (ret->is_read)
		judge_given(ret);
	return err;
}

static bool use_cached(const struct namer *namer, struct list *ret)
{
	char *path = namer->build_id
			     ? binaries_find_kallsyms(namer->options->binaries, namer->build_id)
			     : NULL;
	struct error *err = path ? read_list(namer, path, ret) : NULL;

	free(path);
	error_free(err);
	if (ret->is_read && ret->status != MODULE_UNVERIFIED) {
		ret->status = MODULE_EXACT;
		ret->detail = "the list that perf kept under the kernel's build ID";
	}
	return ret->is_read;
}

static void use_running(const struct namer *namer, struct list *ret)
{
	struct error *err;

	if (namer->options->only_given || !namer->build_id || !running_kernel_is(namer->build_id))
		return;
	err = read_list(namer, "/proc/kallsyms", ret);
	error_free(err);
	if (!ret->is_read)
		return;
	if (ret->status == MODULE_UNVERIFIED || ret->slide) {
		kallsyms_release(&ret->kallsyms);
		*ret = (struct list){.path = ret->path};
		return;
	}
	ret->status = MODULE_EXACT;
	ret->detail = "this machine runs the recorded kernel, at the same place";
}

static struct error *find_list(const struct namer *namer, struct list *ret)
{
	struct error *err = use_given(namer, ret);

	if (err || ret->is_read || use_cached(namer, ret))
		return err;
	use_running(namer, ret);
	return NULL;
}

/*
 * The symbol of the call in front of a return address. In the padding that the kernel has in
 * front of functions there is none: it is where an interrupted function was to begin.
 */
static const struct kallsyms_symbol *symbol_of(const struct list *list,
					       const struct module_address *address)
{
	uint64_t at = address->offset - list->slide;
	const struct kallsyms_symbol *symbol =
		kallsyms_find(&list->kallsyms, at - address->is_return);

	if (symbol && address->is_return &&
	    kernel_is_padding(kallsyms_name(&list->kallsyms, symbol)))
		return kallsyms_find(&list->kallsyms, at);
	return symbol;
}

static void name_place(const struct list *list, const struct module_address *address,
		       struct answer *ret)
{
	const struct kallsyms_symbol *symbol = symbol_of(list, address);
	struct answer_frame frame = {.file = NAME_NONE, .source = ANSWER_KALLSYMS};

	if (!symbol)
		return;
	frame.raw_name = names_add_string(&ret->names, kallsyms_name(&list->kallsyms, symbol));
	frame.name = frame.raw_name;
	answer_add(ret, &frame);
}

static void name_module(const struct namer *namer, const struct list *list,
			const struct places *places, const struct places_module *at,
			struct answer *ret)
{
	struct module *module = &namer->capture->modules.list[at->module];

	module->status = list->status;
	module->detail = names_add_string(&namer->capture->names, list->detail);
	if (list->status == MODULE_MISMATCH)
		return;
	module->file = names_add_string(&namer->capture->names, text_string(&list->path));
	answer_release(ret);
	for (size_t i = at->first; i < at->first + at->nr; i++) {
		name_place(list, &places->addresses[i], ret);
		answer_end_address(ret);
	}
}

/* No list: nothing was found where one could be. */
static void set_missing(const struct namer *namer, const struct places_module *at)
{
	struct module *module = &namer->capture->modules.list[at->module];

	if (module->status == MODULE_UNNAMED)
		module->status = MODULE_MISSING;
}

struct error *kernel_names_find(struct capture *capture, const struct symbolizer_options *options,
				const struct places *places, struct answer *answers)
{
	struct namer namer = {
		.capture = capture, .options = options, .places = places, .answers = answers};
	CLEANUP(list_release) struct list list = {0};
	bool is_wanted = false;
	struct error *err;

	for (uint32_t i = 0; i < places->modules_nr; i++)
		is_wanted |= wants_list(&namer, i);
	if (!is_wanted)
		return NULL;
	find_image(&namer);
	err = find_list(&namer, &list);
	for (uint32_t i = 0; i < places->modules_nr && !err; i++) {
		if (!wants_list(&namer, i))
			continue;
		if (list.is_read)
			name_module(&namer, &list, places, &places->modules[i], &answers[i]);
		else
			set_missing(&namer, &places->modules[i]);
	}
	return err;
}
