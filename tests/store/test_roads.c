/* test_roads.c - a capture and the profile made of it give the same bytes; ROUNDS says how many */
#include "tests/test.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "tests/bench/chance.h"
#include "tests/property/random_capture.h"
#include "tests/support/program.h"

#define ROUNDS	       200
#define QUESTIONS      6 /* a round */
#define WORDS_MAX      60
#define FOLDED_MAX     40
#define FAILURE_SHOWN  3000
#define FAILURE_FOLDER "roads-failure"

/*
 * Both roads are walked in folders of their own in which the operand has the same name, so
 * that messages are the same too.
 */
#define OPERAND "run"

static unsigned rounds(void)
{
	const char *wanted = getenv("ROUNDS");

	return wanted ? (unsigned)strtoul(wanted, NULL, 10) : ROUNDS;
}

static unsigned first_round(void)
{
	const char *wanted = getenv("FIRST_ROUND");

	return wanted ? (unsigned)strtoul(wanted, NULL, 10) : 0;
}

/* ---- captures */

/* Line and file below some frames, as perf script -F +srcline writes them. */
static void add_source_lines(struct chance *chance, struct text *text)
{
	struct text with_lines = TEXT_INIT;
	const char *line = text_string(text), *end = line + text->size;

	while (line < end) {
		const char *line_end = memchr(line, '\n', (size_t)(end - line));

		line_end = line_end ? line_end + 1 : end;
		text_add_bytes(&with_lines, line, (size_t)(line_end - line));
		if (*line == '\t' && line_end[-1] == '\n' && chance_percent(chance, 40))
			text_addf(&with_lines, "  relay.c:%u\n", chance_below(chance, 5));
		line = line_end;
	}
	text_release(text);
	*text = with_lines;
}

static void draw_script(struct chance *chance, struct text *text)
{
	struct random_capture capture;
	bool is_heavy = chance_percent(chance, 20), is_backwards = chance_percent(chance, 25);

	random_capture_draw(chance, &capture);
	if (chance_percent(chance, 30))
		random_capture_damage(chance, &capture);
	for (unsigned i = 0; i < capture.nr; i++) {
		if (is_heavy)
			capture.samples[i].period = UINT64_MAX - chance_below(chance, 3);
		if (is_backwards)
			capture.samples[i].time_ns =
				chance_below(chance, 40) * UINT64_C(25000000) + i % 2;
	}
	random_capture_write(&capture, text);
}

/* Headers, source lines, and at times a text whose columns change in the middle. */
static void draw_perf_script(struct chance *chance, struct text *text)
{
	if (chance_percent(chance, 30))
		text_add(text, "# hostname : relay-7\n# arch : x86_64\n#\n");
	draw_script(chance, text);
	if (chance_percent(chance, 25)) {
		text_add(text, "\n");
		draw_script(chance, text);
	}
	if (chance_percent(chance, 40))
		add_source_lines(chance, text);
}

static void draw_folded(struct chance *chance, struct text *text)
{
	static const char *const frames[] = {"main",  "a_[k]",		"b_[i]",       "c_[j]",
					     "größe", "caf\xe9",	"[libc.so.6]", "x\x01y",
					     "f g",   "operator()(int)"};
	static const char *const counts[] = {"1",
					     "7",
					     "0.25",
					     "12.000000001",
					     "18446744073709551615",
					     "9223372036854775807",
					     "9223372036854775808",
					     "1e3",
					     "0",
					     "none"};
	unsigned nr = 1 + chance_below(chance, FOLDED_MAX);

	for (unsigned i = 0; i < nr; i++) {
		unsigned depth = 1 + chance_below(chance, 8);

		for (unsigned j = 0; j < depth; j++)
			text_addf(text, "%s%s", j ? ";" : "", ANY(chance, frames));
		text_addf(text, " %s\n", ANY(chance, counts));
	}
}

/* ---- questions: a command and its options */

struct question {
	const char *words[WORDS_MAX];
	char *owned[WORDS_MAX];
	size_t nr, owned_nr;
	bool has_range_of_operand;
	char operand[100];
};

static void ask(struct question *question, const char *word)
{
	assert_true(question->nr + 8 < WORDS_MAX);
	question->words[question->nr++] = word;
}

