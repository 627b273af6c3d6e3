/* unwind.c - what it takes to read a capture and to unwind its stack dumps, without names */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/mem.h"
#include "base/reader.h"
#include "binaries/find.h"
#include "importers/importer.h"
#include "model/capture.h"
#include "model/sink.h"
#include "model/unwinder.h"
#include "unwind/unwind.h"

struct counting {
	struct sink sink;
	const struct capture *capture;
	uint64_t samples, frames;
};

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct counting *counting = (struct counting *)sink;

	if (sample->flags & SAMPLE_HAS_UNWINDING) {
		counting->samples++;
		counting->frames += counting->capture->unwindings.list[sample->unwinding].nr;
	}
	return NULL;
}

static double cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static struct error *read_capture(const char *path, struct unwinder *unwinder,
				  struct counting *counting, struct capture *capture)
{
	const struct importer *importer;
	struct reader *reader;
	struct error *err = reader_open(path, &reader);

	if (err)
		return err;
	err = importers_sniff(reader, &importer);
	capture->unwinder = unwinder;
	if (!err)
		err = importer->read(reader, capture, &counting->sink);
	reader_close(reader);
	return err;
}

/* Only the leaf, which costs nothing to find. */
static void unwind_nothing(struct unwinder *unwinder, const struct capture *capture,
			   struct space *space, const struct sample_user *user, struct unwound *ret)
{
	(void)unwinder;
	(void)capture;
	(void)space;
	(void)user;
	ret->nr = 0;
	ret->stop = UNWIND_END;
	ret->lacks_file = false;
}

/* CPU seconds of reading the same where nobody unwinds and no frame has to be kept. */
static double read_alone(const char *path)
{
	static struct capture capture;
	static struct unwinder nobody = {.unwind = unwind_nothing};
	struct counting counting = {.sink = {.sample = on_sample}, .capture = &capture};
	double begin = cpu_seconds();

	if (read_capture(path, &nobody, &counting, &capture))
		exit(2);
	capture_release(&capture);
	return cpu_seconds() - begin;
}

/* samples, frames, CPU seconds, frames a second, of the seconds those of reading alone */
int main(int argc, char **argv)
{
	static struct capture capture;
	struct counting counting = {.sink = {.sample = on_sample}, .capture = &capture};
	struct binaries_options options = {.capture_path = argv[argc - 1]};
	struct binaries *binaries;
	struct unwinder *unwinder;
	struct error *err;
	double seconds;

	if (argc != 2)
		return 2;
	mem_begin();
	err = binaries_new(&options, &binaries);
	if (!err) {
		unwinder = unwind_new(binaries);
		err = read_capture(argv[1], unwinder, &counting, &capture);
		unwind_free(unwinder);
		binaries_free(binaries);
	}
	if (err) {
		fprintf(stderr, "%s\n", error_text(err));
		return 2;
	}
	seconds = cpu_seconds();
	printf("%llu %llu %.3f %.0f %.3f\n", (unsigned long long)counting.samples,
	       (unsigned long long)counting.frames, seconds, (double)counting.frames / seconds,
	       read_alone(argv[1]));
	capture_release(&capture);
	return 0;
}
