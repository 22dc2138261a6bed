/* SPDX-License-Identifier: BSD-2-Clause */
/* ICMP's echo request: asked, answered, answered wrongly, not answered. */
#include "protocols/icmp/icmp.h"
#include "test/host/tcp_case.h"

enum { HEADERS = 34, PINGS = 9 };

static struct ping {
	struct icmp_ping ask;
	int result, done;
} pings[PINGS];

static void ask_now(void *arg)
{
	struct ping *p = arg;

	p->result = xControl(kernel_object("icmp"), ICMP_PING, &p->ask, sizeof p->ask);
	p->done = 1;
}

static void ask(int number, uint32_t bytes)
{
	pings[number].ask = (struct icmp_ping){ .host = PEER_IP, .bytes = bytes };
	host_call(ask_now, &pings[number]);
}

/* The request that is on the wire, checked. */
static size_t take_request(struct host_frame *f, uint32_t bytes)
{
	CHECK(host_take(f));
	size_t total = get16(f->data + 16);
	CHECK_EQUAL(total, 20 + 8 + bytes);
	CHECK_EQUAL(f->data[23], 1);
	CHECK_EQUAL(f->data[HEADERS], 8);
	CHECK_EQUAL(f->data[HEADERS + 1], 0);
	CHECK_EQUAL(sum16(f->data + HEADERS, 8 + bytes, 0), 0xffff);
	return 14 + total;
}

/* Back with type 0: addresses exchanged leave IP's checksum as it is. */
static void answer(struct host_frame *f, size_t bytes)
{
	uint8_t keep[6], *icmp_header = f->data + HEADERS;

	memcpy(keep, f->data, 6);
	memcpy(f->data, f->data + 6, 6);
	memcpy(f->data + 6, keep, 6);
	memcpy(keep, f->data + 26, 4);
	memcpy(f->data + 26, f->data + 30, 4);
	memcpy(f->data + 30, keep, 4);
	icmp_header[0] = 0;
	put16(icmp_header + 2, 0);
	put16(icmp_header + 2, ~sum16(icmp_header, bytes - HEADERS, 0));
	peer_frame(f->data, bytes < 60 ? 60 : bytes);
}

CASE(icmp_ping_answered, kernel_start())
{
	static const uint32_t sizes[] = { 0, 1, 56, 1471, 1472 };
	struct host_frame f;

	for (int i = 0; i < 5; i++) {
		size_t bytes;

		ask(i, sizes[i]);
		bytes = take_request(&f, sizes[i]);
		CHECK(!pings[i].done);
		wait_ms(250);
		answer(&f, bytes);
		CHECK_EQUAL(pings[i].result, XK_OK);
		CHECK(pings[i].done && pings[i].ask.waited > 240000 &&
		      pings[i].ask.waited < 260000);
	}
	CHECK_EQUAL(icmp_counts.pings_answered, 5);
}

CASE(icmp_ping_not_answered, kernel_start())
{
	struct host_frame f;

	ask(0, 10);
	size_t bytes = take_request(&f, 10);
	wait_ms(14900);
	CHECK(!pings[0].done);
	wait_ms(200);
	CHECK(pings[0].done);
	CHECK_EQUAL(pings[0].result, XK_TIMED_OUT);
	answer(&f, bytes); /* too late */
	CHECK_EQUAL(icmp_counts.wrong_answers, 1);
	ask(1, 10);
	bytes = take_request(&f, 10);
	answer(&f, bytes);
	CHECK_EQUAL(pings[1].result, XK_OK);
	answer(&f, bytes); /* turned round once more: a second request to nobody */
	CHECK_EQUAL(icmp_counts.pings_answered, 1);
}

CASE(icmp_ping_answered_wrongly, kernel_start())
{
	struct host_frame f;

	ask(0, 10);
	size_t bytes = take_request(&f, 10);
	f.data[HEADERS + 8 + 9] ^= 1;
	answer(&f, bytes);
	CHECK_EQUAL(icmp_counts.wrong_answers, 1);
	CHECK(!pings[0].done);
	wait_ms(15100);
	CHECK_EQUAL(pings[0].result, XK_TIMED_OUT);
}

/* Eight at a time, and memory that is short at any point. */
CASE(icmp_ping_bounded, kernel_start())
{
	for (int i = 0; i < 8; i++)
		ask(i, 4);
	CHECK(!pings[7].done);
	ask(8, 4);
	CHECK(pings[8].done);
	CHECK_EQUAL(pings[8].result, XK_ERROR);
	wait_ms(200000);
	drop_frames();
	uint64_t before = host_blocks_in_use();
	for (uint64_t skip = 0; skip < 10; skip++) {
		memset(&pings[0], 0, sizeof pings[0]);
		host_fail_allocations(skip, 2);
		ask(0, 4);
		host_fail_allocations(0, 0);
		wait_ms(200000);
		CHECK(pings[0].done && pings[0].result < 0);
		drop_frames();
		CHECK(host_blocks_in_use() <= before);
	}
}
