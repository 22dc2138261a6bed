/* SPDX-License-Identifier: BSD-2-Clause */
/* UDP as its users see it: active opens, ports, controls, sessions that are refused. What goes over
 * the wire is tested by test_udp.py. */
#include "protocols/udp/udp.h"
#include "test/host/tcp_case.h"
#include "test/host/users.h"

enum { UDP_AT = 34 };

static struct xobj receiver;
static struct xobj *sessions[3];
static int opened, refuse;
static char received[64];

static int open_done(struct xobj *, struct xobj *session, struct xobj *)
{
	opened++;
	sessions[2] = session;
	return refuse ? XK_ERROR : XK_OK;
}

static int demux(struct xobj *, struct xobj *, struct msg *m)
{
	CHECK(msg_bytes(m) < sizeof received);
	memset(received, 0, sizeof received);
	msg_copy_out(m, received);
	return XK_OK;
}

static const struct xobj_ops ops = { XOBJ_DEFAULTS, .open_done = open_done, .demux = demux };

static void begin(void)
{
	receiver.ops = &ops;
	receiver.name = "receiver";
	kernel_start();
}

struct ports {
	struct xobj *session;
	int result;
	uint16_t remote, local; /* 0: not given; 0xffff: given as 0 */
};

static void make_parts(struct part parts[2], const struct ports *p, uint16_t *given)
{
	static const uint32_t host = PEER_IP;

	*given = p->local == 0xffff ? 0 : p->local;
	parts_of(parts, &host, p->remote ? &p->remote : NULL, p->local ? given : NULL);
}

static void open_now(void *arg)
{
	struct ports *p = arg;
	struct part parts[2];
	uint16_t local;

	make_parts(parts, p, &local);
	p->session = xOpen(&receiver, &receiver, kernel_object("udp"), parts);
}

static struct xobj *open_ports(uint16_t remote, uint16_t local)
{
	struct ports p = { NULL, 0, remote, local };

	host_call(open_now, &p);
	return p.session;
}

static void enable_now(void *arg)
{
	struct ports *p = arg;
	struct part parts[2];
	uint16_t local;

	make_parts(parts, p, &local);
	p->result = p->remote ? xOpenDisable(&receiver, &receiver, kernel_object("udp"), parts)
			      : xOpenEnable(&receiver, &receiver, kernel_object("udp"), parts);
}

static int enable_or_not(uint16_t port, int disables)
{
	struct ports p = { NULL, 0, (uint16_t)disables, port };

	host_call(enable_now, &p);
	return p.result;
}

static uint32_t ask(struct xobj *session, int op)
{
	uint32_t answer = 1;

	CHECK_EQUAL(xControl(session, op, &answer, sizeof answer), sizeof answer);
	return answer;
}

static void push_now(void *arg)
{
	struct msg m;

	CHECK_EQUAL(msg_init_copy(&m, "hello", 5), 0);
	CHECK_EQUAL(xPush(arg, &m), XK_OK);
	msg_destroy(&m);
}

static void close_now(void *arg)
{
	xClose(arg);
}

/* From the peer, without a checksum. */
static void peer_udp(uint16_t from, uint16_t to, const char *text)
{
	uint8_t frame[100] = { 0 }, *u = frame + UDP_AT;

	put16(u, from);
	put16(u + 2, to);
	put16(u + 4, (uint32_t)(8 + strlen(text)));
	strcpy((char *)u + 8, text);
	peer_ip(frame, 8 + strlen(text), (struct ip_fields){ .protocol = 17 });
}

CASE(udp_active_open, begin())
{
	struct host_frame f;

	sessions[0] = open_ports(53, 0);
	CHECK(sessions[0] != NULL);
	uint32_t port = ask(sessions[0], UDP_GET_MY_PORT);
	CHECK(port >= UDP_FIRST_PORT);
	CHECK_EQUAL(ask(sessions[0], UDP_GET_PEER_PORT), 53);
	CHECK_EQUAL(ask(sessions[0], XK_GET_PEER_HOST), PEER_IP);
	CHECK_EQUAL(ask(sessions[0], XK_GET_OPT_PACKET), 1472);
	host_call(push_now, sessions[0]);
	CHECK(host_take(&f));
	CHECK_EQUAL(get16(f.data + UDP_AT), port);
	CHECK_EQUAL(get16(f.data + UDP_AT + 2), 53);
	CHECK(get16(f.data + UDP_AT + 6) != 0);
	peer_udp(53, (uint16_t)port, "answer");
	CHECK(!strcmp(received, "answer"));
	CHECK_EQUAL(opened, 0); /* the session was there */
	/* Another port of the peer is somebody else. */
	peer_udp(54, (uint16_t)port, "another");
	CHECK(!strcmp(received, "answer"));
	CHECK_EQUAL(udp_counts.no_port, 1);
}

