/* order_queue.h - whose counters are evidence, where there are those of several queues */
#pragma once

#include "base/error.h"

struct gathered;
struct order_evidence;

/*
 * *ret_queue is, where series name several queues, the one of that name, or where it is NULL the
 * one whose depth (else the age of its oldest) rose most above its median, the first of equal ones;
 * it stays as it is where there are not several. *ret_others are the others, "ingest, emit". Both
 * are owned by the caller. An unknown name is an error that lists them.
 */
ERROR_RESULT struct error *order_queue_choose(const struct gathered *gathered, const char *name,
					      char **ret_queue, char **ret_others);

/* Says on stderr which one was taken, where nobody said and there are others. */
void order_queue_tell(const struct order_evidence *evidence);
