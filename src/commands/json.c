/* json.c - JSON written as it comes: commas, escapes and exact numbers */
#include "commands/json.h"

#include <assert.h>
#include <inttypes.h>

#include "base/mem.h"
#include "base/text.h"

static void before_value(struct json *json)
{
	if (json->is_after_key) {
		json->is_after_key = false;
		return;
	}
	if (json->depth && json->has_items[json->depth - 1])
		fputs(json->is_one_line ? ", " : ",\n", json->out);
	if (json->depth)
		json->has_items[json->depth - 1] = true;
}

static void begin(struct json *json, char c)
{
	before_value(json);
	assert(json->depth < JSON_DEPTH_MAX);
	json->has_items[json->depth++] = false;
	fputc(c, json->out);
}

static void end(struct json *json, char c)
{
	json->depth--;
	fputc(c, json->out);
}

void json_begin_object(struct json *json)
{
	begin(json, '{');
}

void json_end_object(struct json *json)
{
	end(json, '}');
}

void json_begin_array(struct json *json)
{
	begin(json, '[');
}

void json_end_array(struct json *json)
{
	end(json, ']');
}

/* RFC 8259: quotation mark, backslash and control characters are escaped. */
static void quote(FILE *out, const char *s)
{
	fputc('"', out);
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			fputc('\\', out);
		if (c < 0x20)
			fprintf(out, "\\u%04x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

void json_key(struct json *json, const char *key)
{
	before_value(json);
	quote(json->out, key);
	fputs(": ", json->out);
	json->is_after_key = true;
}

void json_string(struct json *json, const char *s)
{
	before_value(json);
	quote(json->out, s);
}

void json_u64(struct json *json, uint64_t number)
{
	before_value(json);
	fprintf(json->out, "%" PRIu64, number);
}

void json_i64(struct json *json, int64_t number)
{
	before_value(json);
	fprintf(json->out, "%" PRId64, number);
}

void json_bool(struct json *json, bool is_true)
{
	before_value(json);
	fputs(is_true ? "true" : "false", json->out);
}

void json_weight(struct json *json, weight w)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	before_value(json);
	weight_add(&text, w);
	fputs(text_string(&text), json->out);
}

void json_share(struct json *json, double share)
{
	before_value(json);
	fprintf(json->out, "%.6f", share);
}

void json_number(struct json *json, const char *digits)
{
	before_value(json);
	fputs(digits, json->out);
}

void json_null(struct json *json)
{
	before_value(json);
	fputs("null", json->out);
}

void json_finish(struct json *json)
{
	fputc('\n', json->out);
}
