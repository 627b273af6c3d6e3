/* symbolizer.c - the places of a capture named, from files shown to be the ones that ran */
#include "symbols/symbolizer.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "binaries/callsites.h"
#include "binaries/find.h"
#include "model/capture.h"
#include "symbols/answer.h"
#include "symbols/dump_names.h"
#include "symbols/kernel_names.h"
#include "symbols/map_names.h"
#include "symbols/module_names.h"
#include "symbols/places.h"
#include "symbols/worker.h"

/* A module whose names come from files that are read in a worker. */
struct job {
	const struct places_module *module;
	struct binaries_found found;
	struct module_files files;
};

struct symbolizer {
	struct capture *capture;
	const struct symbolizer_options *options;
	struct places places;
	struct answer *answers; /* per module of places */
	struct job *jobs;
	uint32_t jobs_nr;
	size_t jobs_alloc;
	struct binaries_refuted *refuted; /* of capture->modules.refuted_nr */
};

static struct module *module_of(const struct symbolizer *symbolizer, const struct places_module *at)
{
	return &symbolizer->capture->modules.list[at->module];
}

static const char *path_of(const struct symbolizer *symbolizer, const struct module *module)
{
	return names_get(&symbolizer->capture->names, module->path)->bytes;
}

static const char *build_id_of(const struct symbolizer *symbolizer, const struct module *module)
{
	if (module->build_id == NAME_NONE)
		return NULL;
	return names_get(&symbolizer->capture->names, module->build_id)->bytes;
}

/* ---- finding files */

/* The kernel's modules and the code of guests are not in the image. */
static bool is_kernel_image(const char *path)
{
	return strcmp(path, "[kernel.kallsyms]") == 0 || strcmp(path, "[kernel]") == 0;
}

static uint32_t name_of_text(struct names *names, const char *s)
{
	return s && *s ? names_add_string(names, s) : NAME_NONE;
}

static void take_found(struct symbolizer *symbolizer, struct module *module,
		       const struct binaries_found *found)
{
	struct names *names = &symbolizer->capture->names;
	const char *file = found->file ? found->file : found->debug;

	module->status = found->status;
	module->file = file ? names_add_string(names, file) : NAME_NONE;
	module->detail = found->detail ? names_add_string(names, found->detail) : NAME_NONE;
	module->file_sha256 = name_of_text(names, found->file_sha256);
	module->debug_file = NAME_NONE;
	module->debug_sha256 = NAME_NONE;
	if (found->debug && file != found->debug && strcmp(file, found->debug) != 0) {
		module->debug_file = names_add_string(names, found->debug);
		module->debug_sha256 = name_of_text(names, found->debug_sha256);
	}
	for (size_t i = 0; i < found->rejected_nr; i++)
		modules_add_candidate(
			&symbolizer->capture->modules,
			&(struct module_candidate){
				.module = (uint32_t)(module - symbolizer->capture->modules.list),
				.path = names_add_string(names, found->rejected[i].path),
				.reason = names_add_string(names, found->rejected[i].reason),
			});
}

/*
 * What CFI led to is a return address, or the file is another. Chains of frame pointers hold
 * other words, too, where code keeps none: they are asked where nothing better is there.
 */
static uint64_t *find_returns(const struct symbolizer *symbolizer, const struct places_module *at,
			      struct binaries_wanted *wanted)
{
	const struct places *places = &symbolizer->places;
	size_t *nr = &wanted->return_offsets_nr;
	uint64_t *returns;

	if (wanted->is_kernel)
		return NULL;
	returns = places_returns(places, at, &symbolizer->capture->unwindings, nr);
	wanted->returns_are_unwound = *nr >= CALLSITES_MIN;
	if (!wanted->returns_are_unwound) {
		free(returns);
		returns = places_returns(places, at, NULL, nr);
	}
	wanted->return_offsets = returns;
	return returns;
}

