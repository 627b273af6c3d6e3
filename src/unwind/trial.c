/* trial.c - evidence on files that no build ID shows to be the ones that ran */
#include "unwind/trial.h"

#include <string.h>

#include "base/mem.h"
#include "binaries/callsites.h"

static void forget(struct trial_file *file)
{
	free(file->places);
	map_release(&file->map);
	file->places = NULL;
	file->map = (struct map){0};
	file->total = file->ok = file->alloc = 0;
}

void trial_release(struct trial *trial)
{
	for (uint32_t i = 0; i < trial->nr; i++) {
		forget(&trial->files[i]);
		free(trial->files[i].path);
	}
	*trial = (struct trial){0};
}

void trial_begin(struct trial *trial)
{
	/* what speaks against a file is kept, to be told */
	for (uint32_t i = 0; i < trial->nr; i++)
		if (trial->files[i].verdict != TRIAL_REFUTED)
			forget(&trial->files[i]);
	trial->samples = trial->same = 0;
	trial->has_news = false;
}

static struct trial_file *find(const struct trial *trial, const char *path)
{
	for (uint32_t i = 0; i < trial->nr; i++)
		if (strcmp(trial->files[i].path, path) == 0)
			return (struct trial_file *)&trial->files[i];
	return NULL;
}

struct trial_file *trial_file(struct trial *trial, const char *path)
{
	struct trial_file *file = find(trial, path);

	if (file || trial->nr == TRIAL_FILES_MAX)
		return file;
	file = &trial->files[trial->nr++];
	*file = (struct trial_file){.path = mem_strdup(path)};
	return file;
}

struct key {
	const struct trial_file *file;
	uint64_t place;
};

static bool is_same(const void *key_of, uint32_t id)
{
	const struct key *key = key_of;

	return key->file->places[id] == key->place;
}

void trial_add(struct trial *trial, struct trial_file *file, uint64_t place, bool is_ok)
{
	uint32_t hash = map_hash(&place, sizeof(place));
	struct map_slot *slot;

	map_grow(&file->map);
	slot = map_find(&file->map, hash, is_same, &(struct key){file, place});
	if (slot->id != MAP_NONE)
		return;
	map_fill(&file->map, slot, hash, (uint32_t)file->total);
	GROW(file->places, file->total + 1, file->alloc);
	file->places[file->total++] = place;
	file->ok += is_ok;
	trial->has_news = true;
}

void trial_end_sample(struct trial *trial)
{
	trial->samples++;
	trial->same = trial->has_news ? 0 : trial->same + 1;
	trial->has_news = false;
}

bool trial_is_over(const struct trial *trial)
{
	return trial->samples >= TRIAL_SAMPLES_MAX || trial->same >= TRIAL_SAME_MAX;
}

static bool is_good(const struct trial_file *file)
{
	if (file->total < CALLSITES_MIN)
		return file->ok == file->total;
	return file->ok * 100 >= file->total * CALLSITES_PERCENT;
}

static bool is_worse(const struct trial_file *file, const struct trial_file *than)
{
	return !than ||
	       (file->total - file->ok) * than->total > (than->total - than->ok) * file->total;
}

bool trial_judge(struct trial *trial)
{
	struct trial_file *worst = NULL;

	for (uint32_t i = 0; i < trial->nr; i++) {
		struct trial_file *file = &trial->files[i];

		if (file->verdict != TRIAL_REFUTED && !is_good(file) && is_worse(file, worst))
			worst = file;
	}
	if (worst) {
		worst->verdict = TRIAL_REFUTED;
		return true;
	}
	for (uint32_t i = 0; i < trial->nr; i++)
		if (trial->files[i].verdict != TRIAL_REFUTED && trial->files[i].total)
			trial->files[i].verdict = TRIAL_ACCEPTED;
	return false;
}

enum trial_verdict trial_verdict(const struct trial *trial, const char *path)
{
	const struct trial_file *file = find(trial, path);

	return file ? file->verdict : TRIAL_UNTRIED;
}
