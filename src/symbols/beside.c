/* beside.c - files that came with a capture: in its folder, or in "<capture>.symbols" */
#include "symbols/beside.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "symbols/symbolizer.h"

bool beside_has(const char *folder, const char *name, struct text *ret)
{
	struct stat stat_of;

	text_clear(ret);
	text_addf(ret, "%s/%s", folder, name);
	return stat(text_string(ret), &stat_of) == 0 && S_ISREG(stat_of.st_mode) &&
	       access(text_string(ret), R_OK) == 0;
}

bool beside_find(const char *capture, const char *name, struct text *ret)
{
	CLEANUP(text_release) struct text folder = TEXT_INIT;
	const char *slash;

	if (!capture || strcmp(capture, "-") == 0)
		return false;
	text_addf(&folder, "%s.symbols", capture);
	if (beside_has(text_string(&folder), name, ret))
		return true;
	text_clear(&folder);
	slash = strrchr(capture, '/');
	if (slash)
		text_add_bytes(&folder, capture, (size_t)(slash - capture));
	else
		text_add(&folder, ".");
	return beside_has(text_string(&folder), name, ret);
}

bool beside_find_map(const struct symbolizer_options *options, const char *name, struct text *ret)
{
	for (size_t i = 0; i < options->map_dirs_nr; i++)
		if (beside_has(options->map_dirs[i], name, ret))
			return true;
	return beside_find(options->capture_path, name, ret);
}
