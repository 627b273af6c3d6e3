/* flame.c - tephra flame: draw a flamegraph */
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/flame_picture.h"
#include "commands/picture_path.h"

static const char *const paint_words[] = {"auto",   "origin", "name", "module",
					  "status", "self",   NULL};
static const char *const theme_words[] = {"auto", "light", "dark", NULL};
static const char *const view_words[] = {"flame", "icicle",	"callers", "sandwich",
					 "table", "flamechart", NULL};
static const char *const format_words[] = {"auto", "svg", "csv", "json", NULL};
static const char *const sort_words[] = {"name", "weight", NULL};

static const struct option_entry options_table[] = {
	OPTION_TEXT(
		'o', "output", struct flame_options, output, "<file>",
		"the picture's file, its ending the format (.svg, .png, .pdf); '-' is standard output"),
	OPTION_NUMBER('w', "width", struct flame_options, width, "<px>", 200, 20000,
		      "width of the picture (1200)"),
	OPTION_TEXT(0, "title", struct flame_options, title, "<text>", "headline"),
	OPTION_TEXT(0, "subtitle", struct flame_options, subtitle, "<text>", "a line below it"),
	OPTION_TEXT(0, "min-width", struct flame_options, least, "<px or percent>",
		    "narrower frames become '+ n more' (0.25)"),
	OPTION_TEXT(0, "minwidth", struct flame_options, least, "<px or percent>", NULL),
	OPTION_CHOICE(0, "view", struct flame_options, view,
		      "flame|icicle|callers|sandwich|table|flamechart", view_words,
		      "what is drawn: calls from the root (flame), from the leaf (callers),"
		      " both from one function (sandwich), a table, in order of time (flamechart)"),
	OPTION_FLAG(0, "flamechart", struct flame_options, flamechart,
		    "the same as --view=flamechart: a lane per thread"),
	OPTION_TEXT(0, "of", struct flame_options, of, "<name or regex>",
		    "the function in the middle of a sandwich"),
	OPTION_CHOICE(0, "format", struct flame_options, format, "svg|csv|json", format_words,
		      "form of a table; otherwise by the output's ending, or a picture"),
	OPTION_TEXT(0, "total", struct flame_options, total, "<weight>",
		    "what the whole width stands for: draws several pictures to one scale"),
	OPTION_CHOICE(0, "sort", struct flame_options, sort, "name|weight", sort_words,
		      "order of frames beside each other (name)"),
	OPTION_FLAG(0, "icicle", struct flame_options, icicle, "root at the top, as --view=icicle"),
	OPTION_FLAG(0, "inverted", struct flame_options, icicle, NULL),
	OPTION_FLAG(0, "reverse", struct flame_options, reverse, "the same as --view=callers"),
	OPTION_CHOICE(0, "paint", struct flame_options, paint, "origin|name|module|status|self",
		      paint_words,
		      "what colours say; otherwise the origin where the input says it"),
	OPTION_CHOICE(0, "theme", struct flame_options, theme, "auto|light|dark", theme_words,
		      "for pictures that stand in a page of one colour"),
	OPTION_FLAG(0, "still", struct flame_options, still,
		    "a picture alone: without the whole tree, and the script to walk in it"),
	OPTION_NUMBER(0, "max-size", struct flame_options, max_size, "<MB>", 1, 1000,
		      "size of the file (8); the smallest frames are left out of it"),
	OPTION_TEXT(0, "id", struct flame_options, id, "<word>",
		    "before all ids in the file, for pages with several pictures"),
	OPTION_TEXT(0, "countname", struct flame_options, count_name, "<word>", NULL),
	PROFILE_OPTIONS(struct flame_options),
	OPTION_END,
};

static const struct flame_options defaults = {.width = 1200, .max_size = 8};

/* ---- where it goes */

static const char *ending_of(const char *path)
{
	const char *dot = path ? strrchr(path, '.') : NULL;

	return dot ? dot + 1 : "";
}

/* On a terminal a picture is written beside the input instead. */
static struct error *name_output(const struct flame_options *options, const struct profile *profile,
				 bool is_picture, struct text *path)
{
	const char *refusal;

	if (options->output) {
		text_add(path, options->output);
		return NULL;
	}
	if (!isatty(STDOUT_FILENO) || !is_picture) {
		text_add(path, "-");
		return NULL;
	}
	picture_path_add(path, profile->operand);
	refusal = picture_path_refusal(text_string(path));
	if (refusal)
		return error_hint(error_new(ERROR_USAGE, "'%s' %s", text_string(path), refusal),
				  "name the picture's file with -o");
	return NULL;
}

