/* SPDX-License-Identifier: BSD-2-Clause */
/* What the steps of a program do, and what must hold after each of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/host/host.h"
#include "protocols/icmp/icmp.h"
#include "protocols/tcp/tcp_private.h"
#include "test/caller.h"
#include "test/fuzz/fuzz.h"
#include "test/fuzz/packets.h"
#include "test/fuzz/udp_user.h"
#include "test/peer.h"
#include "test/rpc_peer.h"
#include "test/user.h"
#include "xkernel/graph.h"

enum { MAX_ANSWERS = 400, SLACK_BLOCKS = 24, IDLE_SECONDS = 1500 };
static const uint64_t TICKS_PER_S = 175000000;

static uint32_t peer_next, kernel_next; /* TCP, relative as in peer.h: what comes next */
static uint32_t last_tag, last_channel, last_call, call_base = 1;
static uint64_t idle_blocks;
static int calls_begun, may_open, listens = 1;

/* The byte of the peer's stream at this absolute sequence number, whoever sends it again. */
static uint8_t stream_byte(uint32_t sequence)
{
	return (uint8_t)(sequence * 0x9e3779b1u >> 24);
}

static void fail(const char *what)
{
	fprintf(stderr, "at %.3f s: %s\n", now_ms() / 1000, what);
	exit(1);
}

static uint32_t get(const uint8_t *from, int bytes)
{
	uint32_t x = 0;

	for (int i = 0; i < bytes; i++)
		x = x << 8 | from[i];
	return x;
}

/* What our side would know from the kernel's frame. */
static void learn(const struct host_frame *f)
{
	const uint8_t *ip = f->data + 14, *b = ip + 20;

	if (get(f->data + 12, 2) != 0x0800)
		return;
	if (ip[9] == 6 && !(b[13] & R)) {
		uint32_t end = get(b + 4, 4) + get(ip + 2, 2) - 20 - (b[12] >> 4) * 4u;

		if (b[13] & S) {
			kernel_initial = get(b + 4, 4);
			kernel_next = 0;
			if (!(b[13] & A)) { /* it opens: towards its port */
				kernel_port = (uint16_t)get(b, 2);
				peer_port = (uint16_t)get(b + 2, 2);
			}
		}
		end += !!(b[13] & S) + !!(b[13] & F);
		if ((int32_t)(end - kernel_initial - kernel_next) > 0)
			kernel_next = end - kernel_initial;
	} else if (ip[9] == 1 && b[0] == 8) {
		echo_asked = get(b + 4, 4);
	} else if (ip[9] == 205) {
		kernel_boot = get(b + 4, 4);
		last_tag = get(b + 12, 4);
	} else if (ip[9] == 101 && get(b + 4, 4) == 0 && get(b + 8, 4) >= 28) {
		last_channel = get(b + 36, 2);
		last_call = get(b + 44, 4);
	}
}

/* Every byte that came up is the one that belongs there, whatever was sent twice, late, cut. */
static void check_stream(void)
{
	static struct xobj *session;
	static int connections;
	static uint32_t delivered;

	if (session && user.session == session && user.accepted != connections) {
		connections = user.accepted; /* one that the user did not keep may have said it */
		user.bytes = 0;
	} else if (user.session != session || user.accepted != connections) {
		session = user.session;
		connections = user.accepted;
		delivered = 0;
	}
	if (session && user.bytes) {
		const struct tcp *t = session->state;

		for (size_t i = 0; i < user.bytes; i++)
			if (user.data[i] !=
			    stream_byte(t->receive_initial + 1 + delivered + (uint32_t)i))
				fail("TCP has handed up another byte than was sent");
		delivered += (uint32_t)user.bytes;
	}
	user.bytes = 0;
}

static void after_step(void)
{
	static struct host_frame f;
	int answers = 0;

	while (host_take(&f)) {
		if (++answers > MAX_ANSWERS)
			fail("a storm of frames");
		learn(&f);
	}
	if (host_exit_code() != HOST_RUNNING)
		fail(host_console());
	check_stream();
	if (user.session && user_state() == TCP_CLOSED)
		user_close();
}

