/* sideband.c - records beside the samples: who runs, what is mapped, what was lost */
#include "importers/perf_data/sideband.h"

#include "importers/perf_data/ksymbols.h"
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
	if (record->misc & PERF_MISC_COMM_EXEC && (int32_t)pid >= 0) {
		perf_chains_exec(&data->chains, (int32_t)pid);
		perf_processes_exec(&data->processes, (int32_t)pid);
	}
}

static void take_fork(struct perf_data *data, const struct perf_record *record, struct bytes body)
{
	uint32_t pid, parent_pid, tid, parent_tid;

	if (!bytes_u32(&body, &pid) || !bytes_u32(&body, &parent_pid) || !bytes_u32(&body, &tid) ||
	    !bytes_u32(&body, &parent_tid))
		return;
	perf_threads_fork(&data->threads, (int32_t)pid, (int32_t)tid, (int32_t)parent_pid,
			  (int32_t)parent_tid);
	perf_processes_fork(&data->processes, (int32_t)pid, (int32_t)parent_pid);
	if (pid != parent_pid && !(record->misc & PERF_MISC_FORK_EXEC) && (int32_t)pid >= 0 &&
	    (int32_t)parent_pid >= 0)
		perf_chains_fork(&data->chains, (int32_t)pid, (int32_t)parent_pid);
}

/*
 * { u32 pid, u32 parent, u32 tid, u32 parent's, u64 time }. Maps of a process that is over are
 * given back, unless records are missing: one of them might have been of a thread that lives on.
 */
static void take_exit(struct perf_data *data, struct bytes body)
{
	uint32_t pid;
	uint64_t time_ns;
	int32_t over;

	if (!bytes_u32(&body, &pid) || !bytes_skip(&body, 12) || !bytes_u64(&body, &time_ns))
		return;
	data->has_gaps |= data->capture->lost || data->capture->lost_samples;
	if (data->has_gaps)
		return;
	perf_processes_exit(&data->processes, (int32_t)pid, time_ns);
	while (perf_processes_over(&data->processes, time_ns, &over))
		perf_chains_exit(&data->chains, over);
}

/* { u64 id, path } */
static void take_cgroup(struct perf_data *data, struct bytes body)
{
	const char *path;
	uint64_t id;
	size_t size;

	if (!bytes_u64(&body, &id))
		return;
	size = bytes_string(&body, &path);
	perf_cgroups_set(&data->cgroups, id, names_add(&data->capture->names, path, size));
}

bool perf_sideband_matters(uint32_t type)
{
	const uint64_t types = 1 << PERF_RECORD_MMAP | 1 << PERF_RECORD_MMAP2 |
			       1 << PERF_RECORD_COMM | 1 << PERF_RECORD_FORK |
			       1 << PERF_RECORD_EXIT | 1 << PERF_RECORD_LOST |
			       1 << PERF_RECORD_LOST_SAMPLES | 1 << PERF_RECORD_KSYMBOL |
			       1 << PERF_RECORD_BPF_EVENT | 1 << PERF_RECORD_CGROUP |
			       1 << PERF_RECORD_THROTTLE | 1 << PERF_RECORD_UNTHROTTLE;

	return type < 64 && types >> type & 1;
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
	case PERF_RECORD_EXIT:
		take_exit(data, body);
		break;
	case PERF_RECORD_CGROUP:
		take_cgroup(data, body);
		break;
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_BPF_EVENT:
		perf_ksymbols_take(data, record, body);
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		perf_losses_take(data, record, body);
		break;
	}
}
