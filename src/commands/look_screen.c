/* look_screen.c - tephra look on a terminal: at most 30 lines of 80 columns */
#include <inttypes.h>
#include <math.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "commands/look_facts.h"
#include "commands/look_lines.h"

/* Above the lists of functions. */
#define HEAD_OWN  "  own weight"
#define HEAD_BOTH HEAD_OWN "                         with all that they call"

#define PARTS	     40 /* of a sparkline */
#define NAME_COLUMNS 15 /* of a process in front of it */
#define PROCESSES    4
#define CANNOT	     4

/* What is less than this share is not told among kinds. */
#define KIND_LEAST 0.01

/* The same of a function with own weight. */
#define OWN_LEAST 0.001

/* ---- what it is */

static void add_samples(const struct look *look, struct text *text)
{
	const struct paths *paths = &look->profile.paths;

	weight_add_grouped(text, paths->count);
	text_addf(text, " %s of %s", paths->count == WEIGHT_ONE ? "sample" : "samples",
		  profile_event_name(&look->profile));
	if (strcmp(profile_unit(&look->profile), "ns") == 0) {
		text_add(text, ", ");
		profile_add_weight(&look->profile, text, paths->period);
		text_add(text, " of CPU");
	}
	if (look->seconds > 0) {
		text_add(text, " in ");
		units_add_time(text, (weight)(look->seconds * 1e18));
	}
}

static void write_title(const struct look *look, FILE *out)
{
	CLEANUP(text_release) struct text text = TEXT_INIT, file = TEXT_INIT;
	const char *slash = strrchr(look->profile.operand, '/');
	const char *name = slash ? slash + 1 : look->profile.operand;

	utf8_add_clean(&file, name, strlen(name));
	text_addf(&text, "%s: ", text_string(&file));
	add_samples(look, &text);
	fprintf(out, "%.*s\n", (int)utf8_prefix(text_string(&text), LOOK_COLUMNS),
		text_string(&text));
}

/* `sleep 30` is no program that anybody profiles, but often the one on the command line. */
static void write_started(const struct look *look, FILE *out)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (!*look->recording.program)
		return;
	text_addf(&text, "%s%s",
		  look->recording.is_attached ? "not started here; recorded while this ran: " : "",
		  look->recording.program);
	look_line(out, "program", text_string(&text));
}

static void write_program(const struct look *look, FILE *out)
{
	const struct facts *facts = &look->profile.capture.facts;
	const char *host = facts_find(facts, "hostname"), *kernel = facts_find(facts, "os release");
	const char *arch = facts_find(facts, "arch");
	CLEANUP(text_release) struct text text = TEXT_INIT;

	write_started(look, out);
	look_add_date(look, &text);
	if (host)
		text_addf(&text, "%son %s", text.size ? " " : "", host);
	if (kernel)
		text_addf(&text, "%sLinux %s", text.size ? ", " : "", kernel);
	if (arch)
		text_addf(&text, "%s%s", text.size ? ", " : "", arch);
	look_line(out, "recorded", text.size ? text_string(&text) : "the file does not say when");
}

/* "GNU C11 12.2.0 -O1; frame pointers: kept; DWARF 5" */
static void write_built(const struct look *look, FILE *out)
{
	const struct facts *facts = &look->profile.capture.facts;
	const char *compiler = facts_find(facts, "built.compiler");
	const char *level = facts_find(facts, "built.optimisation");
	const char *pointers = facts_find(facts, "built.frame_pointers");
	const char *version = facts_find(facts, "built.dwarf");
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (!compiler || !pointers || !version)
		return;
	text_addf(&text, "%s%s%s; frame pointers: %s; DWARF %s", compiler, level ? " " : "",
		  level ? level : "", pointers, version);
	look_line(out, "built", text_string(&text));
}

static void write_how(const struct look *look, FILE *out)
{
	const struct recording *recording = &look->recording;
	const struct recording_event *event = &recording->events[look->profile.event];
	CLEANUP(text_release) struct text text = TEXT_INIT, others = TEXT_INIT;

	text_add(&text, look->profile.capture.format);
	if (event->is_known && event->rate)
		text_addf(&text, event->is_frequency ? ", %" PRIu64 " Hz" : ", each %" PRIu64,
			  event->rate);
	if (recording->scope != RECORDING_SCOPE_UNKNOWN)
		text_addf(&text, ", of %s", recording_scope_text(recording->scope));
	if (look->profile.paths.left_out[PATH_IDLE]) {
		text_add(&text, ", without ");
		weight_add_grouped(&text, look->profile.paths.left_out[PATH_IDLE]);
		text_addf(&text, " %s of idle CPUs",
			  look->profile.paths.left_out[PATH_IDLE] == WEIGHT_ONE ? "sample"
										: "samples");
	}
	profile_add_events(&look->profile.capture, look->profile.event, &others);
	if (others.size)
		text_addf(&text, "; other events: %s", text_string(&others));
	look_line(out, "how", text_string(&text));
}

