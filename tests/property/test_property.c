/* test_property.c - what holds for every capture: chance draws them, seeded; ROUNDS says how many
 */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libxml/parser.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"
#include "tests/bench/chance.h"
#include "tests/property/random_capture.h"
#include "tests/support/packing.h"
#include "tests/support/program.h"
#include "tests/support/schema.h"

#define ROUNDS 100

static const struct random_wish all = {.event = -1, .comm = -1, .cpu = -1};

static unsigned rounds(void)
{
	const char *wanted = getenv("ROUNDS");

	return wanted ? (unsigned)strtoul(wanted, NULL, 10) : ROUNDS;
}

/* One round: seeded by its number, so that a failure can be repeated alone. */
struct round {
	struct chance chance;
	struct random_capture capture;
	struct text text;
};

static void round_begin(struct round *round, unsigned seed)
{
	*round = (struct round){.chance = {.state = seed}};
	random_capture_draw(&round->chance, &round->capture);
	random_capture_write(&round->capture, &round->text);
}

static void round_end(struct round *round)
{
	text_release(&round->text);
}

/* Keeps what failed where it can be looked at. */
static void fail_round(const struct round *round, unsigned seed, const char *what, const char *got,
		       const char *expected)
{
	FILE *file = fopen("property-failure.txt", "we");

	if (file) {
		fwrite(round->text.bytes, 1, round->text.size, file);
		fclose(file);
	}
	fail_msg("round %u (in property-failure.txt): %s\n--- expected\n%.2000s\n--- got\n%.2000s",
		 seed, what, expected, got);
}

#define RUN(input, out, ...) \
	program_run((const char *const[]){__VA_ARGS__, NULL}, (input)->bytes, (input)->size, (out))

/* Sums may be larger than what weight_parse() takes as one count. */
static weight number_at(const char *at)
{
	weight value = 0, place = WEIGHT_ONE;

	for (; *at >= '0' && *at <= '9'; at++)
		value = value * 10 + (weight)(*at - '0') * WEIGHT_ONE;
	if (*at == '.')
		for (at++; *at >= '0' && *at <= '9'; at++)
			value += (weight)(*at - '0') * (place /= 10);
	return value;
}

/* The sum of the last fields of folded lines. */
static weight sum_of(const struct text *folded)
{
	const char *line = folded->bytes, *end = line + folded->size;
	weight sum = 0;

	while (line < end) {
		const char *line_end = memchr(line, '\n', (size_t)(end - line)), *count = line_end;

		while (count[-1] != ' ')
			count--;
		sum += number_at(count);
		line = line_end + 1;
	}
	return sum;
}

/* The number behind the n-th `"key": ` of a JSON text. */
static weight json_number(const char *json, const char *key)
{
	CLEANUP(text_release) struct text wanted = TEXT_INIT;
	const char *at;

	text_addf(&wanted, "\"%s\": ", key);
	at = strstr(json, text_string(&wanted));
	if (!at)
		fail_msg("no key '%s' in %.200s", key, json);
	return number_at(at + wanted.size);
}

/* How often a note was made, by its code in the output of info. */
static weight note_count(const char *json, const char *code)
{
	CLEANUP(text_release) struct text wanted = TEXT_INIT;
	const char *at;

	text_addf(&wanted, "{\"code\": \"%s\"", code);
	at = strstr(json, text_string(&wanted));
	return at ? json_number(at, "count") : 0;
}

static void expect_fold(const struct round *round, unsigned seed, const struct random_wish *wish,
			const char *const *words)
{
	CLEANUP(text_release) struct text got = TEXT_INIT, expected = TEXT_INIT;
	char *failure = program_run(words, round->text.bytes, round->text.size, &got);

	random_capture_fold(&round->capture, wish, &expected);
	if (failure && expected.size)
		fail_round(round, seed, "fold failed", failure, text_string(&expected));
	random_sort_lines(&got);
	if (strcmp(text_string(&got), text_string(&expected)) != 0)
		fail_round(round, seed, "folded lines", text_string(&got), text_string(&expected));
	free(failure);
}

