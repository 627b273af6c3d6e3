/* sample.c - PERF_RECORD_SAMPLE and the sample_id trailer, field by field */
#include "importers/perf_data/sample.h"

#include "importers/perf_data/attr.h"

/* nr times `words` u64s, checked before they are multiplied. */
static bool take_words(struct bytes *bytes, uint64_t nr, unsigned words, struct bytes *ret)
{
	return nr <= bytes_left(bytes) / (8 * words) && bytes_part(bytes, nr * 8 * words, ret);
}

/*
 *  alone: value [enabled] [running] [id] [lost]
 *  group: nr [enabled] [running] { value [id] [lost] } x nr
 */
static bool skip_read(struct bytes *bytes, uint64_t format)
{
	unsigned times = !!(format & PERF_READ_TIME_ENABLED) + !!(format & PERF_READ_TIME_RUNNING);
	unsigned each = 1 + !!(format & PERF_READ_ID) + !!(format & PERF_READ_LOST);
	struct bytes values;
	uint64_t nr;

	if (!(format & PERF_READ_GROUP))
		return bytes_skip(bytes, 8 * (times + each));
	return bytes_u64(bytes, &nr) && bytes_skip(bytes, 8 * times) &&
	       take_words(bytes, nr, each, &values);
}

static bool take_raw(struct bytes *bytes, struct bytes *ret)
{
	uint32_t size;

	return bytes_u32(bytes, &size) && bytes_part(bytes, size, ret);
}

/* has_empty_index: the index is there though there are no branches */
static bool take_branches(struct bytes *bytes, const struct perf_attr *attr, bool has_empty_index,
			  struct bytes *ret)
{
	bool has_index = attr->branch_sample_type >> PERF_BRANCH_HW_INDEX & 1;
	bool has_counters = attr->branch_sample_type >> PERF_BRANCH_COUNTERS & 1;
	struct bytes counters;
	uint64_t nr;

	if (!bytes_u64(bytes, &nr))
		return false;
	if (has_index && (nr || has_empty_index) && !bytes_skip(bytes, 8))
		return false;
	return take_words(bytes, nr, 3, ret) &&
	       (!has_counters || take_words(bytes, nr, 1, &counters));
}

static bool take_regs(struct bytes *bytes, uint64_t mask, uint64_t *ret_abi, struct bytes *ret)
{
	return bytes_u64(bytes, ret_abi) &&
	       (!*ret_abi || take_words(bytes, (uint64_t)__builtin_popcountll(mask), 1, ret));
}

static bool take_stack(struct bytes *bytes, struct bytes *ret)
{
	uint64_t size, valid;

	if (!bytes_u64(bytes, &size))
		return false;
	if (!size)
		return true;
	if (!bytes_part(bytes, size, ret) || !bytes_u64(bytes, &valid))
		return false;
	if (valid < size)
		ret->end = ret->at + valid;
	return true;
}

static bool take_aux(struct bytes *bytes)
{
	uint64_t size;

	return bytes_u64(bytes, &size) && bytes_skip(bytes, size);
}

/* Fields before the call chain, all of fixed size. */
static bool take_head(struct bytes *bytes, const struct perf_attr *attr, struct perf_sample *sample)
{
	uint64_t skipped;
	uint32_t reserved;

	sample->has_ip = perf_attr_has(attr, PERF_BIT_IP);
	sample->has_tid = perf_attr_has(attr, PERF_BIT_TID);
	sample->has_time = perf_attr_has(attr, PERF_BIT_TIME);
	sample->has_addr = perf_attr_has(attr, PERF_BIT_ADDR);
	sample->has_cpu = perf_attr_has(attr, PERF_BIT_CPU);
	sample->has_period = perf_attr_has(attr, PERF_BIT_PERIOD);
	if (perf_attr_has(attr, PERF_BIT_IDENTIFIER) && !bytes_u64(bytes, &sample->id))
		return false;
	if (sample->has_ip && !bytes_u64(bytes, &sample->ip))
		return false;
	if (sample->has_tid && (!bytes_u32(bytes, &sample->pid) || !bytes_u32(bytes, &sample->tid)))
		return false;
	if (sample->has_time && !bytes_u64(bytes, &sample->time))
		return false;
	if (sample->has_addr && !bytes_u64(bytes, &sample->addr))
		return false;
	if (perf_attr_has(attr, PERF_BIT_ID) && !bytes_u64(bytes, &sample->id))
		return false;
	if (perf_attr_has(attr, PERF_BIT_STREAM_ID) && !bytes_u64(bytes, &skipped))
		return false;
	if (sample->has_cpu && (!bytes_u32(bytes, &sample->cpu) || !bytes_u32(bytes, &reserved)))
		return false;
	return !sample->has_period || bytes_u64(bytes, &sample->period);
}

