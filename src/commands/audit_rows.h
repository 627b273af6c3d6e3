/* audit_rows.h - findings of an audit as rows, in words and in JSON */
#pragma once

#include <stddef.h>
#include <stdio.h>

struct audit;
struct json;
struct rows;

/* The member "audit": an array of findings. */
void audit_rows_write_json(const struct audit *audit, struct json *json);

/* Rows of three columns for tephra info: "audit", the finding's word, what was found. */
void audit_rows_add(const struct audit *audit, struct rows *rows);