static void text_folds_to_what_a_simple_model_expects(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < rounds(); seed++) {
		struct round round;

		round_begin(&round, seed);
		for (int event = 0; event < RANDOM_EVENTS_NR; event++) {
			struct random_wish wish = all;

			wish.event = event;
			expect_fold(&round, seed, &wish,
				    (const char *const[]){"fold", "-e",
							  random_event((unsigned)event), NULL});
			wish.counts_samples = true;
			expect_fold(&round, seed, &wish,
				    (const char *const[]){"fold", "--weight=samples", "-e",
							  random_event((unsigned)event), NULL});
		}
		round_end(&round);
	}
}

/* Samples read and noted are as the model says, and fold draws what was read. */
static void damage_is_noted_and_loses_no_other_sample(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < rounds(); seed++) {
		CLEANUP(text_release) struct text info = TEXT_INIT, counts = TEXT_INIT;
		struct random_counts expected;
		struct round round;

		round_begin(&round, seed);
		random_capture_damage(&round.chance, &round.capture);
		text_clear(&round.text);
		random_capture_write(&round.capture, &round.text);
		random_capture_count(&round.capture, &expected);
		assert_null(RUN(&round.text, &info, "info", "--format=json"));
		if (json_number(info.bytes, "samples") != weight_of(expected.samples) ||
		    note_count(info.bytes, "unrecognised-line") !=
			    weight_of(expected.unrecognised) ||
		    note_count(info.bytes, "message") != weight_of(expected.messages) ||
		    note_count(info.bytes, "orphan-stack") != weight_of(expected.orphans)) {
			text_addf(&counts, "samples %u, odd lines %u, messages %u, orphans %u",
				  expected.samples, expected.unrecognised, expected.messages,
				  expected.orphans);
			fail_round(&round, seed, "info", strstr(info.bytes, "\"stats\""),
				   text_string(&counts));
		}
		for (int event = 0; event < RANDOM_EVENTS_NR; event++) {
			struct random_wish wish = all;

			wish.event = event;
			expect_fold(&round, seed, &wish,
				    (const char *const[]){"fold", "-e",
							  random_event((unsigned)event), NULL});
		}
		round_end(&round);
	}
}

static void damage_bytes(struct chance *chance, struct text *text)
{
	unsigned nr = 1 + chance_below(chance, 20);

	while (nr-- && text->size > 1) {
		size_t at = chance_below(chance, (uint32_t)text->size);

		switch (chance_below(chance, 4)) {
		case 0:
			text->bytes[at] = (char)chance_below(chance, 256);
			break;
		case 1:
			text->bytes[at] = "\n\t ;:[]()#"[chance_below(chance, 10)];
			break;
		case 2:
			memmove(text->bytes + at, text->bytes + at + 1, text->size - at);
			text->size--;
			break;
		case 3:
			if (chance_percent(chance, 10))
				text->size = at;
			break;
		}
	}
}

/* Whatever the text is: all commands agree, for each event, and nothing is lost between them. */
static void commands_agree_on_any_damage(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < rounds(); seed++) {
		CLEANUP(text_release)
		struct text info = TEXT_INIT, fold = TEXT_INIT, tree = TEXT_INIT, top = TEXT_INIT;
		struct round round;
		const char *event;
		char *failures[4];
		weight sum;

		round_begin(&round, seed);
		damage_bytes(&round.chance, &round.text);
		failures[0] = RUN(&round.text, &info, "info", "--format=json");
		failures[1] = RUN(&round.text, &fold, "fold", "--weight=samples");
		failures[2] = RUN(&round.text, &tree, "tree", "--weight=samples", "--format=json");
		failures[3] = RUN(&round.text, &top, "top", "--weight=samples", "--format=json");
		for (int i = 1; i < 4; i++)
			if (!failures[0] != !failures[i])
				fail_round(&round, seed, "one command fails",
					   failures[0] ? failures[0] : "-",
					   failures[i] ? failures[i] : "-");
		if (!failures[0]) {
			sum = sum_of(&fold);
			event = strstr(info.bytes, "\"events\"");
			if (json_number(event, "samples") != sum ||
			    json_number(tree.bytes, "total") != sum ||
			    json_number(top.bytes, "total") != sum)
				fail_round(&round, seed, "sums differ", text_string(&fold), event);
		}
		for (int i = 0; i < 4; i++)
			free(failures[i]);
		round_end(&round);
	}
}