/* Fields of variable size up to the user stack. */
static bool take_middle(struct bytes *bytes, const struct perf_attr *attr, bool has_empty_index,
			struct perf_sample *sample)
{
	uint64_t nr;

	if (perf_attr_has(attr, PERF_BIT_READ)) {
		sample->read = *bytes;
		if (!skip_read(bytes, attr->read_format))
			return false;
	}
	if (perf_attr_has(attr, PERF_BIT_CALLCHAIN)) {
		sample->has_chain = true;
		if (!bytes_u64(bytes, &nr) || !take_words(bytes, nr, 1, &sample->chain))
			return false;
	}
	if (perf_attr_has(attr, PERF_BIT_RAW) && !take_raw(bytes, &sample->raw))
		return false;
	if (perf_attr_has(attr, PERF_BIT_BRANCH_STACK) &&
	    !take_branches(bytes, attr, has_empty_index, &sample->branches))
		return false;
	if (perf_attr_has(attr, PERF_BIT_REGS_USER) &&
	    !take_regs(bytes, attr->sample_regs_user, &sample->regs_abi, &sample->regs))
		return false;
	sample->has_stack_user = perf_attr_has(attr, PERF_BIT_STACK_USER);
	return !sample->has_stack_user || take_stack(bytes, &sample->stack);
}

static bool take_tail(struct bytes *bytes, const struct perf_attr *attr, struct perf_sample *sample)
{
	struct bytes intr;
	uint64_t skipped;

	if ((perf_attr_has(attr, PERF_BIT_WEIGHT) || perf_attr_has(attr, PERF_BIT_WEIGHT_STRUCT)) &&
	    !bytes_u64(bytes, &sample->weight))
		return false;
	if (perf_attr_has(attr, PERF_BIT_DATA_SRC) && !bytes_u64(bytes, &sample->data_src))
		return false;
	if (perf_attr_has(attr, PERF_BIT_TRANSACTION) && !bytes_u64(bytes, &sample->transaction))
		return false;
	if (perf_attr_has(attr, PERF_BIT_REGS_INTR) &&
	    !take_regs(bytes, attr->sample_regs_intr, &skipped, &intr))
		return false;
	if (perf_attr_has(attr, PERF_BIT_PHYS_ADDR) && !bytes_u64(bytes, &sample->phys_addr))
		return false;
	if (perf_attr_has(attr, PERF_BIT_CGROUP) && !bytes_u64(bytes, &sample->cgroup))
		return false;
	if (perf_attr_has(attr, PERF_BIT_DATA_PAGE_SIZE) &&
	    !bytes_u64(bytes, &sample->data_page_size))
		return false;
	if (perf_attr_has(attr, PERF_BIT_CODE_PAGE_SIZE) &&
	    !bytes_u64(bytes, &sample->code_page_size))
		return false;
	return !perf_attr_has(attr, PERF_BIT_AUX) || take_aux(bytes);
}

static bool read_sample(struct bytes bytes, const struct perf_attr *attr, bool has_empty_index,
			struct perf_sample *ret)
{
	*ret = (struct perf_sample){0};
	if (!take_head(&bytes, attr, ret) || !take_middle(&bytes, attr, has_empty_index, ret) ||
	    !take_tail(&bytes, attr, ret))
		return false;
	ret->has_leftover = bytes_left(&bytes) > 0;
	return true;
}

/*
 * Where the kernel had no branches at all it writes their number, 0, alone, and else an index
 * behind it. Which it was only the size of the record tells.
 */
static bool read_any(struct bytes bytes, const struct perf_attr *attr, struct perf_sample *ret)
{
	struct perf_sample other;
	bool is_good = read_sample(bytes, attr, true, ret);

	if ((is_good && !ret->has_leftover) || !perf_attr_has(attr, PERF_BIT_BRANCH_STACK))
		return is_good;
	if (!read_sample(bytes, attr, false, &other) || (is_good && other.has_leftover))
		return is_good;
	*ret = other;
	return true;
}

/* Fields of a word each, and the chain: what most recordings have. */
#define WORDS                                                                                      \
	(UINT64_C(1) << PERF_BIT_IP | UINT64_C(1) << PERF_BIT_TID | UINT64_C(1) << PERF_BIT_TIME | \
	 UINT64_C(1) << PERF_BIT_ADDR | UINT64_C(1) << PERF_BIT_ID | UINT64_C(1) << PERF_BIT_CPU | \
	 UINT64_C(1) << PERF_BIT_PERIOD | UINT64_C(1) << PERF_BIT_STREAM_ID |                      \
	 UINT64_C(1) << PERF_BIT_IDENTIFIER)
#define WORDS_NR 9
#define PLAIN	 (WORDS | UINT64_C(1) << PERF_BIT_CALLCHAIN)

static uint64_t next_word(struct bytes *bytes)
{
	uint64_t word = perf_sample_word(bytes, 0);

	bytes->at += 8;
	return word;
}

