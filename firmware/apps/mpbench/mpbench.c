/* SPDX-License-Identifier: BSD-2-Clause */
/* Packet-level parallelism measured (OSDI'94 2.3): a thread on each processor takes a packet, runs
 * it through the stack, and takes the next. The boot block says which side (role 0 sends, 1
 * receives), how many packets processor 0 takes before and within the measurement (warmup,
 * round_trips), and a seed, from which each processor begins a little later than the others.
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
#include "xkernel/percpu/percpu.h"
#include "xkernel/thread/event.h"
#include "xkernel/thread/thread.h"

enum { SKEW = 5000 /* turns of an empty loop */ };

extern uint64_t processors_released; /* start.S */
void processor_main(uint64_t number);

static struct {
	uint64_t word;
} arrived __attribute__((aligned(128))), stopped __attribute__((aligned(128)));

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

static void packet(uint64_t number)
{
	int result;

	while ((result = bench_packet(number)) == XK_WOULD_BLOCK)
		event_turn();
	if (result != XK_OK)
		console_fail("a packet was lost", NULL);
	counts();
	event_turn();
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

void processor_main(uint64_t number)
{
	percpu_start(number);
	all_arrive(number);
	while (!atomic_read(&stopped.word))
		packet(number);
}

static void starts(void)
{
	const struct graph *graph = graph_find(bench_graph);
	const char *failed = NULL;

	if (thread_init())
		console_fail("no memory for threads", NULL);
	event_init();
	if (!graph || graph_start(graph, &failed) < 0)
		console_fail("protocol failed to start", failed);
	bench_start(device_read_quad(SYSTEM_CORE_COUNT));
}

/* Prints the counts of the measurement, a line each. */
static void say(const uint64_t before[BENCH_NUMBERS], const uint64_t after[BENCH_NUMBERS])
{
	for (int i = 0; i < BENCH_NUMBERS && bench_names[i]; i++) {
		console_text(bench_names[i]);
		console_text(" ");
		console_number(after[i] - before[i]);
		console_text("\n");
	}
}

int main(void)
{
	uint64_t before[BENCH_NUMBERS] = { 0 }, after[BENCH_NUMBERS] = { 0 };

	percpu_start(0);
	starts();
	barrier_release();
	processors_released = 1;
	barrier_drain();
	all_arrive(0);
	for (uint64_t n = plat_boot()->warmup; n; n--)
		packet(0);
	bench_sum(before);
	measure_starts();
	for (uint64_t n = plat_boot()->round_trips; n; n--)
		packet(0);
	measure_ends();
	bench_sum(after);
	atomic_write(&stopped.word, 1);
	barrier_drain();
	say(before, after);
	return 0;
}
