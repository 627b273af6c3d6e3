/* order_write.c - what tephra order found, as a table, CSV or JSON */
#include "commands/order_write.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/track.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "commands/json.h"
#include "commands/order_evidence.h"
#include "commands/rows.h"

/* ---- words */

/* "queue.rejected first-rejection": what relations call a milestone. */
static void add_name(struct text *text, const struct milestone *milestone)
{
	text_addf(text, "%s %s", milestone->role, milestone_word(milestone->what));
}

/* Seconds from the start: "+3.899". */
static void add_seconds(struct text *text, uint64_t time_ns, uint64_t start_ns)
{
	text_addf(text, "%+.3f", ((double)time_ns - (double)start_ns) / 1e9);
}

static void add_share(struct text *text, struct demand_share share)
{
	if (isnan(share.most))
		return;
	if (lround(100 * share.least) == lround(100 * share.most))
		text_addf(text, "%.0f %%", 100 * share.least);
	else
		text_addf(text, "%.0f to %.0f %%", 100 * share.least, 100 * share.most);
}

/* ---- JSON */

static void json_member_name(struct json *json, const char *key, const struct milestone *milestone)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	add_name(&text, milestone);
	json_member_string(json, key, text_string(&text));
}

static void write_onsets(const struct ordering *order, struct json *json)
{
	json_key(json, "onsets");
	json_begin_array(json);
	for (size_t i = 0; i < order->nr; i++) {
		const struct milestone *milestone = &order->milestones[i];

		json_begin_object(json);
		json_member_string(json, "role", milestone->role);
		json_member_string(json, "what", milestone_word(milestone->what));
		json_member_u64(json, "after_ns", milestone->after_ns);
		json_member_u64(json, "until_ns", milestone->until_ns);
		json_key(json, "clock_error_ns");
		if (milestone->has_unknown_clock)
			json_null(json);
		else
			json_u64(json, milestone->error_ns);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_relations(const struct ordering *order, struct json *json)
{
	json_key(json, "relations");
	json_begin_array(json);
	for (size_t i = 0; i < order->nr; i++) {
		for (size_t k = i + 1; k < order->nr; k++) {
			json_begin_object(json);
			json_member_name(json, "first", &order->milestones[i]);
			json_member_name(json, "second", &order->milestones[k]);
			json_member_string(json, "relation",
					   milestone_relation_word(milestone_relate(
						   &order->milestones[i], &order->milestones[k])));
			json_end_object(json);
		}
	}
	json_end_array(json);
}

static void write_strings(struct json *json, const char *key, char *const *list, size_t nr)
{
	json_key(json, key);
	json_begin_array(json);
	for (size_t i = 0; i < nr; i++)
		json_string(json, list[i]);
	json_end_array(json);
}

static void write_share(struct json *json, const char *key, double share, bool has_share)
{
	json_key(json, key);
	if (has_share)
		json_share(json, share);
	else
		json_null(json);
}

static void write_readings(const struct ordering *order, struct json *json)
{
	json_key(json, "readings");
	json_begin_array(json);
	for (int i = 0; i < READING_NR; i++) {
		const struct reading *reading = &order->readings.list[i];
		bool has_share = !isnan(reading->share.most);

		json_begin_object(json);
		json_member_string(json, "reading", reading_word(reading->kind));
		json_member_string(json, "verdict", reading_verdict_word(reading->verdict));
		write_share(json, "share_least", reading->share.least, has_share);
		write_share(json, "share_most", reading->share.most, has_share);
		write_strings(json, "for", reading->for_it, reading->for_nr);
		write_strings(json, "against", reading->against, reading->against_nr);
		json_key(json, "decided_by");
		if (reading->decided_by)
			json_string(json, reading->decided_by);
		else
			json_null(json);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_incident(const struct ordering *order, struct json *json)
{
	const struct incident *incident = &order->incident;

	json_key(json, "incident");
	if (!incident->is_found) {
		json_null(json);
		return;
	}
	json_begin_object(json);
	json_member_string(json, "symptom", evidence_word(incident->symptom));
	json_member_u64(json, "before_from_ns", incident->before.from_ns);
	json_member_u64(json, "before_to_ns", incident->before.to_ns);
	json_member_u64(json, "from_ns", incident->during.from_ns);
	json_member_u64(json, "to_ns", incident->during.to_ns);
	json_end_object(json);
}

static void write_json(const struct ordering *order, const struct order_evidence *evidence,
		       const struct order_facts *facts, FILE *out)
{
	const struct evidence *of = &evidence->set.evidence;
	struct json json = {.out = out};

	json_begin_object(&json);
	json_member_string(&json, "clock", facts->clock);
	json_member_u64(&json, "start_ns", facts->start_ns);
	json_member_u64(&json, "tick_ns", facts->tick_ns);
	json_member_u64(&json, "seed", (uint64_t)facts->seed);
	json_key(&json, "stage");
	if (of->stage)
		json_string(&json, of->stage);
	else
		json_null(&json);
	json_key(&json, "queue");
	if (evidence->queue)
		json_string(&json, evidence->queue);
	else
		json_null(&json);
	json_key(&json, "workers");
	if (isnan(of->workers))
		json_null(&json);
	else
		json_u64(&json, (uint64_t)of->workers);
	write_incident(order, &json);
	write_onsets(order, &json);
	write_relations(order, &json);
	write_readings(order, &json);
	json_end_object(&json);
	json_finish(&json);
}

/* ---- CSV: a row for each onset, relation and reading */

static const struct rows_column csv_columns[] = {
	{.key = "record"},   {.key = "name"},	 {.key = "what"},	 {.key = "after_ns"},
	{.key = "until_ns"}, {.key = "second"},	 {.key = "share_least"}, {.key = "share_most"},
	{.key = "for"},	     {.key = "against"}, {.key = "decided_by"},
};

static void add_blanks(struct rows *rows, size_t nr)
{
	while (nr--)
		rows_add(rows, "");
}

static void add_relation_row(const struct milestone *a, const struct milestone *b,
			     struct rows *rows)
{
	CLEANUP(text_release) struct text first = TEXT_INIT, second = TEXT_INIT;

	add_name(&first, a);
	add_name(&second, b);
	rows_add(rows, "relation");
	rows_add(rows, text_string(&first));
	rows_add(rows, milestone_relation_word(milestone_relate(a, b)));
	add_blanks(rows, 2);
	rows_add(rows, text_string(&second));
	add_blanks(rows, 5);
}

static void add_joined(char *const *list, size_t nr, struct rows *rows)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	for (size_t i = 0; i < nr; i++)
		text_addf(&text, "%s%s", i ? "; " : "", list[i]);
	rows_add(rows, text_string(&text));
}

static void add_number(struct rows *rows, double share)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (!isnan(share))
		text_addf(&text, "%.4f", share);
	rows_add(rows, text_string(&text));
}

static void add_reading_row(const struct reading *reading, struct rows *rows)
{
	bool has_share = !isnan(reading->share.most);

	rows_add(rows, "reading");
	rows_add(rows, reading_word(reading->kind));
	rows_add(rows, reading_verdict_word(reading->verdict));
	add_blanks(rows, 3);
	add_number(rows, has_share ? reading->share.least : (double)NAN);
	add_number(rows, reading->share.most);
	add_joined(reading->for_it, reading->for_nr, rows);
	add_joined(reading->against, reading->against_nr, rows);
	rows_add(rows, reading->decided_by ? reading->decided_by : "");
}

static void write_csv(const struct ordering *order, FILE *out)
{
	CLEANUP(rows_release) struct rows rows;

	rows_init(&rows, csv_columns, ARRAY_NR(csv_columns));
	for (size_t i = 0; i < order->nr; i++) {
		rows_add(&rows, "onset");
		rows_add(&rows, order->milestones[i].role);
		rows_add(&rows, milestone_word(order->milestones[i].what));
		rows_add_weight(&rows, weight_of(order->milestones[i].after_ns));
		rows_add_weight(&rows, weight_of(order->milestones[i].until_ns));
		add_blanks(&rows, 6);
	}
	for (size_t i = 0; i < order->nr; i++)
		for (size_t k = i + 1; k < order->nr; k++)
			add_relation_row(&order->milestones[i], &order->milestones[k], &rows);
	for (int i = 0; i < READING_NR; i++)
		add_reading_row(&order->readings.list[i], &rows);
	rows_write_csv(&rows, out);
}

/* ---- table */

static const struct rows_column milestone_columns[] = {
	{.head = "nr", .is_number = true},
	{.head = "what"},
	{.head = "after s", .is_number = true},
	{.head = "until s", .is_number = true},
	{.head = "precedes"},
	{.head = "not separable from"},
};

/* The numbers of later ones that stand in that relation to it. */
static void add_numbers(const struct ordering *order, size_t of, enum milestone_relation relation,
			struct rows *rows)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	for (size_t i = 0; i < order->nr; i++) {
		enum milestone_relation is =
			i < of ? milestone_relate(&order->milestones[i], &order->milestones[of])
			       : milestone_relate(&order->milestones[of], &order->milestones[i]);

		if (i != of && is == relation && (i > of || relation == MILESTONE_NOT_SEPARABLE))
			text_addf(&text, "%s%zu", text.size ? " " : "", i + 1);
	}
	rows_add(rows, text_string(&text));
}

static void write_milestones(const struct ordering *order, const struct order_facts *facts,
			     FILE *out)
{
	CLEANUP(rows_release) struct rows rows;

	rows_init(&rows, milestone_columns, ARRAY_NR(milestone_columns));
	for (size_t i = 0; i < order->nr; i++) {
		const struct milestone *milestone = &order->milestones[i];
		CLEANUP(text_release)
		struct text name = TEXT_INIT, after = TEXT_INIT, until = TEXT_INIT;

		rows_add_weight(&rows, weight_of(i + 1));
		add_name(&name, milestone);
		rows_add(&rows, text_string(&name));
		add_seconds(&after, milestone->after_ns, facts->start_ns);
		rows_add(&rows, text_string(&after));
		add_seconds(&until, milestone->until_ns, facts->start_ns);
		rows_add(&rows, text_string(&until));
		add_numbers(order, i, MILESTONE_PRECEDES, &rows);
		add_numbers(order, i, MILESTONE_NOT_SEPARABLE, &rows);
	}
	rows_write_table(&rows, out);
}

static void write_reading(const struct reading *reading, FILE *out)
{
	CLEANUP(text_release) struct text share = TEXT_INIT;

	add_share(&share, reading->share);
	fprintf(out, "%-12s  %-9s  %s%s%s\n", reading_verdict_word(reading->verdict),
		reading_word(reading->kind), text_string(&share), share.size ? ": " : "",
		reading_text(reading->kind));
	for (size_t i = 0; i < reading->for_nr; i++)
		fprintf(out, "    for      %s\n", reading->for_it[i]);
	for (size_t i = 0; i < reading->against_nr; i++)
		fprintf(out, "    against  %s\n", reading->against[i]);
	if (reading->decided_by)
		fprintf(out, "    decides  %s\n", reading->decided_by);
}

static void write_head(const struct ordering *order, const struct order_evidence *evidence,
		       const struct order_facts *facts, FILE *out)
{
	const struct evidence *of = &evidence->set.evidence;
	const struct incident *incident = &order->incident;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	text_add(&text, "seconds from ");
	units_add_seconds(&text, facts->start_ns);
	text_addf(&text, " of the clock %s; tick ", facts->clock);
	units_add_time(&text, weight_of(facts->tick_ns));
	if (of->stage)
		text_addf(&text, "; stage %s, %.0f thread%s", of->stage, of->workers,
			  of->workers == 1 ? "" : "s");
	if (evidence->queue)
		text_addf(&text, "; queue %s", evidence->queue);
	fprintf(out, "# %s\n", text_string(&text));
	text_clear(&text);
	if (!incident->is_found)
		return;
	text_addf(&text, "to be explained: %s, from ", evidence_word(incident->symptom));
	add_seconds(&text, incident->during.from_ns, facts->start_ns);
	text_add(&text, " to ");
	add_seconds(&text, incident->during.to_ns, facts->start_ns);
	fprintf(out, "# %s s\n", text_string(&text));
}

static void write_table(const struct ordering *order, const struct order_evidence *evidence,
			const struct order_facts *facts, FILE *out)
{
	write_head(order, evidence, facts, out);
	if (order->nr)
		write_milestones(order, facts, out);
	else
		fputs("# nothing left its baseline, and no limit was reached\n", out);
	fputc('\n', out);
	for (int i = 0; i < READING_NR; i++)
		write_reading(&order->readings.list[i], out);
}

void order_write(const struct ordering *order, const struct order_evidence *evidence,
		 const struct order_facts *facts, int format, FILE *out)
{
	if (format == ROWS_JSON)
		write_json(order, evidence, facts, out);
	else if (format == ROWS_CSV)
		write_csv(order, out);
	else
		write_table(order, evidence, facts, out);
}
