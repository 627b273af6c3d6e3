/* test_svg.c - the flamegraph's SVG: well-formed whatever names hold, same bytes, write errors */
#include "tests/test.h"

#include <errno.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "renderers/flame.h"
#include "renderers/flame_rows.h"
#include "tests/support/schema.h"

struct picture {
	char *bytes;
	size_t size;
};

static struct picture draw(const struct flame_chart *chart)
{
	struct picture picture;
	FILE *out = open_memstream(&picture.bytes, &picture.size);

	assert_true(flame_draw(chart, out));
	assert_int_equal(fclose(out), 0);
	return picture;
}

/* A root with the given names upon it, side by side and equally wide. */
static struct picture draw_names(const char *const *names, size_t nr)
{
	struct flame_frame *frames = calloc(nr + 1, sizeof(*frames));
	struct flame_chart chart = {.frames = frames, .frames_nr = nr + 1, .width_px = 1200};
	struct picture picture;

	assert_non_null(frames);
	frames[0] = (struct flame_frame){.name = "all",
					 .value = "10 samples",
					 .weight = 10,
					 .width = 1,
					 .parent = FLAME_NO_PARENT,
					 .paint = PAINT_ROOT};
	for (size_t i = 0; i < nr; i++)
		frames[i + 1] = (struct flame_frame){.name = names[i],
						     .value = "1 sample",
						     .origin = "application",
						     .weight = 1,
						     .begin = (double)i / 10,
						     .width = 0.1,
						     .depth = 1,
						     .paint = PAINT_APP};
	picture = draw(&chart);
	free(frames);
	return picture;
}

static xmlDoc *parse(const struct picture *picture)
{
	xmlDoc *document = xmlReadMemory(picture->bytes, (int)picture->size, "picture.svg", NULL,
					 XML_PARSE_NONET);

	assert_non_null(document);
	assert_true(schema_accepts(document));
	return document;
}

static int count(xmlDoc *document, const char *path)
{
	xmlXPathContext *context = xmlXPathNewContext(document);
	xmlXPathObject *found = xmlXPathEvalExpression((const xmlChar *)path, context);
	int nr;

	assert_non_null(found);
	nr = found->nodesetval ? found->nodesetval->nodeNr : 0;
	xmlXPathFreeObject(found);
	xmlXPathFreeContext(context);
	return nr;
}

static size_t count_text(const struct picture *picture, const char *text)
{
	size_t nr = 0;

	for (const char *at = picture->bytes; (at = strstr(at, text)); at++)
		nr++;
	return nr;
}

static bool has_title(xmlDoc *document, const char *expected)
{
	for (xmlNode *node = xmlDocGetRootElement(document)->children; node; node = node->next) {
		if (xmlStrcmp(node->name, (const xmlChar *)"g") != 0)
			continue;
		for (xmlNode *frame = node->children; frame; frame = frame->next) {
			xmlChar *title =
				frame->children ? xmlNodeGetContent(frame->children) : NULL;
			bool is_it = title && strcmp((const char *)title, expected) == 0;

			xmlFree(title);
			if (is_it)
				return true;
		}
	}
	return false;
}

static void names_stay_text(void **state)
{
	static const char *const names[] = {
		"std::vector<int>::at",
		"R&D \"quoted\" 'single'",
		"]]></script><script>alert(1)</script>",
		"--><svg onload=alert(2)>",
		"&#0;&lt;\\x3c",
		"</title></g></svg>",
	};
	struct picture picture = draw_names(names, 6);
	xmlDoc *document = parse(&picture);

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		char title[256];

		snprintf(title, sizeof(title), "%s, 1 sample, 10 %%, application", names[i]);
		assert_true(has_title(document, title));
	}
	assert_int_equal(count(document, "//*[local-name()='script']"), 0);
	assert_int_equal(count(document, "//@*[starts-with(local-name(), 'on')]"), 0);
	assert_int_equal(count(document, "//*[local-name()='g'][@role='graphics-symbol']"), 7);
	assert_int_equal(count_text(&picture, "]]>"), 1);
	assert_int_equal(count_text(&picture, "</script"), 0);
	assert_int_equal(count_text(&picture, "</style"), 1);
	assert_int_equal(count_text(&picture, "<!--"), 0);
	xmlFreeDoc(document);
	free(picture.bytes);
}

