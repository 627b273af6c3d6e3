/* tree.c - tephra tree: the call tree as text */
#include <inttypes.h>

#include "analysis/calltree.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "commands/json.h"
#include "commands/output.h"
#include "commands/profile.h"
#include "commands/rows.h"
#include "commands/trust_json.h"
#include "commands/walk.h"
#include "commands/width.h"

struct tree_options {
	struct profile_options profile;
	const char *output, *least;
	int64_t depth;
	int format;
	bool all, reverse;
};

/* What a table shows unless asked otherwise: it is for reading. Programs get all. */
#define TABLE_LEAST "0.5%"
#define TABLE_DEPTH 64

static const struct option_entry options_table[] = {
	OPTION_TEXT('o', "output", struct tree_options, output, "<file>",
		    "write to this file, '-' is standard output"),
	OPTION_FLAG(0, "reverse", struct tree_options, reverse, "from the leaf outwards"),
	OPTION_TEXT(0, "min-width", struct tree_options, least, "<percent>",
		    "leave out what is less (0.5% in a table)"),
	OPTION_NUMBER(0, "depth", struct tree_options, depth, "<levels>", 1, INT32_MAX,
		      "leave out what is deeper (64 in a table)"),
	OPTION_FLAG(0, "all", struct tree_options, all, "leave nothing out"),
	OPTION_CHOICE(0, "format", struct tree_options, format, "table|csv|json", rows_format_words,
		      "form of the output"),
	PROFILE_OPTIONS(struct tree_options),
	OPTION_END,
};

static const char *name_of(const struct profile *profile, const struct calltree_node *node)
{
	return names_display(&profile->capture.names, profile->naming.list[node->function].name);
}

/* ---- for people */

static void write_node(const struct profile *profile, const struct calltree *tree,
		       const struct calltree_node *node, FILE *out)
{
	fprintf(out, "%6.2f %% %6.2f %%  %*s", weight_share(node->value, tree->total) * 100,
		weight_share(node->self, tree->total) * 100, (int)(node->depth - 1) * 2, "");
	if (node->more)
		fprintf(out, "+ %" PRIu32 " more\n", node->more);
	else
		fprintf(out, "%s\n", name_of(profile, node));
}

static void write_table(const struct profile *profile, const struct calltree *tree, FILE *out)
{
	CLEANUP(text_release) struct text facts = TEXT_INIT;
	uint32_t mores = 0;

	profile_add_headline(profile, &facts, tree->total);
	fprintf(out, "# %s\n   total     self\n", text_string(&facts));
	for (uint32_t i = 1; i < tree->nr; i++) {
		write_node(profile, tree, &tree->nodes[i], out);
		mores += tree->nodes[i].more > 0;
	}
	if (mores)
		fprintf(out,
			"# '+ n more' stands for frames that are too narrow or too deep, "
			"%" PRIu64 " in %" PRIu32 " place%s; --all shows them\n",
			tree->left_out_nr, mores, mores == 1 ? "" : "s");
}

/* ---- for programs */

static void write_json_node(const struct profile *profile, const struct calltree_node *node,
			    struct walk *walk, struct json *json)
{
	const struct function *function = &profile->naming.list[node->function];

	walk_to(walk, node->depth, name_of(profile, node));
	json_begin_object(json);
	json_member_string(json, "name", name_of(profile, node));
	json_member_u64(json, "depth", node->depth);
	json_member_weight(json, "value", node->value);
	json_member_weight(json, "self", node->self);
	json_member_weight(json, "samples", node->count);
	json_member_string(json, "origin", origin_word(function->origin));
	json_member_string(json, "path", text_string(&walk->path));
	json_end_object(json);
}

