/* order_limits.h - every threshold of tephra order, in one place; tephra-order(1) states them */
#pragma once

/* ---- is there a change (change.c) */
#define CHANGE_LEVEL	    0.05 /* false alarms that the permutation test is made for */
#define CHANGE_PERMUTATIONS 199
#define CHANGE_POINTS_MIN   8
#define CHANGE_POINTS_MAX   600
#define CHANGE_SIDE_MIN	    3	 /* points on each side of a change, and a twentieth of all */
#define CHANGE_DECAY	    0.05 /* autocorrelation below this is none */
#define CHANGE_BLOCKS_MIN   10	 /* fewer cannot be permuted in ways enough */
#define CHANGE_BLOCK_TIMES  3	 /* block length in autocorrelation times */

/* ---- when did it leave its baseline (onset.c) */
#define ONSET_DEPARTURE	   4.0	/* robust standard deviations that are a departure */
#define ONSET_STAYS	   3.0	/* that a point must keep for the departure to go on */
#define ONSET_WINDOW	   5	/* of so many points ... */
#define ONSET_SUSTAINED	   0.8	/* ... this share must be away */
#define ONSET_BASELINE_MIN 5	/* points that a baseline needs */
#define ONSET_RELATIVE_MIN 0.05 /* of the baseline: what is smaller does not matter */
#define ONSET_PEAK	   0.9	/* of the greatest departure: a ramp is over there */
#define ONSET_STAMP_ERROR  0.01 /* of a tick: a row's values are not read in one instant */

/* ---- when was a limit reached (crossing.c) */
#define CROSSING_SATURATED 0.95 /* of the time that the stage's threads have */
#define CROSSING_FULL	   0.95 /* of the capacity: the worker may just have taken an item */
#define CROSSING_BEHIND	   0.95 /* of the admissions */
