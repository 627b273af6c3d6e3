/* test_palette.c - text is legible on every fill, and fills stay apart for all kinds of sight */
#include "tests/test.h"

#include <math.h>
#include <stdio.h>

#include "renderers/palette.h"

#define CONTRAST_LIGHT_MIN 7.3
#define CONTRAST_DARK_MIN  4.6
#define DISTANCE_MIN	   8.4
/* of the steps of a scale, which are told apart by their order, too */
#define STEP_DISTANCE_MIN 7.0
#define HEAT_DISTANCE_MIN 3.5 /* of neighbours in a scale of eight */
/* of a comparison, whose steps need more room */
#define CONTRAST_CHANGE_LIGHT_MIN 6.0
#define CHANGE_DISTANCE_MIN	  17
/* of lines and the fill between them, which touch: an edge is seen where two areas apart are not */
#define HATCH_DISTANCE_MIN 6.3

struct rgb {
	double red, green, blue;
};

struct lab {
	double l, a, b;
};

/* sRGB (IEC 61966-2-1) -> linear light. */
static double linear(uint32_t byte)
{
	double value = byte / 255.0;

	return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static struct rgb linear_rgb(uint32_t rgb)
{
	return (struct rgb){linear(rgb >> 16), linear(rgb >> 8 & 0xff), linear(rgb & 0xff)};
}

/* WCAG 2: relative luminance and contrast. */
static double luminance(uint32_t rgb)
{
	struct rgb light = linear_rgb(rgb);

	return 0.2126 * light.red + 0.7152 * light.green + 0.0722 * light.blue;
}

static double contrast(uint32_t one, uint32_t other)
{
	double a = luminance(one), b = luminance(other);

	return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

/* Machado, Oliveira, Fernandes 2009, severity 1, on linear light. */
static const struct sight {
	const char *name;
	double matrix[3][3];
} sights[] = {
	{"full", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
	{"protan",
	 {{0.152286, 1.052583, -0.204868},
	  {0.114503, 0.786281, 0.099216},
	  {-0.003882, -0.048116, 1.051998}}},
	{"deutan",
	 {{0.367322, 0.860646, -0.227968},
	  {0.280085, 0.672501, 0.047413},
	  {-0.011820, 0.042940, 0.968881}}},
	{"tritan",
	 {{1.255528, -0.076749, -0.178779},
	  {-0.078411, 0.930809, 0.147602},
	  {0.004733, 0.691367, 0.303900}}},
};

static double row(const double *row, struct rgb light)
{
	double sum = row[0] * light.red + row[1] * light.green + row[2] * light.blue;

	return fmin(fmax(sum, 0), 1);
}

static struct rgb seen(uint32_t rgb, const struct sight *sight)
{
	struct rgb light = linear_rgb(rgb);

	return (struct rgb){row(sight->matrix[0], light), row(sight->matrix[1], light),
			    row(sight->matrix[2], light)};
}

/* CIE 1976 L*a*b*, D65. */
static double lab_part(double part)
{
	return part > 216.0 / 24389 ? cbrt(part) : (24389.0 / 27 * part + 16) / 116;
}

static struct lab lab(struct rgb light)
{
	double x = 0.4124564 * light.red + 0.3575761 * light.green + 0.1804375 * light.blue;
	double y = 0.2126729 * light.red + 0.7151522 * light.green + 0.0721750 * light.blue;
	double z = 0.0193339 * light.red + 0.1191920 * light.green + 0.9503041 * light.blue;

	x = lab_part(x / 0.95047);
	y = lab_part(y);
	z = lab_part(z / 1.08883);
	return (struct lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

static double degrees(double radians)
{
	return radians * 180 / M_PI;
}

static double cos_degrees(double angle)
{
	return cos(angle * M_PI / 180);
}

static double hue(double a, double b)
{
	double angle = degrees(atan2(b, a));

	return angle < 0 ? angle + 360 : angle;
}

/* CIEDE2000 after Sharma, Wu, Dalal 2005. */
static double distance(struct lab one, struct lab other)
{
	double mean_c7 = pow((hypot(one.a, one.b) + hypot(other.a, other.b)) / 2, 7);
	double g = 1.5 - 0.5 * sqrt(mean_c7 / (mean_c7 + pow(25, 7)));
	double c1 = hypot(one.a * g, one.b), c2 = hypot(other.a * g, other.b);
	double h1 = hue(one.a * g, one.b), h2 = hue(other.a * g, other.b);
	double step = h2 - h1, mean_h = (h1 + h2) / 2;

	if (fabs(step) > 180) {
		step += step > 0 ? -360 : 360;
		mean_h += h1 + h2 < 360 ? 180 : -180;
	}

	double mean_l = (one.l + other.l) / 2, mean_c = (c1 + c2) / 2;
	double t = 1 - 0.17 * cos_degrees(mean_h - 30) + 0.24 * cos_degrees(2 * mean_h) +
		   0.32 * cos_degrees(3 * mean_h + 6) - 0.20 * cos_degrees(4 * mean_h - 63);
	double offset = pow(mean_l - 50, 2);
	double l = (other.l - one.l) / (1 + 0.015 * offset / sqrt(20 + offset));
	double c = (c2 - c1) / (1 + 0.045 * mean_c);
	double h = 2 * sqrt(c1 * c2) * sin(step / 2 * M_PI / 180) / (1 + 0.015 * mean_c * t);
	double c7 = pow(mean_c, 7);
	double turn = -2 * sqrt(c7 / (c7 + pow(25, 7))) *
		      sin(60 * exp(-pow((mean_h - 275) / 25, 2)) * M_PI / 180);

	return sqrt(l * l + c * c + h * h + turn * c * h);
}

static void distances_are_those_of_the_published_test_data(void **state)
{
	(void)state;
	assert_float_equal(
		distance((struct lab){50, 2.6772, -79.7751}, (struct lab){50, 0, -82.7485}), 2.0425,
		1e-4);
	assert_float_equal(distance((struct lab){50, 2.5, 0}, (struct lab){73, 25, -18}), 27.1492,
			   1e-4);
	assert_float_equal(distance((struct lab){2.0776, 0.0795, -1.1350},
				    (struct lab){0.9033, -0.0636, -0.5514}),
			   0.9082, 1e-4);
}

static void check_contrast(bool is_dark, double least, double least_of_change)
{
	for (enum paint paint = 0; paint < PAINT_HEAT_LOW; paint++) {
		for (unsigned int shade = 0; shade < PALETTE_SHADES; shade++) {
			uint32_t rgb =
				palette_rgb((struct fill){paint, shade, HATCH_NONE}, is_dark);
			double found = contrast(palette_ink_rgb(INK_TEXT, is_dark), rgb);

			if (found < (paint == PAINT_MORE_THAN || paint == PAINT_LESS_THAN
					     ? least_of_change
					     : least))
				fail_msg("text on #%06x: %.2f", rgb, found);
		}
	}
}

static void text_is_legible_on_every_fill(void **state)
{
	(void)state;
	check_contrast(false, CONTRAST_LIGHT_MIN, CONTRAST_CHANGE_LIGHT_MIN);
	check_contrast(true, CONTRAST_DARK_MIN, CONTRAST_DARK_MIN);
}

static void text_is_legible_on_the_paper(void **state)
{
	(void)state;
	for (int is_dark = 0; is_dark < 2; is_dark++) {
		uint32_t paper = palette_ink_rgb(INK_SURFACE, is_dark);

		assert_true(contrast(palette_ink_rgb(INK_TEXT, is_dark), paper) >= 7);
		assert_true(contrast(palette_ink_rgb(INK_QUIET, is_dark), paper) >= 4.5);
		assert_true(contrast(palette_ink_rgb(INK_SEARCH, is_dark), paper) >= 3);
	}
}

static void check_pair(enum paint one, enum paint other, const struct sight *sight, bool is_dark,
		       double least)
{
	for (unsigned int i = 0; i < PALETTE_SHADES * PALETTE_SHADES; i++) {
		uint32_t a =
			palette_rgb((struct fill){one, i % PALETTE_SHADES, HATCH_NONE}, is_dark);
		uint32_t b =
			palette_rgb((struct fill){other, i / PALETTE_SHADES, HATCH_NONE}, is_dark);
		double found = distance(lab(seen(a, sight)), lab(seen(b, sight)));

		if (found < least)
			fail_msg("#%06x and #%06x for %s sight: %.2f", a, b, sight->name, found);
	}
}

/* The root is painted as the unknown is, and "+ n more" says what it is. */
static void check_family(enum palette_family family, double least)
{
	for (size_t i = 0; i < sizeof(sights) / sizeof(*sights); i++)
		for (enum paint one = 0; one < PAINT_NR; one++)
			for (enum paint other = one + 1; other < PAINT_NR; other++) {
				if (!palette_is_of(one, family) || !palette_is_of(other, family) ||
				    one == PAINT_ROOT || one == PAINT_MORE || other == PAINT_MORE)
					continue;
				check_pair(one, other, &sights[i], false, least);
				check_pair(one, other, &sights[i], true, least);
			}
}

static void origins_stay_apart_for_all_sights(void **state)
{
	(void)state;
	check_family(PALETTE_ORIGINS, DISTANCE_MIN);
}

static void groups_stay_apart_for_all_sights(void **state)
{
	(void)state;
	check_family(PALETTE_GROUPS, DISTANCE_MIN);
}

/* Grey is that of a root there, which is told by its place. */
static void steps_stay_apart_for_all_sights_and_grow_darker_or_brighter(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(sights) / sizeof(*sights); i++)
		for (int is_dark = 0; is_dark < 2; is_dark++) {
			double last = is_dark ? 0 : 100;

			for (enum paint one = PAINT_STEP1; one <= PAINT_STEP4; one++) {
				uint32_t rgb =
					palette_rgb((struct fill){one, 0, HATCH_NONE}, is_dark);
				double lightness = lab(seen(rgb, &sights[i])).l;

				assert_true(is_dark ? lightness > last : lightness < last);
				last = lightness;
				for (enum paint other = one + 1; other <= PAINT_STEP4; other++)
					check_pair(one, other, &sights[i], is_dark,
						   STEP_DISTANCE_MIN);
			}
		}
}

/* Neighbours in the scale are told apart, and the order of all of them is one of lightness. */
static void heat_grows_darker_or_brighter_for_all_sights(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(sights) / sizeof(*sights); i++)
		for (int is_dark = 0; is_dark < 2; is_dark++) {
			struct lab last =
				lab(seen(palette_ink_rgb(INK_SURFACE, is_dark), &sights[i]));

			for (unsigned int step = 0; step < 2 * PALETTE_SHADES; step++) {
				struct fill fill = {PAINT_HEAT_LOW + step / PALETTE_SHADES,
						    step % PALETTE_SHADES, HATCH_NONE};
				struct lab found =
					lab(seen(palette_rgb(fill, is_dark), &sights[i]));

				assert_true(is_dark ? found.l > last.l : found.l < last.l);
				if (step && distance(found, last) < HEAT_DISTANCE_MIN)
					fail_msg("step %u for %s sight: %.2f", step, sights[i].name,
						 distance(found, last));
				last = found;
			}
		}
}

static void paints_of_all_families_are_of_each(void **state)
{
	(void)state;
	assert_true(palette_is_of(PAINT_UNKNOWN, PALETTE_STEPS));
	assert_true(palette_is_of(PAINT_MORE, PALETTE_GROUPS));
	assert_true(palette_is_of(PAINT_JIT, PALETTE_ORIGINS));
	assert_false(palette_is_of(PAINT_JIT, PALETTE_GROUPS));
	assert_false(palette_is_of(PAINT_GROUP1, PALETTE_ORIGINS));
	assert_true(palette_is_of(PAINT_GROUP7, PALETTE_GROUPS));
	assert_true(palette_is_of(PAINT_STEP1, PALETTE_STEPS));
}

static void more_and_less_stay_apart_for_all_sights(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(sights) / sizeof(*sights); i++)
		for (int is_dark = 0; is_dark < 2; is_dark++)
			check_pair(PAINT_MORE_THAN, PAINT_LESS_THAN, &sights[i], is_dark,
				   CHANGE_DISTANCE_MIN);
}

/* Lines of a hatch are of the paper's colour, on which text is legible: see above. */
static void check_hatch(enum paint paint, const struct sight *sight, bool is_dark)
{
	uint32_t line = palette_ink_rgb(INK_SURFACE, is_dark);

	for (unsigned int shade = 0; shade < PALETTE_SHADES; shade++) {
		uint32_t rgb = palette_rgb((struct fill){paint, shade, HATCH_NONE}, is_dark);
		double found = distance(lab(seen(rgb, sight)), lab(seen(line, sight)));

		if (found < HATCH_DISTANCE_MIN)
			fail_msg("#%06x under #%06x for %s sight: %.2f", rgb, line, sight->name,
				 found);
	}
}

static void hatches_are_seen_on_every_fill(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(sights) / sizeof(*sights); i++)
		for (enum paint paint = 0; paint < PAINT_STEP1; paint++) {
			if (paint == PAINT_MORE)
				continue;
			check_hatch(paint, &sights[i], false);
			check_hatch(paint, &sights[i], true);
		}
	for (size_t i = 0; i < sizeof(sights) / sizeof(*sights); i++)
		for (enum paint paint = PAINT_MORE_THAN; paint <= PAINT_LESS_THAN; paint++) {
			check_hatch(paint, &sights[i], false);
			check_hatch(paint, &sights[i], true);
		}
	assert_int_not_equal(palette_hatch_letter(HATCH_STRIPED),
			     palette_hatch_letter(HATCH_CROSSED));
}

static void a_shade_depends_on_the_name_only(void **state)
{
	unsigned int seen_nr[PALETTE_SHADES] = {0};

	(void)state;
	assert_int_equal(palette_shade("main"), palette_shade("main"));
	for (int i = 0; i < 1000; i++) {
		char name[32];

		snprintf(name, sizeof(name), "function_%d", i);
		seen_nr[palette_shade(name)]++;
	}
	for (unsigned int shade = 0; shade < PALETTE_SHADES; shade++)
		assert_in_range(seen_nr[shade], 150, 350);
}

static void every_paint_has_a_letter_of_its_own_and_a_word(void **state)
{
	(void)state;
	for (enum paint one = 0; one < PAINT_NR; one++) {
		assert_string_not_equal(palette_word(one), "");
		for (enum paint other = one + 1; other < PAINT_NR; other++)
			assert_int_not_equal(palette_letter(one), palette_letter(other));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances_are_those_of_the_published_test_data),
		cmocka_unit_test(text_is_legible_on_every_fill),
		cmocka_unit_test(text_is_legible_on_the_paper),
		cmocka_unit_test(origins_stay_apart_for_all_sights),
		cmocka_unit_test(more_and_less_stay_apart_for_all_sights),
		cmocka_unit_test(groups_stay_apart_for_all_sights),
		cmocka_unit_test(steps_stay_apart_for_all_sights_and_grow_darker_or_brighter),
		cmocka_unit_test(heat_grows_darker_or_brighter_for_all_sights),
		cmocka_unit_test(paints_of_all_families_are_of_each),
		cmocka_unit_test(hatches_are_seen_on_every_fill),
		cmocka_unit_test(a_shade_depends_on_the_name_only),
		cmocka_unit_test(every_paint_has_a_letter_of_its_own_and_a_word),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("palette", tests, NULL, NULL);
}
