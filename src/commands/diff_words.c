/* diff_words.c - a comparison in words for people */
#include <math.h>

#include "base/mem.h"
#include "commands/diff_report.h"
#include "model/capture.h"

/* What a sentence lists of each kind. */
#define LISTED_MAX 3

/* A change that a plan is made for, as a part of what a function takes. */
#define PLAN_PART 0.10

/* Points that a reading must say to contradict another one. */
#define CONTRADICTION_LEAST 0.5

const char *diff_report_name(const struct diff_report *report, size_t row)
{
	const struct naming *naming = report->sides->naming;

	return names_display(&naming->capture->names,
			     naming->list[report->diff.functions[row].function].name);
}

/* At least four digits, whatever the size. */
static void add_number(double value, struct text *text)
{
	double size = fabs(value);

	if (size >= 1000)
		weight_add_grouped(text, (weight)llround(size) * WEIGHT_ONE);
	else
		text_addf(text, "%.*f",
			  size >= 100	  ? 1
			  : size >= 10	  ? 2
			  : size >= 0.001 ? 3
					  : 6,
			  size);
}

static bool is_time(const struct diff_report *report)
{
	return !report->sides->counts_samples &&
	       strcmp(profile_unit(report->sides->named), "ns") == 0;
}

static void add_weight(const struct diff_report *report, double value, struct text *text)
{
	if (is_time(report) && value < 1e18) {
		units_add_time(text, (weight)(value * 1e9));
		return;
	}
	add_number(value, text);
}

void diff_words_add_value(const struct diff_report *report, enum diff_reading reading, double value,
			  bool is_signed, struct text *text)
{
	if (!isfinite(value)) {
		text_add(text, "-");
		return;
	}
	if (value < 0)
		text_add_char(text, '-');
	else if (is_signed)
		text_add_char(text, '+');
	value = fabs(value);
	if (reading == DIFF_SHARE) {
		text_addf(text, "%.2f%s", value * 100, is_signed ? "" : " %");
		return;
	}
	add_weight(report, value, text);
	if (reading == DIFF_PER_SECOND)
		text_add(text, "/s");
}

void diff_words_add_points(double points, struct text *text)
{
	text_addf(text, "%+.*f", fabs(points) < 1 ? 2 : 1, points);
}

void diff_words_add_reading(const struct diff_report *report, enum diff_reading reading,
			    struct text *text)
{
	const char *what = report->sides->counts_samples ? "samples"
							 : profile_event_name(report->sides->named);

	switch (reading) {
	case DIFF_PER_WORK:
		text_addf(text, "%s per %s", what, report->work_name);
		return;
	case DIFF_PER_SECOND:
		text_addf(text, "%s per second of wall time", what);
		return;
	case DIFF_SHARE:
	case DIFF_READING_NR:
		break;
	}
	text_addf(text, "share of all %s", what);
}

void diff_words_add_side(const struct diff_report *report, bool is_after, struct text *text)
{
	const struct diff *diff = &report->diff;
	weight samples = is_after ? diff->after_samples : diff->before_samples;
	double seconds = diff_sides_seconds(report->sides, is_after);

	profile_add_weight(report->sides->named, text,
			   is_after ? diff->after_total : diff->before_total);
	if (!report->sides->counts_samples) {
		text_addf(text, " of %s in ", profile_event_name(report->sides->named));
		weight_add_grouped(text, samples);
		text_add(text, samples == WEIGHT_ONE ? " sample" : " samples");
	}
	if (seconds > 0) {
		text_add(text, ", ");
		units_add_time(text, (weight)(seconds * 1e9) * WEIGHT_ONE);
		text_add(text, " of wall time");
	}
}

void diff_words_add_whole(const struct diff_report *report, enum diff_reading reading,
			  struct text *text)
{
	const struct diff *diff = &report->diff;

	diff_words_add_reading(report, reading, text);
	text_add(text, ": ");
	diff_words_add_value(report, reading, diff_before(diff, reading, diff->before_total), false,
			     text);
	text_add(text, " before, ");
	diff_words_add_value(report, reading, diff_after(diff, reading, diff->after_total), false,
			     text);
	text_add(text, " after");
}

void diff_words_add_widths(const struct diff_report *report, enum calltree_widths widths,
			   struct text *text)
{
	static const char *const words[] = {
		[CALLTREE_WIDTHS_BOTH] = "the larger side of each frame",
		[CALLTREE_WIDTHS_AFTER] = "the after side",
		[CALLTREE_WIDTHS_BEFORE] = "the before side",
	};

