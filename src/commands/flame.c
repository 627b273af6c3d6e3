/* flame.c - tephra flame: the flamegraph */
#include "renderers/flame.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "commands/flame_frames.h"
#include "commands/output.h"
#include "commands/profile.h"
#include "commands/width.h"

struct flame_options {
	struct profile_options profile;
	const char *output, *title, *subtitle, *least, *count_name;
	int64_t width;
	int paint, theme;
	bool icicle, reverse;
};

static const char *const paint_words[] = {"auto", "origin", "name", NULL};
enum {
	PAINT_BY_AUTO,
	PAINT_BY_ORIGIN,
	PAINT_BY_NAME
};

static const char *const theme_words[] = {"auto", "light", "dark", NULL};

/* Left and right of the boxes, in pixels: what a frame's least width is counted without. */
#define PADDING_PX 20

static const struct option_entry options_table[] = {
	OPTION_TEXT('o', "output", struct flame_options, output, "<file>",
		    "the picture's file, its ending the format (.svg); '-' is standard output"),
	OPTION_NUMBER('w', "width", struct flame_options, width, "<px>", 200, 20000,
		      "width of the picture (1200)"),
	OPTION_TEXT(0, "title", struct flame_options, title, "<text>", "headline"),
	OPTION_TEXT(0, "subtitle", struct flame_options, subtitle, "<text>", "a line below it"),
	OPTION_TEXT(0, "min-width", struct flame_options, least, "<px or percent>",
		    "narrower frames become '+ n more' (0.25)"),
	OPTION_TEXT(0, "minwidth", struct flame_options, least, "<px or percent>", NULL),
	OPTION_FLAG(0, "icicle", struct flame_options, icicle, "root at the top"),
	OPTION_FLAG(0, "inverted", struct flame_options, icicle, NULL),
	OPTION_FLAG(0, "reverse", struct flame_options, reverse,
		    "merged from the leaf: who calls it"),
	OPTION_CHOICE(0, "paint", struct flame_options, paint, "origin|name", paint_words,
		      "colours; otherwise by origin where the input says it"),
	OPTION_CHOICE(0, "theme", struct flame_options, theme, "auto|light|dark", theme_words,
		      "for pictures that stand in a page of one colour"),
	OPTION_TEXT(0, "countname", struct flame_options, count_name, "<word>", NULL),
	PROFILE_OPTIONS(struct flame_options),
	OPTION_END,
};

static const struct flame_options defaults = {.width = 1200};

/* ---- words and colours */

/* A picture while it is made. */
struct picture {
	const struct flame_options *options;
	const struct profile *profile;
	struct flame_words words;
	struct flame_frames frames;
	struct text head;
	char *title, *subtitle; /* owned, clean, NULL where not asked for */
	char *count_name;	/* the same: what weights are called, NULL: their unit */
};

static void picture_release(struct picture *picture)
{
	flame_frames_release(&picture->frames);
	text_release(&picture->head);
	free(picture->title);
	free(picture->subtitle);
	free(picture->count_name);
}

/* A text of the command line made fit for a picture; NULL stays NULL. */
static char *clean(const char *s)
{
	struct text text = TEXT_INIT;

	if (!s)
		return NULL;
	utf8_add_clean(&text, s, strlen(s));
	return text_take(&text);
}

/* The weight of samples whose leaf has no symbol. */
static weight unnamed_weight(const struct profile *profile)
{
	const struct paths *paths = &profile->paths;
	weight unnamed = 0;

	for (uint32_t i = 0; i < paths->nr; i++) {
		uint32_t leaf = paths_function(paths, i, paths_depth(paths, i) - 1);

		if (profile->naming.list[leaf].is_unnamed)
			unnamed += paths_weight(paths, i, profile->counts_samples);
	}
	return unnamed;
}

/* "Width: period of cpu-clock, 1.235 s in all; 1,234 samples; ..." */
static void make_head(struct picture *picture)
{
	const struct profile *profile = picture->profile;
	struct text *head = &picture->head;
	weight unnamed = unnamed_weight(profile);

	text_add(head, "Width: ");
	if (picture->count_name)
		text_addf(head, "%s. ", picture->count_name);
	else if (profile->capture.events.list[profile->event].name != NAME_NONE)
		text_addf(head, "%s of %s. ", profile->counts_samples ? "samples" : "period",
			  profile_event_name(profile));
	if (!profile->counts_samples) {
		flame_words_add_weight(&picture->words, head, picture->frames.tree.total);
		text_add(head, " in ");
	}
	profile_add_facts(profile, head);
	text_add_char(head, '.');
	if (!unnamed)
		return;
	text_add_char(head, ' ');
	units_add_percent(head, weight_share(unnamed, picture->frames.tree.total), 1);
	text_add(head, " end in a frame without a name.");
}