static void what_is_no_character_becomes_a_replacement(void **state)
{
	static const char *const names[] = {
		"bad\xff.name", "half\xed\xa0\x80", "no\xef\xbf\xbe\xef\xbf\xbf",
		"bell\x07",	"tail\xe4\xb8",
	};
	struct picture picture = draw_names(names, 5);
	xmlDoc *document = parse(&picture);

	(void)state;
	assert_true(has_title(document, "bad\xef\xbf\xbd.name, 1 sample, 10 %, application"));
	assert_true(has_title(document, "bell\xef\xbf\xbd, 1 sample, 10 %, application"));
	assert_true(
		has_title(document, "tail\xef\xbf\xbd\xef\xbf\xbd, 1 sample, 10 %, application"));
	assert_null(strchr(picture.bytes, '\xff'));
	xmlFreeDoc(document);
	free(picture.bytes);
}

/* Plain text is passed over some bytes at a time. */
static void each_odd_byte_is_seen_wherever_it_stands(void **state)
{
	static const struct {
		char byte;
		const char *said;
	} odd[] = {{'&', "&"},
		   {'<', "<"},
		   {'>', ">"},
		   {'"', "\""},
		   {'\n', " "},
		   {'\x1f', "\xef\xbf\xbd"},
		   {'\x80', "\xef\xbf\xbd"},
		   {'\x7f', "\x7f"}};
	const size_t last = 16;

	(void)state;
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++)
		for (size_t at = 0; at <= last; at++) {
			char name[] = "aaaaaaaaaaaaaaaaa", title[64];
			struct picture picture;
			xmlDoc *document;

			snprintf(title, sizeof(title), "%.*s%s%.*s, 1 sample, 10 %%, application",
				 (int)at, name, odd[i].said, (int)(last - at), name);
			name[at] = odd[i].byte;
			picture = draw_names((const char *const[]){name}, 1);
			document = parse(&picture);
			assert_true(has_title(document, title));
			xmlFreeDoc(document);
			free(picture.bytes);
		}
}

static void the_head_is_text_too(void **state)
{
	struct flame_chart chart = {.title = "CPU a<b & \"c\" --> ]]>",
				    .head = "]]><script>\xff",
				    .unit = "\"><x",
				    .width_px = 1200};
	struct picture picture = draw(&chart);
	xmlDoc *document = parse(&picture);

	(void)state;
	assert_int_equal(count(document, "/*/*[local-name()='title'][@id='title']"
					 "[.='CPU a<b & \"c\" --> ]]>']"),
			 1);
	assert_int_equal(count(document, "//*[local-name()='script']"), 0);
	xmlFreeDoc(document);
	free(picture.bytes);
}

static void a_frame_is_written_in_few_bytes(void **state)
{
	static const char *const names[] = {"parse", "one, two", "a_name_that_is_far_too_long"};
	struct picture picture = draw_names(names, 3);

	(void)state;
	char *part = strstr(picture.bytes, "<g class=\"frames\">");

	assert_non_null(part);
	*strstr(part, "\n\n</svg>") = '\0';
	assert_string_equal(
		part,
		"<g class=\"frames\">\n"
		"<g role=\"graphics-symbol\" class=\"r1\"><title>all, 10 samples, 100 %</title>"
		"<rect x=\"10\" y=\"74\" width=\"1179\" height=\"16\"/>"
		"<text x=\"13\" y=\"86\">all</text></g>\n"
		"<g role=\"graphics-symbol\" class=\"a3\">"
		"<title>parse, 1 sample, 10 %, application</title>"
		"<rect x=\"10\" y=\"57\" width=\"117\" height=\"16\"/>"
		"<text x=\"13\" y=\"69\">parse</text></g>\n"
		"<g role=\"graphics-symbol\" class=\"a2\">"
		"<title>one, two, 1 sample, 10 %, application</title>"
		"<rect x=\"128\" y=\"57\" width=\"117\" height=\"16\"/>"
		"<text x=\"131\" y=\"69\">one, two</text></g>\n"
		"<g role=\"graphics-symbol\" class=\"a2\">"
		"<title>a_name_that_is_far_too_long, 1 sample, 10 %, application</title>"
		"<rect x=\"246\" y=\"57\" width=\"117\" height=\"16\"/>"
		"<text x=\"249\" y=\"69\">a_name_that_is…</text></g>\n"
		"</g>");
	free(picture.bytes);
}