static void fold_of_fold_is_the_same(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < rounds(); seed++) {
		CLEANUP(text_release) struct text once = TEXT_INIT, twice = TEXT_INIT;
		struct round round;

		round_begin(&round, seed);
		assert_null(RUN(&round.text, &once, "fold"));
		assert_null(RUN(&once, &twice, "fold", "--input-format=folded"));
		if (strcmp(text_string(&once), text_string(&twice)) != 0)
			fail_round(&round, seed, "fold of fold", text_string(&twice),
				   text_string(&once));
		round_end(&round);
	}
}

static void packed_and_repeated_input_gives_the_same_picture(void **state)
{
	static void (*const packers[])(struct text *, const void *,
				       size_t) = {packing_gzip, packing_zstd, packing_xz};

	(void)state;
	for (unsigned seed = 0; seed < rounds() / 4 + 1; seed++) {
		CLEANUP(text_release) struct text first = TEXT_INIT, second = TEXT_INIT;
		struct round round;

		round_begin(&round, seed);
		assert_null(RUN(&round.text, &first, "flame"));
		assert_null(RUN(&round.text, &second, "flame"));
		assert_string_equal(text_string(&first), text_string(&second));
		for (size_t i = 0; i < ARRAY_NR(packers); i++) {
			CLEANUP(text_release) struct text packed = TEXT_INIT, picture = TEXT_INIT;

			packers[i](&packed, round.text.bytes, round.text.size);
			assert_null(RUN(&packed, &picture, "flame"));
			assert_string_equal(text_string(&first), text_string(&picture));
		}
		round_end(&round);
	}
}

/* The sum of what a selection leaves, 0 where that is nothing. */
static weight sum_selected(const struct round *round, const char *option, const char *value,
			   const char *option_2, const char *value_2)
{
	CLEANUP(text_release) struct text out = TEXT_INIT;
	char *failure = RUN(&round->text, &out, "fold", option, value, option_2, value_2);

	if (failure && !strstr(failure, "is selected"))
		fail_msg("%s %s: %s", option, value, failure);
	free(failure);
	return failure ? 0 : sum_of(&out);
}

static weight sum_over_comms(const struct round *round)
{
	weight sum = 0;

	for (unsigned comm = 0; comm < random_comms_nr; comm++)
		sum += sum_selected(round, "--comm", random_comm(comm), NULL, NULL);
	return sum;
}

static weight sum_over_cpus(const struct round *round)
{
	static const char *const cpus[] = {"0", "1", "2", "3"};
	weight sum = 0;

	for (size_t i = 0; i < ARRAY_NR(cpus); i++)
		sum += sum_selected(round, "--cpu", cpus[i], NULL, NULL);
	return sum;
}

/* [0, a), [a, b), [b, ...) with a and b at samples, where borders matter. */
static weight sum_over_ranges(struct round *round)
{
	struct random_capture *capture = &round->capture;
	uint64_t a = capture->samples[chance_below(&round->chance, capture->nr)].time_ns;
	uint64_t b = capture->samples[chance_below(&round->chance, capture->nr)].time_ns;
	char low[32], high[32];

	if (!capture->layout.has_nanoseconds) {
		a -= a % 1000;
		b -= b % 1000;
	}
	snprintf(low, sizeof(low), "%lluns", (unsigned long long)(a < b ? a : b));
	snprintf(high, sizeof(high), "%lluns", (unsigned long long)(a < b ? b : a));
	return sum_selected(round, "--to", low, NULL, NULL) +
	       sum_selected(round, "--from", low, "--to", high) +
	       sum_selected(round, "--from", high, NULL, NULL);
}

