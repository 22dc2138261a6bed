/* SPDX-License-Identifier: BSD-2-Clause */
/* XRPCTEST with several sessions, each with channels of its own, which take turns. */
#include "apps/xrpctest/xrpctest_private.h"
#include "platform/platform.h"
#include "xkernel/console.h"

#if XK_CONNECTIONS > 1

static struct {
	struct xobj *session[XK_CONNECTIONS];
	uint64_t turn;
} many;

struct xobj *xrpctest_next(void)
{
	if (++many.turn >= XK_CONNECTIONS)
		many.turn = 0;
	return many.session[many.turn];
}

void xrpctest_open_others(void)
{
	const uint32_t peer = (uint32_t)plat_boot()->peer_ip;

	many.session[0] = xrpctest.session;
	for (int i = 1; i < XK_CONNECTIONS; i++) {
		struct part parts[2];

		parts_init(parts);
		part_push(&parts[0], &peer, sizeof peer);
		many.session[i] =
		    xOpen(xrpctest.self, xrpctest.self, xrpctest.self->down[0], parts);
		if (!many.session[i])
			console_fail("xrpctest", "cannot open more channels to the server");
	}
}

void xrpctest_close_all(void)
{
	for (int i = 0; i < XK_CONNECTIONS; i++)
		xClose(many.session[i]);
}

#endif