static void write_losses(const struct look *look, FILE *out)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	for (size_t i = 0; i < look->audit.nr; i++) {
		enum audit_code code = look->audit.list[i].code;

		if (code == AUDIT_LOST || code == AUDIT_THROTTLED || code == AUDIT_CUT ||
		    code == AUDIT_DAMAGED)
			text_addf(&text, "%s%s", text.size ? "; " : "", look->audit.list[i].what);
	}
	look_wrapped(out, "lost", text.size ? text_string(&text) : "nothing that the file tells",
		     1);
}

static void write_unnamed(const struct look *look, FILE *out)
{
	const struct capture *capture = &look->profile.capture;
	weight unnamed, all = summary_unnamed(&look->summary);
	uint32_t worst = look_worst_module(look, &unnamed);
	CLEANUP(text_release) struct text text = TEXT_INIT;

	units_add_percent(&text, weight_share(all, look->summary.samples), 1);
	text_add(&text, " of samples");
	if (worst != MODULE_NONE) {
		const struct module *module = &capture->modules.list[worst];

		text_addf(&text, "; missing most: %s",
			  names_display(&capture->names, module->basename));
		if (capture->has_offsets)
			text_addf(&text, " (%s)", module_status_word(module->status));
	}
	look_line(out, "no name", text_string(&text));
}

/* ---- busy or idle */

static void add_spark(const double *parts, double most, struct text *text)
{
	static const char *const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

	for (size_t i = 0; i < PARTS; i++) {
		double height = most > 0 ? 8 * parts[i] / most : 0;

		text_add(text, bars[height <= 0 ? 0 : (size_t)fmin(8, ceil(height - 0.001))]);
	}
}

static void add_process_name(const struct look *look, const struct activity_process *process,
			     struct text *text)
{
	const struct capture *capture = &look->profile.capture;
	uint32_t comm = capture->tasks.list[process->task].comm;
	const char *name = comm == NAME_NONE ? "?" : names_display(&capture->names, comm);
	size_t size = utf8_prefix(name, NAME_COLUMNS);

	text_add_bytes(text, name, size);
	for (size_t i = utf8_columns(text_string(text)); i < NAME_COLUMNS + 1; i++)
		text_add_char(text, ' ');
}

/* "1.85 M/s" */
static void add_rate(double rate, struct text *text)
{
	static const char *const units[] = {"", " k", " M", " G", " T"};
	size_t i = 0;

	for (; rate >= 1000 && i + 1 < ARRAY_NR(units); i++)
		rate /= 1000;
	text_addf(text, "%.3g%s/s", rate, units[i]);
}

/* The mean at the end: CPUs where the event is a clock, else how often a second. */
static void add_mean(const struct look *look, const struct activity_process *process,
		     struct text *text)
{
	double mean = weight_number(process->weight) / look->seconds;

	text_add_char(text, ' ');
	if (strcmp(profile_unit(&look->profile), "ns") == 0)
		text_addf(text, "%.2f CPUs", mean / 1e9);
	else
		add_rate(mean, text);
}

/* What the ends and the highest bar stand for. */
static void add_scale(const struct look *look, double most, struct text *text)
{
	bool is_time = strcmp(profile_unit(&look->profile), "ns") == 0;

	text_addf(text, "%-*s0 s", NAME_COLUMNS + 1, "");
	for (size_t i = 0; i < PARTS - 12; i++)
		text_add_char(text, ' ');
	text_addf(text, "%7.4g s", look->seconds);
	if (is_time) {
		text_addf(text, "; █ %.2f CPUs", most);
		return;
	}
	text_add(text, "; █ ");
	add_rate(most * 1e9, text);
}

static void write_activity(const struct look *look, FILE *out)
{
	const struct activity *activity = &look->activity;
	/* with a queue's lines there is room for two less */
	uint32_t most_shown = look->queue.has_counters ? PROCESSES - 2 : PROCESSES;
	uint32_t shown = activity->nr < most_shown ? activity->nr : most_shown;
	CLEANUP(text_release) struct text scale = TEXT_INIT;
	double parts[PROCESSES][PARTS], most = 0;

	if (!activity->has_times || look->seconds <= 0) {
		look_line(out, "busy", "when is not known: samples have no times, or one alone");
		return;
	}
	while (shown && activity->list[shown - 1]->is_idle)
		shown--;
	for (uint32_t i = 0; i < shown; i++) {
		activity_parts(activity, activity->list[i], parts[i], PARTS);
		for (size_t j = 0; j < PARTS; j++)
			most = fmax(most, parts[i][j]);
	}
	add_scale(look, most, &scale);
	look_line(out, "busy", text_string(&scale));
	for (uint32_t i = 0; i < shown; i++) {
		CLEANUP(text_release) struct text text = TEXT_INIT;

		add_process_name(look, activity->list[i], &text);
		add_spark(parts[i], most, &text);
		add_mean(look, activity->list[i], &text);
		if (i + 1 == shown && activity->nr > shown)
			text_addf(&text, " +%" PRIu32, activity->nr - shown);
		look_line(out, "", text_string(&text));
	}
}

/* ---- functions */

