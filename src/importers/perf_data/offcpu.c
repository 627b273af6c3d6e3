/* offcpu.c - samples that perf record --off-cpu writes itself, of time that was waited */
#include "importers/perf_data/offcpu.h"

#include <string.h>

#include "importers/perf_data/attr.h"
#include "importers/perf_data/chain.h"
#include "importers/perf_data/sample.h"

/* enum perf_sw_ids in linux/perf_event.h */
#define SW_BPF_OUTPUT 10

bool perf_offcpu_is(const struct perf_attr *attr)
{
	static const char name[] = "offcpu-time";

	return attr->type == PERF_TYPE_SOFTWARE && attr->config == SW_BPF_OUTPUT && attr->name &&
	       strncmp(attr->name, name, strlen(name)) == 0;
}

/* { u32 pid, u32 tid, u64 period, u64 nr, u64 ips[nr], u64 cgroup }: tools/perf/util/off_cpu.h */
void perf_offcpu_take(struct perf_sample *sample)
{
	struct bytes raw = sample->raw, ips;
	uint32_t pid, tid;
	uint64_t period, nr, cgroup;

	if (!bytes_u32(&raw, &pid) || !bytes_u32(&raw, &tid) || !bytes_u64(&raw, &period) ||
	    !bytes_u64(&raw, &nr) || nr > bytes_left(&raw) / 8 || !bytes_part(&raw, nr * 8, &ips))
		return;
	sample->pid = pid;
	sample->tid = tid;
	sample->period = period;
	sample->has_tid = sample->has_period = sample->has_chain = true;
	sample->chain = ips;
	/* the first word is the marker of user code */
	sample->has_ip = nr > 1;
	if (sample->has_ip)
		sample->ip = perf_sample_word(&ips, 1);
	if (bytes_u64(&raw, &cgroup))
		sample->cgroup = cgroup;
}
