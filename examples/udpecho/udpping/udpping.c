/* SPDX-License-Identifier: BSD-2-Clause */
/* UDP echo with the path's markers. The client sends four bytes; each answer starts the next
 * request. The server sends back what comes. Each ends its machine when all is exchanged. */
#include "platform/marker.h"
#include "platform/platform.h"
#include "protocols/udp/udp.h"
#include "xkernel/console.h"
#include "xkernel/thread/event.h"

enum { ECHO_PORT = 7, CLIENT_PORT = 2002, BYTES = 4, START_US = 5000, LINGER_US = 1000 };

static struct udpping {
	struct xobj *self, *session;
	uint64_t exchanges, warmup, measured, total;
	struct msg payload;
	struct event start, finish;
} ping;

static void finish(void *arg)
{
	console_text("udpping: ");
	console_number(ping.exchanges);
	console_text(" exchanges\n");
	plat_exit(0);
}

static void send_request(void)
{
	struct msg m;

	msg_share(&m, &ping.payload);
	MARK(MARK_EVENT, EVENT_ROUND_TRIP_START);
	if (PREDICT_FALSE(xPush(ping.session, &m) < 0))
		console_fail("udpping", "push failed");
	msg_destroy(&m);
}

/* A marker alone in an `if` would have the address of what follows it. */
static __attribute__((noinline)) void measure_starts(void)
{
	MARK(MARK_EVENT, EVENT_MEASURE_START);
}

static __attribute__((noinline)) void measure_ends(void)
{
	MARK(MARK_EVENT, EVENT_MEASURE_END);
}

static int udpping_client_demux(struct xobj *self, struct xobj *session, struct msg *m)
{
	MARK(MARK_EVENT, EVENT_ROUND_TRIP_END);
	MARK(MARK_INVOCATION, WINDOW_PATH);
	if (PREDICT_FALSE(msg_bytes(m) != BYTES))
		console_fail("udpping", "a wrong answer");
	ping.exchanges++;
	if (PREDICT_FALSE(ping.exchanges == ping.warmup))
		measure_starts();
	if (PREDICT_FALSE(ping.exchanges == ping.measured))
		measure_ends();
	if (PREDICT_FALSE(ping.exchanges == ping.total))
		event_schedule(&ping.finish, finish, NULL, LINGER_US);
	else
		send_request();
	return XK_OK;
}

static int udpping_server_demux(struct xobj *self, struct xobj *session, struct msg *m)
{
	MARK(MARK_INVOCATION, WINDOW_PATH);
	ping.exchanges++;
	if (PREDICT_FALSE(xPush(session, m) < 0))
		console_fail("udpping", "push failed");
	if (PREDICT_FALSE(ping.exchanges == ping.total))
		event_schedule(&ping.finish, finish, NULL, LINGER_US);
	return XK_OK;
}

static int udpping_open_done(struct xobj *self, struct xobj *session, struct xobj *lower)
{
	xDuplicate(session); /* one client, for ever */
	return XK_OK;
}

static const struct xobj_ops client_ops = { XOBJ_DEFAULTS, .demux = udpping_client_demux };
static const struct xobj_ops server_ops = {
	XOBJ_DEFAULTS,
	.demux = udpping_server_demux,
	.open_done = udpping_open_done,
};

static void start(void *arg)
{
	static const uint16_t port = ECHO_PORT, own_port = CLIENT_PORT;
	const uint32_t peer = (uint32_t)plat_boot()->peer_ip;
	struct part parts[2];

	parts_init(parts);
	part_push(&parts[0], &peer, sizeof peer);
	part_push(&parts[0], &port, sizeof port);
	part_push(&parts[1], &own_port, sizeof own_port);
	ping.session = xOpen(ping.self, ping.self, ping.self->down[0], parts);
	if (!ping.session)
		console_fail("udpping", "cannot open a session");
	if (!ping.warmup)
		measure_starts();
	send_request();
}

int udpping_init(struct xobj *self)
{
	static const uint8_t bytes[BYTES] = { 'p', 'i', 'n', 'g' };
	static const uint16_t port = ECHO_PORT;
	const struct boot_params *boot = plat_boot();
	struct part parts[2];

	ping.self = self;
	ping.warmup = boot->warmup;
	ping.measured = boot->warmup + boot->round_trips;
	ping.total = ping.measured + 1; /* the last measured one is like the others */
	if (boot->role == 0) {
		self->ops = &client_ops;
		if (msg_init_copy(&ping.payload, bytes, BYTES))
			return XK_NO_MEMORY;
		event_schedule(&ping.start, start, NULL, START_US);
		return XK_OK;
	}
	self->ops = &server_ops;
	parts_init(parts);
	part_push(&parts[1], &port, sizeof port);
	return xOpenEnable(self, self, self->down[0], parts);
}
