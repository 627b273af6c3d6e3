/* perf_data_builder.c - perf.data files written byte by byte, good ones and bad ones */
#include "tests/support/perf_data_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/*
 * Written from the description of the format, and on purpose not with the reader's own
 * constants: where both misread it, both must do so alike to be wrong unseen.
 */
enum {
	RECORD_ATTR = 64,
	RECORD_ROUND = 68,
	RECORD_FEATURE = 80,
	RECORD_COMPRESSED2 = 83,
};

static void must(bool is_true, const char *what)
{
	if (is_true)
		return;
	fprintf(stderr, "perf_data_builder: %s\n", what);
	exit(99);
}

void builder_release(struct builder *builder)
{
	for (unsigned i = 0; i < builder->features_nr; i++)
		text_release(&builder->features[i].bytes);
	text_release(&builder->data);
	text_release(&builder->event_types);
	text_release(&builder->packed);
	ZSTD_freeCStream(builder->packer);
	*builder = (struct builder){0};
}

/* ---- numbers */

static void put(struct text *to, uint64_t number, unsigned size, bool is_big)
{
	for (unsigned i = 0; i < size; i++)
		text_add_char(to, (char)(number >> 8 * (is_big ? size - 1 - i : i)));
}

void builder_u16(const struct builder *builder, struct text *to, uint16_t number)
{
	put(to, number, 2, builder->is_big);
}

void builder_u32(const struct builder *builder, struct text *to, uint32_t number)
{
	put(to, number, 4, builder->is_big);
}

void builder_u64(const struct builder *builder, struct text *to, uint64_t number)
{
	put(to, number, 8, builder->is_big);
}

static void pad(struct text *to, size_t begin, size_t multiple)
{
	while ((to->size - begin) % multiple)
		text_add_char(to, '\0');
}

void builder_string(const struct builder *builder, struct text *to, const char *s)
{
	size_t size = (strlen(s) + 1 + 63) / 64 * 64, begin;

	builder_u32(builder, to, (uint32_t)size);
	begin = to->size;
	text_add(to, s);
	while (to->size - begin < size)
		text_add_char(to, '\0');
}

/* Overwrites a number that stands there already. */
static void patch(const struct builder *builder, struct text *text, size_t at, uint64_t number,
		  unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		text->bytes[at + i] = (char)(number >> 8 * (builder->is_big ? size - 1 - i : i));
}

static void words(const struct builder *builder, struct text *to, const uint64_t *list, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++)
		builder_u64(builder, to, list[i]);
}

/* ---- attrs */

/* A C bit-field: a big-endian machine begins at the other end of each byte. */
static void put_flags(const struct builder *builder, struct text *to, uint64_t flags)
{
	for (int byte = 0; byte < 8; byte++) {
		unsigned in = (unsigned)(flags >> 8 * byte & 0xff), turned = 0;

		for (int bit = 0; bit < 8; bit++)
			turned |= (in >> bit & 1) << (7 - bit);
		text_add_char(to, (char)(builder->is_big ? turned : in));
	}
}

static void put_attr(const struct builder *builder, struct text *to,
		     const struct builder_attr *attr)
{
	size_t begin = to->size;

	builder_u32(builder, to, attr->type);
	builder_u32(builder, to, attr->size);
	builder_u64(builder, to, attr->config);
	builder_u64(builder, to, attr->period);
	builder_u64(builder, to, attr->sample_type);
	builder_u64(builder, to, attr->read_format);
	put_flags(builder, to, attr->flags);
	builder_u32(builder, to, 1); /* wakeup_events */
	builder_u32(builder, to, attr->bp_type);
	builder_u64(builder, to, attr->bp_addr);
	if (attr->size >= 72)
		builder_u64(builder, to, 0); /* config2 */
	if (attr->size >= 80)
		builder_u64(builder, to, attr->branch_sample_type);
	if (attr->size >= 96) {
		builder_u64(builder, to, attr->regs_user);
		builder_u32(builder, to, 8192); /* sample_stack_user */
		builder_u32(builder, to, attr->clockid);
	}
	if (attr->size >= 104)
		builder_u64(builder, to, attr->regs_intr);
	/* what came later is nothing that a reader of profiles needs: it must pass over it */
	while (to->size - begin < attr->size)
		text_add_char(to, '\x5a');
}