static uint32_t next_half(struct bytes *bytes)
{
	uint32_t half;

	memcpy(&half, bytes->at, sizeof(half));
	bytes->at += sizeof(half);
	return bytes->is_swapped ? __builtin_bswap32(half) : half;
}

static void next_pair(struct bytes *bytes, uint32_t *ret, uint32_t *ret_second)
{
	*ret = next_half(bytes);
	*ret_second = next_half(bytes);
}

/* The word where the attr has it, else 0. */
static uint64_t word_if(struct bytes *bytes, uint64_t type, enum perf_sample_bit bit)
{
	return type >> bit & 1 ? next_word(bytes) : 0;
}

static void pair_if(struct bytes *bytes, bool is_there, uint32_t *ret, uint32_t *ret_second)
{
	*ret = *ret_second = 0;
	if (is_there)
		next_pair(bytes, ret, ret_second);
}

/* Their size was checked: each has its place, whether or not the others are there. */
static void take_plain_words(struct bytes *bytes, uint64_t type, struct perf_sample *ret)
{
	uint32_t reserved;

	ret->has_ip = type >> PERF_BIT_IP & 1;
	ret->has_tid = type >> PERF_BIT_TID & 1;
	ret->has_time = type >> PERF_BIT_TIME & 1;
	ret->has_addr = type >> PERF_BIT_ADDR & 1;
	ret->has_cpu = type >> PERF_BIT_CPU & 1;
	ret->has_period = type >> PERF_BIT_PERIOD & 1;
	ret->id = word_if(bytes, type, PERF_BIT_IDENTIFIER);
	ret->ip = word_if(bytes, type, PERF_BIT_IP);
	pair_if(bytes, ret->has_tid, &ret->pid, &ret->tid);
	ret->time = word_if(bytes, type, PERF_BIT_TIME);
	ret->addr = word_if(bytes, type, PERF_BIT_ADDR);
	if (type >> PERF_BIT_ID & 1)
		ret->id = next_word(bytes);
	word_if(bytes, type, PERF_BIT_STREAM_ID);
	pair_if(bytes, ret->has_cpu, &ret->cpu, &reserved);
	ret->period = word_if(bytes, type, PERF_BIT_PERIOD);
}

/* The same as read_any() where there is nothing else; its size is checked once. */
static bool read_plain(struct bytes bytes, const struct perf_attr *attr, struct perf_sample *ret)
{
	uint64_t type = attr->sample_type, nr;

	if (!ret->is_plain)
		*ret = (struct perf_sample){.is_plain = true};
	if (bytes_left(&bytes) < 8 * WORDS_NR &&
	    bytes_left(&bytes) < 8 * (size_t)__builtin_popcountll(type & WORDS))
		return false;
	take_plain_words(&bytes, type, ret);
	ret->has_chain = type >> PERF_BIT_CALLCHAIN & 1;
	ret->chain = (struct bytes){0};
	if (ret->has_chain && (!bytes_u64(&bytes, &nr) || !take_words(&bytes, nr, 1, &ret->chain)))
		return false;
	ret->has_leftover = bytes_left(&bytes) > 0;
	return true;
}

bool perf_sample_read(struct bytes bytes, const struct perf_attr *attr, struct perf_sample *ret)
{
	if (attr->sample_type & ~PLAIN)
		return read_any(bytes, attr, ret);
	return read_plain(bytes, attr, ret);
}

bool perf_trailer_read(struct bytes bytes, const struct perf_attr *attr, struct perf_sample *ret)
{
	unsigned size = perf_attr_trailer_size(attr);
	uint64_t skipped;
	uint32_t reserved;

	*ret = (struct perf_sample){0};
	if (bytes_left(&bytes) < size)
		return false;
	bytes.at = bytes.end - size;
	if (!size)
		return true;
	ret->has_tid = perf_attr_has(attr, PERF_BIT_TID);
	ret->has_time = perf_attr_has(attr, PERF_BIT_TIME);
	ret->has_cpu = perf_attr_has(attr, PERF_BIT_CPU);
	return (!ret->has_tid || (bytes_u32(&bytes, &ret->pid) && bytes_u32(&bytes, &ret->tid))) &&
	       (!ret->has_time || bytes_u64(&bytes, &ret->time)) &&
	       (!perf_attr_has(attr, PERF_BIT_ID) || bytes_u64(&bytes, &ret->id)) &&
	       (!perf_attr_has(attr, PERF_BIT_STREAM_ID) || bytes_u64(&bytes, &skipped)) &&
	       (!ret->has_cpu || (bytes_u32(&bytes, &ret->cpu) && bytes_u32(&bytes, &reserved))) &&
	       (!perf_attr_has(attr, PERF_BIT_IDENTIFIER) || bytes_u64(&bytes, &ret->id));
}
