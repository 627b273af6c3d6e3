/* point_block.c - many points of a series, and their times, as the texts of one row each */
#include "store/point_block.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "store/value.h"

static void add_i64(struct text *text, int64_t number)
{
	if (number < 0)
		text_add_char(text, '-');
	value_add_id(text, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

/* ---- times */

void tick_block_add(struct text *offsets, const uint64_t *times_ns, uint32_t nr,
		    uint64_t *ret_step_ns)
{
	uint64_t step = nr > 1 ? (times_ns[nr - 1] - times_ns[0]) / (nr - 1) : 0;
	bool is_regular = true;

	*ret_step_ns = step;
	for (uint32_t i = 0; is_regular && i < nr; i++)
		is_regular = times_ns[i] == times_ns[0] + i * step;
	if (is_regular)
		return;
	for (uint32_t i = 0; i < nr; i++) {
		text_add_char(offsets, i ? ',' : '[');
		add_i64(offsets, (int64_t)(times_ns[i] - times_ns[0] - i * step));
	}
	text_add_char(offsets, ']');
}

static bool take(const char **at, char c)
{
	return **at == c && (*at)++;
}

static bool take_i64(const char **at, int64_t *ret)
{
	bool is_negative = take(at, '-');
	uint64_t number;

	if (!value_take_digits(at, &number) || number > INT64_MAX)
		return false;
	*ret = is_negative ? -(int64_t)number : (int64_t)number;
	return true;
}

/* start + n * step + offset, which must be a time and not before the last one. */
static bool place(uint64_t start_ns, uint64_t step_ns, uint32_t n, int64_t offset, uint64_t *ret)
{
	uint64_t at;

	if (__builtin_mul_overflow(step_ns, n, &at) || __builtin_add_overflow(at, start_ns, &at) ||
	    at > INT64_MAX)
		return false;
	*ret = at + (uint64_t)offset;
	return *ret <= INT64_MAX;
}

bool tick_block_read(const char *offsets, uint64_t start_ns, uint64_t step_ns, uint32_t nr,
		     uint64_t *ret_times_ns)
{
	for (uint32_t i = 0; i < nr; i++) {
		int64_t offset = 0;

		if (offsets && (!take(&offsets, i ? ',' : '[') || !take_i64(&offsets, &offset)))
			return false;
		if (!place(start_ns, step_ns, i, offset, &ret_times_ns[i]))
			return false;
		if (i && ret_times_ns[i] <= ret_times_ns[i - 1])
			return false;
	}
	return !offsets || (take(&offsets, ']') && !*offsets);
}

/* ---- values */

static bool is_plain(const struct point *point)
{
	return point->state == POINT_OK && point->begin_ns == point->end_ns && !point->enabled_ns &&
	       !point->running_ns;
}

/* [value, "state", time that it covers, enabled, running]: as much of it as says something. */
static void add_whole(struct text *block, const struct point *point)
{
	text_add_char(block, '[');
	if (point_has_value(point))
		decimal_add(block, point->value);
	else
		text_add(block, "null");
	text_add(block, ",\"");
	text_add(block, point_state_word(point->state));
	text_add_char(block, '"');
	if (point->begin_ns != point->end_ns || point->enabled_ns || point->running_ns) {
		text_add_char(block, ',');
		value_add_id(block, point->end_ns - point->begin_ns);
	}
	if (point->enabled_ns || point->running_ns) {
		text_add_char(block, ',');
		value_add_id(block, point->enabled_ns);
		text_add_char(block, ',');
		value_add_id(block, point->running_ns);
	}
	text_add_char(block, ']');
}

void point_block_add(struct text *block, const struct point *point)
{
	text_add_char(block, block->size ? ',' : '[');
	if (is_plain(point))
		decimal_add(block, point->value);
	else if (point->state == POINT_GAP && point->begin_ns == point->end_ns)
		text_add(block, "null");
	else
		add_whole(block, point);
}

void point_block_end(struct text *block)
{
	text_add_char(block, ']');
}

static bool take_word(const char **at, const char *word)
{
	size_t size = strlen(word);

	if (strncmp(*at, word, size) != 0)
		return false;
	*at += size;
	return true;
}

static bool take_number(const char **at, struct decimal *ret)
{
	size_t size = strspn(*at, "0123456789+-.eE");

	if (!decimal_parse(*at, size, ret))
		return false;
	*at += size;
	return true;
}

static bool take_state(const char **at, enum point_state *ret)
{
	if (!take(at, '"'))
		return false;
	for (int state = 0; state < POINT_STATE_NR; state++)
		if (take_word(at, point_state_word(state)) && take(at, '"')) {
			*ret = state;
			return true;
		}
	return false;
}

static bool take_more(const char **at, uint64_t *ret)
{
	return !take(at, ',') || value_take_digits(at, ret);
}

static bool take_whole(const char **at, struct point *point)
{
	bool has_value = !take_word(at, "null");
	uint64_t span = 0;

	if ((has_value && !take_number(at, &point->value)) || !take(at, ',') ||
	    !take_state(at, &point->state) || !take_more(at, &span) ||
	    !take_more(at, &point->enabled_ns) || !take_more(at, &point->running_ns))
		return false;
	point->begin_ns = point->end_ns - span;
	return span <= point->end_ns && has_value == point_has_value(point) && take(at, ']');
}

static bool take_point(const char **at, struct point *point)
{
	if (take(at, '['))
		return take_whole(at, point);
	if (!take_word(at, "null"))
		return take_number(at, &point->value);
	point->state = POINT_GAP;
	return true;
}

bool point_block_begin(const char **at)
{
	return take(at, '[');
}

enum point_block_step point_block_next(const char **at, uint64_t end_ns, struct point *ret)
{
	if (**at == ']')
		return (*at)[1] ? POINT_BLOCK_DAMAGED : POINT_BLOCK_END;
	*ret = (struct point){.begin_ns = end_ns, .end_ns = end_ns};
	if (!take_point(at, ret) || (**at != ']' && !(take(at, ',') && **at != ']')))
		return POINT_BLOCK_DAMAGED;
	return POINT_BLOCK_POINT;
}
