/* order_incidents.c - simulated incidents: what is read wrongly, what stays undecided */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/readings.h"
#include "base/mem.h"
#include "tests/analysis/queue_model.h"
#include "tests/bench/chance.h"

enum fault {
	FAULT_NONE,
	FAULT_CPU,
	FAULT_LOAD,
	FAULT_LOCK,
	FAULT_BLOCK,
	FAULT_QUOTA,
	FAULT_TWO, /* two of them */
	FAULT_NR
};

static const char *const fault_words[FAULT_NR] = {"none",  "cpu",   "load", "lock",
						  "block", "quota", "two"};

/* Which readings are right. */
#define RIGHT(kind) (1u << READING_##kind)

struct incident_made {
	struct queue_model model;
	unsigned right, without;
};

static double between(struct chance *chance, double low, double high)
{
	return low + (high - low) * (double)chance_below(chance, 100000) / 100000;
}

/* Strong enough that the queue grows: two to six times the time between arrivals, or the load of
 * it. */
static unsigned fault_add(struct chance *chance, enum fault fault, struct queue_model *model)
{
	double strong = between(chance, 2, 6) / model->usual.rate;

	switch (fault) {
	case FAULT_CPU:
		model->faulty.cpu += strong;
		return RIGHT(WORKING);
	case FAULT_LOAD:
		model->faulty.rate = between(chance, 1.5, 4) / model->usual.cpu;
		model->faulty.cpu *= between(chance, 1, 1.1);
		return RIGHT(OVERLOAD);
	case FAULT_LOCK:
		model->faulty.lock += strong;
		return RIGHT(WAITING);
	case FAULT_BLOCK:
		model->faulty.wait += strong;
		return RIGHT(WAITING);
	case FAULT_QUOTA:
		model->faulty.delay += strong;
		model->late = 0.6 * model->tick;
		return RIGHT(RUN_QUEUE);
	default:
		return 0;
	}
}

static void times_set(struct chance *chance, struct queue_model *model)
{
	bool is_coarse = chance_below(chance, 4) == 0;

	model->is_irregular = chance_below(chance, 2);
	model->seed = chance_u64(chance);
	model->tick = is_coarse ? 15 : 0.1;
	model->total = is_coarse ? 240 : 12;
	model->at = model->total * between(chance, 0.45, 0.6);
	model->length = model->total * between(chance, 0.25, 0.35);
	model->capacity = chance_below(chance, 2) ? 512 : 100000;
}

/* Counters that this program does not write: each of them alone, or those of service together. */
static unsigned missing(struct chance *chance)
{
	static const unsigned sets[] = {
		0,
		0,
		1u << EVIDENCE_BUSY,
		1u << EVIDENCE_COMPLETED,
		1u << EVIDENCE_OFFERED,
		1u << EVIDENCE_OFFERED | 1u << EVIDENCE_REJECTED,
		1u << EVIDENCE_DEPTH,
		1u << EVIDENCE_AGE,
		1u << EVIDENCE_BUSY | 1u << EVIDENCE_LOCK_WAIT | 1u << EVIDENCE_RUN_DELAY,
		1u << EVIDENCE_CPU | 1u << EVIDENCE_RUN_DELAY,
	};

	return sets[chance_below(chance, ARRAY_NR(sets))];
}

static struct incident_made make(struct chance *chance, enum fault fault)
{
	struct incident_made made = {.model = queue_model_usual()};

	times_set(chance, &made.model);
	made.model.usual.cpu = between(chance, 0.0003, 0.0009);
	made.model.usual.wait = between(chance, 0, 0.0003);
	made.model.faulty = made.model.usual;
	if (fault == FAULT_NONE)
		made.right = RIGHT(NONE);
	else if (fault != FAULT_TWO)
		made.right = fault_add(chance, fault, &made.model);
	for (int i = 0; fault == FAULT_TWO && i < 2; i++)
		made.right |=
			fault_add(chance, (enum fault)(1 + chance_below(chance, 5)), &made.model);
	made.without = missing(chance);
	if (chance_below(chance, 3)) /* captured with CPU samples */
		made.model.run_on = made.right & RIGHT(RUN_QUEUE) ? 0.9 : 0.1;
	return made;
}

enum outcome {
	OUTCOME_RIGHT,
	OUTCOME_UNDECIDED,
	OUTCOME_WRONG,
	OUTCOME_NR
};

static enum outcome outcome_of(const struct incident_made *made, bool is_told)
{
	struct evidence_set set;
	struct incident incident;
	struct readings readings;
	enum outcome outcome;

	queue_model_run(&made->model, &set);
	for (int kind = 0; kind < EVIDENCE_NR; kind++) {
		if (made->without & (1u << kind))
			track_release(&set.tracks[kind]);
	}
	evidence_set_finish(&set);
	incident_find(&set.evidence, 1, &incident);
	readings_make(&set.evidence, &incident, &readings);
	if (readings.list[0].verdict != READING_SUPPORTED)
		outcome = OUTCOME_UNDECIDED;
	else
		outcome =
			made->right & (1u << readings.list[0].kind) ? OUTCOME_RIGHT : OUTCOME_WRONG;
	if (outcome == OUTCOME_WRONG && is_told)
		printf("# wrong: %s; tick %g s, at %.2f, cpu %.2f to %.2f ms, without %#x\n",
		       reading_word(readings.list[0].kind), made->model.tick, made->model.at,
		       1e3 * made->model.usual.cpu, 1e3 * made->model.faulty.cpu, made->without);
	readings_release(&readings);
	evidence_set_release(&set);
	return outcome;
}

/* usage: order-incidents [<of each kind> [brief]]: status 1 where one is read wrongly */
int main(int argc, char **argv)
{
	int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 100, all[OUTCOME_NR] = {0};
	bool is_brief = argc > 2;
	struct chance chance = {20261130};

	if (!is_brief)
		printf("fault   right  undecided  wrong\n");
	for (int fault = 0; fault < FAULT_NR; fault++) {
		int of[OUTCOME_NR] = {0};

		for (int i = 0; i < rounds; i++) {
			struct incident_made made = make(&chance, (enum fault)fault);

			of[outcome_of(&made, !is_brief)]++;
		}
		for (int i = 0; i < OUTCOME_NR; i++)
			all[i] += of[i];
		if (!is_brief)
			printf("%-6s  %5d  %9d  %5d\n", fault_words[fault], of[OUTCOME_RIGHT],
			       of[OUTCOME_UNDECIDED], of[OUTCOME_WRONG]);
	}
	printf("%s%5d  %9d  %5d\n", is_brief ? "" : "all     ", all[OUTCOME_RIGHT],
	       all[OUTCOME_UNDECIDED], all[OUTCOME_WRONG]);
	return all[OUTCOME_WRONG] ? 1 : 0;
}
