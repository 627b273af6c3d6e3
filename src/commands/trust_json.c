/* trust_json.c - how far the names in a result are shown to be right, as JSON */
#include "commands/trust_json.h"

#include "analysis/trust.h"
#include "base/mem.h"
#include "base/text.h"
#include "commands/json.h"
#include "commands/profile.h"

/* The key is the status' word: "not looked for" is "not_looked_for". */
static void write_status(struct json *json, const char *word, weight value)
{
	CLEANUP(text_release) struct text key = TEXT_INIT;

	for (; *word; word++)
		text_add_char(&key, *word == ' ' ? '_' : *word);
	json_member_weight(json, text_string(&key), value);
}

void trust_json_write(const struct profile *profile, struct json *json)
{
	struct trust trust;

	trust_count(&trust, &profile->paths, profile->counts_samples);
	json_key(json, "names");
	json_begin_object(json);
	json_member_weight(json, "named", trust.named);
	for (int i = 0; i < MODULE_STATUS_NR; i++)
		write_status(json, module_status_word(i), trust.by_status[i]);
	json_end_object(json);
	json_member_weight(json, "lacks_caller", trust.lacks_caller);
}
