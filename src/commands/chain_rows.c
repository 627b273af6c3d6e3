/* chain_rows.c - who walked the call chains, what their frames are from, why they end */
#include "commands/chain_rows.h"

#include "analysis/summary.h"
#include "base/mem.h"
#include "base/text.h"
#include "commands/json.h"
#include "commands/rows.h"

/* ---- JSON */

static void write_frames(const weight *by_found, struct json *json)
{
	json_key(json, "found_by");
	json_begin_object(json);
	for (int i = 0; i < FOUND_NOTHING; i++)
		if (by_found[i])
			json_member_weight(json, found_by_word(i), by_found[i]);
	json_end_object(json);
}

static void write_unwinding(const struct summary *summary, struct json *json)
{
	struct summary_unwinding sums = summary_unwinding(summary);

	json_key(json, "unwinding");
	if (!sums.samples) {
		json_null(json);
		return;
	}
	json_begin_object(json);
	json_member_weight(json, "samples", sums.samples);
	json_member_weight(json, "frames", sums.frames);
	json_key(json, "stops");
	json_begin_object(json);
	for (int i = 0; i < UNWIND_STOP_NR; i++)
		if (sums.by_stop[i])
			json_member_weight(json, unwind_stop_word(i), sums.by_stop[i]);
	json_end_object(json);
	write_frames(sums.by_found, json);
	json_end_object(json);
}

static void write_chains(const struct summary *summary, struct json *json)
{
	struct summary_chains sums = summary_chains(summary);

	json_key(json, "call_chains");
	if (!sums.samples) {
		json_null(json);
		return;
	}
	json_begin_object(json);
	json_member_weight(json, "samples", sums.samples);
	json_member_weight(json, "frames", sums.frames);
	json_member_weight(json, "lacks_caller", sums.lacks_caller);
	json_key(json, "walked_by");
	json_begin_object(json);
	for (int i = WALKED_UNKNOWN + 1; i < WALKED_BY_NR; i++)
		if (sums.by_walked[i])
			json_member_weight(json, walked_by_word(i), sums.by_walked[i]);
	json_end_object(json);
	json_key(json, "stops");
	json_begin_object(json);
	for (int i = 0; i < UNWIND_STOP_NR; i++)
		if (sums.by_stop[i])
			json_member_weight(json, unwind_stop_word(i), sums.by_stop[i]);
	if (sums.untold)
		json_member_weight(json, "not-told", sums.untold);
	json_end_object(json);
	write_frames(sums.by_found, json);
	json_end_object(json);
}

void chain_rows_write_json(const struct summary *summary, struct json *json)
{
	write_unwinding(summary, json);
	write_chains(summary, json);
}

/* ---- table and CSV */

static void add_share(struct rows *rows, const char *about, const char *what, weight part,
		      weight all)
{
	CLEANUP(text_release) struct text value = TEXT_INIT;

	if (!part)
		return;
	weight_add_grouped(&value, part);
	text_add(&value, " (");
	units_add_percent(&value, weight_share(part, all), 1);
	text_add_char(&value, ')');
	rows_add(rows, about);
	rows_add(rows, what);
	rows_add(rows, text_string(&value));
}

void chain_rows_add(const struct summary *summary, struct rows *rows)
{
	struct summary_chains sums = summary_chains(summary);

	for (int i = WALKED_UNKNOWN + 1; i < WALKED_BY_NR; i++)
		add_share(rows, "call chains walked by", walked_by_word(i), sums.by_walked[i],
			  sums.samples);
	for (int i = 0; i < UNWIND_STOP_NR; i++)
		add_share(rows, "call chains, last frame", unwind_stop_word(i), sums.by_stop[i],
			  sums.samples);
	add_share(rows, "call chains, last frame", "not told", sums.untold, sums.samples);
	add_share(rows, "call chains", "the leaf's caller may be missing", sums.lacks_caller,
		  sums.samples);
	for (int i = 0; i < FOUND_NOTHING; i++)
		add_share(rows, "frames found by", found_by_word(i), sums.by_found[i], sums.frames);
}