static bool is_painted_by_name(const struct picture *picture)
{
	if (picture->options->paint == PAINT_BY_AUTO)
		return !flame_frames_have_origins(&picture->frames, picture->profile);
	return picture->options->paint == PAINT_BY_NAME;
}

/* ---- where it goes */

static struct error *check_ending(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (dot && (strcmp(dot, ".png") == 0 || strcmp(dot, ".pdf") == 0))
		return error_hint(error_new(ERROR_USAGE,
					    "'%s': %s pictures are not written yet, only .svg",
					    path, dot + 1),
				  "a browser or rsvg-convert makes one of the .svg");
	return NULL;
}

/* A picture that tephra wrote may be written anew without asking. */
static bool is_ours(const char *path)
{
	static const char mark[] = "class=\"tephra\"";
	char head[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, head, sizeof(head));
	close(fd);
	return got > 0 && memmem(head, (size_t)got, mark, strlen(mark));
}

/* On a terminal a picture is written beside the input instead. */
static struct error *name_output(const struct flame_options *options, const struct profile *profile,
				 struct text *path)
{
	if (options->output) {
		text_add(path, options->output);
		return strcmp(options->output, "-") == 0 ? NULL : check_ending(options->output);
	}
	if (!isatty(STDOUT_FILENO)) {
		text_add(path, "-");
		return NULL;
	}
	text_addf(path, "%s.svg", strcmp(profile->operand, "-") == 0 ? "tephra" : profile->operand);
	if (access(text_string(path), F_OK) == 0 && !is_ours(text_string(path)))
		return error_hint(error_new(ERROR_USAGE,
					    "'%s' is there already and was not written by tephra",
					    text_string(path)),
				  "name the picture's file with -o");
	return NULL;
}

static struct error *draw(const struct picture *picture, const char *path)
{
	const struct flame_options *options = picture->options;
	struct flame_chart chart = {
		.unit = picture->count_name ? picture->count_name : profile_unit(picture->profile),
		.title = picture->title,
		.subtitle = picture->subtitle,
		.head = text_string(&picture->head),
		.mark_words = {[HATCH_STRIPED] = "named by a file that is not shown to be the one "
						 "that ran",
			       [HATCH_CROSSED] = "no name: the file here is another build"},
		.frames = picture->frames.list,
		.frames_nr = picture->frames.tree.nr,
		.width_px = (double)options->width,
		.theme = (enum flame_theme)options->theme,
		.flags = (options->icicle ? FLAME_ICICLE : 0) |
			 (is_painted_by_name(picture) ? FLAME_PAINT_NAME : 0),
	};
	struct output output;
	struct error *err = output_open(path, &output);

	if (err)
		return err;
	if (!flame_write_svg(&chart, output.file))
		return output_failed(&output);
	return output_commit(&output);
}

static struct error *build(struct picture *picture)
{
	const struct profile *profile = picture->profile;
	const struct flame_options *options = picture->options;
	weight total = profile->counts_samples ? profile->paths.count : profile->paths.period;
	struct calltree_options limits = {
		.is_reversed = options->reverse,
		.counts_samples = profile->counts_samples,
	};
	struct error *err = width_least("--min-width", options->least ? options->least : "0.25",
					(double)options->width - PADDING_PX, total, &limits.least);

	if (!err && !total)
		err = error_new(ERROR_INPUT, "all weights of '%s' are 0, nothing can be drawn",
				profile->operand);
	if (err)
		return err;
	picture->words = (struct flame_words){profile, picture->count_name};
	flame_frames_build(&picture->frames, &picture->words, &profile->paths, &limits, total);
	make_head(picture);
	return NULL;
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct flame_options *options = options_of;
	CLEANUP(text_release) struct text path = TEXT_INIT;
	CLEANUP(profile_release) struct profile profile = {0};
	CLEANUP(picture_release)
	struct picture picture = {
		.options = options,
		.profile = &profile,
		.title = clean(options->title),
		.subtitle = clean(options->subtitle),
		.count_name = clean(options->count_name),
	};
	struct profile_options read = options->profile;
	struct error *err = NULL;

	(void)ret_status;
	read.is_from_leaf = options->reverse;
	if (options->output && strcmp(options->output, "-") != 0)
		err = check_ending(options->output);
	if (!err)
		err = profile_load(&read, argc, argv, &profile);
	if (!err)
		err = name_output(options, &profile, &path);
	if (!err)
		err = build(&picture);
	if (!err)
		err = draw(&picture, text_string(&path));
	if (!err && !options->output && strcmp(text_string(&path), "-") != 0)
		printf("%s\n", text_string(&path));
	return err;
}

const struct command command_flame = {
	.name = "flame",
	.args = "[<capture>]",
	.summary = "draw a flamegraph",
	.options = options_table,
	.size = sizeof(struct flame_options),
	.defaults = &defaults,
	.run = run,
};
