/* SPDX-License-Identifier: BSD-2-Clause */
/* ETH: the way down. */
#include "protocols/eth/eth_private.h"

int eth_push(struct xobj *session, struct msg *m)
{
	const struct eth_session *s = session->state;
	uint8_t *header;

	if (PREDICT_FALSE(msg_bytes(m) > ETH_MTU)) {
		eth_counts.too_long++;
		return XK_ERROR;
	}
	header = msg_push(m, ETH_HEADER_BYTES);
	if (PREDICT_FALSE(!header)) {
		eth_counts.no_memory++;
		return XK_NO_MEMORY;
	}
	*(eth_half *)header = (eth_half)s->half;
	((eth_word *)(header + 2))[0] = s->word[0];
	((eth_word *)(header + 2))[1] = s->word[1];
	((eth_word *)(header + 2))[2] = s->word[2];
	return xPush(session->down[0], m);
}
