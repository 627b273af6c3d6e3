/* per_unit.h - how much of one thing there is for each of another, and how sure that is */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/ratio.h"

struct amounts;

/* Why there is no value. */
enum per_unit_refusal {
	PER_UNIT_NOT_REFUSED,
	PER_UNIT_NO_INTERVAL, /* none that the divisor covers, too */
	PER_UNIT_NO_WORK,     /* the divisor did not move */
	PER_UNIT_OTHER_TIME,  /* both were counted for a part of the time only: not the same part */
	PER_UNIT_GUESS,	      /* it was counted for less than PER_UNIT_SHARE_LEAST of the time */
	PER_UNIT_REFUSAL_NR,
};

/* A value that was counted for so little of the time says nothing of the rest. */
#define PER_UNIT_SHARE_LEAST 0.10

/* Shares of running time that are as close as this are of events that ran together. */
#define PER_UNIT_SHARE_SAME 0.01

/* Blocks of time that an interval of confidence comes from: more say no more, and depend on each
 * other. */
#define PER_UNIT_BLOCKS_MAX 64

struct per_unit {
	enum per_unit_refusal refusal;
	struct ratio ratio; /* of blocks of neighbouring intervals */
	double low, high;   /* 95 % interval; infinite where there are less than two blocks */
	double total;	    /* of the first one, over the intervals */
	size_t intervals;   /* that both cover */
	size_t left_out;    /* that the divisor does not cover */
	double running_least,
		running_most; /* share of the time that it was counted; 1: all of it */
	bool is_estimate;     /* some of it was not counted */
};

/*
 * x per unit of n, over the intervals of x that lie between the times: n is interpolated, x never.
 * n NULL: per second.
 */
struct per_unit per_unit_of(const struct amounts *x, const struct amounts *n, uint64_t from_ns,
			    uint64_t to_ns);

/* Two of them, before and after. */
struct ratio_test per_unit_compare(const struct per_unit *before, const struct per_unit *after);
