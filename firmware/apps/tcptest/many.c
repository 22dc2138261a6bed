/* SPDX-License-Identifier: BSD-2-Clause */
/* TCPTEST with several connections, which take turns. */
#include "apps/tcptest/tcptest_private.h"
#include "platform/platform.h"
#include "xkernel/console.h"

#if XK_CONNECTIONS > 1

static struct {
	struct xobj *session[XK_CONNECTIONS];
	uint64_t turn, accepted, done;
} many;

struct xobj *tcptest_next(void)
{
	if (++many.turn == XK_CONNECTIONS)
		many.turn = 0;
	return many.session[many.turn];
}

void tcptest_open_others(void)
{
	const uint32_t peer = (uint32_t)plat_boot()->peer_ip;

	many.session[0] = tcptest.session;
	for (uint16_t i = 1; i < XK_CONNECTIONS; i++) {
		static const uint16_t port = TCPTEST_PORT;
		const uint16_t own_port = TCPTEST_CLIENT_PORT + i;
		struct part parts[2];

		parts_init(parts);
		part_push(&parts[0], &peer, sizeof peer);
		part_push(&parts[0], &port, sizeof port);
		part_push(&parts[1], &own_port, sizeof own_port);
		many.session[i] = xOpen(tcptest.self, tcptest.self, tcptest.self->down[0], parts);
		if (!many.session[i])
			console_fail("tcptest", "cannot open another connection to the server");
	}
}

int tcptest_accepts(void)
{
	return many.accepted++ < XK_CONNECTIONS;
}

int tcptest_ends(struct xobj *session, enum xk_close why)
{
	const int is_server = plat_boot()->role != 0;

	if (why == XK_CLOSE_PEER) {
		if (is_server)
			xClose(session);
		return 0;
	}
	if (why == XK_CLOSE_DONE && ++many.done < XK_CONNECTIONS) {
		if (!is_server)
			xClose(many.session[many.done]); /* all at once do not fit the ring */
		return 0;
	}
	tcptest.closed = 1;
	return 1;
}

#endif
