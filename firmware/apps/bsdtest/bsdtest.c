/* SPDX-License-Identifier: BSD-2-Clause */
/* BSDTEST: start, supervision and end. */
#include "apps/bsdtest/bsdtest.h"

#include "platform/platform.h"
#include "xkernel/console.h"
#include "xkernel/thread/event.h"
#include "xkernel/upi.h"

static struct event process, watcher, end;

static void finish(void *arg)
{
	console_text("bsdtest: ");
	console_number(bsdtest.exchanges);
	console_text(" exchanges, connection closed\n");
	plat_exit(0);
}

static void watch(void *arg)
{
	bsdtest.quiet = bsdtest.exchanges == bsdtest.watched ? bsdtest.quiet + 1 : 0;
	bsdtest.watched = bsdtest.exchanges;
	if (bsdtest.quiet >= BSDTEST_WATCHES)
		console_fail("bsdtest", "no progress in 90 s");
	event_schedule(&watcher, watch, NULL, BSDTEST_WATCH_US);
}

static void run(void *arg)
{
	if (plat_boot()->role == 0)
		bsdtest_client();
	else
		bsdtest_server();
	event_schedule(&end, finish, NULL, BSDTEST_LINGER_US);
}

int bsdtest_init(struct xobj *self)
{
	const struct boot_params *boot = plat_boot();

	bsdtest.warmup = boot->warmup;
	bsdtest.measured = boot->warmup + boot->round_trips;
	bsdtest.total = bsdtest.measured ? bsdtest.measured + 1 : 0;
	event_schedule(&watcher, watch, NULL, BSDTEST_WATCH_US);
	event_schedule(&process, run, NULL, boot->role == 0 ? BSDTEST_START_US : 0);
	return XK_OK;
}
