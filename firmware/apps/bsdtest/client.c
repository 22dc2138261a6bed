/* SPDX-License-Identifier: BSD-2-Clause */
/* The client: every reply starts the next request. */
#include "apps/bsdtest/bsdtest.h"
#include "platform/marker.h"
#include "xkernel/byteorder.h"
#include "xkernel/console.h"
#include "xkernel/switches.h"

/* A marker alone in an `if` would sit on the first instruction behind it, taken or not: the
 * function gives it an address of its own. */
static __attribute__((noinline)) void measure_starts(void)
{
	MARK(MARK_EVENT, EVENT_MEASURE_START);
}

static __attribute__((noinline)) void measure_ends(void)
{
	MARK(MARK_EVENT, EVENT_MEASURE_END);
}

static void exchange(struct socket *so)
{
	MARK(MARK_EVENT, EVENT_ROUND_TRIP_START);
	bsdtest_send(so);
	if (PREDICT_FALSE(!bsdtest_receive(so)))
		console_fail("bsdtest", "the server has closed");
	MARK(MARK_EVENT, EVENT_ROUND_TRIP_END);
	MARK(MARK_INVOCATION, WINDOW_PATH);
	bsdtest.exchanges++;
	if (PREDICT_FALSE(bsdtest.exchanges == bsdtest.warmup))
		measure_starts();
	if (PREDICT_FALSE(bsdtest.exchanges == bsdtest.measured))
		measure_ends();
}

void bsdtest_client(void)
{
	struct in_name own = { 0, (uint16_t)swap16(BSDTEST_CLIENT_PORT) };
	struct in_name server = { swap32((uint32_t)plat_boot()->peer_ip),
				  (uint16_t)swap16(BSDTEST_PORT) };
	struct socket *so;

	bsdtest_must(socreate(&so, &tcp_protocol), "no socket");
	bsdtest_must(sobind(so, &own), "the port is taken");
	so->options |= SOCKET_LINGER;
	bsdtest_must(soconnect(so, &server, 1), "cannot connect to the server");
	if (bsdtest.warmup == 0)
		measure_starts();
	while (bsdtest.exchanges < bsdtest.total)
		exchange(so);
	bsdtest_must(soclose(so), "closing failed");
}
