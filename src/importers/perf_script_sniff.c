/* perf_script_sniff.c - is a text what perf script prints? */
#include "importers/perf_script_sniff.h"

#include <string.h>

#include "base/mem.h"
#include "importers/perf_script_line.h"

static bool is_header_block(const char *at, size_t size)
{
	static const char *const begins[] = {"# ========", "# captured on", "# cmdline :"};

	for (size_t i = 0; i < ARRAY_NR(begins); i++)
		if (size >= strlen(begins[i]) && memcmp(at, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

static bool is_telling_line(const char *at, size_t size)
{
	struct perf_script_header header;
	struct perf_script_frame frame;

	if (size && at[size - 1] == '\r')
		size--;
	if (!size)
		return false;
	if (at[0] == '\t' && perf_script_frame(at, size, &frame))
		return true;
	/* "  ffffffff815fd0e1 set_pte_range": right-aligned in 16 columns */
	if (size >= 17 && at[0] == ' ' && perf_script_frame(at, 17, &frame))
		return true;
	if (size >= 34 && at[0] == ' ' && perf_script_frame(at + 17, 17, &frame))
		return true;
	return is_header_block(at, size) ||
	       (perf_script_header(at, size, &header) &&
		(header.has_time || header.kind == HEADER_RECORD || !header.rest.size));
}

bool perf_script_sniff(const char *at, size_t size)
{
	const char *end = at + size;

	while (at < end) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));

		if (is_telling_line(at, (size_t)((line_end ? line_end : end) - at)))
			return true;
		if (!line_end)
			break;
		at = line_end + 1;
	}
	return false;
}
