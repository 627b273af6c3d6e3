/* flame_table_view.c - tephra flame --view=table: functions by weight, as a picture or as rows */
#include "analysis/top.h"
#include "base/mem.h"
#include "commands/flame_embed.h"
#include "commands/flame_picture.h"
#include "commands/output.h"
#include "commands/top_rows.h"
#include "renderers/table.h"

/* Rows that are drawn; a script shows all, and programs get them. */
#define PICTURE_ROWS 60

/* Bytes of a row that is drawn, about. */
#define ROW_SIZE 600

/* The rows of a picture. Their strings lie in one text, found by their offsets. */
struct rows_of_picture {
	struct table_row *list; /* owned */
	size_t nr;
	struct text strings, foot;
	bool has_paint[PAINT_NR];
};

static void rows_of_picture_release(struct rows_of_picture *rows)
{
	free(rows->list);
	text_release(&rows->strings);
	text_release(&rows->foot);
}

/* Both weights of a row, one after the other. */
static void add_strings(struct rows_of_picture *rows, const struct flame_picture *picture,
			const struct top_row *row)
{
	flame_words_add_weight(&picture->words, &rows->strings, row->self);
	text_add_char(&rows->strings, '\0');
	flame_words_add_weight(&picture->words, &rows->strings, row->total);
	text_add_char(&rows->strings, '\0');
}

static void set_row(struct table_row *row, const struct flame_picture *picture,
		    const struct top *top, const struct top_row *of)
{
	const struct profile *profile = picture->profile;
	const struct function *function = &profile->naming.list[of->function];

	row->name = names_display(&profile->capture.names, function->name);
	row->self = weight_share(of->self, top->total);
	row->total = weight_share(of->total, top->total);
	row->fill = (struct fill){.paint = picture->paints.of[of->function],
				  .shade = palette_shade(row->name)};
	if (flame_paints_are_by_name(&picture->paints))
		row->fill = palette_fill_by_name(row->name);
}

static void make_rows(struct rows_of_picture *rows, const struct flame_picture *picture,
		      const struct top *top)
{
	const char *at;

	rows->nr = top->nr < PICTURE_ROWS ? top->nr : PICTURE_ROWS;
	rows->list = mem_zalloc(rows->nr, sizeof(*rows->list));
	for (size_t i = 0; i < rows->nr; i++)
		add_strings(rows, picture, &top->rows[i]);
	at = text_string(&rows->strings);
	for (size_t i = 0; i < rows->nr; i++) {
		struct table_row *row = &rows->list[i];

		set_row(row, picture, top, &top->rows[i]);
		row->self_text = at;
		row->total_text = at += strlen(at) + 1;
		at += strlen(at) + 1;
		if (!flame_paints_are_by_name(&picture->paints))
			rows->has_paint[row->fill.paint] = true;
	}
	if (top->nr > rows->nr)
		text_addf(&rows->foot, "+ %zu more function%s: tephra top --all lists all",
			  top->nr - rows->nr, top->nr - rows->nr == 1 ? "" : "s");
}

/* What a script makes of the tree; a still picture has none. */
static struct flame_chart make_flame(const struct flame_picture *picture,
				     const struct flame_whole *whole)
{
	const struct flame_options *options = picture->options;
	struct flame_chart flame = {
		.unit = picture->count_name ? picture->count_name : profile_unit(picture->profile),
		.subtitle = picture->subtitle,
		.mark_words = FLAME_MARK_WORDS,
		.whole = whole,
		.id = options->id,
		.flags = FLAME_AS_TABLE | (options->icicle ? FLAME_ICICLE : 0) |
			 (options->sort ? FLAME_HEAVIEST_FIRST : 0),
	};

	if (flame_paints_are_by_name(&picture->paints))
		flame.flags |= FLAME_PAINT_NAME;
	memcpy(flame.origin_words, picture->paints.words, sizeof(flame.origin_words));
	return flame;
}

static struct error *draw(const struct flame_picture *picture, const struct top *top,
			  const struct flame_whole *whole, struct output *output)
{
	struct flame_chart flame = make_flame(picture, whole);
	CLEANUP(rows_of_picture_release) struct rows_of_picture rows = {0};
	struct table_chart chart = {
		.format = draw_format_of(picture->options->output),
		.title = picture->title,
		.subtitle = picture->subtitle,
		.head = text_string(&picture->head),
		.has_paint = rows.has_paint,
		.paint_words = picture->paints.words,
		.flame = &flame,
		.width_px = (double)picture->options->width,
		.theme = (enum flame_theme)picture->options->theme,
	};

	make_rows(&rows, picture, top);
	chart.rows = rows.list;
	chart.rows_nr = rows.nr;
	chart.foot = rows.foot.size ? text_string(&rows.foot) : NULL;
	if (!table_draw(&chart, output->file))
		return output_failed(output);
	return output_commit(output);
}

/* A picture that is walked in: the whole tree is in it. */
static struct error *draw_walked(const struct flame_picture *picture, const struct top *top,
				 struct output *output)
{
	CLEANUP(flame_embed_release) struct flame_embed embed = {0};
	struct error *err;

	flame_embed_init(&embed, picture->profile, &picture->paints,
			 ((size_t)picture->options->max_size << 20) - FLAME_EMBED_ASSETS_SIZE);
	flame_embed_walk(&embed, 0, NULL);
	flame_embed_finish(&embed, PICTURE_ROWS * ROW_SIZE);
	embed.whole.head = text_string(&picture->head);
	err = draw(picture, top, &embed.whole, output);
	if (!err)
		flame_picture_tell(picture, &embed.note);
	return err;
}

struct error *flame_table_view(struct flame_picture *picture, const char *path,
			       enum flame_format format)
{
	CLEANUP(top_release) struct top top = {0};
	struct output output;
	struct error *err = output_open(path, &output);

	if (err)
		return err;
	top_build(&top, &picture->profile->paths, picture->profile->counts_samples);
	for (size_t i = 0; i < top.nr; i++)
		flame_paints_see(&picture->paints, top.rows[i].function);
	if (format == FLAME_FORMAT_SVG && !picture->options->still &&
	    draw_format_of(path) == DRAW_SVG)
		return draw_walked(picture, &top, &output);
	if (format == FLAME_FORMAT_SVG)
		return draw(picture, &top, NULL, &output);
	top_rows_write(picture->profile, &top, SIZE_MAX,
		       format == FLAME_FORMAT_CSV ? ROWS_CSV : ROWS_JSON, output.file);
	return output_commit(&output);
}