static __attribute__((format(printf, 2, 3))) void askf(struct question *question,
						       const char *format, ...)
{
	char buf[200];
	va_list args;

	va_start(args, format);
	vsnprintf(buf, sizeof(buf), format, args);
	va_end(args);
	question->owned[question->owned_nr] = mem_strdup(buf);
	ask(question, question->owned[question->owned_nr++]);
}

static void question_release(struct question *question)
{
	for (size_t i = 0; i < question->owned_nr; i++)
		free(question->owned[i]);
}

static void draw_command(struct chance *chance, bool with_info, struct question *question)
{
	static const char *const fold[] = {"--format=csv", "--format=json"};
	static const char *const rows[] = {"--format=table", "--format=csv", "--format=json"};
	static const char *const widths[] = {"--min-width=0", "--min-width=3%", "--min-width=20"};

	switch (chance_below(chance, with_info ? 5 : 4)) {
	case 0:
		ask(question, "fold");
		if (chance_percent(chance, 60))
			ask(question, ANY(chance, fold));
		break;
	case 1:
		ask(question, "top");
		ask(question, ANY(chance, rows));
		ask(question, chance_percent(chance, 50) ? "--all" : "--limit=3");
		ask(question, chance_percent(chance, 50) ? "--sort=total" : "--sort=self");
		break;
	case 2:
		ask(question, "tree");
		ask(question, ANY(chance, rows));
		ask(question, chance_percent(chance, 50) ? "--all" : "--min-width=5%");
		if (chance_percent(chance, 30))
			ask(question, "--reverse");
		break;
	case 4:
		ask(question, "info");
		ask(question, ANY(chance, rows));
		return;
	default:
		ask(question, "flame");
		if (chance_percent(chance, 50))
			ask(question, ANY(chance, widths));
		if (chance_percent(chance, 30))
			ask(question, "--reverse");
		break;
	}
}

static void draw_time(struct chance *chance, const char *option, struct question *question)
{
	/* captures begin within 1000 s and last up to 0.06 or 1 s */
	if (chance_percent(chance, 60))
		askf(question, "%s=+%u.%03u", option, 0, chance_below(chance, 60));
	else if (chance_percent(chance, 50))
		askf(question, "%s=+%ums", option, chance_below(chance, 1100));
	else
		askf(question, "%s=%u.%06u", option, chance_below(chance, 1100),
		     chance_below(chance, 1000000));
}

static void draw_samples(struct chance *chance, struct question *question)
{
	static const char *const named_events[] = {"cycles", "sched", "nothing"};

	if (chance_percent(chance, 15))
		askf(question, "--comm=%s", random_comm(chance_below(chance, random_comms_nr)));
	if (chance_percent(chance, 15))
		askf(question, "--comm=%s", random_comm(chance_below(chance, random_comms_nr)));
	if (chance_percent(chance, 15))
		askf(question, "--pid=%u", chance_below(chance, 3) * 100);
	if (chance_percent(chance, 15))
		askf(question, "--tid=%u", chance_below(chance, 3) * 100 + chance_below(chance, 3));
	if (chance_percent(chance, 15))
		askf(question, "--cpu=%u", chance_below(chance, 5));
	if (chance_percent(chance, 20))
		askf(question, "--event=%s", random_event(chance_below(chance, RANDOM_EVENTS_NR)));
	else if (chance_percent(chance, 10))
		askf(question, "--event=%s", ANY(chance, named_events));
	if (chance_percent(chance, 25))
		draw_time(chance, "--from", question);
	if (chance_percent(chance, 25))
		draw_time(chance, "--to", question);
	if (chance_percent(chance, 5))
		ask(question, "--strict");
	question->has_range_of_operand = chance_percent(chance, 10);
	if (question->has_range_of_operand)
		snprintf(question->operand, sizeof(question->operand), OPERAND "@+0.0%u..+0.%u",
			 chance_below(chance, 50), chance_below(chance, 1000));
	else
		snprintf(question->operand, sizeof(question->operand), OPERAND);
}

