/* fetch_list.c - tephra fetch-list: which files are missing for names, and how to get them */
#include <stdio.h>
#include <string.h>

#include "analysis/unnamed.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "commands/fetch_script.h"
#include "commands/json.h"
#include "commands/output.h"
#include "commands/profile.h"
#include "commands/rows.h"

struct fetch_options {
	struct profile_options profile;
	const char *output;
	int format; /* enum rows_format, or FORMAT_SH */
};

enum {
	FORMAT_SH = ROWS_JSON + 1
};

static const char *const format_words[] = {"table", "csv", "json", "sh", NULL};

static const struct option_entry options_table[] = {
	OPTION_TEXT('o', "output", struct fetch_options, output, "<file>",
		    "write to this file, '-' is standard output"),
	OPTION_CHOICE(0, "format", struct fetch_options, format, "table|csv|json|sh", format_words,
		      "form of the output; sh is the script for the recorded machine"),
	PROFILE_READ_OPTIONS(struct fetch_options),
	SYMBOLS_OPTIONS(struct fetch_options, profile.symbols),
	OPTION_END,
};

static const struct rows_column columns[] = {
	{.key = "percent", .head = "samples %", .is_number = true, .is_for_people = true},
	{.key = "samples", .head = "samples", .is_number = true},
	{.key = "status", .head = "status"},
	{.key = "build_id", .head = "build ID"},
	{.key = "path", .head = "module"},
};

/* What the command knows. */
struct list {
	const struct profile *profile;
	weight *samples; /* per module */
	weight unnamed, all;
	uint32_t *sorted; /* modules with samples, the most first */
	uint32_t nr;
	struct text bundle;	  /* name of the folder that files come back in */
	struct text shown_bundle; /* the same for people */
};

static void list_release(struct list *list)
{
	free(list->samples);
	free(list->sorted);
	text_release(&list->bundle);
	text_release(&list->shown_bundle);
}

static int compare(const void *a, const void *b, void *list_of)
{
	const struct list *list = list_of;
	const struct capture *capture = &list->profile->capture;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (list->samples[x] != list->samples[y])
		return list->samples[x] > list->samples[y] ? -1 : 1;
	return names_compare(&capture->names, capture->modules.list[x].path,
			     capture->modules.list[y].path);
}

/* "runs/run.tephra" -> "run.tephra.symbols", which is looked at beside it. */
static void name_bundle(struct list *list)
{
	const char *operand = list->profile->operand, *slash = strrchr(operand, '/');
	const char *base = slash ? slash + 1 : operand;

	text_addf(&list->bundle, "%s.symbols", strcmp(base, "-") == 0 ? "capture" : base);
	utf8_add_clean(&list->shown_bundle, text_string(&list->bundle), list->bundle.size);
}

static void find_modules(struct list *list)
{
	uint32_t nr = list->profile->capture.modules.nr;

	list->samples = unnamed_modules(&list->profile->tally, &list->unnamed, &list->all);
	list->sorted = mem_alloc(nr * sizeof(*list->sorted));
	for (uint32_t i = 0; i < nr; i++)
		if (list->samples[i])
			list->sorted[list->nr++] = i;
	qsort_r(list->sorted, list->nr, sizeof(*list->sorted), compare, list);
	name_bundle(list);
}

static const struct module *module_at(const struct list *list, uint32_t i)
{
	return &list->profile->capture.modules.list[list->sorted[i]];
}

static const char *display(const struct list *list, uint32_t name)
{
	return name == NAME_NONE ? "" : names_display(&list->profile->capture.names, name);
}

static void fill(const struct list *list, struct rows *rows)
{
	for (uint32_t i = 0; i < list->nr; i++) {
		const struct module *module = module_at(list, i);
		weight samples = list->samples[list->sorted[i]];

		rows_add_percent(rows, weight_share(samples, list->all));
		rows_add_weight(rows, samples);
		rows_add(rows, module_status_word(module->status));
		rows_add(rows, display(list, module->build_id));
		rows_add(rows, display(list, module->path));
	}
}

static void write_script(const struct list *list, FILE *out)
{
	const struct names *names = &list->profile->capture.names;
	struct fetch_file *files = mem_zalloc(list->nr, sizeof(*files));

	for (uint32_t i = 0; i < list->nr; i++) {
		const struct module *module = module_at(list, i);

		files[i].path = names_get(names, module->path)->bytes;
		if (module->build_id != NAME_NONE)
			files[i].build_id = names_get(names, module->build_id)->bytes;
	}
	fetch_script_write(out, text_string(&list->bundle), files, list->nr);
	free(files);
}

static void write_json(const struct list *list, const struct rows *rows, FILE *out)
{
	struct json json = {.out = out};

	json_begin_object(&json);
	json_member_weight(&json, "samples", list->all);
	json_member_weight(&json, "unnamed", list->unnamed);
	json_member_string(&json, "bundle", text_string(&list->shown_bundle));
	json_key(&json, "modules");
	rows_write_json(rows, &json);
	json_end_object(&json);
	json_finish(&json);
}