static void wait_for(double ms)
{
	uint64_t until = host_now() + (uint64_t)(ms * 175000);

	while (host_now() < until) {
		uint64_t slice = host_now() + TICKS_PER_S;

		host_run(slice < until ? slice : until, 0);
		after_step();
	}
}

/* Near, most of the time; -28 to 99, then ever farther. */
static uint32_t distance(uint8_t x)
{
	if (x < 100)
		return x;
	if (x >= 228)
		return (uint32_t)(x - 256);
	return (uint32_t)(x - 164) * 700;
}

static void tcp_step(const uint8_t *b)
{
	static uint8_t data[1460];
	uint32_t sequence = peer_next + distance(b[2]), flags = b[1] & 0x3f;
	size_t bytes = b[4] < 128 ? b[4] : (size_t)(b[4] - 128) * 11;

	if (twist.offset_words > 5)
		bytes = 0; /* it would begin elsewhere */
	if (bytes > sizeof data)
		bytes = sizeof data;
	if (b[1] & 0x40)
		flags = A;
	if (b[1] & 0x80)
		flags = A | P;
	for (size_t i = 0; i < bytes; i++)
		data[i] = stream_byte(peer_initial + sequence + !!(flags & S) + (uint32_t)i);
	peer_window = b[5] ? (uint32_t)b[5] * 256 : PEER_WINDOW;
	if (b[6] == 1)
		peer_window = 0;
	peer_tcp(flags, sequence, kernel_next + distance(b[3]), data, bytes);
	if (b[2] == 0 && !(b[7] & 1))
		peer_next += (uint32_t)bytes + !!(flags & S) + !!(flags & F);
}

static void twisted_tcp_step(const uint8_t *b)
{
	twist.bad_ip_checksum = b[8] == 1;
	twist.bad_tcp_checksum = b[8] == 2;
	twist.version = b[8] == 3 ? b[9] & 15 : 0;
	twist.header_words = b[8] == 4 ? b[9] & 15 : 0;
	twist.total_delta = b[8] == 5 ? (int8_t)b[9] : 0;
	twist.ttl_zero = b[8] == 6;
	twist.destination = b[8] == 7 ? 0x0a000000u | b[9] : 0;
	twist.source = b[8] == 8 ? 0x0a000000u | b[9] : 0;
	twist.protocol = b[8] == 9 ? b[9] : 0;
	twist.fragment = b[8] == 10 ? b[9] << 8 | b[10] : 0;
	twist.offset_words = b[8] == 11 ? b[9] & 15 : 0;
	twist.to_broadcast = b[8] == 12;
	twist.ethertype = b[8] == 13 ? b[9] << 8 | b[10] : 0;
	twist.cut = b[8] == 14 ? b[9] % 54 : 0;
	twist.port = b[8] == 15 ? b[9] : 0;
	twist.from_port = b[8] == 16 ? b[9] : 0;
	twist.frame_padding = b[8] == 17 ? b[9] % 100 : 0;
	twist.tcp_options = (const char *)b + 4;
	twist.tcp_option_bytes = b[8] >= 18 && b[8] < 64 ? (b[9] & 3) * 4u : 0;
	twist.ip_options = (const char *)b + 4;
	twist.ip_option_bytes = b[8] >= 64 && b[8] < 128 ? (b[9] & 3) * 4u : 0;
	tcp_step(b);
}

static void ping_now(void *arg)
{
	struct icmp_ping ask = { .host = 0x0a000002, .bytes = *(const uint8_t *)arg * 4 };
	const struct graph *g = graph_find("tcp");

	for (size_t i = 0; i < g->count; i++)
		if (!strcmp(g->nodes[i].name, "icmp"))
			xControl(g->nodes[i].object, ICMP_PING, &ask, sizeof ask);
}