static const struct flame_frame hatched_frames[] = {
	{.name = "all",
	 .value = "3 samples",
	 .weight = 3,
	 .width = 1,
	 .parent = FLAME_NO_PARENT,
	 .paint = PAINT_ROOT},
	{.name = "parse",
	 .value = "1 sample",
	 .weight = 1,
	 .width = 1.0 / 3,
	 .depth = 1,
	 .paint = PAINT_APP,
	 .mark = HATCH_STRIPED},
	{.name = "[libx.so]",
	 .value = "1 sample",
	 .weight = 1,
	 .begin = 1.0 / 3,
	 .width = 1.0 / 3,
	 .depth = 1,
	 .paint = PAINT_LIBRARY,
	 .mark = HATCH_CROSSED},
	{.name = "parse",
	 .value = "1 sample",
	 .weight = 1,
	 .begin = 2.0 / 3,
	 .width = 1.0 / 3,
	 .depth = 1,
	 .paint = PAINT_APP,
	 .mark = HATCH_STRIPED},
};

static void a_hatched_frame_is_one_box_with_a_class_more(void **state)
{
	struct flame_chart chart = {.frames = hatched_frames, .frames_nr = 4, .width_px = 1200};
	struct picture picture = draw(&chart);
	xmlDoc *document = parse(&picture);

	(void)state;
	assert_int_equal(count(document, "//*[@role='graphics-symbol']"), 4);
	assert_int_equal(count(document, "//*[@role='graphics-symbol']/*[local-name()='rect']"), 4);
	assert_int_equal(count(document, "//*[@role='graphics-symbol'][@class='a3 x']"), 2);
	assert_int_equal(count(document, "//*[local-name()='pattern'][@id='xa3']"), 1);
	assert_int_equal(count(document, "//*[local-name()='pattern']"), 2);
	assert_int_equal(count_text(&picture, ".tephra .a3.x{fill:url(#xa3)}"), 1);
	/* once for light, once for dark */
	assert_int_equal(count_text(&picture, ".tephra .hatch{stroke:"), 2);
	xmlFreeDoc(document);
	free(picture.bytes);
}

static void a_picture_without_hatches_has_nothing_of_them(void **state)
{
	static const char *const names[] = {"f"};
	struct picture picture = draw_names(names, 1);

	(void)state;
	assert_null(strstr(picture.bytes, "pattern"));
	assert_null(strstr(picture.bytes, "hatch{"));
	free(picture.bytes);
}

static void the_same_chart_gives_the_same_bytes(void **state)
{
	static const char *const names[] = {"f", "g"};
	struct picture one = draw_names(names, 2), other = draw_names(names, 2);

	(void)state;
	assert_int_equal(one.size, other.size);
	assert_memory_equal(one.bytes, other.bytes, one.size);
	free(one.bytes);
	free(other.bytes);
}

static void a_theme_can_be_forced(void **state)
{
	struct flame_chart chart = {.width_px = 1200};
	struct picture picture = draw(&chart);

	(void)state;
	assert_int_equal(count_text(&picture, "prefers-color-scheme"), 1);
	assert_non_null(strstr(picture.bytes, ".paper{fill:#ffffff}"));
	assert_non_null(strstr(picture.bytes, ".paper{fill:#16181c}"));
	free(picture.bytes);

	chart.theme = FLAME_THEME_LIGHT;
	picture = draw(&chart);
	assert_int_equal(count_text(&picture, "prefers-color-scheme"), 0);
	assert_null(strstr(picture.bytes, ".paper{fill:#16181c}"));
	free(picture.bytes);

	chart.theme = FLAME_THEME_DARK;
	picture = draw(&chart);
	assert_int_equal(count_text(&picture, "prefers-color-scheme"), 0);
	assert_null(strstr(picture.bytes, ".paper{fill:#ffffff}"));
	free(picture.bytes);
}

