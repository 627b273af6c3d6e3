/* clock_rows.h - the clocks of captures and what ties them, as rows */
#pragma once

#include <stdio.h>

#include "commands/rows.h"

struct capture;
struct clock_map;
struct json;
struct store_captures;

/* A row for each tie, and one for each capture that has none. */
void clock_rows_write(const struct clock_map *map, const struct store_captures *captures,
		      enum rows_format format, FILE *out);

/* For tephra info: three cells a row (about, what, value) of one capture's clock. */
void clock_rows_add(const struct capture *capture, struct rows *rows);

/* The same as the member "clock" of a JSON object. */
void clock_rows_write_json(const struct capture *capture, struct json *json);
