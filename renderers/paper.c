/* paper.c - text on its way into a file: a buffer, and what XML makes of characters */
#include "renderers/paper.h"

#include <endian.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>

#include "renderers/character.h"

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

/* A place that is said again is said by most frames: a row's top, and in a chain the same box. */
void paper_put_number(struct paper *paper, double px)
{
	struct paper_number *number;
	uint64_t bits;

	memcpy(&bits, &px, sizeof(bits));
	number = &paper->numbers[bits * UINT64_C(0x9e3779b97f4a7c15) >> (64 - PAPER_NUMBERS_LOG)];
	if (!number->size || number->bits != bits) {
		number->size = number_px(number->text, px);
		number->bits = bits;
	}
	if (PAPER_SIZE - paper->used < sizeof(number->text)) {
		paper_put_over(paper, number->text, number->size);
		return;
	}
	/* all that it may be, which takes two moves where its size would take a call */
	memcpy(paper->bytes + paper->used, number->text, sizeof(number->text));
	paper->used += number->size;
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

/* What is written for a byte of text or attribute. */
struct escape {
	char bytes[8];
	size_t size;
};

static const struct escape replacement = {"\xef\xbf\xbd", 3};

/* NULL: the byte itself. Control characters that are no blanks cannot be said in XML. */
static const struct escape *escape_of(unsigned char byte)
{
	static const struct escape and = {"&amp;", 5}, less = {"&lt;", 4}, greater = {"&gt;", 4},
				   quote = {"&quot;", 6}, blank = {" ", 1};

	switch (byte) {
	case '&':
		return &and;
	case '<':
		return &less;
	case '>':
		return &greater;
	case '"':
		return &quote;
	case '\t':
	case '\n':
	case '\r':
		return &blank;
	default:
		return byte < 0x20 ? &replacement : NULL;
	}
}

/* Bytes that are looked at together, since half of a picture is text. */
typedef signed char block __attribute__((vector_size(16)));

/* How many bytes stand before the first that is not itself whatever stands beside it. */
static size_t plain_nr(block bytes)
{
	/* control characters and, below 0, what is not ASCII; < and >; " and & */
	block odd = (bytes < ' ') | ((bytes | 2) == '>') | ((bytes | 4) == '&');
	uint64_t half[2];

	memcpy(half, &odd, sizeof(half));
	if (half[0])
		return (size_t)__builtin_ctzll(le64toh(half[0])) / 8;
	return half[1] ? 8 + (size_t)__builtin_ctzll(le64toh(half[1])) / 8 : sizeof(block);
}

/* Copies bytes as long as they are plain and returns how many; writes up to 16 more behind them. */
static size_t copy_plain(char *to, const char *text, const char *end)
{
	size_t nr = 0, step;

	do {
		size_t left = (size_t)(end - text) - nr;
		block bytes = {0}; /* which are not plain */

		if (left < sizeof(bytes))
			memcpy(&bytes, text + nr, left);
		else
			memcpy(&bytes, text + nr, sizeof(bytes));
		memcpy(to + nr, &bytes, sizeof(bytes));
		step = plain_nr(bytes);
		nr += step;
	} while (step == sizeof(block));
	return nr;
}

/* Writes one character that is not plain; returns how many bytes of the text it has. */
static size_t put_odd(char **to, const char *text)
{
	const struct escape *escape = escape_of((unsigned char)*text);
	size_t step = 1;

	if (!escape) {
		uint32_t code;

		step = character_next(text, &code);
		if (code == CHARACTER_REPLACEMENT || code == 0xfffe || code == 0xffff)
			escape = &replacement;
	}
	if (!escape) {
		memcpy(*to, text, step);
		*to += step;
		return step;
	}
	memcpy(*to, escape->bytes, sizeof(escape->bytes));
	*to += escape->size;
	return step;
}

/* So much of a text at once, for which there is room whatever it holds. */
#define PIECE_SIZE 4096
#define ESCAPE_MAX 6  /* bytes that one becomes */
#define BEHIND_MAX 16 /* bytes that are written behind */

/* Text of names: escaped, and made well-formed where it is not. */
void paper_put_text(struct paper *paper, const char *text, size_t size)
{
	const char *end = text + size;

	while (text < end) {
		size_t left = (size_t)(end - text);
		size_t size_now = left < PIECE_SIZE ? left : PIECE_SIZE;
		const char *piece_end = text + size_now;
		char *to;

		if (PAPER_SIZE - paper->used < size_now * ESCAPE_MAX + BEHIND_MAX)
			paper_flush(paper);
		to = paper->bytes + paper->used;
		while (text < piece_end) {
			size_t nr = copy_plain(to, text, piece_end);

			text += nr;
			to += nr;
			if (text < piece_end)
				text += put_odd(&to, text);
		}
		paper->used = (size_t)(to - paper->bytes);
	}
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

void paper_put_label(struct paper *paper, const struct label *label)
{
	paper_put_text(paper, label->text, label->size);
	if (label->is_cut)
		paper_put_string(paper, LABEL_ELLIPSIS);
}
