/* known.c - counter files that are known and not read: what to ask for instead */
#include "importers/known.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "importers/counter_time.h"

static bool begins(const char *at, size_t size, const char *with)
{
	return size >= strlen(with) && memcmp(at, with, strlen(with)) == 0;
}

/* "Linux 6.1 (host)   11/30/26   _x86_64_   (2 CPU)": the title of sar, iostat, mpstat, pidstat. */
static bool is_sysstat(const char *at, size_t size)
{
	const char *feed = memchr(at, '\n', size);

	return begins(at, size, "Linux ") && feed && memmem(at, (size_t)(feed - at), " CPU)", 5) &&
	       !memmem(at, size, "\n# Time ", 8);
}

/* "host\t1\t2026-11-30 02:57:07 UTC\tall\t%user\t58.54", as sadf -p writes it. */
static bool is_sadf_p(const char *at, size_t size)
{
	const char *end = memchr(at, '\n', size), *begin = at;
	uint64_t ns;
	bool has_zone;

	for (int tabs = 0; end && tabs < 2; tabs++) {
		begin = memchr(begin, '\t', (size_t)(end - begin));
		if (!begin)
			return false;
		begin++;
	}
	if (!end)
		return false;
	end = memchr(begin, '\t', (size_t)(end - begin));
	return end && counter_time_parse(begin, (size_t)(end - begin), &ns, &has_zone);
}

const char *known_not_read(const char *at, size_t size, const char **ret_hint)
{
	*ret_hint = "sadf -d <file of sar> -- -A writes what is read, pidstat -h does, too";
	if (is_sysstat(at, size))
		return "text of sar, iostat, mpstat or pidstat for people";
	if (is_sadf_p(at, size))
		return "text of sadf -p";
	if (begins(at, size, "{\"sysstat\""))
		return "JSON of sadf -j";
	if (size > 2 && (memcmp(at, "\x96\xd5", 2) == 0 || memcmp(at, "\xd5\x96", 2) == 0))
		return "a binary file of sar";
	return NULL;
}