static void user_step(const uint8_t *b)
{
	static const uint8_t text[4096] = "what the user says";

	switch (b[1] % 14) {
	case 0:
	case 1:
		if (user.session)
			user_push(text, 1 + (size_t)b[2] * 16 % sizeof text);
		break;
	case 2:
		if (user.session)
			user_close();
		break;
	case 3:
		if (user.session)
			user_control(TCP_SHUTDOWN, 0);
		break;
	case 4:
		if (user.session)
			user_control(TCP_SET_RECEIVE_SPACE, (uint32_t)b[2] * 64);
		break;
	case 5:
		user.keep_space = b[2] & 1;
		break;
	case 6:
		if (user.session)
			user_control(TCP_SET_NO_DELAY, b[2] & 1);
		break;
	case 7:
		if (user.session)
			user_control(TCP_ABORT, 0);
		break;
	case 8:
		if (!user.session && !user.opening)
			user_open();
		break;
	case 9:
		user.close_on_peer = b[2] & 1;
		user.close_in_demux = b[2] >> 1 & 1;
		user.refuse = b[2] >> 2 & 1;
		user.echo = 0;
		break;
	case 10:
		if (user.session)
			user_control(TCP_SET_KEEPALIVE, b[2]);
		break;
	case 11:
		host_call(ping_now, (void *)(uintptr_t)(b + 2));
		break;
	case 12:
		host_fail_allocations(0, 0); /* the script's own calls must succeed */
		if (listens)
			user_unlisten();
		else
			user_listen();
		listens = !listens;
		break;
	default:
		if (user.session)
			user_control(b[3] & 1 ? TCP_SET_SEND_SIZE : TCP_SET_RECEIVE_SIZE,
				     (uint32_t)b[2] * 256 + 1);
		break;
	}
}

static void chan_step(const uint8_t *b, int is_long)
{
	static uint8_t data[64 * RPC_FRAGMENT - RPC_HEADERS];
	uint32_t channel = b[2] & 0x80 ? last_channel : b[2] % 6;
	uint32_t call = b[3] & 0x80 ? last_call + distance(b[3] & 0x7f) : call_base + b[3] % 8;
	uint32_t flags = b[1] & 15;

	if (b[6] & 1) {
		rpc_patch.offset = b[7] % 44 + (b[6] & 2 ? 0 : 8);
		rpc_patch.width = 1 + b[6] % 4;
		rpc_patch.value =
		    (uint32_t)b[8] << 24 | (uint32_t)b[9] << 16 | (uint32_t)b[10] << 8 | b[11];
		if (rpc_patch.offset + rpc_patch.width > 24 + 28)
			rpc_patch.width = 0;
	}
	if (is_long)
		peer_fragments(flags | USER_MSG, channel, call, data,
			       (size_t)(b[4] << 8 | b[5]) * 2 % sizeof data, 1 + b[12] % 4u,
			       b[13] % 8 ? SEND : 1u + b[13] / 8 % 3,
			       b[14] ? (uint64_t)b[14] * 0x0101010101010101 : ~(uint64_t)0);
	else
		peer_chan(flags, channel, call, data,
			  (size_t)(b[4] << 8 | b[5]) % (RPC_FRAGMENT - RPC_HEADERS));
	rpc_patch.width = 0;
}

static void blast_step(const uint8_t *b)
{
	static uint8_t data[RPC_FRAGMENT];
	uint64_t mask = b[6] & 1 ? (uint64_t)1 << b[7] % 64 : get(b + 8, 4) * (uint64_t)0x100000001;

	peer_blast(b[1] % 8, b[2] & 0x80 ? b[2] : b[2] % 5, b[3] % 5, mask, data,
		   (size_t)(b[4] << 8 | b[5]) % (RPC_FRAGMENT + 1));
}

static void bidctl_step(const uint8_t *b)
{
	const uint32_t ids[] = { peer_boot, kernel_boot, 0, peer_boot + b[6] };
	const uint32_t tags[] = { last_tag, 0, b[7], ~0u };

	if (b[5] & 1) {
		rpc_patch.offset = b[8] % 20;
		rpc_patch.width = rpc_patch.offset < 20 ? 1 : 0;
		rpc_patch.value = b[9];
	}
	if (b[5] & 2)
		peer_boot += b[6]; /* it has booted anew */
	peer_bidctl(b[1] & 15, ids[b[2] % 4], ids[(b[3] + 1) % 4], tags[b[4] % 4],
		    tags[b[4] / 4 % 4]);
}

