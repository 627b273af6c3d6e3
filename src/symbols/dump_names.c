/* dump_names.c - code that a runtime made, named by the jit-PID.dump that it wrote */
#include "symbols/dump_names.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/capture.h"
#include "symbols/answer.h"
#include "symbols/beside.h"
#include "symbols/demangle.h"
#include "symbols/jitdump.h"
#include "symbols/places.h"
#include "symbols/symbolizer.h"

struct namer {
	struct jitdump dump;
	uint64_t from_ns, to_ns; /* when the capture was made, as the dump counts; or all times */
	bool has_times;
	size_t ambiguous; /* places where code of several names was */
	struct text text;
	struct answer *answer;
};

/* "perf-PID.map" to "jit-PID.dump"; false where it is not called so. */
static bool dump_name(const char *path, struct text *ret)
{
	const char *slash = strrchr(path, '/');
	const char *pid = slash ? slash + 1 : path;
	size_t size;

	if (strncmp(pid, "perf-", 5) != 0)
		return false;
	pid += 5;
	size = strspn(pid, "0123456789");
	if (!size || strcmp(pid + size, ".map") != 0)
		return false;
	text_addf(ret, "jit-%.*s.dump", (int)size, pid);
	return true;
}

/* Of CLOCK_MONOTONIC, which dumps are written with: "clock 1 at 1032.4 is ...". */
static bool is_monotonic(const struct capture *capture)
{
	const char *reference = facts_find(&capture->facts, "clock reference");

	return reference && strncmp(reference, "clock 1 at ", 11) == 0;
}

static void set_times(struct namer *namer, const struct capture *capture)
{
	namer->has_times =
		capture->has_times && is_monotonic(capture) && !namer->dump.has_arch_time;
	namer->from_ns = namer->has_times ? capture->start_ns : 0;
	namer->to_ns = namer->has_times ? capture->end_ns : UINT64_MAX;
}

static void add_frame(struct namer *namer, const struct jitdump_place *place)
{
	struct names *names = &namer->answer->names;
	struct answer_frame frame = {
		.raw_name = names_add_string(names, place->name),
		.file = place->file ? names_add_string(names, place->file) : NAME_NONE,
		.line = place->file ? place->line : 0,
		.source = ANSWER_JIT,
	};

	text_clear(&namer->text);
	demangle_display(place->name, &namer->text);
	frame.name = names_add(names, text_string(&namer->text), namer->text.size);
	answer_add(namer->answer, &frame);
}

static void name_place(struct namer *namer, const struct module_address *address)
{
	struct jitdump_place place;

	switch (jitdump_find_between(&namer->dump, address->offset - address->is_return,
				     namer->from_ns, namer->to_ns, &place)) {
	case JITDUMP_ONE:
		add_frame(namer, &place);
		break;
	case JITDUMP_SEVERAL:
		namer->ambiguous++;
		break;
	case JITDUMP_NOTHING:
		break;
	}
	answer_end_address(namer->answer);
}

static void describe(const struct namer *namer, struct text *ret)
{
	text_add(ret, "a dump of the runtime, which has no ID");
	if (!namer->has_times)
		text_add(ret, "; its times cannot be compared with the capture's, which was not "
			      "made with 'perf record -k mono'");
	if (namer->ambiguous)
		text_addf(ret, "; %zu addresses held code of different names and have none",
			  namer->ambiguous);
	if (namer->dump.is_cut)
		text_add(ret, "; it is cut");
}

static void name_places(struct namer *namer, struct capture *capture, const struct places *places,
			const struct places_module *at)
{
	struct module *module = &capture->modules.list[at->module];
	CLEANUP(text_release) struct text detail = TEXT_INIT;

	set_times(namer, capture);
	for (size_t i = at->first; i < at->first + at->nr; i++)
		name_place(namer, &places->addresses[i]);
	describe(namer, &detail);
	module->status = MODULE_UNVERIFIED;
	module->detail = names_add_string(&capture->names, text_string(&detail));
}

bool dump_names_find(struct capture *capture, const struct symbolizer_options *options,
		     const struct places *places, const struct places_module *at,
		     struct answer *ret)
{
	struct module *module = &capture->modules.list[at->module];
	CLEANUP(text_release) struct text name = TEXT_INIT, file = TEXT_INIT;
	struct namer namer = {.answer = ret};
	struct error *err;

	if (!dump_name(names_get(&capture->names, module->path)->bytes, &name) ||
	    !beside_find_map(options, text_string(&name), &file))
		return false;
	err = jitdump_read(&namer.dump, text_string(&file));
	if (err) {
		module->status = MODULE_UNSUPPORTED;
		module->detail = names_add_string(&capture->names, error_text(err));
		error_free(err);
		return true;
	}
	module->file = names_add_string(&capture->names, text_string(&file));
	name_places(&namer, capture, places, at);
	text_release(&namer.text);
	jitdump_release(&namer.dump);
	return true;
}
