/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader's sum, in a pass of its own or, with COPY_SUMS, in its copy: the same is received. */
#include <string.h>

#include "bsdnet/mbuf/copy_sum.h"
#include "test/bsdnet/bench.h"

static struct datagram_bytes d;
static uint8_t data[LONGEST];

CASE(copy_sum_is_a_copy_and_a_sum)
{
	static uint8_t from[256] __attribute__((aligned(8)));
	static uint8_t to[256] __attribute__((aligned(8)));

	for (unsigned n = 0; n < sizeof from; n++)
		from[n] = (uint8_t)(n * 157 + 200);
	for (unsigned f = 0; f < 8; f++)
		for (unsigned t = 0; t < 8; t++)
			for (unsigned bytes = 0; bytes < 70; bytes++) {
				uint64_t sum = checksum_add(7, from + f, bytes);

				memset(to, 0xee, sizeof to);
				sum = checksum_fold(sum);
				CHECK_EQUAL(checksum_fold(copy_sum(7, to + t, from + f, bytes)),
					    sum);
				CHECK(!memcmp(to + t, from + f, bytes));
				CHECK_EQUAL(to[t + bytes], 0xee);
			}
}

static void start(void)
{
	bench_config.late_udp_checksum = 1;
	bench_start();
}

static void arrives_in_pieces(uint32_t piece)
{
	for (uint32_t at = 0; at < d.total; at += piece)
		fragment_arrives(&d, at, d.total - at < piece ? d.total - at : piece);
}

CASE(reader_sums_datagrams_of_any_length, start())
{
	for (uint32_t bytes = 0; bytes < 5000; bytes += 1 + bytes / 7) {
		make_datagram(&d, bytes, bytes);
		arrives_in_pieces(8 * (1 + bytes / 500 + draw(100)));
		CHECK_EQUAL(soreceive(bench_socket, data, sizeof data, NULL, 0), bytes);
		CHECK(!memcmp(data, d.bytes + 8, bytes));
	}
	CHECK_EQUAL(udpin_counts.bad_checksum, 0);
}

/* A wrong byte anywhere: its reader gets the next datagram. */
CASE(reader_keeps_back_what_is_wrong, start())
{
	for (uint32_t n = 1; n < 40; n++) {
		make_datagram(&d, 1 + draw(4000), n);
		d.bytes[8 + draw(d.total - 8)] ^= 1 << draw(8);
		datagram_arrives(&d);
		make_datagram(&d, 100 + n, n);
		datagram_arrives(&d);
		CHECK_EQUAL(soreceive(bench_socket, data, sizeof data, NULL, 0), 100 + n);
		CHECK(!memcmp(data, d.bytes + 8, 100 + n));
		CHECK_EQUAL(udpin_counts.bad_checksum, n);
	}
	CHECK_EQUAL(soreceive(bench_socket, data, sizeof data, NULL, 0), SOCKET_WOULD_WAIT);
	CHECK_EQUAL(mbufs_free(), MBUFS);
}

/* Bytes that do not fit are summed too. */
CASE(reader_sums_beyond_its_buffer, start())
{
	make_datagram(&d, 3000, 5);
	datagram_arrives(&d);
	CHECK_EQUAL(soreceive(bench_socket, data, 1001, NULL, 0), 1001);
	CHECK(!memcmp(data, d.bytes + 8, 1001));
	d.bytes[8 + 2999] ^= 4;
	datagram_arrives(&d);
	CHECK_EQUAL(soreceive(bench_socket, data, 1001, NULL, 0), SOCKET_WOULD_WAIT);
	CHECK_EQUAL(udpin_counts.bad_checksum, 1);
}

CASE(a_datagram_that_is_summed_in_a_copy_is_not_lent, start())
{
	struct socket_piece pieces[8];

	make_datagram(&d, 500, 1);
	datagram_arrives(&d);
	CHECK_EQUAL(soborrow(bench_socket, pieces, sizeof pieces, NULL, 0),
		    COPY_SUMS ? SOCKET_NONE : 500);
}