static void find_files(struct symbolizer *symbolizer, const struct places_module *at)
{
	struct module *module = module_of(symbolizer, at);
	const char *path = path_of(symbolizer, module);
	bool is_kernel = module->origin == ORIGIN_KERNEL;
	struct binaries_wanted wanted = {
		.path = path,
		.build_id = build_id_of(symbolizer, module),
		.id_source = module->id_source,
		.is_kernel = is_kernel,
		.map_offset = is_kernel ? ELF_FILE_OFFSET_UNKNOWN : module->map_offset,
		.refuted = symbolizer->refuted,
		.refuted_nr = symbolizer->capture->modules.refuted_nr,
		.takes_digests = symbolizer->options->takes_digests,
	};
	uint64_t *returns = find_returns(symbolizer, at, &wanted);
	struct job *job;

	GROW(symbolizer->jobs, (size_t)symbolizer->jobs_nr + 1, symbolizer->jobs_alloc);
	job = &symbolizer->jobs[symbolizer->jobs_nr];
	*job = (struct job){.module = at};
	binaries_find(symbolizer->options->binaries, &wanted, &job->found);
	free(returns);
	take_found(symbolizer, module, &job->found);
	if (!job->found.file && !job->found.debug) {
		binaries_found_release(&job->found);
		return;
	}
	job->files = (struct module_files){
		.file = job->found.file,
		.debug = job->found.debug,
		.alt = job->found.alt,
		.map_offset = wanted.map_offset,
		.wants_inlined = !symbolizer->options->is_uninlined,
	};
	if (is_kernel) {
		job->files.reference =
			names_get(&symbolizer->capture->names, module->reference)->bytes;
		job->files.reference_address = module->map_offset;
	}
	symbolizer->jobs_nr++;
}

static struct binaries_refuted *list_refuted(const struct capture *capture)
{
	const struct modules *modules = &capture->modules;
	struct binaries_refuted *list = mem_alloc(modules->refuted_nr * sizeof(*list));

	for (size_t i = 0; i < modules->refuted_nr; i++)
		list[i] = (struct binaries_refuted){
			.path = names_get(&capture->names, modules->refuted[i].path)->bytes,
			.ok = modules->refuted[i].ok,
			.total = modules->refuted[i].total,
		};
	return list;
}

/* What a module's names come from. */
static struct error *find_source(struct symbolizer *symbolizer, uint32_t index)
{
	const struct places_module *at = &symbolizer->places.modules[index];
	struct module *module = module_of(symbolizer, at);

	switch (module->origin) {
	case ORIGIN_JIT:
		if (dump_names_find(symbolizer->capture, symbolizer->options, &symbolizer->places,
				    at, &symbolizer->answers[index]) ||
		    map_names_find(symbolizer->capture, symbolizer->options, &symbolizer->places,
				   at, &symbolizer->answers[index]))
			return NULL;
		break;
	case ORIGIN_KERNEL:
		if (!is_kernel_image(path_of(symbolizer, module)) || module->reference == NAME_NONE)
			return NULL;
		break;
	default:
		break;
	}
	find_files(symbolizer, at);
	return NULL;
}

/* ---- reading them */

static void do_job(void *context, uint32_t index, struct text *ret)
{
	const struct symbolizer *symbolizer = context;
	const struct job *job = &symbolizer->jobs[index];
	struct answer answer;

	module_names_find(&job->files, symbolizer->places.addresses + job->module->first,
			  job->module->nr, &answer);
	answer_write(&answer, ret);
	/* the process ends with its jobs, and libdw's memory is gone already */
	answer_release(&answer);
}

static void set_unsupported(struct symbolizer *symbolizer, struct module *module, const char *why)
{
	/* what a mismatch or the user's word says weighs more */
	if (module->status == MODULE_EXACT || module->status == MODULE_CONSISTENT)
		module->status = MODULE_UNSUPPORTED;
	module->detail = names_add_string(&symbolizer->capture->names, why);
}

static void take_result(struct symbolizer *symbolizer, const struct job *job,
			const struct worker_result *result)
{
	struct answer *answer = &symbolizer->answers[job->module - symbolizer->places.modules];
	struct module *module = module_of(symbolizer, job->module);
	const unsigned char *at = (const unsigned char *)text_string(&result->bytes);
	char why[100];

	if (result->is_done && answer_read((struct bytes){at, at + result->bytes.size, false},
					   job->module->nr, answer)) {
		if (answer->unsupported.size)
			set_unsupported(symbolizer, module, text_string(&answer->unsupported));
		return;
	}
	answer_release(answer);
	snprintf(why, sizeof(why), "the process that read it died (signal %d)", result->signal);
	set_unsupported(symbolizer, module, why);
}

static struct error *do_jobs(struct symbolizer *symbolizer, struct progress *progress)
{
	uint32_t nr = symbolizer->jobs_nr;
	struct worker_result *results = mem_zalloc(nr, sizeof(*results));
	unsigned processes = symbolizer->options->processes;
	struct error *err;

	if (!processes)
		processes = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	err = worker_run(nr, processes, do_job, symbolizer, progress, results);
	for (uint32_t i = 0; i < nr && !err; i++)
		take_result(symbolizer, &symbolizer->jobs[i], &results[i]);
	worker_results_free(results, nr);
	return err;
}

/* ---- the answers into the model */

/* Ids of an answer's names in the capture, found when first needed. */
struct translation {
	struct capture *capture;
	const struct answer *answer;
	uint32_t *ids;
};

