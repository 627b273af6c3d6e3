/* queue_model.c - a bounded queue and one worker, simulated */
#include "tests/analysis/queue_model.h"

#include <math.h>

#include "base/mem.h"
#include "tests/bench/chance.h"

#define START_NS UINT64_C(5000000000000)
#define ROWS_MAX 20000

struct queue_model queue_model_usual(void)
{
	struct queue_model model = {
		.total = 10, .at = 4, .length = 3, .tick = 0.1, .capacity = 1024};

	model.usual.rate = 500;
	model.usual.cpu = 0.00065;
	model.faulty = model.usual;
	return model;
}

/* What a row says, and what the worker has in hand. */
struct state {
	const struct queue_model *model;
	struct chance chance;
	double now, next_arrival, done_at; /* done_at 0: idle */
	double *waiting;		   /* when the items of the queue came; a ring */
	uint64_t first, depth;
	double offered, admitted, completed, rejected, busy, cpu, lock, delay;
	double in_hand_busy, in_hand_cpu, in_hand_lock, in_hand_delay;
};

static bool is_faulty(const struct queue_model *model, double now)
{
	return now >= model->at && now < model->at + model->length;
}

/* A tenth up or down. */
static double about(struct state *state, double seconds)
{
	return seconds * (0.9 + 0.2 * (double)chance_below(&state->chance, 1000) / 1000);
}

static void take(struct state *state)
{
	bool faulty = is_faulty(state->model, state->now);

	if (!state->depth || state->done_at > 0)
		return;
	state->first = (state->first + 1) % state->model->capacity;
	state->depth--;
	state->in_hand_cpu =
		about(state, faulty ? state->model->faulty.cpu : state->model->usual.cpu);
	state->in_hand_lock =
		about(state, faulty ? state->model->faulty.lock : state->model->usual.lock);
	state->in_hand_delay =
		about(state, faulty ? state->model->faulty.delay : state->model->usual.delay);
	state->in_hand_busy =
		state->in_hand_cpu + state->in_hand_lock + state->in_hand_delay +
		about(state, faulty ? state->model->faulty.wait : state->model->usual.wait);
	state->done_at = state->now + state->in_hand_busy;
}

/* From one arrival to the next, in mean distances. */
static double gap(struct state *state)
{
	double chance = ((double)chance_below(&state->chance, 1 << 30) + 1) / (1 << 30);

	return state->model->is_irregular ? -log(chance) : 1;
}

static void arrive(struct state *state)
{
	const struct queue_model *model = state->model;

	state->offered++;
	if (state->depth < model->capacity) {
		state->waiting[(state->first + state->depth++) % model->capacity] = state->now;
		state->admitted++;
	} else {
		state->rejected++;
	}
	state->next_arrival += gap(state) / (is_faulty(model, state->now) ? model->faulty.rate
									  : model->usual.rate);
}

static void complete(struct state *state)
{
	state->done_at = 0;
	state->completed++;
	state->busy += state->in_hand_busy * 1e9;
	state->cpu += state->in_hand_cpu;
	state->lock += state->in_hand_lock * 1e9;
	state->delay += state->in_hand_delay * 1e9;
}

static void run_until(struct state *state, double until)
{
	for (;;) {
		bool is_done_first = state->done_at > 0 && state->done_at <= state->next_arrival;
		double at = is_done_first ? state->done_at : state->next_arrival;

		if (at > until)
			break;
		state->now = at;
		if (is_done_first)
			complete(state);
		else
			arrive(state);
		take(state);
	}
	state->now = until;
}

static const struct column {
	enum evidence_kind kind;
	bool is_counter;
} columns[] = {
	{EVIDENCE_DEPTH, false},    {EVIDENCE_AGE, false},	{EVIDENCE_OFFERED, true},
	{EVIDENCE_ADMITTED, true},  {EVIDENCE_COMPLETED, true}, {EVIDENCE_REJECTED, true},
	{EVIDENCE_BUSY, true},	    {EVIDENCE_CPU, true},	{EVIDENCE_LOCK_WAIT, true},
	{EVIDENCE_RUN_DELAY, true},
};

struct table {
	uint64_t times_ns[ROWS_MAX];
	double values[ARRAY_NR(columns)][ROWS_MAX];
	size_t nr;
};

static void row_add(const struct state *state, struct table *table)
{
	double age = state->depth ? (state->now - state->waiting[state->first]) * 1e9 : 0;
	const double values[] = {(double)state->depth, age,
				 state->offered,       state->admitted,
				 state->completed,     state->rejected,
				 state->busy,	       state->cpu,
				 state->lock,	       state->delay};

	table->times_ns[table->nr] = START_NS + (uint64_t)(state->now * 1e9);
	for (size_t i = 0; i < ARRAY_NR(columns); i++)
		table->values[i][table->nr] = values[i];
	table->nr++;
}

static void tracks_add(const struct table *table, struct evidence_set *set)
{
	for (size_t i = 0; i < ARRAY_NR(columns); i++) {
		struct track track;

		track_init(&track, evidence_word(columns[i].kind),
			   columns[i].is_counter ? TRACK_RATE : TRACK_GAUGE);
		if (columns[i].is_counter)
			track_add_rates(&track, table->times_ns, table->values[i], table->nr, 1);
		for (size_t k = 0; k < table->nr && !columns[i].is_counter; k++)
			track_add(&track, table->times_ns[k], table->times_ns[k],
				  table->values[i][k]);
		evidence_set_add(set, columns[i].kind, &track);
	}
}

static void run_on_add(const struct queue_model *model, struct evidence_set *set)
{
	const struct track *depth = &set->tracks[EVIDENCE_DEPTH];
	struct track track;

	if (!(model->run_on > 0))
		return;
	track_init(&track, evidence_word(EVIDENCE_RUN_ON), TRACK_RATE);
	for (size_t i = 1; i < depth->nr; i++)
		track_add(&track, depth->end_ns[i - 1], depth->end_ns[i], model->run_on);
	evidence_set_add(set, EVIDENCE_RUN_ON, &track);
}

void queue_model_run(const struct queue_model *model, struct evidence_set *ret)
{
	struct state state = {.model = model, .chance = {model->seed + 7}, .next_arrival = 0.0005};
	struct table *table = mem_zalloc(1, sizeof(*table));

	state.waiting = mem_zalloc(model->capacity, sizeof(*state.waiting));
	for (size_t row = 1; row * model->tick <= model->total && row <= ROWS_MAX; row++) {
		bool is_late = row % 2 && is_faulty(model, (double)row * model->tick);

		run_until(&state, (double)row * model->tick + (is_late ? model->late : 0));
		row_add(&state, table);
	}
	evidence_set_init(ret);
	ret->evidence.capacity = (double)model->capacity;
	ret->evidence.workers = 1;
	tracks_add(table, ret);
	run_on_add(model, ret);
	free(state.waiting);
	free(table);
}
