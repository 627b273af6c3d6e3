/* diff_json.c - a comparison as JSON: every function, and every path of either side */
#include <math.h>

#include "base/mem.h"
#include "commands/diff_report.h"
#include "commands/json.h"
#include "commands/walk.h"
#include "model/capture.h"

static void member_double(struct json *json, const char *key, double value)
{
	char digits[64];

	json_key(json, key);
	if (!isfinite(value)) {
		json_null(json);
		return;
	}
	snprintf(digits, sizeof(digits), "%.17g", value);
	json_number(json, digits);
}

static void member_text(struct json *json, const char *key, struct text *text)
{
	json_member_string(json, key, text_string(text));
	text_clear(text);
}

/* after - before, exactly */
static void member_change(struct json *json, const char *key, weight before, weight after)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (before > after)
		text_add_char(&text, '-');
	weight_add(&text, before > after ? before - after : after - before);
	json_key(json, key);
	json_number(json, text_string(&text));
}

/* ---- the whole */

static void write_captures(const struct diff_report *report, bool is_after, struct json *json)
{
	json_key(json, is_after ? "after_captures" : "before_captures");
	json_begin_array(json);
	for (size_t i = 0; i < report->sides->nr; i++) {
		const struct diff_run *run = &report->sides->runs[i];

		if (run->is_after != is_after)
			continue;
		json_begin_object(json);
		json_member_string(json, "file", run->profile.operand);
		member_double(json, "seconds",
			      run->has_time ? (double)(run->end_ns - run->begin_ns) / 1e9 : NAN);
		json_member_weight(json, "samples", run->profile.paths.count);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_facts(const struct diff_report *report, struct json *json)
{
	json_key(json, "comparability");
	json_begin_array(json);
	for (size_t i = 0; i < report->facts_nr; i++) {
		const struct diff_fact *fact = &report->facts[i];

		json_begin_object(json);
		json_member_string(json, "what", fact->what);
		json_member_string(json, "before", fact->before);
		json_member_string(json, "after", fact->after);
		json_key(json, "differs");
		json_bool(json, fact->differs);
		json_key(json, "warning");
		if (fact->doubt)
			json_string(json, fact->doubt);
		else
			json_null(json);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_readings(const struct diff_report *report, struct json *json)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	const struct diff *diff = &report->diff;

	json_key(json, "readings");
	json_begin_array(json);
	for (enum diff_reading reading = 0; reading < DIFF_READING_NR; reading++) {
		if (!diff_has_reading(&diff->divisors, reading))
			continue;
		json_begin_object(json);
		json_member_string(json, "reading", diff_reading_word(reading));
		diff_words_add_reading(report, reading, &text);
		member_text(json, "words", &text);
		json_key(json, "leads");
		json_bool(json, reading == diff->leading);
		member_double(json, "before_divisor", diff->divisors.before[reading]);
		member_double(json, "after_divisor", diff->divisors.after[reading]);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_judgement(const struct diff_report *report, struct json *json)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	const struct judge *judge = &report->judge;

	json_key(json, "judgement");
	json_begin_object(json);
	json_member_string(json, "basis", judge_basis_word(judge->basis));
	diff_words_add_basis(report, &text);
	member_text(json, "words", &text);
	member_double(json, "false_discovery_rate", judge->alpha);
	member_double(json, "variance_factor", judge->factor);
	member_double(json, "between_runs",
		      judge->moderation.prior_df > 0 ? judge->moderation.common : NAN);
	member_double(json, "prior_df", judge->moderation.prior_df);
	member_double(json, "block_seconds", judge->block_s > 0 ? judge->block_s : NAN);
	member_double(json, "memory_seconds", judge->memory_s > 0 ? judge->memory_s : NAN);
	json_member_u64(json, "before_blocks", judge->before_blocks);
	json_member_u64(json, "after_blocks", judge->after_blocks);
	json_member_u64(json, "tests", judge->tested);
	json_key(json, "self_check");
	json_begin_object(json);
	json_member_u64(json, "tests", judge->check.tested);
	json_member_u64(json, "findings", judge->check.findings);
	member_double(json, "inflation", judge->check.tested ? judge->check.inflation : NAN);
	json_end_object(json);
	diff_words_add_plan(report, &text);
	member_text(json, "plan", &text);
	json_end_object(json);
}

static void write_words(const struct diff_report *report, struct json *json)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	diff_words_add_sentence(report, &text);
	member_text(json, "sentence", &text);
	json_key(json, "contradictions");
	json_begin_array(json);
	for (size_t i = 0; i < report->diff.nr; i++) {
		if (diff_words_add_contradiction(report, report->order[i], &text))
			json_string(json, text_string(&text));
		text_clear(&text);
	}
	json_end_array(json);
	json_key(json, "moves");
	json_begin_array(json);
	for (size_t i = 0; i < report->moves.nr; i++) {
		diff_words_add_move(report, &report->moves.list[i], &text);
		json_string(json, text_string(&text));
		text_clear(&text);
	}
	json_end_array(json);
}

/* ---- functions */

static void write_move(const struct diff_report *report, size_t row, struct json *json)
{
	const struct move *move = moves_of(&report->moves, row);

	json_key(json, "moved");
	if (!move) {
		json_null(json);
		return;
	}
	json_begin_object(json);
	json_member_string(json, "within", diff_report_name(report, move->caller));
	json_key(json, "others");
	json_begin_array(json);
	for (size_t i = 0; i < move->others_nr; i++)
		json_string(json, diff_report_name(report, move->others[i]));
	json_end_array(json);
	json_end_object(json);
}

static void write_test(const struct diff_report *report, size_t row, enum diff_reading reading,
		       struct json *json)
{
	const struct diff *diff = &report->diff;
	const struct diff_function *function = &diff->functions[row];
	const struct judge_row *judged = &report->judge.rows[row];
	const struct ratio_test *test = &judged->test[reading];
	double before = diff_before(diff, reading, function->before_total);
	double after = diff_after(diff, reading, function->after_total);

	json_begin_object(json);
	json_member_string(json, "reading", diff_reading_word(reading));
	member_double(json, "before_value", before);
	member_double(json, "after_value", after);
	member_double(json, "difference", after - before);
	member_double(json, "points",
		      diff_points(diff, reading, function->before_total, function->after_total));
	if (judged->is_tested) {
		member_double(json, "tested_difference", test->difference);
		member_double(json, "standard_error", test->standard_error);
		member_double(json, "low", test->low);
		member_double(json, "high", test->high);
		member_double(json, "relative", test->relative);
		member_double(json, "relative_low", test->relative_low);
		member_double(json, "relative_high", test->relative_high);
		member_double(json, "smallest", test->smallest);
		member_double(json, "df", test->df);
		member_double(json, "p", test->p);
		member_double(json, "test_weight", judged->test_weight);
		member_double(json, "q", judged->q[reading]);
		member_double(json, "q_strict", judged->q_strict[reading]);
	}
	json_end_object(json);
}

static void write_function(const struct diff_report *report, size_t row, struct json *json)
{
	const struct diff *diff = &report->diff;
	const struct diff_function *function = &diff->functions[row];
	const struct judge_row *judged = &report->judge.rows[row];

	json_begin_object(json);
	json_member_string(json, "name", diff_report_name(report, row));
	json_member_string(json, "origin",
			   origin_word(report->sides->naming->list[function->function].origin));
	json_member_weight(json, "before", function->before_total);
	json_member_weight(json, "after", function->after_total);
	member_change(json, "delta", function->before_total, function->after_total);
	json_member_weight(json, "before_self", function->before_self);
	json_member_weight(json, "after_self", function->after_self);
	json_member_string(
		json, "state",
		diff_state_word(diff_state(function->before_total, function->after_total)));
	json_member_string(json, "verdict",
			   judge_verdict_word(report->judge.basis, judged->verdict));
	write_move(report, row, json);
	if (report->judge.basis == JUDGE_NO_TIMES)
		member_double(json, "p_if_independent", judged->p_independent);
	json_key(json, "values");
	json_begin_array(json);
	for (enum diff_reading reading = 0; reading < DIFF_READING_NR; reading++)
		if (diff_has_reading(&diff->divisors, reading))
			write_test(report, row, reading, json);
	json_end_array(json);
	json_end_object(json);
}

/* ---- paths */

static const char *node_name(const struct diff_report *report, const struct calltree_node *node)
{
	const struct naming *naming = report->sides->naming;

	return names_display(&naming->capture->names, naming->list[node->function].name);
}

static void write_frame(const struct diff_report *report, uint32_t i, struct walk *walk,
			struct json *json)
{
	const struct calltree_node *node = &report->tree.nodes[i];
	const struct calltree_after *after = &report->tree.after[i];
	const struct naming *naming = report->sides->naming;

	walk_to(walk, node->depth, node_name(report, node));
	json_begin_object(json);
	json_member_string(json, "path", text_string(&walk->path));
	json_member_string(json, "name", node_name(report, node));
	json_member_u64(json, "depth", node->depth);
	json_member_string(json, "origin", origin_word(naming->list[node->function].origin));
	json_member_weight(json, "before", node->value);
	json_member_weight(json, "after", after->value);
	member_change(json, "delta", node->value, after->value);
	json_member_weight(json, "before_self", node->self);
	json_member_weight(json, "after_self", after->self);
	member_change(json, "delta_self", node->self, after->self);
	json_member_string(json, "state", diff_state_word(diff_state(node->value, after->value)));
	member_double(json, "percent",
		      node->value
			      ? 100 * weight_number(after->value) / weight_number(node->value) - 100
			      : NAN);
	member_double(json, "points",
		      diff_points(&report->diff, report->diff.leading, node->value, after->value));
	json_end_object(json);
}

static void write_frames(const struct diff_report *report, struct json *json)
{
	CLEANUP(walk_release) struct walk walk = {0};

	json_key(json, "frames");
	json_begin_array(json);
	for (uint32_t i = 1; i < report->tree.nr; i++)
		write_frame(report, i, &walk, json);
	json_end_array(json);
}

/* The before side as if it had the total of the after side: not cut to whole numbers. */
static void write_normalized(const struct diff_report *report, struct json *json)
{
	CLEANUP(walk_release) struct walk walk = {0};
	double scale =
		weight_number(report->diff.after_total) / weight_number(report->diff.before_total);

	if (report->diff.before_total == report->diff.after_total || !report->diff.before_total ||
	    !report->diff.after_total)
		return;
	json_key(json, "normalized");
	json_begin_array(json);
	for (uint32_t i = 1; i < report->tree.nr; i++) {
		const struct calltree_node *node = &report->tree.nodes[i];
		double before = weight_number(node->value) * scale;
		double after = weight_number(report->tree.after[i].value);

		walk_to(&walk, node->depth, node_name(report, node));
		json_begin_object(json);
		json_member_string(json, "path", text_string(&walk.path));
		member_double(json, "before", before);
		member_double(json, "after", after);
		member_double(json, "delta", after - before);
		json_end_object(json);
	}
	json_end_array(json);
}

void diff_json_write(const struct diff_report *report, FILE *out)
{
	struct json json = {.out = out};
	const struct diff *diff = &report->diff;

	json_begin_object(&json);
	json_member_string(&json, "event", profile_event_name(report->sides->named));
	json_member_string(&json, "unit",
			   report->sides->counts_samples ? "samples"
							 : profile_unit(report->sides->named));
	json_member_string(&json, "match", diff_match_words[report->match]);
	json_member_weight(&json, "before_total", diff->before_total);
	json_member_weight(&json, "after_total", diff->after_total);
	member_change(&json, "delta_total", diff->before_total, diff->after_total);
	json_member_weight(&json, "before_samples", diff->before_samples);
	json_member_weight(&json, "after_samples", diff->after_samples);
	write_captures(report, false, &json);
	write_captures(report, true, &json);
	write_facts(report, &json);
	write_readings(report, &json);
	write_judgement(report, &json);
	write_words(report, &json);
	json_key(&json, "functions");
	json_begin_array(&json);
	for (size_t i = 0; i < diff->nr; i++)
		write_function(report, report->order[i], &json);
	json_end_array(&json);
	write_frames(report, &json);
	write_normalized(report, &json);
	json_end_object(&json);
	json_finish(&json);
}