	text_addf(text, "Width: %s, ", words[widths]);
	diff_words_add_reading(report, report->diff.leading, text);
	text_add_char(text, '.');
}

/* ---- how sure */

bool diff_report_is_judged(const struct diff_report *report)
{
	return report->judge.basis != JUDGE_NO_TIMES && report->judge.basis != JUDGE_TOO_SHORT;
}

void diff_words_add_verdict(const struct diff_report *report, size_t row, struct text *text)
{
	const struct judge_row *judged = &report->judge.rows[row];
	enum diff_reading leading = report->diff.leading;

	text_add(text, judge_verdict_word(report->judge.basis, judged->verdict));
	if (!judged->is_tested || report->judge.basis == JUDGE_TOO_SHORT)
		return;
	text_add(text, ": the function everywhere ");
	diff_words_add_value(report, leading, judged->test[leading].low, true, text);
	text_add(text, " to ");
	diff_words_add_value(report, leading, judged->test[leading].high, true, text);
}

static void add_limits(const struct judge *judge, struct text *text)
{
	text_addf(text,
		  "; false discoveries at most %g %% (Benjamini-Hochberg over %zu, by weight)",
		  judge->alpha * 100, judge->tested);
	if (judge->check.tested)
		text_addf(text,
			  "; the before side against itself: %zu of %zu functions differ, "
			  "variance %.1f times that of independent samples",
			  judge->check.findings, judge->check.tested, judge->check.inflation);
}

void diff_words_add_basis(const struct diff_report *report, struct text *text)
{
	const struct judge *judge = &report->judge;

	switch (judge->basis) {
	case JUDGE_NO_TIMES:
		text_add(text, "unjudged: without times there is no telling a change from noise");
		return;
	case JUDGE_TOO_SHORT:
		text_addf(text,
			  "too short to judge: what varies remembers %.0f ms, captures of %.1f s "
			  "and more%s could be judged",
			  judge->memory_s * 1e3, judge->needed_s,
			  judge->memory_s > 1 ? ", or parts of these (file@+4..+8)," : "");
		return;
	case JUDGE_SCREEN:
		text_addf(text,
			  "screened: one capture a side, %zu and %zu blocks of %g s, variance "
			  "times %.3g for what differs between runs",
			  judge->before_blocks, judge->after_blocks, judge->block_s, judge->factor);
		break;
	case JUDGE_ONE_RUN:
		text_addf(text,
			  "judged within one run, of these two parts of it alone: %zu and %zu "
			  "blocks of %g s",
			  judge->before_blocks, judge->after_blocks, judge->block_s);
		break;
	case JUDGE_REPLICATES:
		text_addf(text, "judged by %zu and %zu captures", judge->before_blocks,
			  judge->after_blocks);
		if (judge->moderation.prior_df > 0)
			text_addf(text,
				  ", which vary %.2g times as much as blocks of %g s within them",
				  judge->moderation.common, judge->block_s);
		break;
	}
	add_limits(judge, text);
}

void diff_words_add_short_basis(const struct diff_report *report, struct text *text)
{
	const struct judge *judge = &report->judge;

	switch (judge->basis) {
	case JUDGE_NO_TIMES:
		text_add(text, "Unjudged: samples without times");
		return;
	case JUDGE_TOO_SHORT:
		text_addf(text, "Unjudged: too short, %.1f s are needed", judge->needed_s);
		return;
	case JUDGE_SCREEN:
		text_addf(text, "One pair of captures, a screen");
		break;
	case JUDGE_ONE_RUN:
		text_addf(text, "Two parts of one run");
		break;
	case JUDGE_REPLICATES:
		text_addf(text, "%zu and %zu captures", judge->before_blocks, judge->after_blocks);
		break;
	}
	text_addf(text, ", false discoveries at most %g %%", judge->alpha * 100);
}

/* ---- the sentence */

static double points_of(const struct diff_report *report, size_t row)
{
	const struct diff_function *function = &report->diff.functions[row];

	return diff_points(&report->diff, report->diff.leading, function->before_total,
			   function->after_total);
}

