/* SPDX-License-Identifier: BSD-2-Clause */
/* Datagrams that the reader is lent, without a copy. */
#include <string.h>

#include "test/bsdnet/bench.h"

enum { PIECES = 64 };

static struct datagram_bytes d;
static struct socket_piece piece[PIECES];

static int borrow(uint32_t pieces)
{
	return soborrow(bench_socket, piece, pieces * sizeof *piece, NULL, 0);
}

/* From `n` pieces on they have the datagram's bytes, without a gap. */
static void expect_pieces(uint32_t bytes)
{
	uint32_t done = 0;

	for (uint32_t n = 0; done < bytes; done += (uint32_t)piece[n++].bytes) {
		CHECK(n < PIECES && piece[n].bytes && piece[n].bytes <= bytes - done);
		CHECK(!memcmp(piece[n].data, d.bytes + 8 + done, piece[n].bytes));
	}
}

CASE(borrowed_pieces_are_the_datagram, bench_start())
{
	struct udp_name from;

	for (uint32_t n = 0; n < 40; n++) {
		uint32_t bytes = n ? draw(PAPER_MESSAGE) : PAPER_MESSAGE;

		make_datagram(&d, bytes, n);
		datagram_arrives(&d);
		CHECK_EQUAL(soborrow(bench_socket, piece, sizeof piece, &from, 0), bytes);
		CHECK_EQUAL(from.host, PEER_IP);
		CHECK_EQUAL(from.port, FROM_PORT);
		expect_pieces(bytes);
	}
	CHECK_EQUAL(borrow(PIECES), SOCKET_WOULD_WAIT);
	CHECK_EQUAL(socket_counts.read, 40);
	CHECK_EQUAL(mbufs_free(), bench_config.mbufs.count); /* the last one is back too */
}

CASE(borrowed_pieces_stay_until_the_next, bench_start())
{
	make_datagram(&d, PAPER_MESSAGE, 1);
	datagram_arrives(&d);
	CHECK_EQUAL(borrow(PIECES), PAPER_MESSAGE);
	uint32_t free = clusters_free();
	for (uint32_t n = 0; n < 5; n++)
		datagram_arrives(&d);
	expect_pieces(PAPER_MESSAGE);
	CHECK_EQUAL(borrow(PIECES), PAPER_MESSAGE);
	CHECK_EQUAL(clusters_free(), free - 4 * 10);
	expect_pieces(PAPER_MESSAGE);
	CHECK_EQUAL(socket_get(bench_socket)->receive.bytes, 4 * (PAPER_MESSAGE + 8));
}

CASE(borrowed_pieces_go_back_when_the_socket_closes, bench_start())
{
	make_datagram(&d, PAPER_MESSAGE, 1);
	datagram_arrives(&d);
	CHECK_EQUAL(borrow(PIECES), PAPER_MESSAGE);
	CHECK(clusters_free() < bench_config.clusters.count);
	CHECK_EQUAL(socket_close(bench_socket), 0);
	CHECK_EQUAL(clusters_free(), bench_config.clusters.count);
	CHECK_EQUAL(borrow(PIECES), SOCKET_NONE);
}

CASE(room_for_few_pieces_gets_the_beginning, bench_start())
{
	make_datagram(&d, PAPER_MESSAGE, 1);
	datagram_arrives(&d);
	int got = soborrow(bench_socket, piece, 3 * sizeof *piece + 8, NULL, 0);
	CHECK(got > 0 && got < PAPER_MESSAGE);
	CHECK_EQUAL(piece[0].bytes + piece[1].bytes + piece[2].bytes, got);
	expect_pieces((uint32_t)got);
	CHECK_EQUAL(socket_counts.truncated, 1);
	datagram_arrives(&d);
	CHECK_EQUAL(borrow(PIECES), PAPER_MESSAGE);
}

CASE(bad_pieces_lose_the_datagram, bench_start())
{
	make_datagram(&d, 9000, 1);
	datagram_arrives(&d);
	datagram_arrives(&d);
	bench_bad_user = (uint8_t *)&piece[2];
	CHECK_EQUAL(borrow(PIECES), SOCKET_BAD_ADDRESS);
	CHECK_EQUAL(socket_counts.bad_address, 1);
	bench_bad_user = NULL;
	expect_datagram(&d);
	expect_nothing();
}

CASE(large_mbufs_are_probed_before_they_are_lent, bench_start())
{
	make_datagram(&d, PAPER_MESSAGE, 1);
	datagram_arrives(&d);
	CHECK_EQUAL(borrow(PIECES), PAPER_MESSAGE);
	CHECK_EQUAL(bench_probes, 10);
}
