/* SPDX-License-Identifier: BSD-2-Clause */
/* Fragments in any order, lost, repeated, overlapping, contradicting, timed out. */
#include <string.h>

#include "test/bsdnet/bench.h"

static struct datagram_bytes d, other;

static void cut_at_random(const struct datagram_bytes *datagram, uint32_t from[], uint32_t *pieces)
{
	*pieces = 0;
	for (uint32_t at = 0; at < datagram->total; at += 8 * (1 + draw(185)))
		from[(*pieces)++] = at;
	from[*pieces] = datagram->total;
}

static void shuffle(uint32_t order[], uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (uint32_t i = n; i > 1; i--) {
		uint32_t j = draw(i), t = order[i - 1];

		order[i - 1] = order[j];
		order[j] = t;
	}
}

/* 1 byte to 16 KB, in fragments of any size, in any order. */
static void any_order(int by_dma)
{
	uint32_t from[600], order[600], pieces;

	bench_by_dma = by_dma;
	bench_start();
	for (int round = 0; round < 300; round++) {
		make_datagram(&d, round < 16 ? 1024 * (1u + (uint32_t)round) : draw(16385),
			      (uint32_t)round);
		do
			cut_at_random(&d, from, &pieces);
		while (pieces > REASSEMBLY_PIECES);
		shuffle(order, pieces);
		for (uint32_t i = 0; i < pieces; i++) {
			uint32_t at = from[order[i]];

			fragment_arrives(&d, at, from[order[i] + 1] - at);
		}
		expect_datagram(&d);
	}
	expect_nothing();
}

CASE_IS(fragments_in_any_order, any_order(0))
CASE_IS(fragments_in_any_order_by_dma, any_order(1))

CASE(fragments_of_each_size_of_the_study, bench_start())
{
	for (uint32_t bytes = 1; bytes <= 16384; bytes += bytes < 3000 ? 1 : 61) {
		make_datagram(&d, bytes, bytes);
		datagram_arrives(&d);
		expect_datagram(&d);
	}
}

CASE(longest_datagram, bench_start())
{
	make_datagram(&d, UDP_LONGEST, 3);
	datagram_arrives(&d);
	expect_datagram(&d);
}

/* TR 93-04: a message is ten small mbufs and ten of 1,460 bytes. */
static void paper_message(int by_dma)
{
	bench_by_dma = by_dma;
	bench_start();
	make_datagram(&d, PAPER_MESSAGE, 3);
	datagram_arrives(&d);
	CHECK_EQUAL(mbufs_free(), MBUFS - 21); /* and the sender's name */
	CHECK_EQUAL(clusters_free(), CLUSTERS - 10);
	expect_datagram(&d);
	CHECK_EQUAL(bench_probes, 10);
	CHECK_EQUAL(bench_lines, 10 * 46);
}

CASE_IS(message_of_the_paper_in_mbufs, paper_message(0))
CASE_IS(message_of_the_paper_in_mbufs_by_dma, paper_message(1))

/* Any one fragment is lost: nothing comes, the pieces go after 30 s, not before, not later. */
CASE(a_lost_fragment_times_out)
{
	for (uint32_t lost = 0; lost < 10; lost++) {
		bench_start();
		make_datagram(&d, PAPER_MESSAGE, lost);
		for (uint32_t i = 0; i < 10; i++)
			if (i != lost)
				fragment_arrives(&d, i * FRAGMENT, FRAGMENT);
		for (int half = 0; half < BSD_HALF_SECONDS - 1; half++)
			net_half_second();
		CHECK_EQUAL(reassembly_counts.timed_out, 0);
		CHECK(mbufs_free() < MBUFS);
		net_half_second();
		CHECK_EQUAL(reassembly_counts.timed_out, 1);
		CHECK_EQUAL(mbufs_free(), MBUFS);
		fragment_arrives(&d, lost * FRAGMENT, FRAGMENT);
		expect_nothing();
		case_ends();
	}
}

CASE(a_late_fragment_in_time_completes, bench_start())
{
	make_datagram(&d, 4000, 1);
	fragment_arrives(&d, 0, FRAGMENT);
	fragment_arrives(&d, 2 * FRAGMENT, d.total - 2 * FRAGMENT);
	for (int half = 0; half < BSD_HALF_SECONDS - 1; half++)
		net_half_second();
	fragment_arrives(&d, FRAGMENT, FRAGMENT);
	expect_datagram(&d);
}

CASE(life_of_fragments_is_a_parameter)
{
	bench_config.fragment_half_seconds = 3;
	bench_start();
	make_datagram(&d, 4000, 1);
	fragment_arrives(&d, 0, FRAGMENT);
	net_half_second();
	net_half_second();
	CHECK_EQUAL(reassembly_counts.timed_out, 0);
	net_half_second();
	CHECK_EQUAL(reassembly_counts.timed_out, 1);
}