static void draw_frames(struct chance *chance, struct question *question)
{
	static const char *const filters[] = {"--focus", "--ignore", "--hide", "--show"};
	static const char *const regexes[] = {"main", "^f", "sys|hash", "caf", "\\[", "int", "."};
	static const char *const others[] = {
		"--no-idle",	    "--tidy",	 "--tidy=hashes",     "--mask",
		"--inline=off",	    "--srcline", "--annotate=jit",    "--annotate=kernel,inline",
		"--weight=samples", "--by=none", "--by=comm",	      "--by=process",
		"--by=thread",	    "--by=cpu",	 "--unknown=address", "--weight=period",
	};

	if (strcmp(question->words[0], "info") == 0)
		return;
	for (size_t i = 0; i < ARRAY_NR(filters); i++)
		if (chance_percent(chance, 10))
			askf(question, "%s=%s", filters[i], ANY(chance, regexes));
	for (size_t i = 0; i < ARRAY_NR(others); i++)
		if (chance_percent(chance, 8))
			ask(question, others[i]);
	if (chance_percent(chance, 30))
		ask(question, "-q");
}

static void question_draw(struct chance *chance, bool with_info, struct question *ret)
{
	*ret = (struct question){0};
	draw_command(chance, with_info, ret);
	draw_samples(chance, ret);
	draw_frames(chance, ret);
}

static void question_show(const struct question *question, struct text *text)
{
	for (size_t i = 0; i < question->nr; i++)
		text_addf(text, "'%s' ", question->words[i]);
	text_add(text, question->operand);
}

/* ---- answers: output, what was said on stderr, failure */

struct answer {
	struct text out, said;
};

static void answer_release(struct answer *answer)
{
	text_release(&answer->out);
	text_release(&answer->said);
}

static void take_file(int fd, struct text *ret)
{
	char buf[65536];
	off_t at = 0;
	ssize_t got;

	while ((got = pread(fd, buf, sizeof(buf), at)) > 0) {
		text_add_bytes(ret, buf, (size_t)got);
		at += got;
	}
}

