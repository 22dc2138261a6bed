/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames spoilt at random, on a machine that lives through all of them. After each, what is in use
 * is what the queues hold; at the end (case_ends) nothing is. */
#include <string.h>

#include "test/bsdnet/bench.h"

enum { FRAMES = 300000, OPEN = 6 };

static struct datagram_bytes open_ones[OPEN];
static uint8_t reader[LONGEST];

/* A fragment of a datagram that others belong to as well, or a whole one. */
static uint32_t some_frame(uint8_t *frame)
{
	struct datagram_bytes *d = &open_ones[draw(OPEN)];
	uint32_t at, bytes, more;

	if (!draw(20))
		make_datagram(d, draw(4000), draw(1000));
	at = draw(3) ? 8 * draw(d->total / 8 + 1) : 0;
	bytes = d->total - at;
	if (bytes > FRAGMENT || (bytes && draw(2)))
		bytes = draw((bytes < FRAGMENT ? bytes : FRAGMENT) + 1);
	if (draw(4))
		bytes &= ~7u;
	more = draw(8) ? at + bytes < d->total : draw(2);
	return make_frame(frame, d, at, bytes, (int)more);
}

static uint32_t spoil(uint8_t *frame, uint32_t bytes)
{
	for (uint32_t n = draw(4); n; n--)
		frame[14 + draw(draw(2) ? 28 : bytes - 14)] = (uint8_t)draw(256);
	if (!draw(3))
		put16(frame + 14 + 2, draw(draw(2) ? bytes : 65536));
	if (!draw(8))
		put16(frame + 14 + 6, draw(65536));
	if (draw(4)) { /* most get past the checksum */
		frame[14] = draw(5) ? 0x45 : (uint8_t)(0x40 | draw(16));
		fix_header(frame);
	}
	return draw(6) ? bytes : draw(bytes + 1);
}

/* Everything in use is in IP's queue, in datagrams under way, or in the socket. */
static void check_machine(void)
{
	const struct socket_buffer *sb = &socket_get(bench_socket)->receive;
	uint32_t in_socket = 0, in_use = MBUFS - mbufs_free();
	uint64_t sum = 0;

	for (const struct mbuf *r = sb->first; r; r = r->next_packet)
		for (const struct mbuf *m = r; m; m = m->next) {
			in_socket++;
			sum += m->bytes;
		}
	CHECK_EQUAL(sum, sb->bytes);
	CHECK(in_use >= in_socket);
	CHECK_EQUAL(mbuf_counts.freed_twice, 0);
	CHECK_EQUAL(ip_queue.packets, 0);
}

static void live(int by_dma, uint32_t mbufs, uint32_t clusters)
{
	uint8_t frame[1514];

	bench_by_dma = by_dma;
	bench_config.mbufs.count = mbufs;
	bench_config.clusters.count = clusters;
	bench_config.without_udp_checksum = 1;
	bench_config.fragment_half_seconds = 2; /* what is lost frees its buffers */
	bench_start();
	for (uint32_t i = 0; i < OPEN; i++)
		make_datagram(&open_ones[i], 500 * i, i);
	for (uint32_t n = 0; n < FRAMES; n++) {
		uint32_t bytes = some_frame(frame);

		if (draw(3))
			bytes = spoil(frame, bytes);
		arrives(frame, bytes);
		if (!draw(10))
			soreceive(bench_socket, reader, draw(LONGEST), NULL, 0);
		if (!draw(100))
			net_half_second();
		if (mbufs == MBUFS)
			check_machine();
	}
	if (mbufs != MBUFS) { /* most is dropped for want of buffers */
		CHECK(socket_counts.read > 100 && driver_counts.no_buffer > 1000);
		return;
	}
	CHECK(socket_counts.read > 100);
	CHECK(reassembly_counts.reassembled > 100 && reassembly_counts.overlaps > 100);
	CHECK(reassembly_counts.malformed && reassembly_counts.inconsistent);
	CHECK(ipin_counts.bad_checksum && ipin_counts.bad_length && udpin_counts.bad_length);
}

CASE_IS(random_frames, live(0, MBUFS, CLUSTERS))
CASE_IS(random_frames_by_dma, live(1, MBUFS, CLUSTERS))
CASE_IS(random_frames_with_small_pools, live(0, 40, 12))
CASE_IS(random_frames_with_small_pools_by_dma, live(1, 40, 12))