static uint32_t translate(struct translation *translation, uint32_t name)
{
	const struct name *from;

	if (name == NAME_NONE)
		return NAME_NONE;
	from = names_get(&translation->answer->names, name);
	if (translation->ids[name] == NAME_NONE)
		translation->ids[name] =
			names_add(&translation->capture->names, from->bytes, from->size);
	return translation->ids[name];
}

static struct frame frame_of(struct translation *translation, uint32_t module,
			     const struct answer_frame *from)
{
	uint32_t file = translate(translation, from->file);
	struct location function = {
		.name = translate(translation, from->name),
		.module = module,
		.line = frames_line_name(&translation->capture->names, file, from->line),
		.flags = (from->is_inlined ? LOCATION_INLINED : 0) |
			 (unsigned)from->origin << LOCATION_ORIGIN_SHIFT,
	};

	return (struct frame){
		.function = locations_add(&translation->capture->locations, &function),
		.raw_name = translate(translation, from->raw_name),
		.file = file,
		.line = from->line,
	};
}

/* Frames of one module, in the order of its places; chains[place] gets where they begin. */
static void take_answer(struct symbolizer *symbolizer, const struct places_module *at,
			const struct answer *answer, struct frames *ret, size_t *first)
{
	struct translation translation = {.capture = symbolizer->capture, .answer = answer};
	size_t frame = 0;

	translation.ids = mem_alloc(answer->names.nr * sizeof(*translation.ids));
	memset(translation.ids, 0xff, answer->names.nr * sizeof(*translation.ids));
	for (uint32_t i = 0; i < at->nr; i++) {
		first[at->first + i] = ret->nr;
		for (uint32_t j = 0; i < answer->nr && j < answer->counts[i]; j++) {
			GROW(ret->list, ret->nr + 1, ret->alloc);
			ret->list[ret->nr++] =
				frame_of(&translation, at->module, &answer->frames[frame++]);
		}
	}
	free(translation.ids);
}

/* Frames are kept by location, answers stand by module. */
static void take_answers(struct symbolizer *symbolizer)
{
	struct capture *capture = symbolizer->capture;
	const struct places *places = &symbolizer->places;
	uint32_t locations_nr = capture->locations.nr;
	size_t *first = mem_alloc((places->nr + 1) * sizeof(*first));
	size_t *place_of = mem_alloc(locations_nr * sizeof(*place_of));
	struct frames by_place = {0};

	for (uint32_t i = 0; i < places->modules_nr; i++)
		take_answer(symbolizer, &places->modules[i], &symbolizer->answers[i], &by_place,
			    first);
	first[places->nr] = by_place.nr;
	memset(place_of, 0xff, locations_nr * sizeof(*place_of));
	for (size_t i = 0; i < places->nr; i++)
		place_of[places->locations[i]] = i;
	for (uint32_t i = 0; i < locations_nr; i++)
		for (size_t j = place_of[i] == SIZE_MAX ? 0 : first[place_of[i]],
			    end = place_of[i] == SIZE_MAX ? 0 : first[place_of[i] + 1];
		     j < end; j++)
			frames_add(&capture->frames, i, &by_place.list[j]);
	frames_release(&by_place);
	free(first);
	free(place_of);
}

static void release(struct symbolizer *symbolizer)
{
	for (uint32_t i = 0; i < symbolizer->jobs_nr; i++)
		binaries_found_release(&symbolizer->jobs[i].found);
	for (uint32_t i = 0; i < symbolizer->places.modules_nr; i++)
		answer_release(&symbolizer->answers[i]);
	free(symbolizer->jobs);
	free(symbolizer->refuted);
	free(symbolizer->answers);
	places_release(&symbolizer->places);
}

struct error *symbolizer_run(struct capture *capture, const struct symbolizer_options *options,
			     struct progress *progress)
{
	struct symbolizer symbolizer = {.capture = capture, .options = options};
	struct error *err = NULL;

	frames_release(&capture->frames);
	capture->modules.candidates_nr = 0;
	capture->frames.places_nr = capture->locations.nr;
	places_find(&symbolizer.places, capture);
	symbolizer.refuted = list_refuted(capture);
	symbolizer.answers = mem_zalloc(symbolizer.places.modules_nr, sizeof(*symbolizer.answers));
	for (uint32_t i = 0; !err && i < symbolizer.places.modules_nr; i++)
		err = find_source(&symbolizer, i);
	if (!err)
		err = do_jobs(&symbolizer, progress);
	if (!err)
		err = kernel_names_find(capture, options, &symbolizer.places, symbolizer.answers);
	if (!err)
		take_answers(&symbolizer);
	release(&symbolizer);
	return err;
}