static void write_json(const struct profile *profile, const struct calltree *tree, bool is_reversed,
		       FILE *out)
{
	CLEANUP(walk_release) struct walk walk = {0};
	struct json json = {.out = out};
	uint32_t deepest = 0;

	json_begin_object(&json);
	json_member_string(&json, "event", profile_event_name(profile));
	json_member_string(&json, "unit", profile_unit(profile));
	json_member_weight(&json, "total", tree->total);
	json_member_weight(&json, "samples", profile->paths.count);
	json_member_u64(&json, "ignored_lines",
			profile->capture.notes.list[NOTE_INVALID_COUNT].count);
	json_key(&json, "reverse");
	json_bool(&json, is_reversed);
	json_member_u64(&json, "frames_left_out", tree->left_out_nr);
	trust_json_write(profile, &json);
	json_key(&json, "frames");
	json_begin_array(&json);
	for (uint32_t i = 1; i < tree->nr; i++) {
		if (tree->nodes[i].more)
			continue;
		write_json_node(profile, &tree->nodes[i], &walk, &json);
		if (tree->nodes[i].depth > deepest)
			deepest = tree->nodes[i].depth;
	}
	json_end_array(&json);
	json_member_u64(&json, "depth_max", deepest);
	json_end_object(&json);
	json_finish(&json);
}

static void write_csv(const struct profile *profile, const struct calltree *tree, FILE *out)
{
	CLEANUP(walk_release) struct walk walk = {0};
	CLEANUP(text_release) struct text numbers = TEXT_INIT;

	fputs("depth,value,self,samples,origin,name,path\n", out);
	for (uint32_t i = 1; i < tree->nr; i++) {
		const struct calltree_node *node = &tree->nodes[i];

		if (node->more)
			continue;
		walk_to(&walk, node->depth, name_of(profile, node));
		text_clear(&numbers);
		text_addf(&numbers, "%" PRIu32 ",", node->depth);
		weight_add(&numbers, node->value);
		text_add_char(&numbers, ',');
		weight_add(&numbers, node->self);
		text_add_char(&numbers, ',');
		weight_add(&numbers, node->count);
		fprintf(out, "%s,%s,", text_string(&numbers),
			origin_word(profile->naming.list[node->function].origin));
		rows_write_csv_field(out, name_of(profile, node));
		fputc(',', out);
		rows_write_csv_field(out, text_string(&walk.path));
		fputc('\n', out);
	}
}

static struct error *take_limits(const struct tree_options *options, weight total,
				 struct calltree_options *ret)
{
	bool has_defaults = options->format == ROWS_TABLE && !options->all;
	const char *least = options->least ? options->least : has_defaults ? TABLE_LEAST : NULL;

	if (options->depth)
		ret->deepest = (uint32_t)options->depth;
	else if (has_defaults)
		ret->deepest = TABLE_DEPTH;
	return least ? width_least("--min-width", least, 0, total, &ret->least) : NULL;
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct tree_options *options = options_of;
	CLEANUP(profile_release) struct profile profile;
	CLEANUP(calltree_release) struct calltree tree = {0};
	struct calltree_options limits = {.is_reversed = options->reverse,
					  .is_heaviest_first = true};
	struct profile_options read = options->profile;
	struct output output;
	struct error *err;

	(void)ret_status;
	read.is_from_leaf = options->reverse;
	err = profile_load(&read, argc, argv, &profile);
	if (err)
		return err;
	limits.counts_samples = profile.counts_samples;
	err = take_limits(options,
			  limits.counts_samples ? profile.paths.count : profile.paths.period,
			  &limits);
	if (!err)
		err = output_open(options->output, &output);
	if (err)
		return err;
	calltree_build(&tree, &profile.paths, &limits);
	if (options->format == ROWS_JSON)
		write_json(&profile, &tree, options->reverse, output.file);
	else if (options->format == ROWS_CSV)
		write_csv(&profile, &tree, output.file);
	else
		write_table(&profile, &tree, output.file);
	return output_commit(&output);
}

const struct command command_tree = {
	.name = "tree",
	.args = "[<capture>]",
	.summary = "the call tree as text",
	.options = options_table,
	.size = sizeof(struct tree_options),
	.run = run,
};
