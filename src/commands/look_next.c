/* look_next.c - the commands that are worth the next minutes, as they are typed */
#include <string.h>

#include "base/mem.h"
#include "commands/look_facts.h"
#include "commands/shell_word.h"

/* Beyond this share of samples without a name names are what is wanted first. */
#define UNNAMED_MOST 0.2

struct next {
	struct look *look;
	size_t nr;
};

/* The place of the next command, NULL where there are enough. */
static struct text *begin(struct next *next, const char *command)
{
	struct text *text;

	if (next->nr == LOOK_NEXT)
		return NULL;
	text = &next->look->next[next->nr++];
	text_add(text, "tephra ");
	text_add(text, command);
	return text;
}

static void add_word(struct text *text, const char *word)
{
	text_add_char(text, ' ');
	shell_word_add(text, word);
}

static void add_plain(struct next *next, const char *command)
{
	struct text *text = begin(next, command);

	if (text)
		add_word(text, next->look->profile.operand);
}

static bool misleads(const struct audit *audit)
{
	return audit->nr && audit_verdict(audit->list[0].code) == AUDIT_MISLEADS;
}

/* The function with the most below it, or else the most of its own, from both sides. */
static void add_sandwich(struct next *next)
{
	const struct look *look = next->look;
	size_t row = look->notable_nr ? look->notable[0] : 0;
	struct text *text;
	CLEANUP(text_release) struct text of = TEXT_INIT, path = TEXT_INIT;

	if (!look->summary.callchains || !look->top.nr ||
	    look->profile.naming.list[look->top.rows[row].function].is_unnamed)
		return;
	text = begin(next, "flame");
	if (!text)
		return;
	text_addf(&of, "--of=%s", look_function(look, row));
	text_addf(&path, "%s.callers.svg",
		  strcmp(look->profile.operand, "-") == 0 ? "tephra" : look->profile.operand);
	add_word(text, text_string(&of));
	add_word(text, look->profile.operand);
	text_add(text, " -o");
	add_word(text, text_string(&path));
}

void look_choose_next(struct look *look, int argc, char **argv)
{
	struct next next = {.look = look};
	weight unnamed;
	uint32_t worst = look_worst_module(look, &unnamed);

	(void)worst;
	if (weight_share(unnamed, look->summary.samples) > UNNAMED_MOST &&
	    look->profile.capture.has_offsets)
		add_plain(&next, "fetch-list");
	if (look->queue.has_counters) {
		struct text *text = begin(&next, "order");

		for (int i = 0; i < argc; i++)
			add_word(text, argv[i]);
	}
	if (misleads(&look->audit))
		add_plain(&next, "audit");
	add_sandwich(&next);
	add_plain(&next, "top");
	if (look->summary.callchains)
		add_plain(&next, "tree --by=none");
	add_plain(&next, "info");
}
