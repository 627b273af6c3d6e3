/* look_facts.c - what tephra look shows of one capture, gathered before any of it is written */
#include "commands/look_facts.h"

#include <time.h>
#include <unistd.h>

#include "analysis/notable.h"
#include "base/mem.h"
#include "commands/picture_path.h"
#include "model/tee.h"

/* As tephra flame has them. */
#define PICTURE_WIDTH_PX 1200
#define PICTURE_SIZE_MB	 8

void look_release(struct look *look)
{
	look_queue_release(&look->queue);
	for (size_t i = 0; i < LOOK_NEXT; i++)
		text_release(&look->next[i]);
	text_release(&look->picture);
	text_release(&look->no_picture);
	top_release(&look->top);
	audit_release(&look->audit);
	recording_release(&look->recording);
	activity_release(&look->activity);
	summary_release(&look->summary);
	profile_release(&look->profile);
}

const char *look_function(const struct look *look, size_t row)
{
	const struct naming *naming = &look->profile.naming;

	return names_display(&look->profile.capture.names,
			     naming->list[look->top.rows[row].function].name);
}

uint32_t look_worst_module(const struct look *look, weight *ret_unnamed)
{
	struct summary_module *modules = summary_modules(&look->summary);
	uint32_t worst = MODULE_NONE;

	*ret_unnamed = 0;
	for (uint32_t i = 0; i < look->profile.capture.modules.nr; i++)
		if (modules[i].samples - modules[i].named > *ret_unnamed) {
			*ret_unnamed = modules[i].samples - modules[i].named;
			worst = i;
		}
	free(modules);
	return worst;
}

/* ---- when */

/* The wall time of the first sample, in ns since 1970; 0: not known. */
static uint64_t wall_ns(const struct look *look)
{
	const struct capture *capture = &look->profile.capture;

	if (!look->summary.has_times)
		return 0;
	if (capture->clock == SOURCE_CLOCK_REALTIME)
		return look->summary.first_ns;
	for (size_t i = 0; i < capture->ties.nr; i++)
		if (capture->ties.list[i].target == CLOCK_WALL)
			return look->summary.first_ns + (uint64_t)capture->ties.list[i].offset_ns;
	return 0;
}

void look_add_date(const struct look *look, struct text *text)
{
	const char *captured = facts_find(&look->profile.capture.facts, "captured on");
	time_t seconds = (time_t)(wall_ns(look) / 1000000000);
	char date[64];
	struct tm tm;

	if (!seconds) {
		text_add(text, captured ? captured : "");
		return;
	}
	if (gmtime_r(&seconds, &tm) && strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S UTC", &tm))
		text_add(text, date);
}

/* ---- the picture */

/* Beside the input, and never over what tephra did not write; that it cannot be is no error. */
static void draw(struct look *look)
{
	const struct look_options *options = look->options;
	CLEANUP(flame_picture_release) struct flame_picture picture = {0};
	CLEANUP(text_release) struct text path = TEXT_INIT;
	const char *refusal;
	struct error *err;

	if (options->output)
		text_add(&path, options->output);
	else
		picture_path_add(&path, look->profile.operand);
	refusal = options->output ? NULL : picture_path_refusal(text_string(&path));
	if (refusal) {
		text_addf(&look->no_picture, "'%s' %s", text_string(&path), refusal);
		return;
	}
	look->flame = (struct flame_options){
		.profile = options->profile,
		.width = PICTURE_WIDTH_PX,
		.max_size = PICTURE_SIZE_MB,
	};
	flame_picture_init(&picture, &look->flame, &look->profile);
	if (!flame_picture_total(&picture)) {
		text_add(&look->no_picture, "all weights are 0");
		return;
	}
	err = flame_picture_scale(&picture);
	if (!err) {
		flame_picture_paint(&picture);
		flame_picture_make_head(&picture);
		err = flame_tree_view(&picture, text_string(&path));
	}
	if (err)
		text_add(&look->no_picture, error_text(err));
	else
		text_add(&look->picture, text_string(&path));
	error_free(err);
}

/* ---- all of it */

static void analyse(struct look *look)
{
	struct profile *profile = &look->profile;

	recording_read(&profile->capture, &look->recording);
	audit_run(&profile->capture, &look->summary, &look->audit);
	top_build(&look->top, &profile->paths, profile->counts_samples);
	kinds_count(&profile->paths, profile->counts_samples, &look->kinds);
	look->notable_nr = notable_rows(&profile->paths, &look->top, profile->counts_samples,
					look->notable, LOOK_FUNCTIONS);
	activity_sort(&look->activity);
	if (look->summary.has_times)
		look->seconds = (double)(look->summary.last_ns - look->summary.first_ns) / 1e9;
}

struct error *look_gather(struct look *look, char *operand)
{
	struct profile_options options = look->options->profile;
	struct tee tee;
	struct error *err;

	summary_init(&look->summary, &look->profile.capture);
	activity_init(&look->activity, &look->profile.capture, options.event);
	tee_init(&tee, &look->summary.sink, &look->activity.sink);
	options.also = &tee.sink;
	options.no_idle = options.wants_build = true;
	err = profile_load(&options, 1, &operand, &look->profile);
	if (err)
		return err;
	analyse(look);
	if (!look->options->no_picture)
		draw(look);
	return NULL;
}
