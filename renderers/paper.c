/* paper.c - text on its way into a file: a buffer, and what XML makes of characters */
#include "renderers/paper.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>

#include "renderers/character.h"
#include "renderers/number.h"

void paper_flush(struct paper *paper)
{
	if (paper->used && !paper->error) {
		errno = 0;
		if (fwrite(paper->bytes, 1, paper->used, paper->file) != paper->used)
			paper->error = errno ? errno : EIO;
	}
	paper->used = 0;
}

/* What does not fit any more. */
void paper_put_over(struct paper *paper, const char *bytes, size_t size)
{
	while (size > PAPER_SIZE - paper->used) {
		size_t part = PAPER_SIZE - paper->used;

		memcpy(paper->bytes + paper->used, bytes, part);
		paper->used = PAPER_SIZE;
		paper_flush(paper);
		bytes += part;
		size -= part;
	}
	memcpy(paper->bytes + paper->used, bytes, size);
	paper->used += size;
}

void paper_put_px(struct paper *paper, const char *before, double px)
{
	char number[NUMBER_SIZE];

	paper_put_string(paper, before);
	paper_put(paper, number, number_px(number, px));
}

void paper_put_rule(struct paper *paper, const char *format, ...)
{
	char rule[256];
	va_list values;

	va_start(values, format);
	vsnprintf(rule, sizeof(rule), format, values);
	va_end(values);
	paper_put_string(paper, rule);
}

/* How XML says a byte of text or attribute; NULL: as it is. Other control characters cannot be
 * said. */
static const char *escape_of(unsigned char byte)
{
	switch (byte) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\t':
	case '\n':
	case '\r':
		return " ";
	default:
		return byte < 0x20 ? "\xef\xbf\xbd" : NULL;
	}
}

/* Bytes that are themselves whatever stands beside them: most of all text. */
static bool is_plain(unsigned char byte)
{
	/* but & < > " */
	static const bool plain[256] = {
		[' ' ... '!'] = true, ['#' ... '%'] = true,  ['\'' ... ';'] = true,
		['='] = true,	      ['?' ... 0x7f] = true,
	};

	return plain[byte];
}

/* The highest bit of each byte of a word that equals `byte`; of some behind such a one too. */
static uint64_t bytes_equal(uint64_t word, unsigned char byte)
{
	uint64_t other = word ^ byte * UINT64_C(0x0101010101010101);

	return (other - UINT64_C(0x0101010101010101)) & ~other;
}

/* Are these 8 bytes plain? At one go, since half of a picture is text. */
static bool is_plain_word(const char *text)
{
	uint64_t word, odd;

	memcpy(&word, text, sizeof(word));
	odd = word | ((word - UINT64_C(0x2020202020202020)) & ~word); /* not ASCII; control */
	odd |= bytes_equal(word | UINT64_C(0x0202020202020202), '>'); /* and < */
	odd |= bytes_equal(word | UINT64_C(0x0404040404040404), '&'); /* and " */
	return !(odd & UINT64_C(0x8080808080808080));
}

/* The first byte that is not plain. */
static const char *skip_plain(const char *text, const char *end)
{
	while (end - text >= 8 && is_plain_word(text))
		text += 8;
	while (text < end && is_plain((unsigned char)*text))
		text++;
	return text;
}

void paper_begin_data(struct paper *paper, const char *name)
{
	paper_put_string(paper, "<metadata class=\"");
	paper_put_string(paper, name);
	paper_put_string(paper, "\">");
}

void paper_end_data(struct paper *paper)
{
	paper_put_string(paper, "</metadata>\n");
}

/* Text of names: escaped, and made well-formed where it is not. */
void paper_put_text(struct paper *paper, const char *text, size_t size)
{
	const char *end = text + size, *plain = text;

	for (;;) {
		const char *escape;
		size_t step = 1;

		text = skip_plain(text, end);
		if (text == end)
			break;
		escape = escape_of((unsigned char)*text);

		if ((unsigned char)*text >= 0x80) {
			uint32_t code;

			step = character_next(text, &code);
			if (code == CHARACTER_REPLACEMENT || code == 0xfffe || code == 0xffff)
				escape = "\xef\xbf\xbd";
		}
		if (escape) {
			paper_put(paper, plain, (size_t)(text - plain));
			paper_put_string(paper, escape);
			plain = text + step;
		}
		text += step;
	}
	paper_put(paper, plain, (size_t)(end - plain));
}

void paper_put_label(struct paper *paper, const struct label *label)
{
	paper_put_text(paper, label->text, label->size);
	if (label->is_cut)
		paper_put_string(paper, LABEL_ELLIPSIS);
}
