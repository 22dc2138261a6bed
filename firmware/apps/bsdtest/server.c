/* SPDX-License-Identifier: BSD-2-Clause */
/* The server sends the same byte back. */
#include "apps/bsdtest/bsdtest.h"
#include "apps/bsdtest/gate.h"
#include "bsd/kern/sleep.h"
#include "platform/marker.h"
#include "xkernel/byteorder.h"
#include "xkernel/console.h"
#include "xkernel/thread/event.h"

static void wake(void *pause)
{
	wakeup(pause);
}

/* The sender of BSD_ONE_WAY: a byte now and then, whatever has been acknowledged. */
static void stream(struct socket *so)
{
	static struct event pause;

	tcp_set_no_delay(so, 1);
	for (; bsdtest.exchanges < bsdtest.total; bsdtest.exchanges++) {
		MARK(MARK_INVOCATION, WINDOW_PATH);
		bsdtest_send(so);
		event_schedule(&pause, wake, &pause, BSDTEST_PAUSE_US);
		bsdtest_must(tsleep(&pause), "no memory for a stack");
	}
}

static void echo(void *connection)
{
	struct socket *const *so = connection;

	if (BSD_ONE_WAY)
		stream(*so);
	while (bsdtest_receive(*so)) {
		MARK(MARK_INVOCATION, WINDOW_PATH);
		bsdtest.exchanges++;
		bsdtest_send(*so);
	}
}

void bsdtest_server(void)
{
	struct in_name own = { 0, (uint16_t)swap16(BSDTEST_PORT) };
	struct socket *listener, *so;

	bsdtest_must(socreate(&listener, &tcp_protocol), "no socket");
	bsdtest_must(sobind(listener, &own), "the port is taken");
	bsdtest_must(solisten(listener, 1), "cannot listen");
	bsdtest_must(soaccept(listener, &so, 1), "cannot accept");
	so->options |= SOCKET_LINGER;
	if (BSD_CROSSING)
		gate_run(echo, &so, so);
	else
		echo(&so);
	if (bsdtest.exchanges < bsdtest.total)
		console_fail("bsdtest", "closed too early");
	bsdtest_must(soclose(so), "closing failed");
}
