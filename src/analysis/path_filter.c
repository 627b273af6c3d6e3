/* path_filter.c - which frames are looked for or left out, by their names */
#include "analysis/path_filter.h"

#include "analysis/naming.h"
#include "analysis/paths.h"
#include "analysis/tidy.h"
#include "base/mem.h"
#include "model/capture.h"

static bool matches(const regex_t *list, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (regexec(&list[i], name, 0, NULL, 0) == 0)
			return true;
	return false;
}

static unsigned char flags_of(const struct path_filter *filter, const char *name)
{
	unsigned char flags = 0;

	if (matches(filter->hide, filter->hide_nr, name) ||
	    (filter->show_nr && !matches(filter->show, filter->show_nr, name)))
		flags |= FRAME_HIDDEN;
	if (matches(filter->focus, filter->focus_nr, name))
		flags |= FRAME_FOCUS;
	if (matches(filter->ignore, filter->ignore_nr, name))
		flags |= FRAME_IGNORE;
	if (filter->no_idle && tidy_is_idle(name))
		flags |= FRAME_IDLE;
	return flags;
}

bool path_filter_is_any(const struct path_filter *filter)
{
	return filter->focus_nr || filter->ignore_nr || filter->hide_nr || filter->show_nr;
}

unsigned char *path_filter_flags(const struct path_filter *filter, const struct naming *naming)
{
	const struct names *names = &naming->capture->names;
	unsigned char *flags = mem_zalloc(naming->nr, 1);

	if (!path_filter_is_any(filter) && !filter->no_idle)
		return flags;
	for (uint32_t i = 0; i < naming->nr; i++)
		flags[i] = flags_of(filter, names_get(names, naming->list[i].name)->bytes);
	return flags;
}
