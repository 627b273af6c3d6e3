/* profile_names.c - the options that work on names: which frames, what they read, what is joined */
#include "commands/profile_names.h"

#include "base/mem.h"
#include "commands/profile.h"

const char *const profile_tidy_words[] = {"no", "names", "hashes", NULL};
const char *const profile_inline_words[] = {"on", "off", NULL};
const char *const profile_unknown_words[] = {"module", "address", NULL};
const char *const profile_group_words[] = {"function", "module", NULL};
const char *const profile_recursion_words[] = {"no", "direct", "all", NULL};

static struct error *compile(const char *option, const struct option_texts *texts, regex_t **ret,
			     size_t *ret_nr)
{
	*ret = mem_zalloc(texts->nr, sizeof(**ret));
	*ret_nr = 0;
	for (size_t i = 0; i < texts->nr; i++) {
		char why[128];
		int status = regcomp(&(*ret)[i], texts->list[i], REG_EXTENDED | REG_NOSUB);

		if (status) {
			regerror(status, &(*ret)[i], why, sizeof(why));
			return error_new(ERROR_USAGE, "%s: '%s' is no regular expression: %s",
					 option, texts->list[i], why);
		}
		(*ret_nr)++;
	}
	return NULL;
}

static struct error *take_filter(struct path_filter *filter, const struct profile_options *options)
{
	struct error *err;

	filter->no_idle = options->no_idle;
	err = compile("--focus", &options->focus, &filter->focus, &filter->focus_nr);
	if (!err)
		err = compile("--ignore", &options->ignore, &filter->ignore, &filter->ignore_nr);
	if (!err)
		err = compile("--hide", &options->hide, &filter->hide, &filter->hide_nr);
	if (!err)
		err = compile("--show", &options->show, &filter->show, &filter->show_nr);
	return err;
}

static struct error *take_annotations(const char *kinds, unsigned *flags)
{
	static const struct {
		const char *word;
		unsigned flag;
	} known[] = {{"kernel", NAMING_ANNOTATE_KERNEL},
		     {"jit", NAMING_ANNOTATE_JIT},
		     {"inline", NAMING_ANNOTATE_INLINED}};

	while (kinds && *kinds) {
		size_t size = strcspn(kinds, ","), i = 0;

		while (i < ARRAY_NR(known) &&
		       (strlen(known[i].word) != size || memcmp(known[i].word, kinds, size) != 0))
			i++;
		if (i == ARRAY_NR(known))
			return error_new(ERROR_USAGE,
					 "--annotate takes kernel, jit and inline, not '%.*s'",
					 (int)size, kinds);
		*flags |= known[i].flag;
		kinds += size + (kinds[size] == ',');
	}
	return NULL;
}

static struct error *take_naming(const struct profile_options *options, struct naming_options *ret)
{
	*ret = (struct naming_options){
		.unknown = (enum naming_unknown)options->unknown,
		.tidy = (enum naming_tidy)options->tidy,
	};
	if (options->source_lines)
		ret->flags |= NAMING_SOURCE_LINES;
	if (options->mask)
		ret->flags |= NAMING_MASK;
	if (options->inlined == 1)
		ret->flags |= NAMING_NO_INLINED;
	return take_annotations(options->annotate, &ret->flags);
}

static struct error *take_transforms(const struct profile_options *options,
				     struct profile_names *names)
{
	struct transforms *transforms = &names->transforms;

	*transforms = (struct transforms){
		.are_modules = options->group == PROFILE_GROUP_MODULE,
		.recursion = (enum transform_recursion)options->recursion,
		.subtrees = options->subtrees.list,
		.subtrees_nr = options->subtrees.nr,
		.has_chains = options->collapse_chains,
		.is_from_leaf = options->is_from_leaf,
	};
	return compile("--collapse-module", &options->collapse_modules, &names->collapsed,
		       &transforms->collapsed_nr);
}

struct error *profile_names_take(const struct profile_options *options, struct profile_names *ret)
{
	struct error *err;

	*ret = (struct profile_names){0};
	err = take_naming(options, &ret->naming);
	if (!err)
		err = take_filter(&ret->filter, options);
	if (!err)
		err = take_transforms(options, ret);
	ret->transforms.collapsed = ret->collapsed;
	return err;
}

static void free_regexes(regex_t *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		regfree(&list[i]);
	free(list);
}

void profile_names_release(struct profile_names *names)
{
	struct path_filter *filter = &names->filter;

	free_regexes(filter->focus, filter->focus_nr);
	free_regexes(filter->ignore, filter->ignore_nr);
	free_regexes(filter->hide, filter->hide_nr);
	free_regexes(filter->show, filter->show_nr);
	free_regexes(names->collapsed, names->transforms.collapsed_nr);
}
