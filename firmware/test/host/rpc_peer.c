/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/host/rpc_peer.h"

#include <string.h>

#include "platform/host/host.h"
#include "test/host/case.h"
#include "test/host/peer.h"
#include "test/host/wire.h"

struct rpc_patch rpc_patch;
int rpc_cut, rpc_keeps_alive;
uint32_t peer_boot = 0x50454552, kernel_boot;
uint32_t peer_procedure = 1002;

enum { TICKS_PER_MS = 175000 };
enum { BLAST_PROTOCOL = 101, BIDCTL_PROTOCOL = 205 };
static const uint8_t kernel_mac[6] = { 8, 0, 0x2b, 0, 0, 1 };
static uint32_t next_ident, next_tag = 0x7a670001;

static void send_ip(uint32_t protocol, const uint8_t *payload, size_t bytes)
{
	uint8_t frame[1514] = { 0 };

	memcpy(frame + 34, payload, bytes);
	peer_ip(frame, bytes, (struct ip_fields){ .protocol = protocol, .ident = next_ident++ });
}

static void send_blast(uint8_t *header, size_t bytes)
{
	for (int i = 0; i < rpc_patch.width; i++)
		header[rpc_patch.offset + i] =
		    (uint8_t)(rpc_patch.value >> 8 * (rpc_patch.width - 1 - i));
	bytes -= (size_t)rpc_cut;
	rpc_patch.width = rpc_cut = 0;
	send_ip(BLAST_PROTOCOL, header, bytes);
}

void peer_blast(uint32_t sequence, uint32_t count, uint32_t op, uint64_t mask, const void *data,
		size_t bytes)
{
	uint8_t b[24 + RPC_FRAGMENT];

	CHECK(bytes <= RPC_FRAGMENT);
	put32(b, 21);
	put32(b + 4, sequence);
	put32(b + 8, (uint32_t)bytes);
	put16(b + 12, count);
	b[14] = (uint8_t)op;
	b[15] = 0;
	put32(b + 16, (uint32_t)(mask >> 32));
	put32(b + 20, (uint32_t)mask);
	if (bytes)
		memcpy(b + 24, data, bytes);
	send_blast(b, 24 + bytes);
}

static size_t build(uint8_t *to, uint32_t flags, uint32_t channel, uint32_t call, const void *data,
		    size_t bytes)
{
	size_t above = flags & USER_MSG ? 8 + bytes : 0;

	put32(to, peer_boot);
	put32(to + 4, kernel_boot);
	put32(to + 8, 13);
	put16(to + 12, channel);
	to[14] = 0;
	to[15] = (uint8_t)flags;
	put32(to + 16, 20);
	put32(to + 20, call);
	put32(to + 24, (uint32_t)above);
	if (!above)
		return 28;
	put32(to + 28, peer_procedure);
	put32(to + 32, flags & FROM_CLIENT ? 0 : 1);
	if (bytes)
		memcpy(to + RPC_HEADERS, data, bytes);
	return RPC_HEADERS + bytes;
}

void peer_chan(uint32_t flags, uint32_t channel, uint32_t call, const void *data, size_t bytes)
{
	uint8_t message[RPC_FRAGMENT];

	CHECK(bytes + RPC_HEADERS <= sizeof message);
	peer_blast(0, 0, SEND, 0, message, build(message, flags, channel, call, data, bytes));
}

void peer_fragments(uint32_t flags, uint32_t channel, uint32_t call, const void *data, size_t bytes,
		    uint32_t sequence, uint32_t op, uint64_t mask)
{
	static uint8_t message[65 * RPC_FRAGMENT];
	size_t all = build(message, flags, channel, call, data, bytes);
	uint32_t count = (uint32_t)((all + RPC_FRAGMENT - 1) / RPC_FRAGMENT);

	for (uint32_t n = 0; n < count; n++) {
		size_t from = (size_t)n * RPC_FRAGMENT;
		size_t part = all - from < RPC_FRAGMENT ? all - from : RPC_FRAGMENT;

		if (mask >> n & 1)
			peer_blast(sequence, count, op, (uint64_t)1 << n, message + from, part);
	}
}

