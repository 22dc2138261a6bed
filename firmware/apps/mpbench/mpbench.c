/* SPDX-License-Identifier: BSD-2-Clause */
/* Packet-level parallelism measured (OSDI'94 2.3): a thread on each processor takes a packet, runs
 * it through the stack, and takes the next. The boot block says which side (role 0 sends, 1
 * receives), for how long (warmup and round_trips: milliseconds before and within the measurement,
 * rounded up to timer interrupts), and a seed, from which each processor begins a little later than
 * the others.
 *
 * The timer's interrupts on processor 0 begin and end the measurement. So it ends, whichever
 * processors never win the race for a word.
 *
 * Invocations of window probe are packets, on each processor; window path is open throughout. What
 * the stack counted within the measurement is printed. */
#include "apps/mpbench/bench.h"
#include "platform/alpha/device.h"
#include "platform/marker.h"
#include "platform/platform.h"
#include "xkernel/atomic/word.h"
#include "xkernel/console.h"
#include "xkernel/graph.h"
#include "xkernel/percpu/count.h"
#include "xkernel/percpu/percpu.h"
#include "xkernel/thread/event.h"
#include "xkernel/thread/thread.h"

enum { SKEW = 5000 /* turns of an empty loop */ };

extern uint64_t processors_released; /* start.S */
void processor_main(uint64_t number);

static struct {
	uint64_t word;
} arrived __attribute__((aligned(128))), stopped __attribute__((aligned(128)));

/* Processor 0's, and its interrupt's. */
static struct {
	uint64_t interrupts; /* since all have arrived */
	uint64_t starts, ends;
	uint64_t before[BENCH_NUMBERS], after[BENCH_NUMBERS];
} measured;

/* On its own so that it stands before each packet, and nowhere else. */
__attribute__((noinline)) static void counts(void)
{
	MARK(MARK_INVOCATION, WINDOW_PROBE);
}

__attribute__((noinline)) static void measure_starts(void)
{
	MARK(MARK_EVENT, EVENT_MEASURE_START);
}

__attribute__((noinline)) static void measure_ends(void)
{
	MARK(MARK_EVENT, EVENT_MEASURE_END);
}

static void timer_interrupt(void)
{
	event_interrupt();
	if (!measured.ends)
		return;
	measured.interrupts++;
	if (measured.interrupts == measured.starts) {
		bench_sum(measured.before);
		measure_starts();
	}
	if (measured.interrupts == measured.ends) {
		measure_ends();
		bench_sum(measured.after);
		atomic_write(&stopped.word, 1);
		barrier_drain();
	}
}

static struct {
	uint64_t state;
} OWN_BLOCK draws[XK_CPUS];

static void yield(uint64_t number)
{
	uint64_t *state = &draws[number].state;
	uint32_t begin = (uint32_t)__builtin_alpha_rpcc(), ticks;

	*state = *state * 6364136223846793005 + 2 * (plat_boot()->seed + number) + 1;
	ticks = MPBENCH_YIELD / 2 + (uint32_t)((*state >> 32) * MPBENCH_YIELD >> 32);
	while ((uint32_t)__builtin_alpha_rpcc() - begin < ticks)
		;
}

static void packet(uint64_t number)
{
	int result;

	while ((result = bench_packet(number)) == XK_WOULD_BLOCK) {
		if (atomic_read(&stopped.word))
			return;
		event_turn();
	}
	if (result != XK_OK)
		console_fail("a packet was lost", NULL);
	counts();
	event_turn();
	if (MPBENCH_YIELD && plat_boot()->role == BENCH_SENDS)
		yield(number);
}

static void all_arrive(uint64_t number)
{
	uint64_t skew =
	    (plat_boot()->seed * 0x9E3779B97F4A7C15 + number * 0xD1B54A32D192ED03) >> 40;

	atomic_add(&arrived.word, 1);
	barrier_drain();
	while (atomic_read(&arrived.word) < device_read_quad(SYSTEM_CORE_COUNT))
		;
	for (skew %= SKEW; skew; skew--)
		__asm__ volatile("");
}

static void packets(uint64_t number)
{
	while (!atomic_read(&stopped.word))
		packet(number);
}

void processor_main(uint64_t number)
{
	percpu_start(number);
	all_arrive(number);
	packets(number);
}

static void starts(void)
{
	const struct graph *graph = graph_find(bench_graph);
	const char *failed = NULL;

	if (thread_init())
		console_fail("no memory for threads", NULL);
	event_init();
	plat_on_timer(timer_interrupt);
	plat_ipl_set(IPL_NONE);
	if (!graph || graph_start(graph, &failed) < 0)
		console_fail("protocol failed to start", failed);
	bench_start(device_read_quad(SYSTEM_CORE_COUNT));
}

/* Prints the counts of the measurement, a line each. */
static void say(void)
{
	for (int i = 0; i < BENCH_NUMBERS && bench_names[i]; i++) {
		console_text(bench_names[i]);
		console_text(" ");
		console_number(measured.after[i] - measured.before[i]);
		console_text("\n");
	}
}

static uint64_t interrupts_in(uint64_t ms)
{
	return ms ? event_ticks(1000 * ms) : 1;
}

int main(void)
{
	percpu_start(0);
	starts();
	barrier_release();
	processors_released = 1;
	barrier_drain();
	all_arrive(0);
	measured.starts = interrupts_in(plat_boot()->warmup);
	atomic_write(&measured.ends, measured.starts + interrupts_in(plat_boot()->round_trips));
	packets(0);
	say();
	return 0;
}
