/* sideband.c - records beside the samples: who runs, what is mapped, what was lost */
#include "importers/perf_data/sideband.h"

#include "importers/perf_data/mappings.h"
#include "importers/perf_data/state.h"

static void take_comm(struct perf_data *data, const struct perf_record *record, struct bytes body)
{
	struct capture *capture = data->capture;
	uint32_t pid, tid;
	const char *comm;
	size_t size;

	if (!bytes_u32(&body, &pid) || !bytes_u32(&body, &tid))
		return;
	size = bytes_string(&body, &comm);
	perf_threads_rename(perf_threads_get(&data->threads, (int32_t)pid, (int32_t)tid),
			    names_add(&capture->names, comm, size));
	if (record->misc & PERF_MISC_COMM_EXEC && (int32_t)pid >= 0)
		perf_chains_exec(&data->chains, (int32_t)pid);
}

static void take_fork(struct perf_data *data, const struct perf_record *record, struct bytes body)
{
	uint32_t pid, parent_pid, tid, parent_tid;

	if (!bytes_u32(&body, &pid) || !bytes_u32(&body, &parent_pid) || !bytes_u32(&body, &tid) ||
	    !bytes_u32(&body, &parent_tid))
		return;
	perf_threads_fork(&data->threads, (int32_t)pid, (int32_t)tid, (int32_t)parent_pid,
			  (int32_t)parent_tid);
	if (pid != parent_pid && !(record->misc & PERF_MISC_FORK_EXEC) && (int32_t)pid >= 0 &&
	    (int32_t)parent_pid >= 0)
		perf_chains_fork(&data->chains, (int32_t)pid, (int32_t)parent_pid);
}

void perf_sideband_take(struct perf_data *data, const struct perf_record *record, struct bytes body)
{
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		perf_mapping_take(data, record, body);
		break;
	case PERF_RECORD_COMM:
		take_comm(data, record, body);
		break;
	case PERF_RECORD_FORK:
		take_fork(data, record, body);
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		perf_losses_take(data, record, body);
		break;
	}
}
