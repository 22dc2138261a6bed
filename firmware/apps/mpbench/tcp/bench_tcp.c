/* SPDX-License-Identifier: BSD-2-Clause */
#include "apps/mpbench/bench.h"
#include "apps/mpstream/mpstream.h"
#include "platform/platform.h"
#include "protocols/mpdriver/peer/mppeer.h"
#include "protocols/tcp/parallel/entry.h"
#include "protocols/tcp/tcp_net2.h"
#include "xkernel/console.h"
#include "xkernel/percpu/percpu.h"

/* Acknowledged one by one, so many segments open the congestion window, from where on an ACK is
 * predicted. */
enum { OPENING = MPSTREAM_WINDOW / MPBENCH_BYTES + 4 };

const char *const bench_graph = "tcp";
const char *const bench_names[BENCH_NUMBERS] = {
	"lock waits", "lock turns", "data",	   "disordered",
	"predicted",  "misordered", "retransmits", "missed",
};

static unsigned connections = 1;
static struct {
	uint64_t turn;
} OWN_BLOCK turns[XK_CPUS];

static int packet_of(unsigned k)
{
	return plat_boot()->role == BENCH_RECEIVES ? mppeer_receive(k)
						   : mpstream_send(k, MPBENCH_BYTES);
}

static void start_connection(unsigned k)
{
	int sends = plat_boot()->role == BENCH_SENDS;
	int result = sends ? mpstream_open(k, (uint16_t)(MPPEER_PORT + k))
			   : mppeer_connect(k, MPSTREAM_PORT);

	if (result != XK_OK || !mpstream.connections[k].session)
		console_fail("no connection", NULL);
	for (int n = sends ? OPENING : 2; n; n--)
		if (packet_of(k) != XK_OK)
			console_fail("the window does not open", NULL);
}

void bench_start(uint64_t processors)
{
	if (mppeer_start(MPBENCH_BYTES, 0) != XK_OK)
		console_fail("no memory for frames", NULL);
	if (MPBENCH_EACH)
		connections = (unsigned)processors;
	for (unsigned k = 0; k < connections; k++)
		start_connection(k);
}

int bench_packet(uint64_t number)
{
	if (MPBENCH_EACH == 2)
		return packet_of((unsigned)((number + turns[number].turn++) % connections));
	return packet_of(MPBENCH_EACH ? (unsigned)number : 0);
}

void bench_sum(uint64_t sum[BENCH_NUMBERS])
{
	for (int i = 0; i < XK_CPUS; i++) {
		sum[0] += percpu_of[i].lock_waits;
		sum[1] += percpu_of[i].lock_turns;
		sum[2] += tcp_arrivals[i].data;
		sum[3] += tcp_arrivals[i].disordered;
		sum[4] += tcp_predictions[i].acks + tcp_predictions[i].data;
		sum[5] += mppeer_counts[i].misordered;
		sum[6] += tcp_counts[i].retransmit_timeouts + tcp_counts[i].fast_retransmits;
		sum[7] += tcp_predictions[i].missed;
	}
}
