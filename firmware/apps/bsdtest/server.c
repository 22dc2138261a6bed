/* SPDX-License-Identifier: BSD-2-Clause */
/* The server sends the same byte back. */
#include "apps/bsdtest/bsdtest.h"
#include "platform/marker.h"
#include "xkernel/byteorder.h"
#include "xkernel/console.h"

void bsdtest_server(void)
{
	struct in_name own = { 0, (uint16_t)swap16(BSDTEST_PORT) };
	struct socket *listener, *so;

	bsdtest_must(socreate(&listener, &tcp_protocol), "no socket");
	bsdtest_must(sobind(listener, &own), "the port is taken");
	bsdtest_must(solisten(listener, 1), "cannot listen");
	bsdtest_must(soaccept(listener, &so, 1), "cannot accept");
	so->options |= SOCKET_LINGER;
	while (bsdtest_receive(so)) {
		MARK(MARK_INVOCATION, WINDOW_PATH);
		bsdtest.exchanges++;
		bsdtest_send(so);
	}
	if (bsdtest.exchanges < bsdtest.total)
		console_fail("bsdtest", "closed too early");
	bsdtest_must(soclose(so), "closing failed");
}