/* Against a map of bytes: the first received win, whatever overlaps. */
static void overlaps(int by_dma)
{
	enum { BYTES = 2048 };
	static uint8_t held[BYTES], have[BYTES];
	uint32_t filled, ended;

	bench_by_dma = by_dma;
	bench_config.without_udp_checksum = 1;
	bench_start();
	for (uint32_t round = 0; round < 300; round++) {
		make_datagram(&d, BYTES - 8, round);
		memset(have, 0, sizeof have);
		filled = ended = 0;
		for (uint32_t n = 0; filled < BYTES || !ended; n++) {
			uint32_t at = 8 * draw(BYTES / 8), bytes = 8 * (1 + draw(60));

			other = d;
			if (at + bytes > BYTES)
				bytes = BYTES - at;
			for (uint32_t i = 8; i < BYTES; i++)
				other.bytes[i] = pattern(round * 1000 + n, i);
			fragment_arrives(&other, at, bytes);
			ended |= at + bytes == BYTES;
			for (uint32_t i = at; i < at + bytes; i++) {
				if (have[i])
					continue;
				have[i] = 1;
				held[i] = other.bytes[i];
				filled++;
			}
		}
		memcpy(d.bytes, held, BYTES);
		expect_datagram(&d);
		expect_nothing();
	}
	CHECK(reassembly_counts.overlaps > 1000 && reassembly_counts.duplicates > 1000);
}

CASE_IS(overlaps_first_bytes_win, overlaps(0))
CASE_IS(overlaps_first_bytes_win_by_dma, overlaps(1))

CASE(fragments_twice, bench_start())
{
	make_datagram(&d, PAPER_MESSAGE, 1);
	for (uint32_t i = 0; i < 9; i++) {
		fragment_arrives(&d, i * FRAGMENT, FRAGMENT);
		fragment_arrives(&d, i * FRAGMENT, FRAGMENT);
	}
	CHECK_EQUAL(reassembly_counts.duplicates, 9);
	CHECK_EQUAL(reassembly_counts.overlaps, 0);
	fragment_arrives(&d, 9 * FRAGMENT, FRAGMENT);
	expect_datagram(&d);
}

CASE(fragments_of_several_datagrams_mix, bench_start())
{
	make_datagram(&d, 4000, 1);
	make_datagram(&other, 4000, 2);
	for (uint32_t at = 0; at < d.total; at += FRAGMENT) {
		uint32_t bytes = d.total - at < FRAGMENT ? d.total - at : FRAGMENT;

		fragment_arrives(&other, at, bytes);
		fragment_arrives(&d, at, bytes);
	}
	expect_datagram(&other);
	expect_datagram(&d);
}

CASE(fragments_malformed, bench_start())
{
	uint8_t frame[1514];
	uint32_t bytes;

	make_datagram(&d, 4000, 1);
	arrives(frame, make_frame(frame, &d, 0, 0, 1));	  /* empty */
	arrives(frame, make_frame(frame, &d, 0, 100, 1)); /* not a multiple of 8 */
	bytes = make_frame(frame, &d, 0, 800, 0);
	put16(frame + 20, 65528 / 8); /* beyond 65,535 bytes */
	fix_header(frame);
	arrives(frame, bytes);
	CHECK_EQUAL(reassembly_counts.malformed, 3);
	CHECK_EQUAL(mbufs_free(), MBUFS);
}

CASE(fragments_inconsistent, bench_start())
{
	uint8_t frame[1514];

	make_datagram(&d, 4000, 1);
	fragment_arrives(&d, 2 * FRAGMENT, d.total - 2 * FRAGMENT);
	arrives(frame, make_frame(frame, &d, d.total / 8 * 8, 80, 1)); /* beyond the end */
	arrives(frame, make_frame(frame, &d, FRAGMENT, 80, 0));	       /* another end */
	CHECK_EQUAL(reassembly_counts.inconsistent, 2);
	make_datagram(&other, 4000, 1);
	fragment_arrives(&other, 2 * FRAGMENT - 8, 80);
	arrives(frame, make_frame(frame, &other, 8, FRAGMENT, 0)); /* an end before what is held */
	CHECK_EQUAL(reassembly_counts.inconsistent, 3);
	datagram_arrives(&d);
	expect_datagram(&d);
}

CASE(datagrams_in_pieces_are_limited, bench_start())
{
	for (uint32_t n = 0; n < 3 * REASSEMBLY_DATAGRAMS; n++) {
		make_datagram(&d, 4000, n);
		fragment_arrives(&d, 0, FRAGMENT);
	}
	CHECK_EQUAL(reassembly_counts.evicted, 2 * REASSEMBLY_DATAGRAMS);
	fragment_arrives(&d, FRAGMENT, FRAGMENT); /* the youngest is alive */
	fragment_arrives(&d, 2 * FRAGMENT, d.total - 2 * FRAGMENT);
	expect_datagram(&d);
}

CASE(pieces_are_limited, bench_start())
{
	make_datagram(&other, 4000, 2);
	for (uint32_t at = 0; at < 2 * 8 * REASSEMBLY_PIECES; at += 16)
		fragment_arrives(&other, at, 8);
	CHECK_EQUAL(reassembly_counts.evicted, 0);
	make_datagram(&d, 4000, 1);
	datagram_arrives(&d);
	CHECK_EQUAL(reassembly_counts.evicted, 1);
	expect_datagram(&d);
}

CASE(a_fragment_across_many_holes, bench_start())
{
	make_datagram(&d, 2000, 5);
	for (uint32_t at = 8; at < FRAGMENT; at += 32)
		fragment_arrives(&d, at, 8);
	fragment_arrives(&d, 0, FRAGMENT);
	CHECK_EQUAL(reassembly_counts.overlaps, 1);
	fragment_arrives(&d, FRAGMENT, d.total - FRAGMENT);
	expect_datagram(&d);
}