static void add_function(const struct look *look, size_t row, bool is_total, struct text *text)
{
	const struct top_row *of = &look->top.rows[row];
	const char *name = look_function(look, row);
	size_t columns = (LOOK_COLUMNS - LOOK_HEAD) / 2 - 9;
	size_t size = utf8_prefix(name, columns);

	text_addf(text, "%5.1f %% ",
		  100 * weight_share(is_total ? of->total : of->self, look->top.total));
	if (name[size])
		size = utf8_prefix(name, columns - 1);
	text_add_bytes(text, name, size);
	text_add(text, name[size] ? "…" : "");
}

static void write_functions(const struct look *look, FILE *out)
{
	size_t own = look->top.nr < LOOK_FUNCTIONS ? look->top.nr : LOOK_FUNCTIONS;

	while (own && weight_share(look->top.rows[own - 1].self, look->top.total) < OWN_LEAST)
		own--;
	look_line(out, "", look->notable_nr ? HEAD_BOTH : HEAD_OWN);
	for (size_t i = 0; i < LOOK_FUNCTIONS && (i < own || i < look->notable_nr); i++) {
		CLEANUP(text_release) struct text text = TEXT_INIT;

		if (i < own)
			add_function(look, i, false, &text);
		while (i < look->notable_nr &&
		       utf8_columns(text_string(&text)) < (LOOK_COLUMNS - LOOK_HEAD) / 2)
			text_add_char(&text, ' ');
		if (i < look->notable_nr)
			add_function(look, look->notable[i], true, &text);
		look_line(out, i ? "" : "most in", text_string(&text));
	}
}

static void write_kinds(const struct look *look, FILE *out)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	enum kind kinds[KIND_NR];
	size_t nr = kinds_sorted(&look->kinds, kinds);

	for (size_t i = 0; i < nr; i++) {
		double share = weight_share(look->kinds.by_kind[kinds[i]], look->kinds.total);

		if (share < KIND_LEAST)
			break;
		text_addf(&text, "%s%s %.0f %%", i ? ", " : "", kind_word(kinds[i]), 100 * share);
	}
	look_wrapped(out, "kinds", text_string(&text), 2);
}

/* ---- the end */

static bool is_told_above(enum audit_code code)
{
	return code == AUDIT_LOST || code == AUDIT_THROTTLED || code == AUDIT_CUT ||
	       code == AUDIT_DAMAGED || code == AUDIT_NAMES_MISSING;
}

/* A CPU profile has no sample of a thread that waits; tracepoints are of what they are. */
static bool is_cpu_time(const struct look *look)
{
	const char *name = profile_event_name(&look->profile);
	size_t size = events_base_size(name);

	return strcmp(profile_unit(&look->profile), "ns") == 0 ||
	       (size == strlen("cycles") && memcmp(name, "cycles", size) == 0);
}

static void write_cannot(const struct look *look, FILE *out)
{
	int left = CANNOT - is_cpu_time(look);
	const char *head = "beware";

	for (size_t i = 0; i < look->audit.nr && left; i++) {
		const struct audit_finding *finding = &look->audit.list[i];
		CLEANUP(text_release) struct text text = TEXT_INIT;

		if (is_told_above(finding->code))
			continue;
		text_addf(&text, "%s: %s", audit_word(finding->code), finding->what);
		left -= look_wrapped(out, head, text_string(&text), left < 2 ? left : 2);
		head = "";
	}
	if (is_cpu_time(look))
		look_line(out, head,
			  "waiting is not in it: threads have samples only while they run");
}

/* What no file tells, where nobody has told it: the --fact to give at an import. */
static void write_wanted(const struct look *look, FILE *out)
{
	static const char *const wanted[] = {"build", "image", "load"};
	CLEANUP(text_release) struct text text = TEXT_INIT;

	for (size_t i = 0; i < ARRAY_NR(wanted); i++)
		if (!facts_find(&look->profile.capture.facts, wanted[i]))
			text_addf(&text, " --fact %s=...", wanted[i]);
	if (text.size)
		text_add(&text, " to tephra import");
	if (text.size)
		look_line(out, "tell", text_string(&text) + 1);
}

static void write_picture(const struct look *look, FILE *out)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (look->picture.size)
		utf8_add_clean(&text, look->picture.bytes, look->picture.size);
	else if (look->no_picture.size)
		text_addf(&text, "none: %s", text_string(&look->no_picture));
	else
		text_add(&text, "none: --no-picture");
	look_line(out, "picture", text_string(&text));
}

void look_write_screen(const struct look *look, FILE *out)
{
	write_title(look, out);
	write_program(look, out);
	write_how(look, out);
	write_built(look, out);
	write_losses(look, out);
	write_unnamed(look, out);
	write_activity(look, out);
	write_functions(look, out);
	write_kinds(look, out);
	look_queue_write(&look->queue, out);
	write_cannot(look, out);
	write_wanted(look, out);
	write_picture(look, out);
	/* never cut: they are typed as they stand */
	for (size_t i = 0; i < LOOK_NEXT && look->next[i].size; i++)
		fprintf(out, "%-*s%s\n", LOOK_HEAD, i ? "" : "next", text_string(&look->next[i]));
}
