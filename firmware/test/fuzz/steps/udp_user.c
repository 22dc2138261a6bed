/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/fuzz/steps/steps.h"

#include <string.h>

#include "platform/host/host.h"
#include "protocols/udp/udp.h"
#include "test/fuzz/steps/acts.h"
#include "test/host/peer.h"
#include "test/host/users.h"

enum { SESSIONS = 4, PORTS = 8, FIRST_PORT = 5000, PEER = 0x0a000002, MAX_BYTES = 65507 };
enum { UPCALL_SESSIONS = 80 }; /* more than UDP has */

static struct xobj *self_protocol, *open_ones[SESSIONS], *upcall_sessions[UPCALL_SESSIONS];
static uint8_t enabled[2][PORTS], refuses, keeps, without_checksum[1 << 16];

static int udpuser_demux(struct xobj *, struct xobj *session, struct msg *m)
{
	if (msg_bytes(m) % 3 == 0)
		xPush(session, m);
	return XK_OK;
}

static int udpuser_open_done(struct xobj *, struct xobj *session, struct xobj *)
{
	if (refuses)
		return XK_ERROR;
	for (int i = 0; keeps && i < UPCALL_SESSIONS; i++) {
		if (!upcall_sessions[i]) {
			upcall_sessions[i] = xDuplicate(session);
			break;
		}
	}
	return XK_OK;
}

USER_PROTOCOL(udpuser, .demux = udpuser_demux, .open_done = udpuser_open_done)

static void open_one(const uint8_t *b)
{
	static const uint32_t hosts[] = { PEER, 0x0a000001, 0x0a0000ff, 0x0a000009 };
	const uint16_t peer = (uint16_t)(4000 + b[3] % 16),
		       ours = (uint16_t)(FIRST_PORT + b[4] % PORTS);
	const uint32_t host = hosts[b[5] < 192 ? 0 : b[5] % 4];
	struct part parts[2];
	struct xobj **place = &open_ones[b[2] % SESSIONS], *session;

	parts_of(parts, b[6] == 1 ? NULL : &host, b[6] == 2 ? NULL : &peer,
		 b[4] & 1 ? &ours : NULL);
	session = xOpen(self_protocol, self_protocol, kernel_object("udp"), parts);
	if (*place && session)
		xClose(session); /* its thread may have waited for ARP */
	else if (session)
		*place = session;
}

static void close_this(struct xobj **place)
{
	struct xobj *session = *place;

	*place = NULL;
	if (session)
		xClose(session);
}

static void close_one(const uint8_t *b)
{
	if (!(b[2] & 0x80))
		close_this(&open_ones[b[2] % SESSIONS]);
	for (int i = 0; b[2] & 0x80 && i < UPCALL_SESSIONS; i++)
		close_this(&upcall_sessions[i]);
}

static uint32_t ask(struct xobj *session, int op)
{
	uint32_t answer = 0;

	xControl(session, op, &answer, sizeof answer);
	return answer;
}

/* The first two bytes that make everything's sum 0: the checksum sent then is FFFF. */
static void make_sum_zero(struct xobj *session, uint8_t *data, size_t bytes)
{
	uint32_t peer = ask(session, XK_GET_PEER_HOST), ours = ask(session, XK_GET_MY_HOST), sum;

	sum = (peer >> 16) + (peer & 0xffff) + (ours >> 16) + (ours & 0xffff) + 17;
	sum += ask(session, UDP_GET_MY_PORT) + ask(session, UDP_GET_PEER_PORT);
	sum += 2 * (uint32_t)(bytes + UDP_HEADER_BYTES);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	data[0] = (uint8_t)(~sum >> 8);
	data[1] = (uint8_t)~sum;
}

static void push_one(const uint8_t *b)
{
	static uint8_t data[MAX_BYTES + 9];
	struct xobj *session = b[2] & 0x80 ? upcall_sessions[0] : open_ones[b[2] % SESSIONS];
	size_t bytes = (size_t)(b[3] << 8 | b[4]) + (b[5] == 1 ? 9 : 0);
	struct msg m;

	if (bytes > sizeof data)
		bytes = sizeof data;
	data[0] = data[1] = 0;
	if (session && b[6] == 1)
		make_sum_zero(session, data, bytes);
	if (!session || msg_init_copy(&m, data, bytes))
		return;
	push_held(session, &m);
}

/* UDP's, or TCP's. */
static void enable_port(const uint8_t *b)
{
	const uint16_t port = (uint16_t)(b[4] == 1 ? 0 : FIRST_PORT + b[2] % PORTS);
	struct xobj *below = kernel_object(b[5] == 1 ? "tcp" : "udp");
	uint8_t *is_enabled = &enabled[b[5] == 1][b[2] % PORTS];
	struct part parts[2];

	parts_of(parts, NULL, NULL, b[4] == 2 ? NULL : &port);
	if (b[3] & 1) {
		if (!xOpenDisable(self_protocol, self_protocol, below, parts))
			*is_enabled = 0;
	} else if (!xOpenEnable(self_protocol, self_protocol, below, parts)) {
		*is_enabled = 1;
	}
}

/* Any operation to any protocol or to a session: an answer or an error, nothing else. What has
 * pointers in it is larger than the buffers here. */
static void control_one(const uint8_t *b)
{
	static const char *const names[] = { "lance", "eth",  "arp",   "vnet",	 "ip",
					     "icmp",  "udp",  "tcp",   "blast",	 "bidctl",
					     "bid",   "chan", "vchan", "mselect" };
	static const int operations[] = { 100,	101,  102,  103,  600,	603,  700,  701,  702, 801,
					  1300, 1500, 1501, 2200, 2201, 2203, 2205, 2206, 9999 };
	uint64_t buffer[4] = { b[6], 0, 0, 0 };
	size_t bytes = b[5] % 3 * 4u;
	struct xobj *to = b[2] & 0x80 ? open_ones[b[3] % SESSIONS]
				      : kernel_object(names[b[3] % (sizeof names / sizeof *names)]);

	int operation = operations[b[4] % (sizeof operations / sizeof *operations)];

	if (!to)
		return;
	if (operation == UDP_SET_CHECKSUM && b[2] & 0x80)
		without_checksum[ask(to, UDP_GET_MY_PORT) & 0xffff] = 1;
	xControl(to, operation, buffer, bytes);
}

int udp_user_sends_no_checksum(uint32_t port)
{
	return without_checksum[port];
}

static void answer(const uint8_t *b)
{
	refuses = b[2] & 1;
	keeps = b[2] >> 1 & 1;
}

static const struct acts acts = { open_one, close_one, push_one, enable_port, answer, control_one };

void udp_user_step(const uint8_t *step)
{
	act(&acts, step);
}

void udp_user_ends(void)
{
	for (uint8_t i = 0; i < SESSIONS; i++)
		udp_user_step((const uint8_t[16]){ 0, 2, i });
	udp_user_step((const uint8_t[16]){ 0, 2, 0x80 });
	for (uint8_t i = 0; i < 2 * PORTS; i++)
		if (enabled[i / PORTS][i % PORTS])
			udp_user_step((const uint8_t[16]){ 0, 5, i % PORTS, 1, 0, i / PORTS });
}
