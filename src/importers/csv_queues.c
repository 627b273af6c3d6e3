/* csv_queues.c - columns of several queues told apart: ingest_depth and classify_depth */
#include "importers/csv_queues.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "importers/csv_columns.h"
#include "model/capture.h"

static bool is_guessed(const struct csv_column *column)
{
	return column->use == CSV_VALUE && column->series.role != ROLE_NONE &&
	       column->series.role_source == ROLE_SOURCE_NAME;
}

static bool has_same_owner(const struct csv_column *a, const struct csv_column *b)
{
	return a->owner_size == b->owner_size &&
	       (!a->owner_size || strncasecmp(a->owner, b->owner, a->owner_size) == 0);
}

static bool has_same_labels(const struct csv_column *a, const struct csv_column *b)
{
	return a->series.labels_nr == b->series.labels_nr &&
	       (!a->series.labels_nr ||
		memcmp(a->series.labels, b->series.labels,
		       a->series.labels_nr * sizeof(*a->series.labels)) == 0);
}

/* Is there another column of its role, and of another owner? Then owners matter. */
static bool has_rival(const struct csv_columns *columns, const struct csv_column *column)
{
	for (size_t i = 0; i < columns->nr; i++) {
		const struct csv_column *other = &columns->list[i];

		if (other != column && is_guessed(other) && other->owner_size &&
		    other->series.role == column->series.role && has_same_labels(other, column) &&
		    !has_same_owner(other, column))
			return true;
	}
	return false;
}

static void label(struct capture *capture, struct csv_column *column, uint32_t key)
{
	struct series *series = &column->series;

	if (series->labels_nr == SERIES_LABELS_MAX)
		return;
	series->labels =
		mem_realloc(series->labels, series->labels_nr + 1, sizeof(*series->labels));
	series->labels[series->labels_nr++] = (struct series_label){
		key, names_add(&capture->names, column->owner, column->owner_size)};
}

/* Of two columns with the same meaning the one has it whose name says the least beside it. */
static void leave_to_one(struct csv_columns *columns)
{
	for (size_t i = 0; i < columns->nr; i++)
		for (size_t j = 0; j < columns->nr; j++) {
			struct csv_column *a = &columns->list[i], *b = &columns->list[j];

			if (i == j || !is_guessed(a) || b->use != CSV_VALUE ||
			    a->series.role != b->series.role || !has_same_labels(a, b))
				continue;
			if (b->series.role_source == ROLE_SOURCE_NAME &&
			    (a->words_unused < b->words_unused ||
			     (a->words_unused == b->words_unused && i < j)))
				continue;
			a->series.role = ROLE_NONE;
			a->series.role_source = ROLE_SOURCE_NONE;
		}
}

void csv_queues_label(struct capture *capture, struct csv_columns *columns)
{
	bool *has_owner = mem_zalloc(columns->nr, sizeof(*has_owner));
	uint32_t key = names_add_string(&capture->names, "queue");

	for (size_t i = 0; i < columns->nr; i++) {
		const struct csv_column *column = &columns->list[i];

		if (!is_guessed(column) || !column->owner_size || !has_rival(columns, column))
			continue;
		for (size_t j = 0; j < columns->nr; j++)
			has_owner[j] |= columns->list[j].use == CSV_VALUE &&
					has_same_owner(&columns->list[j], column);
	}
	for (size_t i = 0; i < columns->nr; i++)
		if (has_owner[i])
			label(capture, &columns->list[i], key);
	free(has_owner);
	leave_to_one(columns);
}