static void write_file(const char *path, const void *at, size_t size)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(at, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void read_file(const char *path, struct text *ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	take_file(fd, ret);
	close(fd);
}

/* Runs the words with stderr in a file of its own; the failure stands below what was said. */
static void call(const char *const *words, struct text *said)
{
	FILE *err = tmpfile();
	int kept = dup(STDERR_FILENO);
	char *failure;

	assert_non_null(err);
	assert_true(kept >= 0);
	fflush(stderr);
	dup2(fileno(err), STDERR_FILENO);
	failure = program_call(words);
	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
	take_file(fileno(err), said);
	fclose(err);
	if (failure)
		text_addf(said, "failed: %s\n", failure);
	free(failure);
}

static void answer_take(const struct question *question, const char *folder, const char *capture,
			struct answer *ret)
{
	const char *words[WORDS_MAX];
	size_t nr = question->nr;

	*ret = (struct answer){0};
	memcpy(words, question->words, nr * sizeof(*words));
	if (capture) {
		words[nr++] = "--capture";
		words[nr++] = capture;
	}
	words[nr++] = "-o";
	words[nr++] = "out.svg"; /* the ending that flame asks for */
	words[nr++] = question->operand;
	words[nr] = NULL;
	assert_int_equal(chdir(folder), 0);
	call(words, &ret->said);
	read_file("out.svg", &ret->out);
	unlink("out.svg");
	assert_int_equal(chdir(".."), 0);
}

static bool answers_are_equal(const struct answer *a, const struct answer *b)
{
	return a->out.size == b->out.size && a->said.size == b->said.size &&
	       (!a->out.size || memcmp(a->out.bytes, b->out.bytes, a->out.size) == 0) &&
	       (!a->said.size || memcmp(a->said.bytes, b->said.bytes, a->said.size) == 0);
}

/* ---- rounds */

/* Keeps the capture where it can be looked at, outside of the folder of the rounds. */
static void fail_round(unsigned seed, const struct text *capture, const struct question *question,
		       const struct answer *direct, const struct answer *stored)
{
	CLEANUP(text_release) struct text words = TEXT_INIT;

	question_show(question, &words);
	mkdir("../" FAILURE_FOLDER, 0777);
	write_file("../" FAILURE_FOLDER "/" OPERAND, capture->bytes, capture->size);
	fail_msg("round %u (in " FAILURE_FOLDER "): tephra %s\n"
		 "--- from the capture\n%.*s%.*s\n--- from the profile\n%.*s%.*s",
		 seed, text_string(&words), FAILURE_SHOWN, text_string(&direct->out), FAILURE_SHOWN,
		 text_string(&direct->said), FAILURE_SHOWN, text_string(&stored->out),
		 FAILURE_SHOWN, text_string(&stored->said));
}

static void expect_no_failure(const char *const *words, unsigned seed)
{
	char *failure = program_call(words);

	if (failure)
		fail_msg("round %u: %s: %s", seed, words[0], failure);
}

/* Makes profile/run of capture/run; with a second capture beside it where wanted. */
static void import(unsigned seed, const struct text *capture, const struct text *second,
		   bool is_second_first)
{
	const char *const first[] = {
		"import",	    "-q", "--add", "--name", "first", "-o", "profile/" OPERAND,
		"capture/" OPERAND, NULL};
	const char *const other[] = {"import",		 "-q",	   "--add",
				     "--name",		 "second", "-o",
				     "profile/" OPERAND, "second", NULL};

	unlink("profile/" OPERAND);
	write_file("capture/" OPERAND, capture->bytes, capture->size);
	if (second->size)
		write_file("second", second->bytes, second->size);
	if (second->size && is_second_first)
		expect_no_failure(other, seed);
	expect_no_failure(first, seed);
	if (second->size && !is_second_first)
		expect_no_failure(other, seed);
}

static void draw_capture(struct chance *chance, struct text *text)
{
	if (chance_percent(chance, 75))
		draw_perf_script(chance, text);
	else
		draw_folded(chance, text);
}

/*
 * A capture that holds no sample at all is refused by all commands alike, and says nothing
 * here. How often times went backwards is not known of a profile, which is in their order:
 * info is asked only where they do not.
 */
static bool holds_samples(const struct text *text, bool *ret_is_ordered)
{
	const char *const words[] = {"info", "-q", "--format=json", "-o", "info", "probe", NULL};
	CLEANUP(text_release) struct text info = TEXT_INIT;
	char *failure;

	write_file("probe", text_string(text), text->size);
	failure = program_call(words);
	read_file("info", &info);
	unlink("info");
	*ret_is_ordered = strstr(text_string(&info), "\"times\": null") ||
			  strstr(text_string(&info), "\"backwards\": 0");
	free(failure);
	return !failure;
}

static bool draw_both(struct chance *chance, struct text *capture, struct text *second)
{
	bool is_ordered, is_second_ordered;

	do {
		text_clear(capture);
		draw_capture(chance, capture);
	} while (!holds_samples(capture, &is_ordered));
	if (!chance_percent(chance, 30))
		return is_ordered;
	do {
		text_clear(second);
		draw_capture(chance, second);
	} while (!holds_samples(second, &is_second_ordered));
	return is_ordered;
}

static void run_round(unsigned seed)
{
	CLEANUP(text_release) struct text capture = TEXT_INIT, second = TEXT_INIT;
	struct chance chance = {.state = seed};
	bool is_ordered;

	is_ordered = draw_both(&chance, &capture, &second);
	import(seed, &capture, &second, chance_percent(&chance, 50));
	for (int i = 0; i < QUESTIONS; i++) {
		struct question question;
		struct answer direct, stored;

		question_draw(&chance, is_ordered, &question);
		answer_take(&question, "capture", NULL, &direct);
		answer_take(&question, "profile", second.size ? "first" : NULL, &stored);
		if (!answers_are_equal(&direct, &stored))
			fail_round(seed, &capture, &question, &direct, &stored);
		answer_release(&direct);
		answer_release(&stored);
		question_release(&question);
	}
}

static void capture_and_profile_give_the_same_bytes(void **state)
{
	(void)state;
	for (unsigned seed = first_round(); seed < first_round() + rounds(); seed++)
		run_round(seed);
}

/* ---- the folder of the rounds */

static char folder[] = "roads-XXXXXX";

static int begin(void **state)
{
	(void)state;
	return !mkdtemp(folder) || chdir(folder) || mkdir("capture", 0777) ||
	       mkdir("profile", 0777);
}

static int end(void **state)
{
	static const char *const files[] = {"capture/" OPERAND, "profile/" OPERAND, "second",
					    "probe"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(files); i++)
		unlink(files[i]);
	return rmdir("capture") || rmdir("profile") || chdir("..") || rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(capture_and_profile_give_the_same_bytes),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, begin, end);
}