unsigned builder_attr(struct builder *builder, struct builder_attr attr)
{
	must(builder->attrs_nr < BUILDER_ATTRS_MAX, "too many attrs");
	if (!attr.size)
		attr.size = 128;
	builder->attrs[builder->attrs_nr] = attr;
	if (builder->is_pipe) {
		builder_begin(builder, RECORD_ATTR, 0);
		put_attr(builder, &builder->data, &attr);
		words(builder, &builder->data, attr.ids, attr.ids_nr);
		builder_end(builder);
	}
	return builder->attrs_nr++;
}

/* ---- records */

void builder_begin(struct builder *builder, uint32_t type, uint16_t misc)
{
	builder->record = builder->data.size;
	builder_u32(builder, &builder->data, type);
	builder_u16(builder, &builder->data, misc);
	builder_u16(builder, &builder->data, 0);
}

void builder_end(struct builder *builder)
{
	size_t size;

	pad(&builder->data, builder->record, 8);
	size = builder->data.size - builder->record;
	must(size <= UINT16_MAX, "a record is too large");
	patch(builder, &builder->data, builder->record + 6, size, 2);
}

static bool has(const struct builder_attr *attr, unsigned bit)
{
	return attr->sample_type >> bit & 1;
}

void builder_trailer(struct builder *builder, unsigned number, uint32_t pid, uint32_t tid,
		     uint64_t time)
{
	const struct builder_attr *attr = &builder->attrs[number];
	struct text *to = &builder->data;
	uint64_t id = attr->ids_nr ? attr->ids[0] : 0;

	pad(to, builder->record, 8);
	if (!(attr->flags >> 18 & 1)) /* sample_id_all */
		return;
	if (has(attr, 1)) {
		builder_u32(builder, to, pid);
		builder_u32(builder, to, tid);
	}
	if (has(attr, 2))
		builder_u64(builder, to, time);
	if (has(attr, 6))
		builder_u64(builder, to, id);
	if (has(attr, 9))
		builder_u64(builder, to, 0);
	if (has(attr, 7)) {
		builder_u32(builder, to, 0);
		builder_u32(builder, to, 0);
	}
	if (has(attr, 16))
		builder_u64(builder, to, id);
}

/* Fields of one fixed size. */
static void put_sample_head(const struct builder *builder, struct text *to,
			    const struct builder_attr *attr, const struct builder_sample *sample)
{
	if (has(attr, 16))
		builder_u64(builder, to, sample->identifier);
	if (has(attr, 0))
		builder_u64(builder, to, sample->ip);
	if (has(attr, 1)) {
		builder_u32(builder, to, sample->pid);
		builder_u32(builder, to, sample->tid);
	}
	if (has(attr, 2))
		builder_u64(builder, to, sample->time);
	if (has(attr, 3))
		builder_u64(builder, to, sample->addr);
	if (has(attr, 6))
		builder_u64(builder, to, sample->id);
	if (has(attr, 9))
		builder_u64(builder, to, sample->stream_id);
	if (has(attr, 7)) {
		builder_u32(builder, to, sample->cpu);
		builder_u32(builder, to, 0);
	}
	if (has(attr, 8))
		builder_u64(builder, to, sample->period);
}

static void put_branches(const struct builder *builder, struct text *to,
			 const struct builder_attr *attr, const struct builder_sample *sample)
{
	builder_u64(builder, to, sample->branches_nr);
	if (attr->branch_sample_type >> 17 & 1 && !sample->lacks_branch_index)
		builder_u64(builder, to, sample->branch_index);
	words(builder, to, sample->branches, 3 * sample->branches_nr);
	if (attr->branch_sample_type >> 19 & 1) /* counters */
		for (unsigned i = 0; i < sample->branches_nr; i++)
			builder_u64(builder, to, i);
}

static void put_regs(const struct builder *builder, struct text *to, uint64_t abi,
		     const uint64_t *regs, unsigned nr)
{
	builder_u64(builder, to, abi);
	if (abi)
		words(builder, to, regs, nr);
}

