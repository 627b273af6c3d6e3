/* clock_fit_limits.h - every threshold of the fit of clocks; tephra-align(1) states them */
#pragma once

#define FIT_INTERVALS_MIN 20  /* of the counter, within the recording */
#define FIT_OVERLAP_MIN	  0.5 /* of the shorter of the two: offsets with less are not tried */
#define FIT_EXPLAINED_MIN 0.6 /* of the counter's variation */
#define FIT_SCALE_MIN	  0.6 /* sampled by counted CPU time: beyond, it is another process's */
#define FIT_SCALE_MAX	  1.5
#define FIT_ODDS	  1e5 /* an offset this much less likely is no candidate */
#define FIT_TICKS_MAX	  2.0 /* candidates farther from the best one than these many intervals: */
			      /* the offset is not determined */
#define FIT_SPREAD_MAX_NS 1000000000	       /* a sample's CPU time is not older than this */
#define FIT_GRID_MAX	  (1u << 22)	       /* steps of the sampled CPU time */
#define FIT_STEPS_MAX	  UINT64_C(1000000000) /* intervals x offsets that are looked at */
#define FIT_COARSE	  8.0  /* offsets that are looked at in an interval, at first ... */
#define FIT_FINE	  32.0 /* ... and near the best ones so many times as many */
#define FIT_SLACK	  0.7  /* of the logarithm: coarse offsets miss the best ones by so much */
#define FIT_ALIKE_MAX	  0.9  /* autocorrelation of residuals beyond this is taken for this */
#define FIT_UNKNOWNS	  3    /* offset, scale, level */