CASE(udp_checksum_can_be_left_out, begin())
{
	struct host_frame f;
	uint32_t off = 0;

	sessions[0] = open_ports(53, 1000);
	CHECK_EQUAL(xControl(sessions[0], UDP_SET_CHECKSUM, &off, sizeof off), sizeof off);
	host_call(push_now, sessions[0]);
	CHECK(host_take(&f));
	CHECK_EQUAL(get16(f.data + UDP_AT), 1000);
	CHECK_EQUAL(get16(f.data + UDP_AT + 6), 0);
}

CASE(udp_ports_are_unique, begin())
{
	sessions[0] = open_ports(53, 1000);
	CHECK(sessions[0] && !open_ports(53, 1000)); /* the same twice */
	CHECK(open_ports(54, 1000) != NULL);
	CHECK(!open_ports(0, 1000)); /* no remote port */
	CHECK(!open_ports(53, 0xffff));
	CHECK_EQUAL(enable_or_not(UDP_FIRST_PORT, 0),
		    XK_OK); /* a listener's port isn't given away */
	CHECK_EQUAL(ask(open_ports(55, 0), UDP_GET_MY_PORT), UDP_FIRST_PORT + 1);
	CHECK_EQUAL(ask(open_ports(55, 0), UDP_GET_MY_PORT), UDP_FIRST_PORT + 2);
}

CASE(udp_listening_and_refusing, begin())
{
	CHECK_EQUAL(enable_or_not(0, 0), XK_ERROR);
	CHECK_EQUAL(enable_or_not(0xffff, 0), XK_ERROR);
	CHECK_EQUAL(enable_or_not(77, 0), XK_OK);
	CHECK_EQUAL(enable_or_not(77, 0), XK_ERROR);
	peer_udp(9, 77, "one");
	CHECK(opened == 1 && !strcmp(received, "one"));
	peer_udp(9, 77, "two");
	CHECK(opened == 1 && !strcmp(received, "two"));
	refuse = 1;
	peer_udp(10, 77, "three");
	peer_udp(10, 77, "three");
	CHECK(opened == 3 && !strcmp(received, "two")); /* asked each time, nothing is kept */
	CHECK_EQUAL(udp_counts.refused, 2);
	CHECK_EQUAL(enable_or_not(77, 1), XK_OK);
	CHECK_EQUAL(enable_or_not(77, 1), XK_ERROR);
	peer_udp(11, 77, "four");
	CHECK_EQUAL(udp_counts.no_port, 1);
	/* The old session lives until it has been idle. */
	peer_udp(9, 77, "five");
	CHECK(!strcmp(received, "five"));
	wait_ms(41000);
	peer_udp(9, 77, "six");
	CHECK(!strcmp(received, "five"));
}

/* A session that somebody holds is not idle; without it, and memory short, nothing stays. */
CASE(udp_memory, begin())
{
	sessions[0] = open_ports(53, 1000);
	wait_ms(100000);
	uint64_t before = host_blocks_in_use();
	host_call(push_now, sessions[0]);
	host_call(close_now, sessions[0]);
	wait_ms(100000);
	CHECK(host_blocks_in_use() < before);
	before = host_blocks_in_use();
	for (uint64_t skip = 0; skip < 10; skip++) {
		struct xobj *s;

		host_fail_allocations(skip, 1);
		s = open_ports(53, 1000);
		host_fail_allocations(0, 0);
		if (s)
			host_call(close_now, s);
		CHECK(s != NULL || skip < 8);
		wait_ms(130000);
		CHECK_EQUAL(host_blocks_in_use(), before);
	}
}
