/* csv_queues.h - columns of several queues told apart: ingest_depth and classify_depth */
#pragma once

struct capture;
struct csv_columns;

/*
 * Where two columns have one role, what their names have beside it says whose they are, and
 * becomes the label queue="ingest" of these columns and of all others of that owner. A role that
 * two columns of the same owner have is left to the one whose name says nothing else.
 */
void csv_queues_label(struct capture *capture, struct csv_columns *columns);