static void put_stack(const struct builder *builder, struct text *to,
		      const struct builder_sample *sample)
{
	builder_u64(builder, to, sample->stack_size);
	if (!sample->stack_size)
		return;
	text_add_bytes(to, sample->stack, sample->stack_size);
	builder_u64(builder, to, sample->stack_valid);
}

static void put_raw(const struct builder *builder, struct text *to,
		    const struct builder_sample *sample)
{
	unsigned size = (sample->raw_size + 4 + 7) / 8 * 8 - 4;

	builder_u32(builder, to, size);
	text_add_bytes(to, sample->raw, sample->raw_size);
	for (unsigned i = sample->raw_size; i < size; i++)
		text_add_char(to, '\0');
}

/* kernel/events/core.c, perf_output_sample(): the order of its writes is the order here. */
static void put_sample_tail(const struct builder *builder, struct text *to,
			    const struct builder_attr *attr, const struct builder_sample *sample)
{
	if (has(attr, 4))
		words(builder, to, sample->read, sample->read_nr);
	if (has(attr, 5)) {
		builder_u64(builder, to, sample->chain_nr);
		words(builder, to, sample->chain, sample->chain_nr);
	}
	if (has(attr, 10))
		put_raw(builder, to, sample);
	if (has(attr, 11))
		put_branches(builder, to, attr, sample);
	if (has(attr, 12))
		put_regs(builder, to, sample->regs_abi, sample->regs, sample->regs_nr);
	if (has(attr, 13))
		put_stack(builder, to, sample);
	if (has(attr, 14) || has(attr, 24))
		builder_u64(builder, to, sample->weight);
	if (has(attr, 15))
		builder_u64(builder, to, sample->data_src);
	if (has(attr, 17))
		builder_u64(builder, to, sample->transaction);
	if (has(attr, 18))
		put_regs(builder, to, sample->intr_abi, sample->intr, sample->intr_nr);
	if (has(attr, 19))
		builder_u64(builder, to, sample->phys_addr);
	if (has(attr, 21))
		builder_u64(builder, to, sample->cgroup);
	if (has(attr, 22))
		builder_u64(builder, to, sample->data_page);
	if (has(attr, 23))
		builder_u64(builder, to, sample->code_page);
	if (has(attr, 20)) {
		builder_u64(builder, to, sample->aux_size);
		text_add_bytes(to, sample->aux, sample->aux_size);
	}
}

void builder_sample(struct builder *builder, unsigned attr, const struct builder_sample *sample)
{
	builder_begin(builder, 9, sample->misc);
	put_sample_head(builder, &builder->data, &builder->attrs[attr], sample);
	put_sample_tail(builder, &builder->data, &builder->attrs[attr], sample);
	builder_end(builder);
}

void builder_comm(struct builder *builder, uint16_t misc, uint32_t pid, uint32_t tid,
		  const char *comm, uint64_t time)
{
	builder_begin(builder, 3, misc);
	builder_u32(builder, &builder->data, pid);
	builder_u32(builder, &builder->data, tid);
	text_add_bytes(&builder->data, comm, strlen(comm) + 1);
	builder_trailer(builder, 0, pid, tid, time);
	builder_end(builder);
}

static void put_mapping(struct builder *builder, uint32_t type, uint16_t misc, uint32_t pid,
			uint64_t begin, uint64_t size, uint64_t offset)
{
	builder_begin(builder, type, misc);
	builder_u32(builder, &builder->data, pid);
	builder_u32(builder, &builder->data, pid);
	builder_u64(builder, &builder->data, begin);
	builder_u64(builder, &builder->data, size);
	builder_u64(builder, &builder->data, offset);
}

static void end_mapping(struct builder *builder, uint32_t pid, const char *path, uint64_t time)
{
	text_add_bytes(&builder->data, path, strlen(path) + 1);
	builder_trailer(builder, 0, pid, pid, time);
	builder_end(builder);
}

void builder_mmap(struct builder *builder, uint16_t misc, uint32_t pid, uint64_t begin,
		  uint64_t size, uint64_t offset, const char *path, uint64_t time)
{
	put_mapping(builder, 1, misc, pid, begin, size, offset);
	end_mapping(builder, pid, path, time);
}

