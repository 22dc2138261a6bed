/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel as bsdnet's environment. */
#include "bsdnet/environment.h"
#include "bsdnet/driver.h"
#include "bsdnet/inet/reassembly.h"
#include "bsdnet/socket/socket.h"
#include "kernel/memory.h"
#include "kernel/sleep.h"
#include "kernel/softint.h"
#include "kernel/station.h"
#include "structures/bsdnet/buffers.h"
#include "structures/footprint.h"
#include "structures/inkernel/inkernel.h"
#include "structures/probe.h"
#include "xkernel/memory/memory.h"
#include "xkernel/thread/event.h"

enum { HALF_SECOND_US = 500000 };

static struct event clock;

static int raise_level(void)
{
	return plat_ipl_raise(IPL_NET);
}

static void restore(int level)
{
	plat_ipl_set(level);
}

/* The kernel has checked the whole of the user's buffer. */
static int copy(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	return 0;
}

static void fill(void *frame, const void *arg)
{
	const struct mbuf *m = arg;

	m_copydata(m, 0, m->packet_bytes, frame);
}

static int transmit(struct mbuf *m)
{
	return station_send(m->packet_bytes, fill, m);
}

static void probe(const struct mbuf *m)
{
	probe_load(m->data, m->bytes);
}

static void run(void)
{
	net_run();
	footprint_read();
}

static void half_second(void *arg)
{
	net_half_second();
	event_schedule(&clock, half_second, arg, HALF_SECOND_US);
}

int inkernel_start(void)
{
	static const struct net_environment environment = {
		.raise = raise_level,
		.restore = restore,
		.request = softint_request,
		.sleep = sleep_on,
		.wakeup = wakeup,
		.copy_out = copy,
		.copy_in = copy,
		.transmit = transmit,
		.probe = PROBE ? probe : NULL,
	};
	struct net_config config = net_config_of(plat_boot(), memory_of_kernel);

	softint_start(FOOTPRINT_PAGES ? run : net_run);
	net_start(&config, &environment);
	half_second(NULL);
	return station_start();
}

const struct count inkernel_counts[] = {
	{ "driver: copied", &driver_counts.copied },
	{ "driver: into clusters", &driver_counts.filled },
	{ "driver: no buffer", &driver_counts.no_buffer },
	{ "ethernet: not ours", &ether_counts.not_ours },
	{ "ip: queue full", &ip_queue.dropped },
	{ "ip: bad checksum", &ipin_counts.bad_checksum },
	{ "ip: fragments", &reassembly_counts.fragments },
	{ "ip: timed out", &reassembly_counts.timed_out },
	{ "ip: delivered", &ipin_counts.delivered },
	{ "udp: bad checksum", &udpin_counts.bad_checksum },
	{ "udp: no port", &udpin_counts.no_port },
	{ "socket: full by bytes", &socket_counts.full_bytes },
	{ "socket: full by mbufs", &socket_counts.full_mbufs },
	{ "socket: read", &socket_counts.read },
	{ NULL, NULL },
};
