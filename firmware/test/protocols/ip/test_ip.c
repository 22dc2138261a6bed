/* SPDX-License-Identifier: BSD-2-Clause */
/* ETH and IP: what is dropped, and under which name it is counted (sources/xkernel.md 3). */
#include "protocols/eth/eth.h"
#include "protocols/ip/ip.h"
#include "test/host/tcp_case.h"

static void send_syn(void)
{
	peer_tcp(S, 0, 0, NULL, 0);
}

/* No effect, not even an answer. */
static void dropped(void)
{
	expect_quiet(100);
	CHECK_EQUAL(user.accepted, 0);
}

static void count_and_drop(const uint64_t *counter, const struct twist *bad, size_t all)
{
	listening();
	for (size_t i = 0; i < all; i++) {
		twist = bad[i];
		send_syn();
		CHECK_EQUAL(*counter, i + 1);
	}
	dropped();
}

/* SYNs with something wrong: each is counted, none has an effect. */
#define CASE_DROPPED(name, counter, ...)                                                           \
	static const struct twist name##_twists[] = { __VA_ARGS__ };                               \
	CASE_IS(name, count_and_drop(&counter, name##_twists,                                      \
				     sizeof name##_twists / sizeof *name##_twists))

CASE_DROPPED(eth_other_station, eth_counts.not_ours, { .to_other = 1 })
CASE_DROPPED(eth_unknown_type, eth_counts.unknown_type, { .ethertype = 0x86dd },
	     { .ethertype = 60 } /* an 802.3 length */)
/* By Ethernet to everybody, by IP to us alone (RFC 1122 3.3.6): nobody may be answered. */
CASE_DROPPED(ip_broadcast_by_ethernet_alone, ip_counts.link_broadcast, { .to_broadcast = 1 },
	     { .to_broadcast = 1, .fragment = 0x2000 })
CASE_DROPPED(ip_version, ip_counts.bad_version, { .version = 6 })
CASE_DROPPED(ip_header_length, ip_counts.bad_header_length, { .header_words = 4 },
	     { .header_words = 15, .cut = 10 } /* 36 bytes of datagram, 60 of header */)
CASE_DROPPED(ip_header_checksum, ip_counts.bad_checksum, { .bad_ip_checksum = 1 })
/* 19: shorter than the header; 47: more than the frame's 46. */
CASE_DROPPED(ip_total_length, ip_counts.bad_length, { .total_delta = -21 }, { .total_delta = 7 },
	     { .total_delta = 30000 })
CASE_DROPPED(ip_time_to_live, ip_counts.ttl_expired, { .ttl_zero = 1 })
CASE_DROPPED(ip_not_ours, ip_counts.not_ours, { .destination = 0x0a000003 })
CASE_DROPPED(ip_bad_source, ip_counts.bad_source, { .source = 0x0a000001 },
	     { .source = 0x0a0000ff }, { .source = 0xffffffff }, { .source = 0xe0000001 },
	     { .source = 0x7f000001 })
CASE_DROPPED(ip_unknown_protocol, ip_counts.unknown_protocol, { .protocol = 99 })

CASE(eth_runts, listening())
{
	uint8_t frame[60] = { 8, 0, 0x2b, 0, 0, 1 };

	for (size_t n = 0; n < 14; n++)
		peer_frame(frame, n);
	CHECK_EQUAL(eth_counts.runt, 14);
	memcpy(frame + 6, "\10\0\53\0\0\2\10\0", 8);
	for (size_t n = 14; n < 34; n++)
		peer_frame(frame, n);
	CHECK_EQUAL(ip_counts.too_short, 20);
	dropped();
}

/* A station with the peer's IP address: the answer goes to the peer's station (peer.c looks), which
 * VNET's table has, not to the one that came first. */
CASE(ip_answers_the_known_station, listening())
{
	twist.from_other = 1;
	send_syn();
	expect_any();
	CHECK_EQUAL(user.accepted, 0);
}

CASE(ip_padding_is_cut, listening())
{
	twist.frame_padding = 400;
	send_syn();
	expect(S | A, 0, 1, 0);
	twist.frame_padding = 400;
	peer_tcp(A, 1, 1, "abc", 3);
	CHECK_EQUAL(user.bytes, 3);
}

CASE(ip_options_are_skipped, listening())
{
	twist = (struct twist){ .ip_options = "\1\1\1\0\7\7\4\0\0\0\0\0", .ip_option_bytes = 12 };
	send_syn();
	expect(S | A, 0, 1, 0);
	twist = (struct twist){ .ip_options = "\1\1\1\0", .ip_option_bytes = 4 };
	peer_tcp(A, 1, 1, "payload", 7);
	CHECK_EQUAL(user.bytes, 7);
}

CASE(ip_fragments_are_refused, listening())
{
	twist.fragment = 0x2000;
	send_syn();
	twist.fragment = 0x0001;
	send_syn();
	CHECK_EQUAL(ip_counts.fragments_refused, 2);
	dropped();
	twist.fragment = 0x4000; /* don't fragment: fine */
	send_syn();
	expect(S | A, 0, 1, 0);
}

CASE(ip_ident_counts, listening())
{
	send_syn();
	struct segment a = expect(S | A, 0, 1, 0);
	send_syn();
	struct segment b = expect(S | A, 0, 1, 0);
	CHECK_EQUAL((b.ident - a.ident) & 0xffff, 1);
}

/* Random frames: nothing may crash or hang. */
CASE(ip_random_frames, listening())
{
	uint64_t random = 99;
	struct host_frame f;

	for (int i = 0; i < 20000; i++) {
		uint8_t frame[128] = { 8, 0, 0x2b, 0, 0, 1, 8, 0, 0x2b, 0, 0, 2, 8, 0, 0x45, 0 };
		size_t n;

		for (size_t b = 16; b < sizeof frame; b++) {
			random = random * 6364136223846793005 + 1442695040888963407;
			if (random >> 62)
				frame[b] = (uint8_t)(random >> 40);
		}
		n = (random >> 33) % sizeof frame;
		if (random >> 63)
			frame[16] = 0;
		peer_frame(frame, n);
		drop_frames();
	}
	/* And with correct IP headers: TCP's own checks. */
	for (int i = 0; i < 20000; i++) {
		uint8_t data[32];

		random = random * 6364136223846793005 + 1442695040888963407;
		memcpy(data, &random, 8);
		memset(data + 8, (int)(random >> 12), 24);
		twist.offset_words = (int)(random >> 20 & 15);
		twist.tcp_options = (const char *)data;
		twist.tcp_option_bytes = random >> 30 & 12;
		twist.from_port = (uint16_t)(5000 + (random >> 50 & 3));
		peer_tcp((uint32_t)(random >> 56), (uint32_t)(random >> 8 & 0xff),
			 (uint32_t)(random >> 16 & 3), data, random >> 40 & 31);
		if ((random & 0xff) == 0)
			wait_ms(700);
		while (host_take(&f))
			if (f.data[47] & S)
				kernel_initial = get32(f.data + 38);
	}
	CHECK_EQUAL(host_exit_code(), HOST_RUNNING);
}
