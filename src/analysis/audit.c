/* audit.c - what a capture cannot say, and where it misleads: the findings and their table */
#include "analysis/audit_parts.h"

#include "base/mem.h"

struct rule {
	const char *word;
	enum audit_verdict verdict;
	const char *answers, *avoid;
};

static const struct rule rules[AUDIT_NR] = {
#define AUDIT(code, word, verdict, answers, avoid) {word, AUDIT_##verdict, answers, avoid},
#include "analysis/audit.def"
#undef AUDIT
};

const char *audit_word(enum audit_code code)
{
	return rules[code].word;
}

enum audit_verdict audit_verdict(enum audit_code code)
{
	return rules[code].verdict;
}

const char *audit_answers(enum audit_code code)
{
	return rules[code].answers;
}

const char *audit_avoid(enum audit_code code)
{
	return rules[code].avoid;
}

const char *audit_verdict_word(enum audit_verdict verdict)
{
	static const char *const words[] = {
		[AUDIT_MISLEADS] = "misleads",
		[AUDIT_WEAKENS] = "weakens",
		[AUDIT_LACKS] = "lacks",
	};

	return words[verdict];
}

void audit_add(struct audit *audit, enum audit_code code, double share, struct text *what)
{
	GROW(audit->list, audit->nr + 1, audit->alloc);
	audit->list[audit->nr++] = (struct audit_finding){code, share, text_take(what)};
}

const char *audit_event(const struct audit_input *input, uint32_t event)
{
	return events_display(&input->capture->events, &input->capture->names, event);
}

/* Where nothing says how it was recorded, the name of a tracepoint has its group in front. */
bool audit_is_sampled(const struct audit_input *input, uint32_t event)
{
	const char *name = audit_event(input, event);

	if (event < input->recording.events_nr && input->recording.events[event].is_known)
		return !input->recording.events[event].is_tracepoint;
	return !memchr(name, ':', events_base_size(name));
}

bool audit_is_recording(const struct audit_input *input)
{
	const char *format = input->capture->format;

	return format && (strcmp(format, "perf-data") == 0 || strcmp(format, "perf-script") == 0);
}

bool audit_has_looked(const struct audit_input *input)
{
	const struct capture *capture = input->capture;

	for (uint32_t i = 0; i < capture->modules.nr; i++)
		if (capture->modules.list[i].status != MODULE_UNNAMED)
			return true;
	return !capture->has_offsets;
}

static int compare_findings(const void *a_of, const void *b_of)
{
	const struct audit_finding *a = a_of, *b = b_of;

	if (audit_verdict(a->code) != audit_verdict(b->code))
		return audit_verdict(a->code) < audit_verdict(b->code) ? -1 : 1;
	if (a->code != b->code)
		return a->code < b->code ? -1 : 1;
	if (a->share != b->share)
		return a->share > b->share ? -1 : 1;
	return strcmp(a->what, b->what);
}

void audit_run(const struct capture *capture, const struct summary *summary, struct audit *audit)
{
	struct audit_input input = {
		.capture = capture,
		.summary = summary,
		.chains = summary_chains(summary),
	};

	recording_read(capture, &input.recording);
	audit_recording(&input, audit);
	audit_losses(&input, audit);
	audit_names(&input, audit);
	audit_chains(&input, audit);
	audit_size(&input, audit);
	recording_release(&input.recording);
	if (audit->nr)
		qsort(audit->list, audit->nr, sizeof(*audit->list), compare_findings);
}

void audit_release(struct audit *audit)
{
	for (size_t i = 0; i < audit->nr; i++)
		free(audit->list[i].what);
	free(audit->list);
	*audit = (struct audit){0};
}
