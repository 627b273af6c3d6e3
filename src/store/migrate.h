/* migrate.h - the schema, step by step from any older version to this build's */
#pragma once

#include "base/error.h"

struct store;

/* The version that this build reads and writes: the number of files in schema/. */
int migrate_version(void);

/*
 * Brings the profile from its version to `to` (migrate_version() but in tests). A new file
 * is of version 0. The steps are part of the caller's transaction.
 */
ERROR_RESULT struct error *migrate_run(struct store *store, int to);

/* Refuses what is no profile and what a newer tephra wrote; *ret_version is its version. */
ERROR_RESULT struct error *migrate_check(const struct store *store, int *ret_version);

/*
 * Refuses a profile of this build's version that lacks a table: what has its name could be a
 * view without an end.
 */
ERROR_RESULT struct error *migrate_check_tables(const struct store *store);
