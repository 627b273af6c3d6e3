/* error.h - the one way to fail: NULL is success */
#pragma once

enum error_kind {
	ERROR_USAGE, /* the command line */
	ERROR_INPUT, /* what is in a file */
	ERROR_LIMIT, /* a named limit of this program */
	ERROR_OS,    /* what the system refused */
};

/*
 * An error is owned by whoever holds the pointer, freed by error_free() or handed up. The
 * message is one line without an end: lower case, subject in quotes, the fact first.
 * Control characters that got into it from data are shown as '?'.
 */
struct error;

#define ERROR_RESULT __attribute__((warn_unused_result))

ERROR_RESULT struct error *error_new(enum error_kind kind, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* As error_new(ERROR_OS), with ": " and the words of errno at the end. */
ERROR_RESULT struct error *error_os(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Puts a place in front: "<place>: <message>". Returns err. */
ERROR_RESULT struct error *error_within(struct error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Adds the one next step that can be typed. Replaces an older hint. Returns err. */
ERROR_RESULT struct error *error_hint(struct error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

const char *error_text(const struct error *err);
const char *error_hint_text(const struct error *err); /* NULL when there is none */
enum error_kind error_kind(const struct error *err);
void error_free(struct error *err);