/* What is written: a picture, or the rows of a table. */
static struct error *take_format(const struct flame_options *options, enum flame_format *ret)
{
	const char *ending = ending_of(options->output);

	*ret = (enum flame_format)options->format;
	if (*ret == FLAME_FORMAT_AUTO)
		*ret = strcmp(ending, "csv") == 0    ? FLAME_FORMAT_CSV
		       : strcmp(ending, "json") == 0 ? FLAME_FORMAT_JSON
						     : FLAME_FORMAT_SVG;
	if (*ret == FLAME_FORMAT_SVG || options->view == FLAME_VIEW_TABLE)
		return NULL;
	return error_hint(
		error_new(ERROR_USAGE, "%s is a form of --view=table alone", format_words[*ret]),
		"tephra tree --format=%s has the frames of a flame graph", format_words[*ret]);
}

static struct error *take_view(struct flame_options *options)
{
	if (options->reverse && options->view && options->view != FLAME_VIEW_CALLERS)
		return error_new(ERROR_USAGE, "--reverse is --view=callers, not --view=%s",
				 view_words[options->view]);
	if (options->reverse)
		options->view = FLAME_VIEW_CALLERS;
	if (options->flamechart && options->view && options->view != FLAME_VIEW_FLAMECHART)
		return error_new(ERROR_USAGE, "--flamechart is --view=flamechart, not --view=%s",
				 view_words[options->view]);
	if (options->flamechart)
		options->view = FLAME_VIEW_FLAMECHART;
	if (options->view == FLAME_VIEW_ICICLE)
		options->icicle = true;
	if (options->of && !options->view)
		options->view = FLAME_VIEW_SANDWICH;
	if ((options->view == FLAME_VIEW_SANDWICH) != (options->of != NULL))
		return error_hint(error_new(ERROR_USAGE, options->of
								 ? "--of is for --view=sandwich"
								 : "--view=sandwich needs --of"),
				  "tephra flame --view=sandwich --of=malloc ...");
	if (options->of && options->profile.collapse_chains)
		return error_new(ERROR_USAGE, "a sandwich cannot be cut out of joined frames: "
					      "--collapse-chains cannot be together with --of");
	options->profile.is_from_leaf = options->view == FLAME_VIEW_CALLERS;
	options->profile.draws_calls =
		options->view == FLAME_VIEW_FLAME || options->view == FLAME_VIEW_ICICLE;
	return NULL;
}

/* Ids stand in attributes and in style sheets, where most characters would need an escape. */
static struct error *check_id(const char *id)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789_-";

	if (!id || (strspn(id, letters) > 0 && !id[strspn(id, others)]))
		return NULL;
	return error_new(ERROR_USAGE,
			 "--id takes a word of letters, digits, '-' and '_' that begins with a "
			 "letter, not '%s'",
			 id);
}

static struct error *draw(struct flame_picture *picture, const char *path, enum flame_format format)
{
	struct error *err;

	if (!flame_picture_total(picture))
		return error_new(ERROR_INPUT, "all weights of '%s' are 0, nothing can be drawn",
				 picture->profile->operand);
	err = flame_picture_scale(picture);
	if (err)
		return err;
	flame_picture_paint(picture);
	if (picture->view == FLAME_VIEW_FLAMECHART)
		return flame_chart_view(picture, path);
	flame_picture_make_head(picture);
	if (picture->view == FLAME_VIEW_TABLE)
		return flame_table_view(picture, path, format);
	return flame_tree_view(picture, path);
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	struct flame_options options = *(const struct flame_options *)options_of;
	CLEANUP(text_release) struct text path = TEXT_INIT;
	CLEANUP(profile_release) struct profile profile = {0};
	CLEANUP(flame_picture_release) struct flame_picture picture = {0};
	enum flame_format format;
	struct error *err = check_id(options.id);

	(void)ret_status;
	if (!err)
		err = take_view(&options);
	if (!err)
		err = take_format(&options, &format);
	flame_picture_init(&picture, &options, &profile);
	if (!err && options.view == FLAME_VIEW_FLAMECHART)
		err = flame_picture_record(&picture, &options.profile);
	if (!err)
		err = profile_load(&options.profile, argc, argv, &profile);
	if (!err && options.of)
		err = flame_picture_cut(&picture);
	if (!err)
		err = name_output(&options, &profile, format == FLAME_FORMAT_SVG, &path);
	if (err)
		return err;
	err = draw(&picture, text_string(&path), format);
	if (!err && !options.output && strcmp(text_string(&path), "-") != 0)
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