void peer_bidctl(uint32_t flags, uint32_t source, uint32_t destination, uint32_t request_tag,
		 uint32_t reply_tag)
{
	uint8_t b[20];

	put16(b, flags);
	put16(b + 2, 0);
	put32(b + 4, source);
	put32(b + 8, destination);
	put32(b + 12, request_tag);
	put32(b + 16, reply_tag);
	put16(b + 2, ~sum16(b, 20, 0) & 0xffff);
	for (int i = 0; i < rpc_patch.width; i++)
		b[rpc_patch.offset + i] =
		    (uint8_t)(rpc_patch.value >> 8 * (rpc_patch.width - 1 - i));
	rpc_patch.width = 0;
	send_ip(BIDCTL_PROTOCOL, b, 20 - (size_t)rpc_cut);
	rpc_cut = 0;
}

/* The kernel's next frame within so many ms, but for questions answered meanwhile; 0: none. */
static int take_frame(struct host_frame *f, double ms)
{
	double until = now_ms() + ms;

	while (next_frame(f, until - now_ms())) {
		const uint8_t *b = f->data + 34;

		if (!rpc_keeps_alive || f->data[23] != BIDCTL_PROTOCOL || get16(b) != QUERY)
			return 1;
		peer_bidctl(RESPONSE, peer_boot, get32(b + 4), 0, get32(b + 12));
	}
	return 0;
}

/* Checks what lies below, and gives the payload of the kernel's next frame. */
static size_t take(struct rpc_frame *g, uint32_t protocol, const uint8_t **payload)
{
	static struct host_frame f;
	const uint8_t *ip = g->frame + 14;

	if (!take_frame(&f, 400000)) {
		fprintf(stderr, "no frame in 400 s, at %.1f ms\n", now_ms());
		exit(1);
	}
	memcpy(g->frame, f.data, f.bytes);
	g->ms = (double)f.time / TICKS_PER_MS;
	CHECK(!memcmp(f.data + 6, kernel_mac, 6));
	CHECK_EQUAL(get16(f.data + 12), 0x0800);
	CHECK_EQUAL(ip[0], 0x45);
	CHECK_EQUAL(sum16(ip, 20, 0), 0xffff);
	CHECK_EQUAL(ip[9], protocol);
	CHECK_EQUAL(get32(ip + 12), KERNEL_IP);
	CHECK(get16(ip + 2) >= 20 && 14 + get16(ip + 2) <= f.bytes);
	*payload = ip + 20;
	return get16(ip + 2) - 20;
}

struct rpc_frame expect_rpc(void)
{
	static struct rpc_frame g;
	const uint8_t *b;

	memset(&g, 0, sizeof g);
	size_t bytes = take(&g, BLAST_PROTOCOL, &b);
	CHECK(bytes >= 24);
	CHECK_EQUAL(get32(b), 21);
	g.sequence = get32(b + 4);
	g.bytes = get32(b + 8);
	CHECK_EQUAL(g.bytes, bytes - 24);
	g.count = get16(b + 12);
	g.op = b[14];
	CHECK_EQUAL(b[15], 0);
	g.mask = (uint64_t)get32(b + 16) << 32 | get32(b + 20);
	g.data = b + 24;
	if (g.sequence == 0)
		CHECK(g.op == SEND && g.count == 0 && g.mask == 0);
	if (g.op == NACK || (g.sequence && !(g.mask & 1)))
		return g;
	b += 24;
	CHECK(g.bytes >= 12);
	g.bid_source = get32(b);
	g.bid_destination = get32(b + 4);
	CHECK_EQUAL(g.bid_source, kernel_boot);
	CHECK_EQUAL(get32(b + 8), 13);
	if (g.bytes == 12)
		return g;
	CHECK(g.bytes >= 28);
	g.channel = get16(b + 12);
	CHECK_EQUAL(b[14], 0);
	g.flags = b[15];
	CHECK_EQUAL(get32(b + 16), 20);
	g.call = get32(b + 20);
	g.length = get32(b + 24);
	if (!(g.flags & USER_MSG)) {
		CHECK_EQUAL(g.length, 0);
		return g;
	}
	if (!g.sequence)
		CHECK_EQUAL(g.length, g.bytes - 28);
	CHECK(g.bytes >= RPC_HEADERS);
	g.id = get32(b + 28);
	g.status = get32(b + 32);
	g.user = b + RPC_HEADERS;
	g.user_bytes = g.bytes - RPC_HEADERS;
	return g;
}

