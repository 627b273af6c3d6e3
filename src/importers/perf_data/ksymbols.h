/* ksymbols.h - KSYMBOL and BPF_EVENT: the names that the file has for code made in the kernel */
#pragma once

#include "base/bytes.h"

struct perf_data;
struct perf_record;

/*
 * Takes a record of these types, in the order of time; body is what is between its header and its
 * trailer. From then on, until it is unregistered, addresses within it have its name, and a module
 * of their own, "[name]".
 */
void perf_ksymbols_take(struct perf_data *data, const struct perf_record *record,
			struct bytes body);