static void selections_that_are_a_partition_add_up(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < rounds() / 2 + 1; seed++) {
		CLEANUP(text_release) struct text whole = TEXT_INIT;
		struct round round;
		weight sum;

		round_begin(&round, seed);
		assert_null(RUN(&round.text, &whole, "fold"));
		sum = sum_of(&whole);
		if (sum_over_comms(&round) != sum)
			fail_round(&round, seed, "--comm", "", text_string(&whole));
		if (round.capture.layout.has_cpu && sum_over_cpus(&round) != sum)
			fail_round(&round, seed, "--cpu", "", text_string(&whole));
		if (round.capture.layout.has_time && sum_over_ranges(&round) != sum)
			fail_round(&round, seed, "--from, --to", "", text_string(&whole));
		round_end(&round);
	}
}

static void ranges_hold_what_the_model_expects(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < rounds(); seed++) {
		struct random_wish wish = all;
		struct round round;
		char from[32], to[32];

		round_begin(&round, seed);
		if (round.capture.layout.has_time && round.capture.layout.has_nanoseconds) {
			wish.event = 0;
			wish.from_ns = round.capture.samples[round.capture.nr / 3].time_ns;
			wish.to_ns = round.capture.samples[round.capture.nr * 2 / 3].time_ns;
			snprintf(from, sizeof(from), "%llu.%09llu",
				 (unsigned long long)(wish.from_ns / 1000000000),
				 (unsigned long long)(wish.from_ns % 1000000000));
			snprintf(to, sizeof(to), "%lluns", (unsigned long long)wish.to_ns);
			expect_fold(&round, seed, &wish,
				    (const char *const[]){"fold", "-e", random_event(0), "--from",
							  from, "--to", to, NULL});
		}
		round_end(&round);
	}
}

/* ---- trees: a frame's value is the sum of its children, of "+ n more" and of itself */

struct box {
	unsigned depth;
	weight value, self, children;
	bool has_self; /* of "+ n more" it is not known */
};

static void expect_sums(const struct round *round, unsigned seed, struct box *boxes, size_t nr)
{
	weight self = 0;

	for (size_t i = 1; i < nr; i++) {
		size_t parent = i - 1;

		while (parent && boxes[parent].depth >= boxes[i].depth)
			parent--;
		if (boxes[parent].depth + 1 != boxes[i].depth)
			fail_round(round, seed, "a frame has no parent", "", "");
		boxes[parent].children += boxes[i].value;
	}
	for (size_t i = 0; i < nr; i++) {
		weight known = boxes[i].children + (boxes[i].has_self ? boxes[i].self : 0);

		if (boxes[i].has_self ? known != boxes[i].value : known > boxes[i].value)
			fail_round(round, seed, "a frame is not the sum of its parts", "", "");
		self += boxes[i].value - boxes[i].children;
	}
	assert_true(!nr || self == boxes[0].value);
}

/* The objects of "frames": name, depth, value, self, in this order. */
static void tree_is_the_sum_of_its_parts(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < rounds(); seed++) {
		CLEANUP(text_release) struct text out = TEXT_INIT;
		struct box *boxes = NULL;
		size_t nr = 0, alloc = 0;
		struct round round;
		const char *at;

		round_begin(&round, seed);
		assert_null(RUN(&round.text, &out, "tree", "--format=json",
				seed % 2 ? "--reverse" : "--all"));
		nr = 1;
		GROW(boxes, nr, alloc);
		boxes[0] = (struct box){.value = json_number(out.bytes, "total"), .has_self = true};
		at = strstr(out.bytes, "\"frames\":");
		while ((at = strstr(at, "\"depth\": "))) {
			GROW(boxes, nr + 1, alloc);
			boxes[nr++] = (struct box){
				.depth = (unsigned)(json_number(at, "depth") / WEIGHT_ONE),
				.value = json_number(at, "value"),
				.self = json_number(at, "self"),
				.has_self = true,
			};
			at = strstr(at, "\"self\": ");
		}
		expect_sums(&round, seed, boxes, nr);
		free(boxes);
		round_end(&round);
	}
}

