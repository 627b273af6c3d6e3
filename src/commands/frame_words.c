/* frame_words.c - what is said of a frame by its function */
#include "commands/frame_words.h"

#include "analysis/naming.h"
#include "analysis/trust.h"
#include "base/text.h"
#include "model/capture.h"

const char *frame_words_origin(const struct function *function)
{
	if (function->kind == FUNCTION_ROOT)
		return "root";
	return function->origin == ORIGIN_UNKNOWN ? NULL : origin_word(function->origin);
}

void frame_words_add_origin(const struct naming *naming, uint32_t id, struct text *text)
{
	const struct capture *capture = naming->capture;
	const struct function *function = &naming->list[id];
	const char *origin = frame_words_origin(function);

	if (origin)
		text_add(text, origin);
	if (function->kind == FUNCTION_ROOT || function->module == MODULE_NONE)
		return;
	if (origin)
		text_add_char(text, ' ');
	text_add(text,
		 names_display(&capture->names, capture->modules.list[function->module].basename));
}

bool frame_words_have_one_origin(const struct function *a, const struct function *b)
{
	return a->module == b->module && a->origin == b->origin &&
	       (a->kind == FUNCTION_ROOT) == (b->kind == FUNCTION_ROOT);
}

void frame_words_add_doubt(const struct naming *naming, uint32_t function, uint32_t doubted_id,
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