/* Where debug files can be had by build ID alone: a debuginfod server, or a package. */
static void add_servers(const struct list *list, struct text *text)
{
	for (uint32_t i = 0; i < list->nr; i++) {
		const struct module *module = module_at(list, i);
		const char *id = display(list, module->build_id);

		if (!fetch_script_is_build_id(id) || module->origin == ORIGIN_JIT)
			continue;
		text_addf(text, "#   debuginfod-find debuginfo %s   # %s\n", id,
			  display(list, module->path));
	}
}

/* The words of a command as they are typed. */
static void add_word(struct text *text, const char *s)
{
	CLEANUP(text_release) struct text clean = TEXT_INIT;

	utf8_add_clean(&clean, s, strlen(s));
	fetch_script_add_word(text, text_string(&clean));
}

static void write_commands(const struct list *list, FILE *out)
{
	const char *operand = list->profile->operand, *slash = strrchr(operand, '/');
	CLEANUP(text_release) struct text file = TEXT_INIT, folder = TEXT_INIT, tar = TEXT_INIT;

	add_word(&file, operand);
	text_addf(&tar, "%s.tar", text_string(&list->bundle));
	if (slash) {
		char *before = mem_memdup(operand, (size_t)(slash - operand) + 2);

		before[slash - operand + (slash == operand)] = '\0';
		text_add(&folder, " -C ");
		add_word(&folder, before);
		free(before);
	}
	fprintf(out,
		"# From the machine that recorded it:\n"
		"#   tephra fetch-list --format=sh -o fetch.sh %s\n"
		"#   sh fetch.sh      # there: writes ",
		text_string(&file));
	text_clear(&file);
	add_word(&file, text_string(&tar));
	fprintf(out, "%s, changes no file\n#   tar -xf %s%s\n", text_string(&file),
		text_string(&file), text_string(&folder));
	text_clear(&file);
	add_word(&file, operand);
	fprintf(out, "#   tephra %s %s\n", list->profile->is_stored ? "symbolize" : "flame",
		text_string(&file));
}

static void write_next(const struct list *list, FILE *out)
{
	CLEANUP(text_release) struct text servers = TEXT_INIT;

	if (!list->profile->capture.has_offsets) {
		fputs("# It has no addresses in files, so no file can name them now: that is for the\n"
		      "# program that wrote this text, or for the recording (perf.data) itself.\n",
		      out);
		return;
	}
	if (strcmp(list->profile->operand, "-") != 0)
		write_commands(list, out);
	add_servers(list, &servers);
	if (servers.size)
		fprintf(out,
			"# Or on a machine with a network, with DEBUGINFOD_URLS set for the recorded "
			"system\n# (debuginfod's cache is read here), or its debug packages "
			"(find-dbgsym-packages, dnf debuginfo-install):\n%s",
			text_string(&servers));
}

static void write_table(const struct list *list, const struct rows *rows, FILE *out)
{
	CLEANUP(text_release) struct text head = TEXT_INIT;

	weight_add_grouped(&head, list->unnamed);
	text_add(&head, " of ");
	weight_add_grouped(&head, list->all);
	text_add(&head, list->all == WEIGHT_ONE ? " sample has" : " samples have");
	fprintf(out, "# %s frames without a name\n", text_string(&head));
	if (!list->nr)
		return;
	rows_write_table(rows, out);
	write_next(list, out);
}

static void write_list(const struct list *list, int format, FILE *out)
{
	CLEANUP(rows_release) struct rows rows;

	rows_init(&rows, columns, ARRAY_NR(columns));
	fill(list, &rows);
	switch (format) {
	case FORMAT_SH:
		write_script(list, out);
		break;
	case ROWS_JSON:
		write_json(list, &rows, out);
		break;
	case ROWS_CSV:
		rows_write_csv(&rows, out);
		break;
	default:
		write_table(list, &rows, out);
	}
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct fetch_options *options = options_of;
	CLEANUP(profile_release)
	struct profile profile = {.selection = {.all_events = true}, .needs_samples = true};
	CLEANUP(list_release) struct list list = {.profile = &profile};
	struct output output;
	struct error *err;

	(void)ret_status;
	tally_init(&profile.tally, &profile.capture, &(struct tally_options){.by = TALLY_BY_NONE});
	err = profile_read(&options->profile, argc, argv, &profile, &profile.tally.sink);
	if (!err && !profile.tally.nr)
		err = profile_empty_selection(&profile);
	if (!err)
		err = profile_name(&profile, &options->profile);
	if (!err)
		err = output_open(options->output, &output);
	if (err)
		return err;
	find_modules(&list);
	write_list(&list, options->format, output.file);
	return output_commit(&output);
}

const struct command command_fetch_list = {
	.name = "fetch-list",
	.args = "[<capture>]",
	.summary = "which files are missing for names, and how to get them",
	.options = options_table,
	.size = sizeof(struct fetch_options),
	.run = run,
};