/* "<title>NAME, 1,234 samples, 12 %...</title><rect x= y="106"...": y says the depth. */
static size_t read_picture(const char *at, struct box **ret)
{
	static const char begin[] = "<g role=\"graphics-symbol\"";
	struct box *boxes = NULL;
	size_t nr = 0, alloc = 0;
	long first_y = 0;

	while ((at = strstr(at, begin))) {
		const char *end = strstr(at, "</title>"), *value = end;
		CLEANUP(text_release) struct text digits = TEXT_INIT;
		long y = strtol(strstr(end, " y=\"") + 4, NULL, 10);

		while (strncmp(value, " sample", 7) != 0)
			value--;
		while (strchr("0123456789.,", value[-1]))
			value--;
		for (; *value != ' '; value++)
			if (*value != ',')
				text_add_char(&digits, *value);
		GROW(boxes, nr + 1, alloc);
		first_y = nr ? first_y : y;
		boxes[nr] = (struct box){.depth = (unsigned)((first_y - y) / 17)};
		boxes[nr++].value = number_at(text_string(&digits));
		at = end;
	}
	*ret = boxes;
	return nr;
}

static void picture_is_the_sum_of_its_parts(void **state)
{
	static const char *const widths[] = {"--width=200", "--width=1200", "--min-width=10%",
					     "--min-width=0"};

	(void)state;
	for (unsigned seed = 0; seed < rounds(); seed++) {
		CLEANUP(text_release) struct text picture = TEXT_INIT, fold = TEXT_INIT;
		struct box *boxes;
		struct round round;
		size_t nr;

		round_begin(&round, seed);
		assert_null(RUN(&round.text, &fold, "fold", "--weight=samples"));
		assert_null(
			RUN(&round.text, &picture, "flame", "--weight=samples", widths[seed % 4]));
		nr = read_picture(picture.bytes, &boxes);
		assert_true(nr > 1);
		assert_true(boxes[0].value == sum_of(&fold));
		expect_sums(&round, seed, boxes, nr);
		free(boxes);
		round_end(&round);
	}
}

/* Self weights of all functions are the total, but for samples without a stack. */
static void self_weights_of_top_are_all_there_is(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < rounds(); seed++) {
		CLEANUP(text_release) struct text out = TEXT_INIT;
		struct round round;
		const char *at;
		weight self = 0, total;

		round_begin(&round, seed);
		assert_null(RUN(&round.text, &out, "top", "--by=none", "--format=json"));
		total = json_number(out.bytes, "total");
		at = strstr(out.bytes, "\"table\":");
		while ((at = strstr(at, "\"self\": "))) {
			assert_true(json_number(at, "self") <= json_number(at, "total"));
			self += json_number(at, "self");
			at++;
		}
		if (self != total)
			fail_round(&round, seed, "self weights", out.bytes, "");
		round_end(&round);
	}
}

/* ---- names of any bytes */

static void draw_name(struct chance *chance, struct text *text)
{
	static const char *const bad[] = {"]]>",	  "<!--",	  "&amp;",
					  "\xed\xa0\x80", "\xef\xbf\xbe", "\"'\\",
					  "</script>",	  "\x1b[m",	  "\xf4\x90\x80\x80"};
	unsigned nr = 1 + chance_below(chance, 6);

	while (nr--) {
		if (chance_percent(chance, 30))
			text_add(text, ANY(chance, bad));
		else if (chance_percent(chance, 50))
			text_add_char(text, (char)('a' + chance_below(chance, 26)));
		else
			text_add_char(text, (char)(11 + chance_below(chance, 245)));
	}
}

static void expect_clean(const struct text *out)
{
	const char *line = out->bytes, *end = line + out->size;

	while (line < end) {
		const char *line_end = memchr(line, '\n', (size_t)(end - line));

		assert_non_null(line_end);
		assert_true(utf8_is_clean(line, (size_t)(line_end - line)));
		line = line_end + 1;
	}
}

