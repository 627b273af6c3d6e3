/* chain_rows.h - who walked the call chains, what their frames are from, why they end */
#pragma once

struct json;
struct rows;
struct summary;

/* The members "unwinding" (of stack dumps alone) and "call_chains" (of all) of `info`. */
void chain_rows_write_json(const struct summary *summary, struct json *json);

/* The same as rows of three columns; none where the input does not say who walked. */
void chain_rows_add(const struct summary *summary, struct rows *rows);
