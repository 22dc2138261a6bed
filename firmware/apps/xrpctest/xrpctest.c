/* SPDX-License-Identifier: BSD-2-Clause */
/* XRPCTEST: start, supervision and end; client.c and server.c are the exchange itself. */
#include "apps/xrpctest/xrpctest_private.h"
#include "platform/platform.h"
#include "xkernel/console.h"
#include "xkernel/own_code/own_code.h"

struct xrpctest xrpctest;

void xrpctest_finish(void *arg)
{
	console_text("xrpctest: ");
	console_number(xrpctest.calls);
	console_text(" calls\n");
	if (XK_FAST_OWN)
		own_code_report();
	plat_exit(0);
}

static void watch(void *arg)
{
	xrpctest.quiet = xrpctest.calls == xrpctest.watched ? xrpctest.quiet + 1 : 0;
	xrpctest.watched = xrpctest.calls;
	if (xrpctest.quiet >= XRPCTEST_WATCHES)
		console_fail("xrpctest", "no progress in 300 s");
	event_schedule(&xrpctest.watch, watch, NULL, XRPCTEST_WATCH_US);
}

int xrpctest_init(struct xobj *self)
{
	const struct boot_params *boot = plat_boot();

	xrpctest.self = self;
	xrpctest.warmup = boot->warmup;
	xrpctest.measured = boot->warmup + boot->round_trips;
	xrpctest.total = xrpctest.measured + 1;
	event_schedule(&xrpctest.watch, watch, NULL, XRPCTEST_WATCH_US);
	if (boot->role == 0) {
		event_schedule(&xrpctest.start, xrpctest_client_start, NULL, XRPCTEST_START_US);
		return XK_OK;
	}
	self->ops = &xrpctest_server_ops;
	return xOpenEnable(self, self, self->down[0], NULL);
}
