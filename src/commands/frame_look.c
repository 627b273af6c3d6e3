/* frame_look.c - how a frame looks and what is said of it, by its function */
#include "commands/frame_look.h"

#include "analysis/naming.h"
#include "analysis/trust.h"
#include "base/text.h"
#include "model/capture.h"

enum paint frame_look_paint(const struct function *function)
{
	static const enum paint paints[ORIGIN_NR] = {
		[ORIGIN_UNKNOWN] = PAINT_UNKNOWN, [ORIGIN_APP] = PAINT_APP,
		[ORIGIN_LIBRARY] = PAINT_LIBRARY, [ORIGIN_KERNEL] = PAINT_KERNEL,
		[ORIGIN_JIT] = PAINT_JIT,
	};

	if (function->kind == FUNCTION_ROOT)
		return PAINT_ROOT;
	return function->is_unnamed && function->origin == ORIGIN_UNKNOWN
		       ? PAINT_UNKNOWN
		       : paints[function->origin];
}

enum hatch frame_look_mark(const struct naming *naming, uint32_t doubted)
{
	static const enum hatch marks[] = {
		[TRUST_SHOWN] = HATCH_NONE,
		[TRUST_DOUBTED] = HATCH_STRIPED,
		[TRUST_REFUSED] = HATCH_CROSSED,
	};

	if (doubted == FUNCTION_NONE)
		return HATCH_NONE;
	return marks[trust_grade(naming->capture, &naming->list[doubted])];
}

const char *frame_look_origin(const struct function *function)
{
	if (function->kind == FUNCTION_ROOT)
		return "root";
	return function->origin == ORIGIN_UNKNOWN ? NULL : origin_word(function->origin);
}

void frame_look_add_origin(const struct naming *naming, uint32_t id, struct text *text)
{
	const struct capture *capture = naming->capture;
	const struct function *function = &naming->list[id];
	const char *origin = frame_look_origin(function);

	if (origin)
		text_add(text, origin);
	if (function->kind == FUNCTION_ROOT || function->module == MODULE_NONE)
		return;
	if (origin)
		text_add_char(text, ' ');
	text_add(text,
		 names_display(&capture->names, capture->modules.list[function->module].basename));
}

void frame_look_add_doubt(const struct naming *naming, uint32_t function, uint32_t doubted_id,
			  struct text *text)
{
	const struct capture *capture = naming->capture;
	const struct function *doubted;

	if (doubted_id == FUNCTION_NONE)
		return;
	doubted = &naming->list[doubted_id];
	if (doubted_id != function)
		text_addf(text, "partly %s, ",
			  names_display(&capture->names,
					capture->modules.list[doubted->module].basename));
	text_add(text, trust_grade_words(capture, doubted));
}
