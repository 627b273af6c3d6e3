/* answer.c - what addresses of one module are called, and how that comes back from a worker */
#include "symbols/answer.h"

#include "base/mem.h"

void answer_release(struct answer *answer)
{
	names_release(&answer->names);
	free(answer->frames);
	free(answer->counts);
	text_release(&answer->unsupported);
	*answer = (struct answer){0};
}

void answer_add(struct answer *answer, const struct answer_frame *frame)
{
	GROW(answer->frames, answer->frames_nr + 1, answer->frames_alloc);
	answer->frames[answer->frames_nr++] = *frame;
}

void answer_end_address(struct answer *answer)
{
	GROW(answer->counts, (size_t)answer->nr + 1, answer->counts_alloc);
	answer->counts[answer->nr++] = (uint32_t)(answer->frames_nr - answer->ended_nr);
	answer->ended_nr = answer->frames_nr;
}

/*
 * The bytes, in this machine's order, for they never leave it:
 *   u32 addresses, outside; u64 frames; u32 names; u32 size of `unsupported`
 *   u32 counts[addresses]; struct answer_frame[frames]; u32 sizes[names]
 *   the names' bytes one behind the other; `unsupported`
 */
struct head {
	uint32_t nr, outside;
	uint64_t frames_nr;
	uint32_t names_nr, unsupported_size;
};

void answer_write(const struct answer *answer, struct text *ret)
{
	struct head head = {
		.nr = answer->nr,
		.outside = answer->outside,
		.frames_nr = answer->frames_nr,
		.names_nr = answer->names.nr,
		.unsupported_size = (uint32_t)answer->unsupported.size,
	};

	text_add_bytes(ret, &head, sizeof(head));
	text_add_bytes(ret, answer->counts, answer->nr * sizeof(*answer->counts));
	text_add_bytes(ret, answer->frames, answer->frames_nr * sizeof(*answer->frames));
	for (uint32_t i = 0; i < answer->names.nr; i++)
		text_add_bytes(ret, &names_get(&answer->names, i)->size, sizeof(uint32_t));
	for (uint32_t i = 0; i < answer->names.nr; i++)
		text_add_bytes(ret, names_get(&answer->names, i)->bytes,
			       names_get(&answer->names, i)->size);
	text_add_bytes(ret, text_string(&answer->unsupported), answer->unsupported.size);
}

static bool read_counts(struct bytes *bytes, const struct head *head, struct answer *answer)
{
	uint64_t sum = 0;

	if (head->nr > bytes_left(bytes) / sizeof(uint32_t))
		return false;
	GROW(answer->counts, head->nr, answer->counts_alloc);
	answer->nr = head->nr;
	for (uint32_t i = 0; i < head->nr; i++) {
		bytes_u32(bytes, &answer->counts[i]);
		sum += answer->counts[i];
	}
	return sum == head->frames_nr;
}

static bool is_name(uint32_t id, const struct head *head, bool may_be_none)
{
	return id < head->names_nr || (may_be_none && id == NAME_NONE);
}

static bool read_frames(struct bytes *bytes, const struct head *head, struct answer *answer)
{
	if (head->frames_nr > bytes_left(bytes) / sizeof(*answer->frames))
		return false;
	GROW(answer->frames, head->frames_nr, answer->frames_alloc);
	for (answer->frames_nr = 0; answer->frames_nr < head->frames_nr; answer->frames_nr++) {
		struct answer_frame *frame = &answer->frames[answer->frames_nr];

		bytes_copy(bytes, frame, sizeof(*frame));
		if (!is_name(frame->raw_name, head, false) || !is_name(frame->name, head, false) ||
		    !is_name(frame->file, head, true) || frame->source >= ANSWER_SOURCE_NR ||
		    frame->origin >= ORIGIN_NR || frame->is_inlined > 1)
			return false;
	}
	answer->ended_nr = answer->frames_nr;
	return true;
}

/* Ids count from 0 in order of appearance, so equal names would move all behind them. */
static bool read_names(struct bytes *bytes, const struct head *head, struct answer *answer)
{
	struct bytes sizes;

	if (!bytes_part(bytes, (uint64_t)head->names_nr * sizeof(uint32_t), &sizes))
		return false;
	for (uint32_t i = 0; i < head->names_nr; i++) {
		uint32_t size;

		if (!bytes_u32(&sizes, &size) || size > bytes_left(bytes) ||
		    names_add(&answer->names, (const char *)bytes->at, size) != i)
			return false;
		bytes_skip(bytes, size);
	}
	return true;
}

bool answer_read(struct bytes bytes, uint32_t nr, struct answer *ret)
{
	struct head head;

	*ret = (struct answer){0};
	if (!bytes_copy(&bytes, &head, sizeof(head)) || head.nr != nr)
		return false;
	if (!read_counts(&bytes, &head, ret) || !read_frames(&bytes, &head, ret) ||
	    !read_names(&bytes, &head, ret) || bytes_left(&bytes) != head.unsupported_size)
		return false;
	ret->outside = head.outside;
	text_add_bytes(&ret->unsupported, bytes.at, head.unsupported_size);
	return true;
}
