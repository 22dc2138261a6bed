/* SPDX-License-Identifier: BSD-2-Clause */
/* ARP: start-up, and what arrives. */
#include "platform/platform.h"
#include "protocols/arp/arp_private.h"
#include "xkernel/memory/allocate.h"

struct arp_counts arp_counts;

static const uint64_t EVERYBODY = 0xffffffffffff;

/* RFC 826's order: known pairs are renewed by whatever arrives; who asks for us is remembered. */
static int arp_demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	struct arp *arp = self->state;
	struct arp_packet p;
	struct arp_entry *entry;
	uint64_t from = 0;

	arp_counts.received++;
	if (arp_parse(m, &p))
		return XK_ERROR;
	xControl(lower, XK_GET_PEER_HOST, &from, ETH_MAC_BYTES);
	if (p.sender == arp->address) {
		arp_counts.conflicts++;
		return XK_ERROR;
	}
	if (p.sender_mac != from || (p.sender && !arp_is_neighbour(arp, p.sender))) {
		arp_counts.bad_sender++;
		return XK_ERROR;
	}
	entry = p.sender ? arp_find(arp, p.sender) : NULL;
	if (!entry && p.operation == ARP_REPLY) {
		arp_counts.unsolicited++;
		return XK_ERROR;
	}
	/* No sender: somebody probes whether an address is free (RFC 5227). */
	if (p.sender && (entry || p.target == arp->address))
		arp_answered(arp, arp_learn(arp, p.sender, p.sender_mac));
	if (p.operation == ARP_REQUEST && p.target == arp->address) {
		arp_counts.replies_sent++;
		arp_send(arp, lower, ARP_REPLY, p.sender_mac, p.sender);
	}
	return XK_OK;
}

static const struct xobj_ops protocol_ops = {
	XOBJ_DEFAULTS,
	.open = arp_open,
	.demux = arp_demux,
};

int arp_init(struct xobj *self)
{
	const struct boot_params *boot = plat_boot();
	struct arp *arp = xk_allocate_zeroed(sizeof *arp);
	struct part parts[2];
	int result;

	if (!arp)
		return XK_NO_MEMORY;
	self->state = arp;
	self->ops = &protocol_ops;
	arp->self = self;
	arp_sessions_start(arp);
	arp->mac = boot->mac & EVERYBODY;
	arp->address = (uint32_t)boot->ip;
	arp->netmask = (uint32_t)boot->netmask;
	result = xOpenEnable(self, self, self->down[0], NULL);
	if (result < 0)
		return result;
	parts_init(parts);
	part_push(&parts[0], &EVERYBODY, ETH_MAC_BYTES);
	arp->everybody = xOpen(self, self, self->down[0], parts);
	if (!arp->everybody)
		return XK_NO_MEMORY;
	/* Gratuitous: who knew this address with another station corrects its table. */
	arp_send(arp, arp->everybody, ARP_REQUEST, 0, arp->address);
	event_schedule(&arp->tick, arp_tick, arp, ARP_TICK_US);
	return XK_OK;
}