static void call_step(const uint8_t *b)
{
	static const uint8_t request[60000];

	static const int operations[] = { 100, 101, 102, 103, 1300, 1500, 1501, 2200, 2201, 2203 };

	if (may_open && b[1] & 2)
		caller_control(operations[b[4] % 10], b[2] % 16);
	else if (b[1] & 1)
		caller.mode = b[2] % 3 == 2 ? CALLER_FAIL : b[2] % 3; /* not the slow one */
	else if (may_open && calls_begun < CALLER_MAX - 1 && ++calls_begun)
		caller_call(request, (size_t)b[2] * (b[3] & 1 ? 200 : 4));
}

static void memory_step(const uint8_t *b)
{
	if (b[1] & 1) {
		host_transmit_full(b[2] & 1);
	} else {
		host_fail_allocations(b[2] % 32, b[3] % 8);
	}
}

static void do_step(const uint8_t *b)
{
	static const double units[] = { 0.1, 1, 10, 200, 500, 1000, 5000, 30000 };

	switch (b[0] % STEPS) {
	case STEP_WAIT:
		wait_for(units[b[1] % 8] * (1 + b[2] % 16));
		break;
	case STEP_TCP:
		tcp_step(b);
		break;
	case STEP_TWISTED_TCP:
		twisted_tcp_step(b);
		break;
	case STEP_USER:
		user_step(b);
		break;
	case STEP_BLAST:
		blast_step(b);
		break;
	case STEP_CHAN:
		chan_step(b, 0);
		break;
	case STEP_LONG_CHAN:
		chan_step(b, 1);
		break;
	case STEP_BIDCTL:
		bidctl_step(b);
		break;
	case STEP_CALL:
		call_step(b);
		break;
	case STEP_MEMORY:
		memory_step(b);
		break;
	case STEP_UDP_USER:
		udp_user_step(b);
		break;
	default:
		packet_step(b);
		break;
	}
	after_step();
}

void fuzz_start(void)
{
	kernel_start();
	user_listen();
	caller_serve(CALLER_ECHO);
	arp_packet(1, 0x0a000002, 0x0a000001);
	after_step();
	wait_for(10000);
	idle_blocks = host_blocks_in_use();
}

static void begin(enum scenario s)
{
	kernel_initial = peer_next = kernel_next = 0;
	switch (s) {
	case CONNECTED:
		peer_tcp(S, 0, 0, NULL, 0);
		after_step();
		peer_tcp(A, 1, 1, NULL, 0);
		peer_next = 1;
		break;
	case OPENING:
		user_open();
		break;
	case RPC_CLIENT:
	case RPC_SERVER:
		peer_bidctl(QUERY, peer_boot, 0, 77, 0);
		after_step();
		peer_bidctl(RESPONSE, peer_boot, kernel_boot, 0, last_tag);
		after_step();
		may_open = s == RPC_CLIENT;
		if (may_open)
			caller_open();
		break;
	default:
		break;
	}
	after_step();
}

/* Everybody has gone home: connections, sessions, datagrams in pieces must have gone too. */
static void wind_down(enum scenario s)
{
	host_fail_allocations(0, 0);
	host_transmit_full(0);
	if (user.session)
		user_close();
	udp_user_ends();
	after_step();
	wait_for(IDLE_SECONDS * 1000.0);
	if (user.session)
		user_close();
	udp_user_ends(); /* what an open that waited has brought */
	wait_for(60000);
	if (s < RPC_SERVER && host_blocks_in_use() > idle_blocks + SLACK_BLOCKS)
		fail("memory is still in use when all is idle");
	if (user.opening)
		fail("an open that never ends");
}

void fuzz_run(const struct program *p)
{
	enum scenario s = p->scenario % SCENARIOS;

	begin(s);
	for (int i = 0; i < p->steps && i < MAX_STEPS; i++)
		do_step(p->step[i]);
	if (p->scenario >= PATIENT)
		wind_down(s);
}