static void thin_boxes_are_one_path_for_each_fill(void **state)
{
	/* many: of few frames even thin ones are symbols */
	static struct flame_frame frames[1500] = {
		{"all", "1 s", NULL, 1000, 0, 1, FLAME_NO_PARENT, 0, 0, PAINT_ROOT, 0},
		{"work", "1 ms", NULL, 1, 0, 0.0005, 0, 1, 0, PAINT_APP, 0},
		{"work", "1 ms", NULL, 1, 0.5, 0.0005, 0, 1, 0, PAINT_APP, 0},
		{"more", "1 ms", NULL, 1, 0.6, 0.0005, 0, 1, 7, PAINT_MORE, 0},
	};
	struct flame_chart chart = {.frames = frames, .frames_nr = 1500, .width_px = 1020};
	struct picture picture;
	xmlDoc *document;

	(void)state;
	for (size_t i = 4; i < 1500; i++)
		frames[i] = (struct flame_frame){"read", "1 ms", NULL,		1, 0.7, 0.0005, 0,
						 1,	 0,	 PAINT_LIBRARY, 0};
	picture = draw(&chart);
	document = parse(&picture);
	assert_int_equal(count(document, "//*[local-name()='g'][@role='graphics-symbol']"), 1);
	assert_int_equal(count(document, "//*[local-name()='path']"), 3);
	assert_non_null(strstr(picture.bytes, "d=\"M10 57h0.4v16h-0.4zM510 57h0.4v16h-0.4z\""));
	assert_non_null(strstr(picture.bytes, "<path class=\"m0\""));
	xmlFreeDoc(document);
	free(picture.bytes);
}

/* all; work in it 3 samples, of these 1 in a name that wants to be markup; and 5 left out. */
static struct picture draw_whole(const char *id)
{
	static const struct flame_frame frames[] = {
		{"all", "9 samples", NULL, 9, 0, 1, FLAME_NO_PARENT, 0, 0, PAINT_ROOT, 0}};
	static const struct flame_function functions[] = {
		{.name = "all", .paint = PAINT_ROOT},
		{"work", "application", "relay", NULL, "relay.c:12", PAINT_APP, HATCH_NONE},
		{"</metadata>&", NULL, NULL, "mismatch", NULL, PAINT_UNKNOWN, HATCH_CROSSED},
	};
	static const struct flame_row listed[] = {
		{.depth = 0},
		{.depth = 1, .function = 1, .self = 3, .lacking = 2},
		{.depth = 2, .function = 2, .self = 1},
		{.depth = 1, .more = 2, .self = 5}};
	struct flame_rows rows = {0};
	struct flame_whole whole = {
		.rows = &rows, .functions = functions, .functions_nr = 3, .step = "0.5"};
	struct flame_chart chart = {.frames = frames,
				    .frames_nr = 1,
				    .whole = &whole,
				    .unit = "samples",
				    .id = id,
				    .width_px = 1200};
	struct picture picture;

	for (size_t i = 0; i < sizeof(listed) / sizeof(*listed); i++)
		assert_true(flame_rows_add(&rows, &listed[i]));
	picture = draw(&chart);
	flame_rows_release(&rows);
	return picture;
}

static void a_whole_tree_is_metadata_behind_the_frames(void **state)
{
	struct picture picture = draw_whole(NULL);
	xmlDoc *document = parse(&picture);

	(void)state;
	assert_non_null(strstr(picture.bytes, "<metadata class=\"facts\">rows\t4\nunit\tsamples\n"
					      "step\t0.5\nview\tflame\ndirection\tup\n"
					      "</metadata>\n"));
	assert_non_null(strstr(picture.bytes, "<metadata class=\"sources\">\t\t\n\t\tmismatch\n"
					      "application\trelay\t\n</metadata>\n"));
	assert_non_null(strstr(picture.bytes, "1 &lt;/metadata&gt;&amp;\n"));
	assert_non_null(strstr(picture.bytes, " 2 work\trelay.c:12\n"));
	assert_non_null(strstr(picture.bytes, "<metadata class=\"shape\">%#4</metadata>\n"
					      "<metadata class=\"function\">!#!$!%!!</metadata>\n"
					      "<metadata class=\"self\">%#(</metadata>\n"
					      "<metadata class=\"more\">$</metadata>\n"
					      "<metadata class=\"lacking\">$$</metadata>\n"));
	assert_int_equal(count(document, "//*[local-name()='script']"), 1);
	/* of the function that is in no box yet */
	assert_int_equal(count(document, "//*[local-name()='pattern']"), 1);
	xmlFreeDoc(document);
	free(picture.bytes);
}

