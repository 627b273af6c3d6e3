/* audit_stored.c - the audit of a capture that is in a profile, written into it */
#include "commands/audit_stored.h"

#include "analysis/audit.h"
#include "analysis/summary.h"
#include "base/mem.h"
#include "model/capture.h"
#include "store/audits.h"
#include "store/captures.h"
#include "store/replay.h"

static struct error *write_findings(struct store *store, int64_t capture, const struct audit *audit)
{
	struct store_finding *rows = mem_zalloc(audit->nr, sizeof(*rows));
	struct error *err;

	for (size_t i = 0; i < audit->nr; i++) {
		enum audit_code code = audit->list[i].code;

		rows[i] = (struct store_finding){
			.code = audit_word(code),
			.verdict = audit_verdict_word(audit_verdict(code)),
			.what = audit->list[i].what,
			.answers = audit_answers(code),
			.avoid = audit_avoid(code),
			.share = audit->list[i].share,
		};
	}
	err = store_audit_replace(store, capture, rows, audit->nr);
	free(rows);
	return err;
}

struct error *audit_stored(struct store *store, const struct store_capture *capture)
{
	struct replay_options options = {
		.needs_samples = true,
		.needs_addresses = true,
		.needs_all_stacks = true,
		.needs_points = true,
	};
	CLEANUP(capture_release) struct capture model = {0};
	CLEANUP(summary_release) struct summary summary;
	CLEANUP(audit_release) struct audit audit = {0};
	struct replay_count count;
	struct error *err;

	summary_init(&summary, &model);
	err = store_replay(store, capture, &options, &model, &summary.sink, &count);
	if (err)
		return err;
	model.format = capture->format;
	audit_run(&model, &summary, &audit);
	return write_findings(store, capture->id, &audit);
}

struct error *audit_stored_last(struct store *store, const struct audit *audit)
{
	CLEANUP(store_captures_release) struct store_captures captures = {0};
	struct error *err = store_captures(store, &captures);

	if (err || !captures.nr)
		return err;
	return write_findings(store, captures.list[captures.nr - 1].id, audit);
}
