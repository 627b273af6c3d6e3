/* tidy.h - names made shorter as stackcollapse-perf.pl and inferno-collapse-perf do */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct text;

/*
 * Adds the name without its top-level parameter list ("area(int)" to "area"; parentheses in
 * template arguments, Go receivers and "(anonymous namespace)" stay), without quotes, and
 * without the L of a Java class ("Lcom/acme/Vec;::add" to "com/acme/Vec;::add").
 */
void tidy_add(struct text *text, const char *name, size_t size);

/* The size of a Rust name without its hash "::h0123456789abcdef". */
size_t tidy_rust_size(const char *name, size_t size);

/*
 * Adds the name with its numbers masked, so that builds can be compared: "0x1234" to "0x*",
 * digits behind the first letter to "*".
 */
void tidy_add_masked(struct text *text, const char *name, size_t size);

/* Is it a function that a CPU is in while it has nothing to do? */
bool tidy_is_idle(const char *name);