void builder_mmap2(struct builder *builder, uint16_t misc, uint32_t pid, uint64_t begin,
		   uint64_t size, uint64_t offset, const char *path, uint64_t time)
{
	put_mapping(builder, 10, misc, pid, begin, size, offset);
	/* maj, min, ino, generation; or a build id of the same size */
	for (int i = 0; i < 24; i++)
		text_add_char(&builder->data, (char)(0xa0 + i));
	builder_u32(builder, &builder->data, 5); /* read and execute */
	builder_u32(builder, &builder->data, 2); /* private */
	end_mapping(builder, pid, path, time);
}

void builder_task(struct builder *builder, uint32_t type, uint16_t misc, uint32_t pid,
		  uint32_t parent_pid, uint32_t tid, uint32_t parent_tid, uint64_t time)
{
	builder_begin(builder, type, misc);
	builder_u32(builder, &builder->data, pid);
	builder_u32(builder, &builder->data, parent_pid);
	builder_u32(builder, &builder->data, tid);
	builder_u32(builder, &builder->data, parent_tid);
	builder_u64(builder, &builder->data, time);
	builder_trailer(builder, 0, parent_pid, parent_tid, time);
	builder_end(builder);
}

void builder_lost(struct builder *builder, uint64_t lost, uint64_t time)
{
	builder_begin(builder, 2, 0);
	builder_u64(builder, &builder->data, 1);
	builder_u64(builder, &builder->data, lost);
	builder_trailer(builder, 0, 0, 0, time);
	builder_end(builder);
}

void builder_lost_samples(struct builder *builder, uint64_t lost, uint64_t time)
{
	builder_begin(builder, 13, 0);
	builder_u64(builder, &builder->data, lost);
	builder_trailer(builder, 0, 0, 0, time);
	builder_end(builder);
}

void builder_round(struct builder *builder)
{
	builder_words(builder, RECORD_ROUND, 0, NULL, 0);
}

void builder_words(struct builder *builder, uint32_t type, uint16_t misc, const uint64_t *list,
		   unsigned nr)
{
	builder_begin(builder, type, misc);
	words(builder, &builder->data, list, nr);
	builder_end(builder);
}

/* ---- packed records */

void builder_pack(struct builder *builder)
{
	builder->pack = builder->data.size;
}

static void compress(struct builder *builder, const char *at, size_t size)
{
	char buffer[1 << 16];
	ZSTD_inBuffer in = {at, size, 0};
	size_t left = 1;

	if (!builder->packer) {
		builder->packer = ZSTD_createCStream();
		ZSTD_initCStream(builder->packer, 1);
	}
	text_clear(&builder->packed);
	while (in.pos < in.size || left) {
		ZSTD_outBuffer out = {buffer, sizeof(buffer), 0};

		/* flushed, never ended: the file is one stream */
		left = ZSTD_compressStream2(builder->packer, &out, &in, ZSTD_e_flush);
		must(!ZSTD_isError(left), "zstd failed");
		text_add_bytes(&builder->packed, buffer, out.pos);
	}
}

void builder_packed(struct builder *builder, uint32_t type, size_t piece)
{
	struct text *data = &builder->data;
	size_t done = 0;

	compress(builder, data->bytes + builder->pack, data->size - builder->pack);
	data->size = builder->pack;
	while (done < builder->packed.size) {
		size_t size =
			builder->packed.size - done < piece ? builder->packed.size - done : piece;

		builder_begin(builder, type, 0);
		if (type == RECORD_COMPRESSED2)
			builder_u64(builder, data, size);
		text_add_bytes(data, builder->packed.bytes + done, size);
		if (type == RECORD_COMPRESSED2)
			builder_end(builder);
		else /* this one is not padded */
			patch(builder, data, builder->record + 6, data->size - builder->record, 2);
		done += size;
	}
}

/* ---- the file */

void builder_feature(struct builder *builder, unsigned number, const struct text *bytes)
{
	if (builder->is_pipe) {
		builder_begin(builder, RECORD_FEATURE, 0);
		builder_u64(builder, &builder->data, number);
		text_add_bytes(&builder->data, bytes->bytes, bytes->size);
		/* features have odd sizes: what follows is not aligned */
		patch(builder, &builder->data, builder->record + 6,
		      builder->data.size - builder->record, 2);
		return;
	}
	must(builder->features_nr < 32, "too many features");
	builder->features[builder->features_nr].number = number;
	text_add_bytes(&builder->features[builder->features_nr++].bytes, bytes->bytes, bytes->size);
}

