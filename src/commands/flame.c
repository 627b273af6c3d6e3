/* flame.c - tephra flame: the flamegraph */
#include "renderers/flame.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "analysis/calltree.h"
#include "analysis/trust.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"
#include "commands/command.h"
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

/* ---- from the tree to boxes */

/* A picture while it is made. Strings of values lie in one text, found by their offsets. */
struct picture {
	const struct flame_options *options;
	const struct profile *profile;
	struct calltree tree;
	struct flame_frame *frames; /* owned */
	struct text strings;
	size_t *value_at, *origin_at; /* owned, per node */
	struct text head;
	char *title, *subtitle; /* owned, clean, NULL where not asked for */
	char *count_name;	/* the same: what weights are called, NULL: their unit */
};

static void picture_release(struct picture *picture)
{
	calltree_release(&picture->tree);
	free(picture->frames);
	free(picture->value_at);
	free(picture->origin_at);
	text_release(&picture->strings);
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

static void add_weight(const struct picture *picture, struct text *text, weight w)
{
	if (!picture->count_name) {
		profile_add_weight(picture->profile, text, w);
		return;
	}
	weight_add_grouped(text, w);
	text_addf(text, " %s", picture->count_name);
}

/* "1.235 s in 122 samples"; samples alone where they are the weight. */
static void add_value(const struct picture *picture, struct text *text, weight value, weight count)
{
	add_weight(picture, text, value);
	if (picture->profile->counts_samples)
		return;
	text_add(text, " in ");
	weight_add_grouped(text, count);
	text_add(text, count == WEIGHT_ONE ? " sample" : " samples");
}

static enum paint paint_of(const struct function *function)
{
	static const enum paint paints[ORIGIN_NR] = {
		[ORIGIN_UNKNOWN] = PAINT_UNKNOWN, [ORIGIN_APP] = PAINT_APP,
		[ORIGIN_LIBRARY] = PAINT_LIBRARY, [ORIGIN_KERNEL] = PAINT_KERNEL,
		[ORIGIN_JIT] = PAINT_JIT,
	};

	if (function->kind == FUNCTION_ROOT)
		return PAINT_ROOT;
	return function->is_unnamed && function->origin == ORIGIN_UNKNOWN
		       ? PAINT_UNKNOWN
		       : paints[function->origin];
}

static enum hatch mark_of(const struct profile *profile, const struct calltree_node *node)
{
	static const enum hatch marks[] = {
		[TRUST_SHOWN] = HATCH_NONE,
		[TRUST_DOUBTED] = HATCH_STRIPED,
		[TRUST_REFUSED] = HATCH_CROSSED,
	};

	if (node->doubted == FUNCTION_NONE)
		return HATCH_NONE;
	return marks[trust_grade(&profile->capture, &profile->naming.list[node->doubted])];
}

static const char root_words[] = "root";

/* "library libc.so.6" */
static void add_origin(const struct profile *profile, const struct function *function,
		       struct text *text)
{
	const struct capture *capture = &profile->capture;
	uint32_t base;

	if (function->kind == FUNCTION_ROOT) {
		text_add(text, root_words);
		return;
	}
	if (function->origin != ORIGIN_UNKNOWN)
		text_add(text, origin_word(function->origin));
	if (function->module == MODULE_NONE)
		return;
	base = capture->modules.list[function->module].basename;
	if (function->origin != ORIGIN_UNKNOWN)
		text_add_char(text, ' ');
	text_add(text, names_display(&capture->names, base));
}

/* How far its name is to be trusted; of which module, where that is not all of it. */
static void add_doubt(const struct profile *profile, const struct calltree_node *node,
		      struct text *text)
{
	const struct capture *capture = &profile->capture;
	const struct function *doubted;

	if (node->doubted == FUNCTION_NONE)
		return;
	doubted = &profile->naming.list[node->doubted];
	text_add(text, ", ");
	if (node->doubted != node->function)
		text_addf(text, "partly %s, ",
			  names_display(&capture->names,
					capture->modules.list[doubted->module].basename));
	text_add(text, trust_grade_words(capture, doubted));
}

static void add_strings(struct picture *picture, uint32_t i)
{
	const struct calltree_node *node = &picture->tree.nodes[i];
	struct text *strings = &picture->strings;

	picture->value_at[i] = strings->size;
	add_value(picture, strings, node->value, node->count);
	text_add_char(strings, '\0');
	picture->origin_at[i] = strings->size;
	if (node->function != FUNCTION_NONE)
		add_origin(picture->profile, &picture->profile->naming.list[node->function],
			   strings);
	add_doubt(picture->profile, node, strings);
	text_add_char(strings, '\0');
}

static void set_frame(const struct picture *picture, uint32_t i)
{
	const struct calltree_node *node = &picture->tree.nodes[i];
	const struct profile *profile = picture->profile;
	struct flame_frame *frame = &picture->frames[i];
	const char *origin = picture->strings.bytes + picture->origin_at[i];

	*frame = (struct flame_frame){
		.name = i ? "" : "all",
		.value = picture->strings.bytes + picture->value_at[i],
		.origin = *origin ? origin : NULL,
		.weight = weight_number(node->value),
		.width = weight_share(node->value, picture->tree.total),
		.parent = i ? node->parent : FLAME_NO_PARENT,
		.depth = node->depth,
		.more = node->more,
		.paint = node->more ? PAINT_MORE : PAINT_ROOT,
	};
	if (i)
		frame->begin = picture->frames[node->parent].begin +
			       weight_share(node->before, picture->tree.total);
	if (node->function == FUNCTION_NONE)
		return;
	frame->name =
		names_display(&profile->capture.names, profile->naming.list[node->function].name);
	frame->paint = paint_of(&profile->naming.list[node->function]);
	frame->mark = mark_of(profile, node);
}

static void make_frames(struct picture *picture)
{
	uint32_t nr = picture->tree.nr;

	picture->frames = mem_zalloc(nr, sizeof(*picture->frames));
	picture->value_at = mem_alloc(nr * sizeof(*picture->value_at));
	picture->origin_at = mem_alloc(nr * sizeof(*picture->origin_at));
	for (uint32_t i = 0; i < nr; i++)
		add_strings(picture, i);
	for (uint32_t i = 0; i < nr; i++)
		set_frame(picture, i);
}

/* ---- words and colours */

static bool has_unnamed(const struct naming *naming)
{
	for (uint32_t i = 0; i < naming->nr; i++)
		if (naming->list[i].is_unnamed)
			return true;
	return false;
}

/* The weight of samples whose leaf has no symbol. */
static weight unnamed_weight(const struct profile *profile)
{
	const struct paths *paths = &profile->paths;
	weight unnamed = 0;

	if (!has_unnamed(&profile->naming))
		return 0;
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
		add_weight(picture, head, picture->tree.total);
		text_add(head, " in ");
	}
	profile_add_facts(profile, head);
	text_add_char(head, '.');
	if (!unnamed)
		return;
	text_add_char(head, ' ');
	units_add_percent(head, weight_share(unnamed, picture->tree.total), 1);
	text_add(head, " end in a frame without a name.");
}

/*
 * Folded stacks of most tools do not say where code comes from. Where at least half of the
 * frames have no origin, a picture by origin is a grey one, and names give the colours.
 */
static bool has_origins(const struct picture *picture)
{
	uint32_t known = 0, all = 0;

	for (uint32_t i = 0; i < picture->tree.nr; i++) {
		const struct calltree_node *node = &picture->tree.nodes[i];
		const struct function *function;

		if (node->function == FUNCTION_NONE)
			continue;
		function = &picture->profile->naming.list[node->function];
		all += function->kind == FUNCTION_CODE;
		known += function->kind == FUNCTION_CODE && function->origin != ORIGIN_UNKNOWN;
	}
	return known > all / 2;
}

static bool is_painted_by_name(const struct picture *picture)
{
	if (picture->options->paint == PAINT_BY_AUTO)
		return !has_origins(picture);
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
		.frames = picture->frames,
		.frames_nr = picture->tree.nr,
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
	calltree_build(&picture->tree, &profile->paths, &limits);
	make_frames(picture);
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
	struct error *err = NULL;

	(void)ret_status;
	if (options->output && strcmp(options->output, "-") != 0)
		err = check_ending(options->output);
	if (!err)
		err = profile_load(&options->profile, argc, argv, &profile);
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
