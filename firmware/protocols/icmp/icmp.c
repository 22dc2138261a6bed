/* SPDX-License-Identifier: BSD-2-Clause */
#include "protocols/icmp/icmp.h"

#include "xkernel/checksum.h"

struct icmp_counts icmp_counts;

struct icmp_header {
	uint32_t type_code_checksum; /* 8, 8, 16 */
	uint32_t ident_sequence;     /* the asker's own */
} __attribute__((may_alias));

enum { ECHO_REPLY = 0, ECHO_REQUEST = 8 }; /* type and code, as loaded: code 0 */

/* The request goes back with another type, in its own bytes. */
static int answer(struct xobj *lower, struct msg *m, uint32_t ident_sequence)
{
	struct icmp_header *h;
	uint64_t sum = ident_sequence;

	sum = checksum_add_msg(sum, m);
	h = msg_push(m, ICMP_HEADER_BYTES);
	if (!h) {
		icmp_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	h->ident_sequence = ident_sequence;
	h->type_code_checksum = ECHO_REPLY | (uint32_t)checksum_fold(sum + ECHO_REPLY) << 16;
	icmp_counts.echoes++;
	return xPush(lower, m);
}

static int icmp_demux(struct xobj *self, struct xobj *lower, struct msg *m)
{
	const struct icmp_header *h;

	(void)self;
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
	if ((h->type_code_checksum & 0xffff) != ECHO_REQUEST) {
		icmp_counts.not_ours++;
		return XK_ERROR;
	}
	return answer(lower, m, h->ident_sequence);
}

static const struct xobj_ops protocol_ops = {
	XOBJ_DEFAULTS,
	.demux = icmp_demux,
};

int icmp_init(struct xobj *self)
{
	self->ops = &protocol_ops;
	return xOpenEnable(self, self, self->down[0], NULL);
}
