/* trust.c - how far the names in a result are shown to be right */
#include "analysis/trust.h"

#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/mem.h"
#include "base/text.h"
#include "model/capture.h"

void trust_count(struct trust *trust, const struct paths *paths, bool counts_samples)
{
	const struct capture *capture = paths->naming->capture;

	*trust = (struct trust){0};
	for (uint32_t i = 0; i < paths->nr; i++) {
		uint32_t leaf = paths->tally->list[paths->list[i].entry].key.leaf, module;
		weight value = paths_weight(paths, i, counts_samples);

		trust->all += value;
		if (leaf == LOCATION_NONE)
			continue;
		module = locations_get(&capture->locations, leaf)->module;
		if (module != MODULE_NONE)
			trust->by_status[capture->modules.list[module].status] += value;
	}
}

void trust_add(const struct trust *trust, const char *before, struct text *text)
{
	static const struct {
		enum module_status status;
		const char *words;
	} told[] = {
		{MODULE_FORCED,
		 "is named by files that are not those that ran (--accept-mismatch)"},
		{MODULE_MISMATCH,
		 "is in modules whose files here are not those that ran, and has no "
		 "names"},
		{MODULE_CONTRADICTED,
		 "is in modules whose files here contradict the call chains, and "
		 "has no names"},
		{MODULE_UNVERIFIED, "is named by files that nothing shows to be those that ran"},
		{MODULE_UNSUPPORTED, "is in modules whose debug information could not all be read"},
		{MODULE_MISSING, "is in modules without a file to name them"},
	};

	for (size_t i = 0; i < ARRAY_NR(told); i++) {
		weight value = trust->by_status[told[i].status];

		if (!value)
			continue;
		text_add(text, before);
		units_add_percent(text, weight_share(value, trust->all), 1);
		text_addf(text, " %s", told[i].words);
	}
}
