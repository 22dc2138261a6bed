/* SPDX-License-Identifier: BSD-2-Clause */
/* Chains against a flat copy of their bytes, by random operations. */
#include <string.h>

#include "test/bsdnet/bench.h"
#include "xkernel/checksum.h"

/* Every mbuf's data lies in its own room, and the packet's length is the chain's. */
static void check_chain(const struct mbuf *m, uint32_t bytes)
{
	uint32_t sum = 0;

	CHECK(m->flags & M_PACKET);
	CHECK_EQUAL(m->packet_bytes, bytes);
	for (const struct mbuf *p = m; p; p = p->next) {
		struct mbuf *q = (struct mbuf *)p;

		CHECK(q->data >= mbuf_room_start(q));
		CHECK(q->data + q->bytes <= mbuf_room_start(q) + mbuf_room_bytes(q));
		sum += q->bytes;
	}
	CHECK_EQUAL(sum, bytes);
}

static uint8_t flat[8192], copy[8192];

static uint32_t checksum_of(const struct mbuf *m, uint32_t bytes)
{
	uint64_t sum = mbuf_sum(0, m, bytes);
	uint16_t folded = (uint16_t)~checksum_fold(sum);

	return (uint32_t)(folded & 0xff) << 8 | folded >> 8; /* in the order of the wire */
}

static void check_bytes(const struct mbuf *m, const uint8_t *expected, uint32_t bytes)
{
	check_chain(m, bytes);
	m_copydata(m, 0, bytes, copy);
	CHECK(!memcmp(copy, expected, bytes));
	/* And some of the middle. */
	uint32_t from = draw(bytes + 1), part = draw(bytes - from + 1);
	m_copydata(m, from, part, copy);
	CHECK(!memcmp(copy, expected + from, part));
	uint32_t sum = checksum_of(m, bytes), flat_sum = sum16(expected, bytes, 0);
	CHECK_EQUAL(sum, flat_sum);
}

/* Mbufs of random kinds and lengths, some empty. */
static struct mbuf *random_chain(uint32_t mbufs, uint32_t *bytes)
{
	struct mbuf *packet = m_gethdr(), *m = packet;

	*bytes = 0;
	for (uint32_t n = 0;; n++) {
		if (draw(2))
			CHECK_EQUAL(m_clget(m), 0);
		uint32_t skip = draw(3) ? 0 : 4 * draw(8);
		m->data += skip;
		m->bytes =
		    draw(mbuf_room_bytes(m) - skip < 700 ? mbuf_room_bytes(m) - skip + 1 : 700);
		if (!draw(6))
			m->bytes = 0;
		for (uint32_t i = 0; i < m->bytes; i++)
			m->data[i] = flat[*bytes + i] = (uint8_t)draw(256);
		*bytes += m->bytes;
		if (n == mbufs)
			break;
		m = m->next = m_get();
	}
	packet->packet_bytes = *bytes;
	return packet;
}

CASE(chain_bytes_and_sum, bench_start())
{
	for (int round = 0; round < 400; round++) {
		uint32_t bytes;
		struct mbuf *m = random_chain(draw(8), &bytes);

		check_bytes(m, flat, bytes);
		m_freem(m);
	}
}

CASE(chain_pullup, bench_start())
{
	for (int round = 0; round < 400; round++) {
		uint32_t bytes, wanted = 1 + draw(60);
		struct mbuf *m = m_pullup(random_chain(draw(8), &bytes), wanted);

		CHECK_EQUAL(m != NULL, bytes >= wanted);
		if (!m)
			continue;
		CHECK(m->bytes >= wanted && !(m->flags & M_CLUSTER));
		check_bytes(m, flat, bytes);
		m_freem(m);
	}
}

CASE(chain_pullup_of_a_cluster_moves_40_bytes, bench_start())
{
	struct mbuf *m = m_gethdr();

	CHECK_EQUAL(m_clget(m), 0);
	memset(m->data, 7, 1500);
	m->bytes = m->packet_bytes = 1500;
	m = m_pullup(m, 20);
	CHECK_EQUAL(m->bytes, 40);
	CHECK_EQUAL(m->next->bytes, 1460);
	CHECK_EQUAL((uintptr_t)m->next->data % 32, 8);
	m_freem(m);
}

CASE(chain_adj_and_trim, bench_start())
{
	for (int round = 0; round < 400; round++) {
		uint32_t bytes;
		struct mbuf *m = random_chain(draw(8), &bytes);
		uint32_t front = draw(bytes + 1), keep = draw(bytes - front + 1);

		m_adj(m, front);
		check_bytes(m, flat + front, bytes - front);
		m_trim(m, keep);
		check_bytes(m, flat + front, keep);
		m_freem(m);
	}
}

CASE(chain_adj_beyond_the_end, bench_start())
{
	uint32_t bytes;
	struct mbuf *m = random_chain(4, &bytes);

	m_adj(m, bytes + 1);
	check_chain(m, 0);
	m_freem(m);
}

CASE(chain_copym_shares_clusters, bench_start())
{
	for (int round = 0; round < 400; round++) {
		uint32_t bytes, clusters;
		struct mbuf *m = random_chain(draw(8), &bytes), *c;
		uint32_t from = draw(bytes + 1), part = draw(bytes - from + 1);

		clusters = clusters_free();
		c = m_copym(m, from, part);
		if (part) {
			check_bytes(c, flat + from, part);
			CHECK(clusters - clusters_free() <=
			      1); /* a packet's first mbuf is shorter */
		}
		m_freem(m);
		if (part)
			check_bytes(c, flat + from, part);
		m_freem(c);
	}
}

CASE(chain_prepend_leaves_a_cluster_alone, bench_start())
{
	struct mbuf *m = m_gethdr(), *header;

	CHECK_EQUAL(m_clget(m), 0);
	for (int i = 0; i < 100; i++)
		m->data[i] = flat[i] = (uint8_t)i;
	m->bytes = m->packet_bytes = 100;
	header = m_copym(m, 0, 20);
	m_adj(m, 20);
	m = m_prepend(m, 20);
	memset(m->data, 0xaa, 20);
	check_chain(m, 100);
	check_bytes(header, flat, 20);
	m_freem(m);
	m_freem(header);
}

CASE(chain_cat, bench_start())
{
	uint32_t first, second;
	struct mbuf *m = random_chain(3, &first), *n;

	memcpy(copy, flat, first);
	n = random_chain(3, &second);
	memmove(flat + first, flat, second);
	memcpy(flat, copy, first);
	m_cat(m, n);
	check_bytes(m, flat, first + second);
	m_freem(m);
}