/* ", moved within mix, from mix_slow": whose work it was, or is. */
static void add_moved(const struct diff_report *report, const struct move *move, struct text *text)
{
	const char *before = points_of(report, move->row) > 0 ? ", from" : ", to";

	text_addf(text, ", moved within %s", diff_report_name(report, move->caller));
	for (size_t i = 0; i < move->others_nr; i++) {
		text_addf(text, "%s %s", before, diff_report_name(report, move->others[i]));
		before = i + 2 < move->others_nr ? "," : " and";
	}
}

void diff_words_add_move(const struct diff_report *report, const struct move *move,
			 struct text *text)
{
	text_addf(text, "%s ", diff_report_name(report, move->row));
	diff_words_add_points(points_of(report, move->row), text);
	text_add(text, " points");
	add_moved(report, move, text);
	text_addf(text, ": %s did not change", diff_report_name(report, move->caller));
	if (!move->others_nr)
		text_add(text,
			 ", and no single function in it is seen to have changed the other way");
}

static void add_change(const struct diff_report *report, size_t row, struct text *text)
{
	enum diff_reading leading = report->diff.leading;
	const struct judge_row *judged = &report->judge.rows[row];
	const struct diff_function *function = &report->diff.functions[row];

	text_addf(text, "%s ", diff_report_name(report, row));
	diff_words_add_value(report, leading,
			     diff_after(&report->diff, leading, function->after_total) -
				     diff_before(&report->diff, leading, function->before_total),
			     true, text);
	if (leading == DIFF_SHARE)
		text_add(text, " points");
	if (judged->verdict != JUDGE_CHANGED)
		return;
	text_add(text, " (95 % interval ");
	diff_words_add_value(report, leading, judged->test[leading].low, true, text);
	text_add(text, " to ");
	diff_words_add_value(report, leading, judged->test[leading].high, true, text);
	text_add_char(text, ')');
	if (moves_of(&report->moves, row))
		add_moved(report, moves_of(&report->moves, row), text);
}

bool diff_report_is_repeated(const struct diff_report *report, size_t at)
{
	const struct diff_function *x, *y;

	if (!at)
		return false;
	x = &report->diff.functions[report->order[at]];
	y = &report->diff.functions[report->order[at - 1]];
	return x->before_total == y->before_total && x->after_total == y->after_total;
}

/* Those of one verdict that grew, or shrank. Returns how many there are. */
static size_t add_changes(const struct diff_report *report, enum judge_verdict verdict,
			  bool has_grown, const char *how, struct text *text)
{
	size_t nr = 0;

	for (size_t i = 0; i < report->diff.nr; i++) {
		size_t row = report->order[i];
		double points = points_of(report, row);

		if (report->judge.rows[row].verdict != verdict || points == 0 ||
		    (points > 0) != has_grown || diff_report_is_repeated(report, i))
			continue;
		if (nr < LISTED_MAX) {
			if (nr)
				text_add(text, ", ");
			else
				text_addf(text, "%s, %s: ", how, has_grown ? "grew" : "shrank");
			add_change(report, row, text);
		}
		nr++;
	}
	if (nr > LISTED_MAX)
		text_addf(text, " and %zu more", nr - LISTED_MAX);
	if (nr)
		text_add(text, ". ");
	return nr;
}

/* The median of what could have been seen of the functions that were tested, in points. */
static void add_unseen(const struct diff_report *report, struct text *text)
{
	enum diff_reading leading = report->diff.leading;
	double whole = diff_before(&report->diff, leading, report->diff.before_total);
	double most = 0;

	if (report->judge.basis == JUDGE_NO_TIMES || report->judge.basis == JUDGE_TOO_SHORT)
		return;
	if (whole <= 0)
		whole = diff_after(&report->diff, leading, report->diff.after_total);
	for (size_t i = 0; i < report->diff.nr; i++)
		if (report->judge.rows[i].is_tested)
			most = fmax(most, report->judge.rows[i].test[leading].smallest);
	if (!isfinite(most))
		text_add(text, "Nothing could have been seen: there are too few blocks.");
	else if (most > 0 && whole > 0)
		text_addf(text, "Changes of less than %.2g points can have been missed.",
			  100 * most / whole);
}

static bool has_difference(const struct diff_report *report)
{
	for (size_t i = 0; i < report->diff.nr; i++)
		if (points_of(report, i) != 0)
			return true;
	return false;
}

