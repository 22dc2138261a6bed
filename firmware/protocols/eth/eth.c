/* SPDX-License-Identifier: BSD-2-Clause */
/* ETH: start-up, operations, control. */
#include "protocols/eth/eth_private.h"
#include "xkernel/memory/allocate.h"
#include "xkernel/memory/memory.h"

struct eth_counts eth_counts;

const struct xobj_ops eth_protocol_ops = {
	XOBJ_DEFAULTS,
	.open = eth_open,
	.open_enable = eth_open_enable,
	.open_disable = eth_open_disable,
	.demux = eth_demux,
	.control = eth_control,
};

const struct xobj_ops eth_session_ops = {
	XOBJ_DEFAULTS,
	.push = eth_push,
	.pop = eth_pop,
	.control = eth_control,
};

static int put_number(uint32_t number, void *buffer, size_t bytes)
{
	if (bytes < sizeof number)
		return XK_ERROR;
	*(uint32_t *)buffer = number;
	return sizeof number;
}

int eth_control(struct xobj *object, int op, void *buffer, size_t bytes)
{
	const struct eth *eth = object->protocol->state;
	const struct eth_session *s = object->state;

	switch (op) {
	case XK_GET_MAX_PACKET:
	case XK_GET_OPT_PACKET:
		return put_number(ETH_MTU, buffer, bytes);
	case XK_GET_PEER_HOST:
		if (object == object->protocol || bytes < ETH_MAC_BYTES)
			return XK_ERROR;
		memcpy(buffer, &s->remote, ETH_MAC_BYTES);
		return ETH_MAC_BYTES;
	default:
		return xControl(eth->driver, op, buffer, bytes);
	}
}

int eth_init(struct xobj *self)
{
	struct eth *eth = xk_allocate_zeroed(sizeof *eth);
	uint8_t mac[ETH_MAC_BYTES];

	if (!eth || map_init(&eth->active, 32, 1) || map_init(&eth->passive, 8, 1))
		return XK_NO_MEMORY;
	self->state = eth;
	self->ops = &eth_protocol_ops;
	idle_start(&eth->idle, &eth->active, eth_session_destroy);
	eth->driver = xOpen(self, self, self->down[0], NULL);
	if (!eth->driver)
		return XK_ERROR;
	if (xControl(eth->driver, XK_GET_MY_HOST, mac, sizeof mac) < 0)
		return XK_ERROR;
	eth->mac = eth_load_mac(mac);
	return XK_OK;
}
