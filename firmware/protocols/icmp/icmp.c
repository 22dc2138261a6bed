/* SPDX-License-Identifier: BSD-2-Clause */
/* ICMP: start-up, what arrives, echo replies. */
#include "protocols/icmp/icmp_private.h"
#include "xkernel/checksum.h"

struct icmp_counts icmp_counts;

static int icmp_demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	const struct icmp_header *h;

	if (msg_bytes(m) < ICMP_HEADER_BYTES) {
		icmp_counts.too_short++;
		return XK_ERROR;
	}
	if (checksum_fold(checksum_add_msg(0, m)) != 0) {
		icmp_counts.bad_checksum++;
		return XK_ERROR;
	}
	h = msg_pop(m, ICMP_HEADER_BYTES);
	if (!h) {
		icmp_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	switch (h->type_code_checksum & 0xffff) { /* type and code; code 0 */
	case ICMP_ECHO_REQUEST:
		icmp_counts.echoes++;
		return icmp_send(lower, m, ICMP_ECHO_REPLY, h->ident_sequence);
	case ICMP_ECHO_REPLY:
		icmp_ping_answer(h->ident_sequence, m);
		return XK_OK;
	default:
		icmp_counts.not_ours++;
		return XK_ERROR;
	}
}

static int icmp_control(struct xobj *self, int op, void *buffer, size_t bytes)
{
	if (op == ICMP_REPORT && bytes == sizeof(struct icmp_report))
		return icmp_report(self, buffer);
	if (op == ICMP_PING && bytes == sizeof(struct icmp_ping))
		return icmp_ping(self, buffer);
	return xobj_control_default(self, op, buffer, bytes);
}

static const struct xobj_ops protocol_ops = {
	XOBJ_DEFAULTS,
	.demux = icmp_demux,
	.control = icmp_control,
};

int icmp_init(struct xobj *self)
{
	self->ops = &protocol_ops;
	return xOpenEnable(self, self, self->down[0], NULL);
}
