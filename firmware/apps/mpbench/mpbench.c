/* SPDX-License-Identifier: BSD-2-Clause */
/* Packet-level parallelism measured (OSDI'94 2.3): a thread on each processor takes a packet, runs
 * it through the stack, and takes the next. The boot block says which side (role 0 sends, 1
 * receives), how many packets processor 0 takes before and within the measurement (warmup,
 * round_trips), and a seed, from which each processor begins a little later than the others.
 *
 * Invocations of window probe are packets, on each processor; window path is open throughout. */
#include "apps/mptest/mptest.h"
#include "apps/mptest/template.h"
#include "platform/alpha/device.h"
#include "platform/marker.h"
#include "platform/platform.h"
#include "protocols/mpdriver/mpdriver.h"
#include "xkernel/atomic/word.h"
#include "xkernel/console.h"
#include "xkernel/event.h"
#include "xkernel/graph.h"
#include "xkernel/percpu/percpu.h"
#include "xkernel/thread.h"

#ifndef MPBENCH_BYTES
#define MPBENCH_BYTES 4096
#endif

enum { SKEW = 5000 /* turns of an empty loop */ };

extern uint64_t processors_released; /* start.S */
void processor_main(uint64_t number);

static struct {
	uint64_t word;
} arrived __attribute__((aligned(128))), stopped __attribute__((aligned(128)));

static const struct graph *graph;
static struct xobj *session, *driver;
static struct msg templates[XK_CPUS];

/* FDDI is the second of the graph; the driver's session is the first below it. */
enum { NODE_FDDI = 1 };

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
	int result = plat_boot()->role ? mpdriver_receive(driver, &templates[number])
				       : mptest_send(session, MPBENCH_BYTES);

	if (result != XK_OK)
		console_fail("a packet was lost", NULL);
	counts();
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
	const char *failed = NULL;

	if (thread_init())
		console_fail("no memory for threads", NULL);
	event_init();
	graph = graph_find("udp");
	if (!graph || graph_start(graph, &failed) < 0)
		console_fail("protocol failed to start", failed);
	driver = ((struct xobj **)graph->nodes[NODE_FDDI].object->state)[0];
	session = mptest_open(MPTEST_PORT);
	for (unsigned i = 0; i < XK_CPUS; i++)
		if (mptest_template(&templates[i], MPBENCH_BYTES))
			console_fail("no memory for frames", NULL);
	if (!session)
		console_fail("no session", NULL);
	packet(0); /* makes what is missing: from here on nobody binds */
}

int main(void)
{
	percpu_start(0);
	starts();
	barrier_release();
	processors_released = 1;
	barrier_drain();
	all_arrive(0);
	for (uint64_t n = plat_boot()->warmup; n; n--)
		packet(0);
	measure_starts();
	for (uint64_t n = plat_boot()->round_trips; n; n--)
		packet(0);
	measure_ends();
	atomic_write(&stopped.word, 1);
	barrier_drain();
	return 0;
}
