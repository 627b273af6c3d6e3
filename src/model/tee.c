/* tee.c - a sink that says everything to two others */
#include "model/tee.h"

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct tee *tee = (struct tee *)sink;
	struct error *err = sink_sample(tee->first, sample);

	return err ? err : sink_sample(tee->second, sample);
}

static struct error *on_point(struct sink *sink, uint32_t series, const struct point *point)
{
	struct tee *tee = (struct tee *)sink;
	struct error *err = sink_point(tee->first, series, point);

	return err ? err : sink_point(tee->second, series, point);
}

static void soon(const struct sink *sink, const struct sample *sample, bool is_again)
{
	const struct tee *tee = (const struct tee *)sink;

	sink_soon(tee->first, sample, is_again);
	sink_soon(tee->second, sample, is_again);
}

void tee_init(struct tee *tee, struct sink *first, struct sink *second)
{
	*tee = (struct tee){
		.sink = {.sample = on_sample, .soon = soon, .point = on_point},
		.first = first,
		.second = second,
	};
}
