/* SPDX-License-Identifier: BSD-2-Clause */
/* Every kind of bad packet is dropped once, counted once, and frees its mbufs. */
#include <string.h>

#include "test/bsdnet/bench.h"

static struct datagram_bytes d;
static uint8_t frame[1514];
static uint32_t frame_bytes;
static uint8_t *const ip = frame + 14;

static void ready(void)
{
	bench_start();
	make_datagram(&d, 200, 1);
	frame_bytes = make_frame(frame, &d, 0, d.total, 0);
}

static void dropped_as(const uint64_t *count)
{
	arrives(frame, frame_bytes);
	CHECK_EQUAL(*count, 1);
	expect_nothing();
	CHECK_EQUAL(mbufs_free(), MBUFS);
}

static void accepted(void)
{
	arrives(frame, frame_bytes);
	expect_datagram(&d);
}

/* BAD(name, counter) { what is wrong with the frame } */
#define BAD(name, counter)                                                                         \
	static void spoil_##name(void);                                                            \
	static void run_##name##_with(int by_dma)                                                  \
	{                                                                                          \
		bench_by_dma = by_dma;                                                             \
		ready();                                                                           \
		spoil_##name();                                                                    \
		dropped_as(&(counter));                                                            \
	}                                                                                          \
	CASE_IS(bad_##name, run_##name##_with(0))                                                  \
	CASE_IS(bad_##name##_by_dma, run_##name##_with(1))                                         \
	static void spoil_##name(void)

BAD(frame_short, ether_counts.too_short)
{
	frame_bytes = 13;
}

BAD(station, ether_counts.not_ours)
{
	frame[5] ^= 1;
}

BAD(ethertype, ether_counts.unknown_type)
{
	frame[13] = 6;
}

BAD(ip_short, ipin_counts.too_short)
{
	frame_bytes = 14 + 19;
}

BAD(ip_version, ipin_counts.bad_version)
{
	ip[0] = 0x65;
	fix_header(frame);
}

BAD(ip_header_below_20, ipin_counts.bad_header_length)
{
	ip[0] = 0x44;
	fix_header(frame);
}

BAD(ip_header_beyond_the_packet, ipin_counts.bad_header_length)
{
	ip[0] = 0x4f;
	frame_bytes = 14 + 59;
}

BAD(ip_checksum, ipin_counts.bad_checksum)
{
	ip[10] ^= 0x10;
}

BAD(ip_length_below_the_header, ipin_counts.bad_length)
{
	put16(ip + 2, 19);
	fix_header(frame);
}

BAD(ip_length_beyond_the_packet, ipin_counts.bad_length)
{
	put16(ip + 2, frame_bytes - 14 + 1);
	fix_header(frame);
}

BAD(ip_ttl, ipin_counts.ttl_expired)
{
	ip[8] = 0;
	fix_header(frame);
}

BAD(ip_other_host, ipin_counts.not_ours)
{
	put32(ip + 16, KERNEL_IP + 5);
	fix_header(frame);
}

BAD(ip_ours_in_a_broadcast_frame, ipin_counts.link_broadcast)
{
	memset(frame, 0xff, 6);
}

BAD(ip_source_ourselves, ipin_counts.bad_source)
{
	put32(ip + 12, KERNEL_IP);
	fix_header(frame);
}

BAD(ip_source_group, ipin_counts.bad_source)
{
	put32(ip + 12, 0xe0000001);
	fix_header(frame);
}

BAD(ip_source_loopback, ipin_counts.bad_source)
{
	put32(ip + 12, 0x7f000001);
	fix_header(frame);
}

BAD(ip_source_zero, ipin_counts.bad_source)
{
	put32(ip + 12, 0x00000001);
	fix_header(frame);
}

BAD(ip_protocol, ipin_counts.unknown_protocol)
{
	ip[9] = 6;
	fix_header(frame);
}

BAD(udp_short, udpin_counts.too_short)
{
	put16(ip + 2, 20 + 7);
	fix_header(frame);
}

BAD(udp_length_below_8, udpin_counts.bad_length)
{
	put16(ip + 24, 7);
}

BAD(udp_length_beyond, udpin_counts.bad_length)
{
	put16(ip + 24, d.total + 1);
}

BAD(udp_checksum, udpin_counts.bad_checksum)
{
	ip[20 + 8 + 199] ^= 1;
}

BAD(udp_checksum_of_another_host, udpin_counts.bad_checksum)
{
	put32(ip + 12, PEER_IP + 1);
	fix_header(frame);
}

BAD(udp_port, udpin_counts.no_port)
{
	put16(ip + 22, PORT + 1);
	put16(ip + 26, 0);
}

CASE(udp_checksum_0_is_none, ready())
{
	put16(ip + 26, 0);
	ip[40] ^= 1;
	d.bytes[20] ^= 1;
	accepted();
	CHECK_EQUAL(udpin_counts.no_checksum, 1);
}

/* The wrong one is in the socket, and its reader gets the next. */
CASE(udp_checksum_by_the_reader)
{
	bench_config.late_udp_checksum = 1;
	ready();
	accepted();
	ip[20 + 8 + 199] ^= 1;
	arrives(frame, frame_bytes);
	CHECK_EQUAL(udpin_counts.delivered, 2);
	CHECK_EQUAL(udpin_counts.bad_checksum, 0);
	ip[20 + 8 + 199] ^= 1;
	accepted();
	CHECK_EQUAL(udpin_counts.bad_checksum, 1);
	ip[20 + 8 + 198] ^= 1;
	arrives(frame, frame_bytes);
	CHECK_EQUAL(soreceive(bench_socket, frame, sizeof frame, NULL, 0), SOCKET_WOULD_WAIT);
	CHECK_EQUAL(udpin_counts.bad_checksum, 2);
	CHECK_EQUAL(mbufs_free(), MBUFS);
}

CASE(udp_checksum_switched_off)
{
	bench_config.without_udp_checksum = 1;
	ready();
	ip[40] ^= 1;
	d.bytes[20] ^= 1;
	accepted();
	CHECK_EQUAL(udpin_counts.not_checked, 1);
}

CASE(padding_is_cut, bench_start())
{
	make_datagram(&d, 1, 2);
	frame_bytes = make_frame(frame, &d, 0, d.total, 0);
	CHECK_EQUAL(frame_bytes, 60);
	accepted();
}

CASE(bytes_behind_the_udp_length_are_cut, ready())
{
	put16(ip + 24, 108);
	put16(ip + 26, 0);
	d.total = 108;
	accepted();
}

CASE(ip_options_are_stepped_over, ready())
{
	for (uint32_t words = 6; words <= 15; words++) {
		make_datagram(&d, 300, words);
		frame_bytes = make_frame(frame, &d, 0, d.total, 0) + (words - 5) * 4;
		memmove(ip + words * 4, ip + 20, d.total);
		memset(ip + 20, 1, (words - 5) * 4);
		ip[0] = (uint8_t)(0x40 | words);
		put16(ip + 2, words * 4 + d.total);
		fix_header(frame);
		accepted();
	}
}

CASE(broadcast_is_ours, ready())
{
	memset(frame, 0xff, 6);
	put32(ip + 16, KERNEL_IP | 0xff);
	put16(ip + 26, 0);
	fix_header(frame);
	accepted();
}

/* Odd and even lengths, in small mbufs and in clusters. */
static void every_length(void)
{
	bench_start();
	for (uint32_t bytes = 0; bytes <= 1472; bytes++) {
		make_datagram(&d, bytes, bytes);
		frame_bytes = make_frame(frame, &d, 0, d.total, 0);
		accepted();
	}
	CHECK_EQUAL(udpin_counts.delivered, 1473);
}

CASE_IS(every_length_in_one_frame, every_length())
CASE_IS(every_length_in_one_frame_by_dma, bench_by_dma = 1; every_length())

CASE(queue_of_ip_drops_beyond_its_limit)
{
	struct mbuf *m;

	bench_config.queue_packets = 3;
	ready();
	for (int i = 0; i < 5; i++) {
		m = driver_cluster();
		memcpy(driver_place(m), frame, frame_bytes);
		driver_filled(m, frame_bytes);
	}
	CHECK_EQUAL(ip_queue.dropped, 2);
	net_run();
	for (int i = 0; i < 3; i++)
		expect_datagram(&d);
	expect_nothing();
}

CASE(bsd_queues_50_packets, ready())
{
	for (int i = 0; i < 51; i++) {
		struct mbuf *m = driver_cluster();

		memcpy(driver_place(m), frame, frame_bytes);
		driver_filled(m, frame_bytes);
	}
	CHECK_EQUAL(ip_queue.dropped, 1);
	CHECK_EQUAL(ip_queue.packets, 50);
	net_run();
}

/* Pools of every small size: what does not fit is dropped and counted, nothing leaks, and the rest
 * arrives. */
static void small_pools(int by_dma)
{
	bench_by_dma = by_dma;
	for (uint32_t mbufs = 1; mbufs < 30; mbufs++) {
		bench_config.mbufs.count = mbufs;
		bench_config.clusters.count = 1 + mbufs / 3;
		bench_start();
		make_datagram(&d, 4000, mbufs);
		datagram_arrives(&d);
		uint64_t lost = driver_counts.no_buffer + ipin_counts.no_mbuf +
				reassembly_counts.no_mbuf + socket_counts.no_mbuf;
		CHECK_EQUAL(udpin_counts.delivered, lost == 0);
		if (!lost)
			expect_datagram(&d);
		case_ends();
	}
	CHECK_EQUAL(udpin_counts.delivered, 1); /* with the largest */
}

CASE_IS(small_pools_by_copy, small_pools(0))
CASE_IS(small_pools_by_dma, small_pools(1))
