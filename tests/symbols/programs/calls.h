/* calls.h - inlined into both units of the program in C */
#pragma once

static inline int clamp(int value, int low, int high)
{
	if (value < low)
		return low;
	return value > high ? high : value;
}

static inline __attribute__((always_inline)) unsigned mix(unsigned value)
{
	value ^= value >> 15;
	value *= 0x2c1b3c6du;
	value ^= value >> 12;
	return value + (unsigned)clamp((int)value, -1000, 1000);
}

unsigned walk(const unsigned *values, int nr);
int sort_words(char **words, int nr);
