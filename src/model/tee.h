/* tee.h - a sink that says everything to two others */
#pragma once

#include "model/sink.h"

struct tee {
	struct sink sink;	     /* say samples to this */
	struct sink *first, *second; /* borrowed */
};

void tee_init(struct tee *tee, struct sink *first, struct sink *second);
