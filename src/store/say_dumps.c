/* say_dumps.c - the dumps that were kept with a capture, given to an unwinder */
#include "store/say_dumps.h"

#include "base/mem.h"
#include "model/capture.h"
#include "model/details.h"
#include "model/spaces.h"
#include "model/unwinder.h"
#include "store/replay.h"
#include "store/store.h"

struct saying {
	struct sink sink;
	struct capture model;
	struct unwinder *unwinder;
	struct unwound unwound;
	bool (*is_over)(const void *context);
	const void *context;
	bool was_over;
};

/* An error ends the reading. */
static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct saying *saying = (struct saying *)sink;
	struct space space;

	saying->was_over = saying->is_over(saying->context);
	if (saying->was_over)
		return error_new(ERROR_LIMIT, "it was enough");
	if (!sample->user)
		return NULL;
	space = *sample->user->space;
	saying->unwinder->unwind(saying->unwinder, &saying->model, &space, sample->user,
				 &saying->unwound);
	return NULL;
}

struct error *store_say_dumps(struct store *store, const struct store_capture *from,
			      struct unwinder *unwinder, bool (*is_over)(const void *context),
			      const void *context)
{
	const struct replay_options options = {
		.needs_samples = true,
		.needs_addresses = true,
		.needs_dumps = true,
		.without_frames = true,
	};
	struct saying *saying = mem_zalloc(1, sizeof(*saying));
	struct replay_count count;
	struct error *err;

	saying->sink.sample = on_sample;
	saying->unwinder = unwinder;
	saying->is_over = is_over;
	saying->context = context;
	err = store_replay(store, from, &options, &saying->model, &saying->sink, &count);
	if (err && saying->was_over) {
		error_free(err);
		err = store_run(store, "RELEASE replay"); /* which an error leaves open */
	}
	capture_release(&saying->model);
	free(saying);
	return err;
}