struct rpc_frame expect_chan(uint32_t flags, uint32_t channel, uint32_t call)
{
	struct rpc_frame g = expect_rpc();

	if (g.flags != flags || g.channel != channel || g.call != call) {
		fprintf(stderr, "at %.1f ms: expected flags %x channel %u call %u, got %x %u %u\n",
			g.ms, flags, channel, call, g.flags, g.channel, g.call);
		exit(1);
	}
	CHECK_EQUAL(g.bid_destination, peer_boot);
	return g;
}

size_t expect_fragments(uint8_t *to, uint32_t count, uint64_t mask, uint32_t op, uint32_t *sequence)
{
	size_t end = 0;

	for (uint32_t n = 0; n < count; n++) {
		size_t at = (size_t)n * RPC_FRAGMENT;

		if (!(mask >> n & 1))
			continue;
		struct rpc_frame g = expect_rpc();
		if (op == SEND && n == 0)
			*sequence = g.sequence;
		CHECK_EQUAL(g.op, op);
		CHECK_EQUAL(g.sequence, *sequence);
		CHECK_EQUAL(g.count, count);
		CHECK_EQUAL(g.mask, (uint64_t)1 << n);
		CHECK(n + 1 == count || g.bytes == RPC_FRAGMENT);
		memcpy(to + at, g.data, g.bytes);
		end = at + g.bytes;
	}
	return end;
}

struct rpc_frame peer_chan_answered(uint32_t flags, uint32_t channel, uint32_t call,
				    const void *data, size_t bytes, uint32_t answer)
{
	peer_chan(flags, channel, call, data, bytes);
	return expect_chan(answer, channel, call);
}

void request(uint32_t call)
{
	peer_chan(FROM_CLIENT | USER_MSG, 1, call, "x", 1);
}

void served(uint32_t call)
{
	request(call);
	expect_chan(USER_MSG, 1, call);
}

struct bidctl_frame expect_bidctl(uint32_t flags)
{
	static struct rpc_frame g;
	const uint8_t *b;

	CHECK_EQUAL(take(&g, BIDCTL_PROTOCOL, &b), 20);
	CHECK_EQUAL(sum16(b, 20, 0), 0xffff);
	struct bidctl_frame c = (struct bidctl_frame){ g.ms,	     get16(b),	    get32(b + 4),
						       get32(b + 8), get32(b + 12), get32(b + 16) };
	CHECK_EQUAL(c.flags, flags);
	CHECK(c.source != 0);
	return c;
}

void expect_no_frame(double ms)
{
	struct host_frame f;

	if (!take_frame(&f, ms))
		return;
	fprintf(stderr, "expected nothing, got a frame of protocol %d at %.1f ms\n", f.data[23],
		(double)f.time / TICKS_PER_MS);
	exit(1);
}

uint32_t peer_answers_query(void)
{
	struct bidctl_frame q = expect_bidctl(QUERY);

	peer_bidctl(RESPONSE, peer_boot, q.source, 0, q.request_tag);
	return q.request_tag;
}

void rpc_meet(void)
{
	uint32_t tag = next_tag++;

	peer_bidctl(QUERY, peer_boot, 0, tag, 0);
	struct bidctl_frame r = expect_bidctl(RESPONSE | QUERY);
	CHECK_EQUAL(r.destination, peer_boot);
	CHECK_EQUAL(r.reply_tag, tag);
	CHECK(r.request_tag != 0);
	kernel_boot = r.source;
	peer_bidctl(RESPONSE, peer_boot, kernel_boot, 0, r.request_tag);
}

void rpc_start_unknown(void)
{
	kernel_start_stack(1);
	struct bidctl_frame b = expect_bidctl(BCAST); /* 1 to 3 s after the start */
	CHECK(b.ms >= 1000 && b.ms <= 4000);
	kernel_boot = b.source;
}

void rpc_start(void)
{
	rpc_start_unknown();
	rpc_meet();
}
