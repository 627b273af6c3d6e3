/* chance.h - seeded chance, hashes and a set of hashes for the benchmark's inputs */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(array)	   (sizeof(array) / sizeof((array)[0]))
#define ANY(chance, array) ((array)[chance_below((chance), COUNT(array))])

/* splitmix64 (Steele, Lea, Flood 2014) */
struct chance {
	uint64_t state;
};

static inline uint64_t chance_u64(struct chance *chance)
{
	uint64_t z = chance->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* A number below @limit; the bias of the multiplication is below 2^-32 here. */
static inline uint32_t chance_below(struct chance *chance, uint32_t limit)
{
	return (uint32_t)(((chance_u64(chance) >> 32) * limit) >> 32);
}

static inline bool chance_percent(struct chance *chance, uint32_t percent)
{
	return chance_below(chance, 100) < percent;
}

/* A set of hashes, never full: its size is a power of two over twice of what is put in */
struct set {
	uint64_t *slots;
	uint64_t mask;
};

static inline void *allocate(size_t nr, size_t size)
{
	void *memory = calloc(nr, size);

	if (!memory) {
		fputs("generate: out of memory\n", stderr);
		exit(2);
	}
	return memory;
}

static inline struct set set_new(uint64_t members_max)
{
	struct set set = {.mask = 1023};

	while (set.mask < members_max * 2)
		set.mask = set.mask * 2 + 1;
	set.slots = allocate(set.mask + 1, sizeof(*set.slots));
	return set;
}

/* Is false when @hash was there before. */
static inline bool set_add(struct set *set, uint64_t hash)
{
	uint64_t at;

	hash |= 1; /* 0 is an empty slot */
	for (at = (hash >> 20) & set->mask; set->slots[at]; at = (at + 1) & set->mask) {
		if (set->slots[at] == hash)
			return false;
	}
	set->slots[at] = hash;
	return true;
}

static inline uint64_t hash_more(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9fb21c651e98df25);
	return hash ^ (hash >> 32);
}

static inline uint64_t hash_bytes(const char *bytes, size_t len)
{
	uint64_t hash = len;
	size_t i;

	for (i = 0; i < len; i++)
		hash = hash_more(hash, (unsigned char)bytes[i]);
	return hash;
}