void diff_words_add_sentence(const struct diff_report *report, struct text *text)
{
	enum judge_basis basis = report->judge.basis;
	bool is_unjudged = basis == JUDGE_NO_TIMES || basis == JUDGE_TOO_SHORT;
	const char *how = is_unjudged		  ? "Unjudged"
			  : basis == JUDGE_SCREEN ? "Screened"
						  : "Established";
	enum judge_verdict verdict = is_unjudged ? JUDGE_UNJUDGED : JUDGE_CHANGED;
	size_t nr = add_changes(report, verdict, true, how, text);

	nr += add_changes(report, verdict, false, how, text);
	if (!nr)
		text_add(text,
			 has_difference(report) ? "No change is established. " : "No difference. ");
	add_unseen(report, text);
	while (text->size && text->bytes[text->size - 1] == ' ')
		text->bytes[--text->size] = '\0';
}

/* ---- where readings disagree */

/*
 * Of a change that is worth a word: +1 or -1; else 0. Where it was tested 0 is what is not told
 * from no change.
 */
static int sign_of(const struct diff_report *report, size_t row, enum diff_reading reading)
{
	const struct diff *diff = &report->diff;
	const struct diff_function *function = &diff->functions[row];
	const struct judge_row *judged = &report->judge.rows[row];
	double points;

	if (!diff_has_reading(&diff->divisors, reading))
		return 0;
	points = diff_points(diff, reading, function->before_total, function->after_total);
	if (fabs(points) < CONTRADICTION_LEAST)
		return 0;
	if (judged->is_tested && report->judge.basis != JUDGE_TOO_SHORT &&
	    judged->test[reading].low <= 0 && judged->test[reading].high >= 0)
		return 0;
	return points > 0 ? 1 : -1;
}

static bool is_contradicted(const struct diff_report *report, size_t row)
{
	int leading = sign_of(report, row, report->diff.leading);

	for (enum diff_reading reading = 0; reading < DIFF_READING_NR; reading++) {
		int sign = sign_of(report, row, reading);

		if (sign && sign != leading)
			return true;
	}
	return false;
}

bool diff_words_add_contradiction(const struct diff_report *report, size_t row, struct text *text)
{
	const struct diff *diff = &report->diff;
	const struct diff_function *function = &diff->functions[row];
	const char *before = "";

	if (!is_contradicted(report, row))
		return false;
	text_addf(text, "readings disagree on %s: ", diff_report_name(report, row));
	for (enum diff_reading reading = 0; reading < DIFF_READING_NR; reading++) {
		if (!diff_has_reading(&diff->divisors, reading))
			continue;
		text_addf(text, "%s%s ", before, diff_reading_words(reading));
		diff_words_add_points(
			diff_points(diff, reading, function->before_total, function->after_total),
			text);
		text_add(text, " points");
		if (!sign_of(report, row, reading))
			text_add(text, " (unchanged as far as can be seen)");
		before = ", ";
	}
	return true;
}

/* ---- next time */

/* The function with the most weight of its own that was tested and not found to change. */
static size_t row_of_plan(const struct diff_report *report)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < report->diff.nr; i++) {
		const struct judge_row *row = &report->judge.rows[i];

		if (!row->is_tested || row->verdict == JUDGE_CHANGED ||
		    !report->diff.functions[i].before_self)
			continue;
		if (best == SIZE_MAX || report->diff.functions[i].before_self >
						report->diff.functions[best].before_self)
			best = i;
	}
	return best;
}

/* How often the before side was sampled, of events that are clocks; 0: that is not known. */
static double frequency_hz(const struct diff_report *report)
{
	double samples = weight_number(report->diff.before_samples);
	double period_ns = weight_number(report->diff.before_total) / fmax(samples, 1e-9);

	return is_time(report) && period_ns >= 1 ? 1e9 / period_ns : 0;
}

void diff_words_add_plan(const struct diff_report *report, struct text *text)
{
	double seconds = diff_sides_seconds(report->sides, false) /
			 (double)(report->sides->before_nr ? report->sides->before_nr : 1);
	size_t row = row_of_plan(report);
	struct judge_plan plan;

	if (row == SIZE_MAX)
		return;
	plan = judge_plan(&report->judge, &report->diff, row, PLAN_PART, seconds);
	if (!plan.captures)
		return;
	text_addf(text, "to see 10 %% in %s: record %zu captures of %.3g s",
		  diff_report_name(report, row), plan.captures, plan.seconds);
	if (frequency_hz(report) > 0)
		text_addf(text, " at %.0f Hz", frequency_hz(report));
	text_add(text, " on each side");
}