static void any_names_make_a_well_formed_picture_and_clean_tables(void **state)
{
	static const char *const commands[] = {"fold", "top", "tree", "info"};

	(void)state;
	for (unsigned seed = 0; seed < rounds(); seed++) {
		CLEANUP(text_release) struct text picture = TEXT_INIT, title = TEXT_INIT;
		struct round round = {.chance = {.state = seed}};
		xmlDoc *document;

		for (unsigned i = 0; i < 40; i++) {
			draw_name(&round.chance, &round.text);
			text_addf(&round.text, i % 3 ? ";" : " %u\n", i + 1);
		}
		draw_name(&round.chance, &title);
		assert_null(RUN(&round.text, &picture, "flame", "--input-format=folded", "--title",
				text_string(&title)));
		document = xmlReadMemory(picture.bytes, (int)picture.size, NULL, NULL,
					 XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
		if (!document)
			fail_round(&round, seed, "not well-formed", text_string(&picture), "");
		if (!schema_accepts(document))
			fail_round(&round, seed, "not of the schema", text_string(&picture), "");
		xmlFreeDoc(document);
		for (size_t i = 0; i < ARRAY_NR(commands); i++) {
			CLEANUP(text_release) struct text json = TEXT_INIT;

			assert_null(RUN(&round.text, &json, commands[i], "--input-format=folded",
					"--format=json"));
			expect_clean(&json);
		}
		round_end(&round);
	}
	schema_forget();
	xmlCleanupParser();
}

/* ---- the program as it was built */

static void take_output(const char *command, struct text *out)
{
	FILE *pipe = popen(command, "re");
	char buf[65536];
	size_t got;

	assert_non_null(pipe);
	while ((got = fread(buf, 1, sizeof(buf), pipe)))
		text_add_bytes(out, buf, got);
	assert_int_equal(pclose(pipe), 0);
}

static void built_program_prints_the_same(void **state)
{
	const char *tephra = getenv("TEPHRA") ? getenv("TEPHRA") : "./tephra";
	char path[] = "property-XXXXXX", command[4096];
	int fd;

	(void)state;
	if (access(tephra, X_OK) != 0) {
		/* not skip(): cmocka 1.1 says "not ok" of what is skipped, in TAP */
		printf("# there is no program '%s', it was not compared\n", tephra);
		return;
	}
	fd = mkstemp(path);
	assert_true(fd >= 0);
	for (unsigned seed = 0; seed < 5; seed++) {
		CLEANUP(text_release) struct text inside = TEXT_INIT, outside = TEXT_INIT;
		struct round round;

		round_begin(&round, seed);
		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(pwrite(fd, round.text.bytes, round.text.size, 0), round.text.size);
		snprintf(command, sizeof(command), "%s flame -q %s", tephra, path);
		take_output(command, &outside);
		assert_null(RUN(&round.text, &inside, "flame"));
		assert_string_equal(text_string(&inside), text_string(&outside));
		round_end(&round);
	}
	close(fd);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_folds_to_what_a_simple_model_expects),
		cmocka_unit_test(damage_is_noted_and_loses_no_other_sample),
		cmocka_unit_test(commands_agree_on_any_damage),
		cmocka_unit_test(fold_of_fold_is_the_same),
		cmocka_unit_test(packed_and_repeated_input_gives_the_same_picture),
		cmocka_unit_test(selections_that_are_a_partition_add_up),
		cmocka_unit_test(ranges_hold_what_the_model_expects),
		cmocka_unit_test(tree_is_the_sum_of_its_parts),
		cmocka_unit_test(picture_is_the_sum_of_its_parts),
		cmocka_unit_test(self_weights_of_top_are_all_there_is),
		cmocka_unit_test(any_names_make_a_well_formed_picture_and_clean_tables),
		cmocka_unit_test(built_program_prints_the_same),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
