/* module_rows.h - the modules of a capture: their files, and how far these are shown to be right */
#pragma once

#include <stdint.h>
#include <stdio.h>

struct capture;
struct json;
struct summary;

/*
 * The modules with the most samples first, ties by path: ids that the caller frees. As many as the
 * capture has.
 */
uint32_t *module_rows_sorted(const struct capture *capture, const struct summary *summary);

/* The array "modules", in the order of these ids; order NULL: as the capture names them. */
void module_rows_write_json(const struct capture *capture, const struct summary *summary,
			    const uint32_t *order, struct json *json);

/*
 * For people: a row a module, and below it the file that names come from, why the status is what
 * it is, and each file that was turned down.
 */
void module_rows_write_table(const struct capture *capture, const struct summary *summary,
			     const uint32_t *order, FILE *out);

/* A row a module; those turned down are in one field, "path: reason" joined by "; ". */
void module_rows_write_csv(const struct capture *capture, const struct summary *summary,
			   const uint32_t *order, FILE *out);
