/* SPDX-License-Identifier: BSD-2-Clause */
/* The start: the boot block's two hosts, one route, TCP's two timers. */
#include "bsd/bsd.h"

#include "bsd/inet/ip.h"
#include "bsd/kern/sleep.h"
#include "bsd/kern/softnet.h"
#include "bsd/net/arp.h"
#include "bsd/net/ether.h"
#include "bsd/net/le.h"
#include "bsd/tcp/tcp.h"
#include "xkernel/byteorder.h"
#include "xkernel/memory/memory.h"
#include "xkernel/thread/event.h"
#include "xkernel/upi.h"

enum { FAST_US = 200000, SLOW_US = 500000, MTU = 1500 };

struct interface_address *interface_addresses;

static struct interface lance;
static struct interface_address address;
static struct event fast, slow;

static void fast_tick(void *arg)
{
	tcp_protocol.fast();
	event_schedule(&fast, fast_tick, arg, FAST_US);
}

static void slow_tick(void *arg)
{
	tcp_protocol.slow();
	event_schedule(&slow, slow_tick, arg, SLOW_US);
}

int bsd_init(struct xobj *self)
{
	const struct boot_params *boot = plat_boot();
	uint32_t ours = swap32((uint32_t)boot->ip), mask = swap32((uint32_t)boot->netmask);
	uint8_t peer[STATION_BYTES];

	mbuf_start();
	sleep_start();
	softnet_start(ipintr);
	lance = (struct interface){ .mtu = MTU };
	memcpy(lance.station, &boot->mac, STATION_BYTES);
	memcpy(peer, &boot->peer_mac, STATION_BYTES);
	address = (struct interface_address){ NULL, ours, ours | ~mask, ours & mask, mask, &lance };
	interface_addresses = &address;
	ether_start(&lance);
	arp_start();
	arp_set(swap32((uint32_t)boot->peer_ip), peer);
	route_start();
	if (route_add(ours & mask, mask, 0, &lance))
		return XK_NO_MEMORY;
	ip_start();
	tcp_start();
	event_schedule(&fast, fast_tick, NULL, FAST_US);
	event_schedule(&slow, slow_tick, NULL, SLOW_US);
	return le_start(self, &lance) ? XK_ERROR : XK_OK;
}
