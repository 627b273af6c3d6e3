/* loss_rows.h - what was lost, for tephra info and for heads of pictures */
#pragma once

#include <stdint.h>

struct capture;
struct json;
struct rows;
struct summary;
struct text;

/* The array "losses": kind, event, second, count, ns. */
void loss_rows_write_json(const struct capture *capture, struct json *json);

/* Rows of three columns: totals, then by event with their share, then the worst seconds. */
void loss_rows_add(const struct capture *capture, const struct summary *summary, struct rows *rows);

/*
 * "; events lost 5469; samples lost 2736 (3.1 % of cycles); throttled 12 times, 1.5 s", as far as
 * there is something to tell of that event.
 */
void loss_rows_add_head(const struct capture *capture, uint32_t event, struct text *text);