static void put_bitmap(const struct builder *builder, struct text *to)
{
	uint64_t bits[4] = {0};

	for (unsigned i = 0; i < builder->features_nr; i++)
		bits[builder->features[i].number / 64] |= (uint64_t)1
							  << builder->features[i].number % 64;
	for (int i = 0; i < 4; i++) {
		if (!builder->narrow_longs) {
			builder_u64(builder, to, bits[i]);
			continue;
		}
		builder_u32(builder, to, (uint32_t)bits[i]);
		builder_u32(builder, to, (uint32_t)(bits[i] >> 32));
	}
}

static uint32_t attr_size(const struct builder *builder)
{
	return builder->attrs_nr ? builder->attrs[0].size : 128;
}

/* The ids of each attr, then the table that points to them. */
static size_t put_attrs(const struct builder *builder, struct text *to)
{
	size_t ids[BUILDER_ATTRS_MAX], table;

	for (unsigned i = 0; i < builder->attrs_nr; i++) {
		ids[i] = to->size;
		words(builder, to, builder->attrs[i].ids, builder->attrs[i].ids_nr);
	}
	table = to->size;
	for (unsigned i = 0; i < builder->attrs_nr; i++) {
		put_attr(builder, to, &builder->attrs[i]);
		builder_u64(builder, to, ids[i]);
		builder_u64(builder, to, 8 * builder->attrs[i].ids_nr);
	}
	return table;
}

/* A table of { offset, size } in ascending order of bits, then the sections. */
static void put_features(const struct builder *builder, struct text *to)
{
	size_t offset = to->size + 16 * builder->features_nr;

	for (unsigned number = 0; number < 256; number++)
		for (unsigned i = 0; i < builder->features_nr; i++) {
			if (builder->features[i].number != number)
				continue;
			builder_u64(builder, to, offset);
			builder_u64(builder, to, builder->features[i].bytes.size);
			offset += builder->features[i].bytes.size;
		}
	for (unsigned number = 0; number < 256; number++)
		for (unsigned i = 0; i < builder->features_nr; i++)
			if (builder->features[i].number == number)
				text_add_bytes(to, builder->features[i].bytes.bytes,
					       builder->features[i].bytes.size);
}

static void put_magic(const struct builder *builder, struct text *to)
{
	if (builder->is_old)
		text_add_bytes(to, "PERFFILE", 8);
	else
		text_add_bytes(to, builder->is_big ? "2ELIFREP" : "PERFILE2", 8);
}

void builder_finish(const struct builder *builder, struct text *ret)
{
	size_t header = builder->is_short ? 72 : 104, attrs, data;

	put_magic(builder, ret);
	if (builder->is_pipe) {
		builder_u64(builder, ret, 16);
		text_add_bytes(ret, builder->data.bytes, builder->data.size);
		return;
	}
	builder_u64(builder, ret, header);
	builder_u64(builder, ret, attr_size(builder) + 16);
	while (ret->size < 72) /* sections: attrs, data, event types */
		builder_u64(builder, ret, 0);
	if (!builder->is_short)
		put_bitmap(builder, ret);
	attrs = builder->attrs_at_end ? 0 : put_attrs(builder, ret);
	if (builder->event_types.size) {
		patch(builder, ret, 56, ret->size, 8);
		patch(builder, ret, 64, builder->event_types.size, 8);
		text_add_bytes(ret, builder->event_types.bytes, builder->event_types.size);
	}
	data = ret->size;
	text_add_bytes(ret, builder->data.bytes, builder->data.size);
	if (!builder->is_killed)
		put_features(builder, ret);
	if (builder->attrs_at_end)
		attrs = put_attrs(builder, ret);
	patch(builder, ret, 24, attrs, 8);
	patch(builder, ret, 32, (attr_size(builder) + 16) * builder->attrs_nr, 8);
	patch(builder, ret, 40, data, 8);
	patch(builder, ret, 48, builder->is_killed ? 0 : builder->data.size, 8);
}
