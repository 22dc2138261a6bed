/* SPDX-License-Identifier: BSD-2-Clause */
/* IP: start-up, operations, control. */
#include "platform/platform.h"
#include "protocols/ip/ip_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/memory/allocate.h"
#include "xkernel/seed.h"

struct ip_counts ip_counts PER_CPU;

const struct xobj_ops ip_protocol_ops = {
	XOBJ_DEFAULTS,
	.open = ip_open,
	.open_enable = ip_open_enable,
	.open_disable = ip_open_disable,
	.demux = ip_demux,
	.control = ip_control,
};

const struct xobj_ops ip_session_ops = {
	XOBJ_DEFAULTS,
	.push = ip_push,
	.pop = ip_pop,
	.control = ip_control,
};

int ip_control(struct xobj *object, int op, void *buffer, size_t bytes)
{
	const struct ip *ip = object->protocol->state;
	const struct ip_session *s = object->state;
	int is_session = object != object->protocol;
	uint32_t answer;

	switch (op) {
	case XK_GET_MY_HOST:
		answer = swap32(ip->address);
		break;
	case XK_GET_PEER_HOST:
		if (!is_session)
			return XK_ERROR;
		answer = swap32(s->header.destination);
		break;
	case XK_GET_MAX_PACKET:
	case XK_GET_OPT_PACKET:
		if (!is_session)
			return XK_ERROR;
		answer = s->mtu - IP_HEADER_BYTES;
		if (XK_FRAGMENTS && op == XK_GET_MAX_PACKET)
			answer = ip_max_bytes(s->mtu) - IP_HEADER_BYTES;
		break;
	default:
		return xControl(object->down[0], op, buffer, bytes);
	}
	if (bytes < sizeof answer)
		return XK_ERROR;
	*(uint32_t *)buffer = answer;
	return sizeof answer;
}

int ip_init(struct xobj *self)
{
	const struct boot_params *boot = plat_boot();
	struct ip *ip = xk_allocate_zeroed(sizeof *ip);

	if (!ip || map_init(&ip->active, 32, 2) || map_init(&ip->passive, 8, 1))
		return XK_NO_MEMORY;
	self->state = ip;
	self->ops = &ip_protocol_ops;
	ip->address = swap32((uint32_t)boot->ip);
	ip->broadcast = swap32((uint32_t)(boot->ip | ~boot->netmask));
	ip->ident = (uint32_t)seed_number(SEED_IP_IDENT) & 0xffff;
	idle_start(&ip->idle, &ip->active, ip_session_destroy);
	return xOpenEnable(self, self, self->down[0], NULL);
}
