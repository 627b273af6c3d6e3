/* trust_json.c - how far the names in a result are shown to be right, as JSON */
#include "commands/trust_json.h"

#include "analysis/trust.h"
#include "commands/json.h"
#include "commands/profile.h"

void trust_json_write(const struct profile *profile, struct json *json)
{
	static const char *const keys[MODULE_STATUS_NR] = {
		[MODULE_UNNAMED] = "not_looked_for",
		[MODULE_EXACT] = "exact",
		[MODULE_CONSISTENT] = "consistent",
		[MODULE_UNVERIFIED] = "unverified",
		[MODULE_CONTRADICTED] = "contradicted",
		[MODULE_MISMATCH] = "mismatch",
		[MODULE_MISSING] = "missing",
		[MODULE_UNSUPPORTED] = "unsupported",
		[MODULE_FORCED] = "forced",
	};
	struct trust trust;

	trust_count(&trust, &profile->paths, profile->counts_samples);
	json_key(json, "names");
	json_begin_object(json);
	json_member_weight(json, "named", trust.named);
	for (int i = 0; i < MODULE_STATUS_NR; i++)
		json_member_weight(json, keys[i], trust.by_status[i]);
	json_end_object(json);
}
