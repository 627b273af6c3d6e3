/* audit_rows.c - findings of an audit as rows, in words and in JSON */
#include "commands/audit_rows.h"

#include "analysis/audit.h"
#include "commands/json.h"
#include "commands/rows.h"

void audit_rows_write_json(const struct audit *audit, struct json *json)
{
	json_key(json, "audit");
	json_begin_array(json);
	for (size_t i = 0; i < audit->nr; i++) {
		const struct audit_finding *finding = &audit->list[i];

		json_begin_object(json);
		json_member_string(json, "verdict",
				   audit_verdict_word(audit_verdict(finding->code)));
		json_member_string(json, "finding", audit_word(finding->code));
		json_key(json, "share");
		if (finding->share < 0)
			json_null(json);
		else
			json_share(json, finding->share);
		json_member_string(json, "what", finding->what);
		json_member_string(json, "answers", audit_answers(finding->code));
		json_member_string(json, "avoid", audit_avoid(finding->code));
		json_end_object(json);
	}
	json_end_array(json);
}

void audit_rows_add(const struct audit *audit, struct rows *rows)
{
	for (size_t i = 0; i < audit->nr; i++) {
		rows_add(rows, "audit");
		rows_add(rows, audit_word(audit->list[i].code));
		rows_add(rows, audit->list[i].what);
	}
}
