/* order_limits.h - every threshold of tephra order, in one place; tephra-order(1) states them */
#pragma once

/* ---- is there a change (change.c) */
#define CHANGE_LEVEL	    0.05 /* false alarms that the permutation test is made for */
#define CHANGE_PERMUTATIONS 199
#define CHANGE_POINTS_MIN   8
#define CHANGE_POINTS_MAX   600
#define CHANGE_SIDE_MIN	    3	 /* points on each side of a change, and a twentieth of all */
#define CHANGE_DECAY	    0.05 /* autocorrelation below this is none */
#define CHANGE_BLOCKS_MIN   12	 /* fewer cannot be permuted in ways enough */
#define CHANGE_BLOCK_TIMES  3	 /* block length in autocorrelation times */

/* ---- when did it leave its baseline (onset.c) */
#define ONSET_DEPARTURE	   4.0	/* robust standard deviations that are a departure */
#define ONSET_STAYS	   3.0	/* that a point must keep for the departure to go on */
#define ONSET_WINDOW	   5	/* of so many points ... */
#define ONSET_SUSTAINED	   0.8	/* ... this share must be away */
#define ONSET_BASELINE_MIN 5	/* points that a baseline needs */
#define ONSET_PEAK	   0.9	/* of the greatest departure: a ramp is over there */
#define ONSET_RAMP_MIN	   3	/* points between departure and peak: less is a step */
#define ONSET_RAMP_MARGIN  0.9	/* of a step's squared error that a ramp may leave at most */
#define ONSET_STAMP_ERROR  0.01 /* of a tick: a row's values are not read in one instant */

/* ---- which departures matter (evidence_set.c) */
#define FLOOR_SHARE	 0.05 /* of the baseline, of any series but the next */
#define FLOOR_SHARE_ITEM 0.25 /* of the baseline, of service per item and latency */
#define FLOOR_DEPTH	 4    /* items ... */
#define FLOOR_AGE_NS	 5e6
#define FLOOR_CPU	 0.05 /* CPUs */
#define FLOOR_WAIT_NS	 2e7  /* a second, at locks and for a CPU */

/* ---- CPU over time (utilisation.c) */
#define UTILISATION_BIN_SAMPLES 40  /* of a busy CPU in a bin: one more or less is no change */
#define UTILISATION_LOST	0.1 /* of a second, lost or throttled: more is not known */

/* ---- when was a limit reached (crossing.c) */
#define CROSSING_SATURATED 0.95 /* of the time that the stage's threads have */
#define CROSSING_FULL	   0.95 /* of the capacity: the worker may just have taken an item */
#define CROSSING_BEHIND	   0.95 /* of the admissions */

/* ---- what is to be explained (incident.c) */
#define INCIDENT_HIGH	   0.97 /* of the greatest depth or age: the queue empties behind it */
#define INCIDENT_RATE_HIGH 0.5	/* of the greatest departure of a rate, which is less smooth */
#define INCIDENT_TICKS_MIN 3	/* a shorter one is taken with its first tick */

/* ---- what grew (demand.c) */
#define DEMAND_FLAT	   1.1			/* times what it was: less is as before */
#define DEMAND_GROWTH_MIN  0.1			/* of the service before: less is not split */
#define DEMAND_LATE	   1.1			/* times the usual tick: a row is late */
#define DEMAND_TICK_MAX_NS UINT64_C(1000000000) /* of coarser rows nobody can say it */

/* ---- what it is read as (readings.c) */
#define READING_SUPPORTS    0.2	 /* of the growth that a reading must explain at least */
#define READING_CONTRADICTS 0.1	 /* ... and can explain at most to be out */
#define READING_COST_RISE   1.25 /* times the CPU per item: load alone costs a little, too */
#define READING_LOCK_SHARE  0.5	 /* of the wait: that is what is waited for */
#define READING_RUN_ON	    0.25 /* above the CPU use: it is stopped between items, not within each */
#define READING_LATE	    0.05 /* of the rows: who writes them lacks CPU, too */
#define READING_STALLED	    0.05 /* of the completions before: hardly anything is done */
#define READING_IDLE	    0.5	 /* of the CPU use before */

/* ---- which function it is (growth.c) */
#define GROWTH_SHARE 0.5 /* of what CPU per item grew by */
