/* json.h - JSON written as it comes: commas, escapes and exact numbers */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/units.h"

#define JSON_DEPTH_MAX 16

/* Errors of out are seen by whoever flushes it. */
struct json {
	FILE *out;
	int depth;
	bool has_items[JSON_DEPTH_MAX];
	bool is_after_key;
	bool is_one_line; /* blanks instead of line feeds between items */
};

void json_begin_object(struct json *json);
void json_end_object(struct json *json);
void json_begin_array(struct json *json);
void json_end_array(struct json *json);

/* The name of the value that comes next. */
void json_key(struct json *json, const char *key);

/* s must be valid UTF-8. */
void json_string(struct json *json, const char *s);
void json_u64(struct json *json, uint64_t number);
void json_i64(struct json *json, int64_t number);
void json_bool(struct json *json, bool is_true);

/* All digits of the weight: "1012.5". */
void json_weight(struct json *json, weight w);
void json_share(struct json *json, double share);
void json_null(struct json *json);

/* digits as they stand, which must be a JSON number */
void json_number(struct json *json, const char *digits);

/* A key and its value. */
static inline void json_member_string(struct json *json, const char *key, const char *s)
{
	json_key(json, key);
	json_string(json, s);
}

/* null where there is no word */
static inline void json_member_words(struct json *json, const char *key, const char *s)
{
	json_key(json, key);
	if (s && *s)
		json_string(json, s);
	else
		json_null(json);
}

static inline void json_member_u64(struct json *json, const char *key, uint64_t number)
{
	json_key(json, key);
	json_u64(json, number);
}

static inline void json_member_weight(struct json *json, const char *key, weight w)
{
	json_key(json, key);
	json_weight(json, w);
}

/* A line feed at the end of the document. */
void json_finish(struct json *json);
