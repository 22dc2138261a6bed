/* SPDX-License-Identifier: BSD-2-Clause */
/* UDP: start-up, operations, control, the way down. */
#include "platform/platform.h"
#include "protocols/udp/udp_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"
#include "xkernel/memory/allocate.h"

struct udp_counts udp_counts PER_CPU;

int udp_push(struct xobj *session, struct msg *m)
{
	const struct udp_session *s = session->state;
	size_t bytes = msg_bytes(m) + UDP_HEADER_BYTES;
	uint32_t length = swap16((uint32_t)bytes), check = 0;
	struct udp_header *h;

	if (bytes > IP_MAX_BYTES - IP_HEADER_BYTES) {
		COUNT(udp_counts, too_long);
		return XK_ERROR;
	}
	h = msg_push(m, UDP_HEADER_BYTES);
	if (!h) {
		COUNT(udp_counts, no_memory);
		return XK_NO_MEMORY;
	}
	h->ports = s->ports;
	h->length_checksum = length;
	if (!s->without_checksum) {
		check = checksum_fold(checksum_add_msg(s->pseudo_sum + length, m));
		if (!check)
			check = 0xffff; /* 0 on the wire says that there is none */
	}
	h->length_checksum = length | check << 16;
	COUNT(udp_counts, sent);
	return xPush(session->down[0], m);
}

static int udp_control(struct xobj *session, int op, void *buffer, size_t bytes)
{
	struct udp_session *s = session->state;
	uint32_t *number = buffer;
	int result;

	if (bytes < sizeof *number)
		return op >= 700 ? XK_ERROR : xControl(session->down[0], op, buffer, bytes);
	switch (op) {
	case UDP_SET_CHECKSUM:
		s->without_checksum = *number == 0;
		break;
	case UDP_GET_MY_PORT:
		*number = swap16(s->ports);
		break;
	case UDP_GET_PEER_PORT:
		*number = swap16(s->ports >> 16);
		break;
	case XK_GET_MAX_PACKET:
	case XK_GET_OPT_PACKET:
		result = xControl(session->down[0], op, buffer, bytes);
		if (result < 0)
			return result;
		*number -= UDP_HEADER_BYTES;
		break;
	default:
		return xControl(session->down[0], op, buffer, bytes);
	}
	return sizeof *number;
}

const struct xobj_ops udp_session_ops = {
	XOBJ_DEFAULTS,
	.push = udp_push,
	.pop = udp_pop,
	.control = udp_control,
};

static const struct xobj_ops protocol_ops = {
	XOBJ_DEFAULTS,
	.open = udp_open,
	.open_enable = udp_open_enable,
	.open_disable = udp_open_disable,
	.demux = udp_demux,
};

int udp_init(struct xobj *self)
{
	struct udp *udp = xk_allocate_zeroed(sizeof *udp);

	if (!udp || map_init(&udp->active, 64, 1) || map_init(&udp->passive, 16, 1))
		return XK_NO_MEMORY;
	self->state = udp;
	self->ops = &protocol_ops;
	udp->address = swap32((uint32_t)plat_boot()->ip);
	udp->next_port = UDP_FIRST_PORT;
	idle_start(&udp->idle, &udp->active, udp_session_destroy);
	return xOpenEnable(self, self, self->down[0], NULL);
}