static void a_picture_without_a_tree_has_no_script(void **state)
{
	struct picture picture = draw_names((const char *[]){"a"}, 1);

	(void)state;
	assert_null(strstr(picture.bytes, "<script"));
	assert_null(strstr(picture.bytes, "<metadata"));
	free(picture.bytes);
}

static void ids_begin_as_they_are_told_to(void **state)
{
	struct picture picture = draw_whole("left-");

	(void)state;
	assert_non_null(strstr(picture.bytes, "aria-labelledby=\"left-title left-desc\""));
	assert_non_null(strstr(picture.bytes, "<title id=\"left-title\""));
	assert_non_null(strstr(picture.bytes, "<desc id=\"left-desc\""));
	assert_int_equal(count_text(&picture, "<pattern id=\"left-"), 1);
	assert_int_equal(count_text(&picture, "url(#left-"), 1);
	assert_int_equal(count_text(&picture, " id=\""), count_text(&picture, " id=\"left-"));
	free(picture.bytes);
}

static void a_full_device_is_an_error(void **state)
{
	struct flame_chart chart = {.width_px = 1200};
	FILE *out = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(out); /* every Linux has it */
	errno = 0;
	assert_false(flame_draw(&chart, out));
	assert_int_equal(errno, ENOSPC);
	fclose(out);
}

static void a_closed_pipe_is_an_error(void **state)
{
	struct flame_chart chart = {.width_px = 1200};
	int ends[2];
	FILE *out;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	out = fdopen(ends[1], "w");
	assert_non_null(out);
	errno = 0;
	assert_false(flame_draw(&chart, out));
	assert_int_equal(errno, EPIPE);
	fclose(out);
}

/* A picture with an attribute or an element more, or another value, is none of ours. */
static void the_schema_is_tight(void **state)
{
	static const char *const names[] = {"parse"};
	static const struct {
		const char *path, *attribute, *value;
	} changes[] = {
		{"//*[@class='paper']", "onload", "x()"},
		{"//*[@class='frames']/*", "class", "z9"},
		{"//*[@class='frames']/*", "role", "button"},
		{"//*[@class='frames']/*/*[2]", "x", "-1"},
		{"//*[@class='frames']/*/*[2]", "href", "http://example.org/"},
		{"//*[@class='head']/*[last()]", "class", "other"},
		{"/*", "viewBox", "0 0 1 1 1"},
	};
	struct picture picture = draw_names(names, 1);

	(void)state;
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		xmlDoc *document = parse(&picture);
		xmlXPathContext *context = xmlXPathNewContext(document);
		xmlXPathObject *found =
			xmlXPathEvalExpression((const xmlChar *)changes[i].path, context);

		assert_true(found && found->nodesetval && found->nodesetval->nodeNr);
		xmlSetProp(found->nodesetval->nodeTab[0], (const xmlChar *)changes[i].attribute,
			   (const xmlChar *)changes[i].value);
		if (schema_accepts(document))
			fail_msg("%s with %s=\"%s\" is accepted", changes[i].path,
				 changes[i].attribute, changes[i].value);
		xmlXPathFreeObject(found);
		xmlXPathFreeContext(context);
		xmlFreeDoc(document);
	}
	free(picture.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_stay_text),
		cmocka_unit_test(what_is_no_character_becomes_a_replacement),
		cmocka_unit_test(each_odd_byte_is_seen_wherever_it_stands),
		cmocka_unit_test(the_head_is_text_too),
		cmocka_unit_test(a_frame_is_written_in_few_bytes),
		cmocka_unit_test(a_hatched_frame_is_one_box_with_a_class_more),
		cmocka_unit_test(a_picture_without_hatches_has_nothing_of_them),
		cmocka_unit_test(the_same_chart_gives_the_same_bytes),
		cmocka_unit_test(a_theme_can_be_forced),
		cmocka_unit_test(thin_boxes_are_one_path_for_each_fill),
		cmocka_unit_test(a_whole_tree_is_metadata_behind_the_frames),
		cmocka_unit_test(a_picture_without_a_tree_has_no_script),
		cmocka_unit_test(ids_begin_as_they_are_told_to),
		cmocka_unit_test(a_full_device_is_an_error),
		cmocka_unit_test(a_closed_pipe_is_an_error),
		cmocka_unit_test(the_schema_is_tight),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("svg", tests, NULL, NULL);
}
