/* SPDX-License-Identifier: BSD-2-Clause */
#include "apps/mpbench/bench.h"
#include "apps/mptest/mptest.h"
#include "apps/mptest/template.h"
#include "platform/platform.h"
#include "protocols/mpdriver/mpdriver.h"
#include "protocols/udp/udp.h"
#include "xkernel/console.h"
#include "xkernel/graph.h"
#include "xkernel/percpu/percpu.h"

const char *const bench_graph = "udp";
const char *const bench_names[BENCH_NUMBERS] = { "lock waits", "lock turns" };

static struct xobj *session, *driver;
static struct msg templates[XK_CPUS];

/* FDDI is the second of the graph; the driver's session is the first below it. */
enum { NODE_FDDI = 1 };

void bench_start(uint64_t processors)
{
	driver = ((struct xobj **)graph_find(bench_graph)->nodes[NODE_FDDI].object->state)[0];
	session = mptest_open(MPTEST_PORT);
	if (!session)
		console_fail("no session", NULL);
	if (!XK_MP_CHECKSUM) {
		uint32_t off = 0;

		xControl(session, UDP_SET_CHECKSUM, &off, sizeof off);
	}
	for (unsigned i = 0; i < XK_CPUS; i++)
		if (mptest_template(&templates[i], MPBENCH_BYTES))
			console_fail("no memory for frames", NULL);
	bench_packet(0); /* makes what is missing: from here on nobody binds */
}

int bench_packet(uint64_t number)
{
	return plat_boot()->role == BENCH_RECEIVES ? mpdriver_receive(driver, &templates[number])
						   : mptest_send(session, MPBENCH_BYTES);
}

void bench_sum(uint64_t sum[BENCH_NUMBERS])
{
	for (int i = 0; i < XK_CPUS; i++) {
		sum[0] += percpu_of[i].lock_waits;
		sum[1] += percpu_of[i].lock_turns;
	}
}
