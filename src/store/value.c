/* value.c - names and weights as SQL values, exact in both directions */
#include "store/value.h"

#include <sqlite3.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/names.h"
#include "model/stacks.h"

void value_bind_name(struct sqlite3_stmt *statement, int at, const struct names *names,
		     uint32_t name)
{
	const struct name *bytes;

	if (name == NAME_NONE) {
		sqlite3_bind_null(statement, at);
		return;
	}
	bytes = names_get(names, name);
	if (bytes->display == bytes->bytes) /* nothing had to be replaced */
		sqlite3_bind_text(statement, at, bytes->bytes, (int)bytes->size, SQLITE_STATIC);
	else
		sqlite3_bind_blob(statement, at, bytes->bytes, (int)bytes->size, SQLITE_STATIC);
}

uint32_t value_name(struct sqlite3_stmt *statement, int at, struct names *names)
{
	const void *bytes;

	switch (sqlite3_column_type(statement, at)) {
	case SQLITE_TEXT:
		bytes = sqlite3_column_text(statement, at);
		break;
	case SQLITE_BLOB:
		bytes = sqlite3_column_blob(statement, at);
		break;
	default:
		return NAME_NONE;
	}
	return names_add(names, bytes ? bytes : "", (size_t)sqlite3_column_bytes(statement, at));
}

bool value_is_integer(weight w)
{
	return w % WEIGHT_ONE == 0 && w / WEIGHT_ONE <= INT64_MAX;
}

void value_bind_weight(struct sqlite3_stmt *statement, int at, weight w)
{
	struct text digits = TEXT_INIT;

	if (value_is_integer(w)) {
		sqlite3_bind_int64(statement, at, (int64_t)(w / WEIGHT_ONE));
		return;
	}
	weight_add(&digits, w);
	sqlite3_bind_text(statement, at, text_string(&digits), (int)digits.size, SQLITE_TRANSIENT);
	text_release(&digits);
}

bool value_weight(struct sqlite3_stmt *statement, int at, weight *ret)
{
	int64_t number;

	switch (sqlite3_column_type(statement, at)) {
	case SQLITE_INTEGER:
		number = sqlite3_column_int64(statement, at);
		*ret = weight_of((uint64_t)number);
		return number >= 0;
	case SQLITE_TEXT:
		return weight_read((const char *)sqlite3_column_text(statement, at),
				   (size_t)sqlite3_column_bytes(statement, at), ret);
	default:
		return false;
	}
}

void value_bind_u64(struct sqlite3_stmt *statement, int at, uint64_t number)
{
	sqlite3_bind_int64(statement, at, number > INT64_MAX ? INT64_MAX : (int64_t)number);
}

uint64_t value_u64(struct sqlite3_stmt *statement, int at)
{
	int64_t number = sqlite3_column_int64(statement, at);

	return number < 0 ? 0 : (uint64_t)number;
}

void value_bind_int(struct sqlite3_stmt *statement, int at, int64_t number, int64_t none)
{
	if (number == none)
		sqlite3_bind_null(statement, at);
	else
		sqlite3_bind_int64(statement, at, number);
}

void value_add_id(struct text *text, uint64_t id)
{
	char digits[24];
	char *end = digits + sizeof(digits), *begin = end;

	do
		*--begin = (char)('0' + id % 10);
	while (id /= 10);
	text_add_bytes(text, begin, (size_t)(end - begin));
}

void value_add_list(struct text *text, const uint32_t *ids, uint32_t nr, int64_t base)
{
	text_add_char(text, '[');
	for (uint32_t i = 0; i < nr; i++) {
		if (i)
			text_add_char(text, ',');
		value_add_id(text, (uint64_t)base + ids[i]);
	}
	text_add_char(text, ']');
}

bool value_list(struct sqlite3_stmt *statement, int at, int64_t base, uint32_t limit,
		uint32_t **ids, size_t *alloc, uint32_t *ret_nr)
{
	const char *p = (const char *)sqlite3_column_text(statement, at);
	size_t size = (size_t)sqlite3_column_bytes(statement, at);
	size_t most = size / 2; /* a digit, a comma */
	const char *text_end = p + size;
	uint32_t *next, *end;

	if (!p || *p++ != '[')
		return false;
	if (most > STACK_FRAMES_MAX + 1)
		most = STACK_FRAMES_MAX + 1;
	GROW(*ids, most, *alloc);
	next = *ids;
	end = next + most;
	while (*p != ']') {
		uint64_t id;

		if (next == end || (next > *ids && *p++ != ','))
			return false;
		if (!value_take_id(&p, text_end, &id))
			return false;
		id -= (uint64_t)base; /* large for what is before the base */
		if (id >= limit)
			return false;
		*next++ = (uint32_t)id;
	}
	*ret_nr = (uint32_t)(next - *ids);
	return p[1] == '\0';
}

int value_word(const char *word, const char *(*words)(int), int nr)
{
	for (int i = 0; word && i < nr; i++)
		if (strcmp(words(i), word) == 0)
			return i;
	return 0;
}
