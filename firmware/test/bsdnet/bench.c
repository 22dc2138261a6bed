/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/bsdnet/bench.h"

#include <string.h>

static uint8_t mbuf_area[MBUFS * MBUF_BYTES] __attribute__((aligned(8192)));
static uint8_t cluster_area[CLUSTERS * CLUSTER_BYTES] __attribute__((aligned(8192)));

struct net_config bench_config = {
	.mbufs = { .area = mbuf_area, .count = MBUFS },
	.clusters = { .area = cluster_area, .count = CLUSTERS },
	.station = { 8, 0, 0x2b, 0, 0, 1 },
	.peer_station = { 8, 0, 0x2b, 0, 0, 2 },
	.address = KERNEL_IP,
	.netmask = 0xffffff00,
	.peer = PEER_IP,
};
int bench_by_dma, bench_socket;
void (*bench_on_sleep)(void);
uint32_t bench_wakeups, bench_probes, bench_lines;
const uint8_t *bench_bad_user;

enum { SENT = 64 };
static struct {
	uint8_t frame[1514];
	uint32_t bytes;
} sent[SENT];
static uint32_t sent_first, sent_count;
static int level, started;
static int requested;

static int raise_level(void)
{
	return level++;
}

static void restore(int before)
{
	CHECK_EQUAL(before, level - 1);
	level = before;
}

static void request(void)
{
	requested = 1;
}

static int sleep_on(const void *channel)
{
	void (*happens)(void) = bench_on_sleep;

	(void)channel;
	bench_on_sleep = NULL;
	if (!happens)
		return -1;
	happens();
	return 0;
}

static void wakeup(const void *channel)
{
	(void)channel;
	bench_wakeups++;
}

static int copy(void *to, const void *from, size_t bytes)
{
	const uint8_t *bad = bench_bad_user;
	uint8_t *t = to;
	const uint8_t *f = from;

	if (bad && ((bad >= t && bad < t + bytes) || (bad >= f && bad < f + bytes)))
		return -1;
	memcpy(to, from, bytes);
	return 0;
}

static int transmit(struct mbuf *frame)
{
	CHECK(sent_count < SENT);
	CHECK(frame->packet_bytes <= sizeof sent[0].frame);
	uint32_t place = (sent_first + sent_count++) % SENT;
	m_copydata(frame, 0, frame->packet_bytes, sent[place].frame);
	sent[place].bytes = frame->packet_bytes;
	return 0;
}

static void probe(const struct mbuf *m)
{
	uintptr_t from = (uintptr_t)m->data / 32, to = ((uintptr_t)m->data + m->bytes - 1) / 32;

	CHECK(m->flags & M_CLUSTER);
	bench_probes++;
	bench_lines += (uint32_t)(to - from + 1);
}

void bench_start(void)
{
	static const struct net_environment environment = {
		.raise = raise_level,
		.restore = restore,
		.request = request,
		.sleep = sleep_on,
		.wakeup = wakeup,
		.copy_out = copy,
		.copy_in = copy,
		.transmit = transmit,
		.probe = probe,
	};

	net_start(&bench_config, &environment);
	started = 1;
	bench_socket = socket_create();
	CHECK(bench_socket >= 0);
	CHECK_EQUAL(socket_bind(bench_socket, PORT), PORT);
	CHECK_EQUAL(socket_limits(bench_socket, SOCKET_BYTES_MAX, 2 * SOCKET_BYTES_MAX), 0);
}

/* After each case: all buffers come back, none twice. */
void case_ends(void)
{
	if (!started)
		return;
	for (int n = 0; n < SOCKETS; n++)
		socket_close(n);
	for (int half = 0; half < 2 * BSD_HALF_SECONDS; half++)
		net_half_second();
	CHECK_EQUAL(mbuf_counts.freed_twice, 0);
	CHECK_EQUAL(clusters_free(), bench_config.clusters.count);
	CHECK_EQUAL(mbufs_free(), bench_config.mbufs.count);
}

uint32_t draw(uint32_t below)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(state >> 8) * below >> 24);
}

uint8_t pattern(uint32_t seed, uint32_t at)
{
	return (uint8_t)((at + seed * 7919) * 2654435761u >> 24);
}

void make_datagram(struct datagram_bytes *d, uint32_t data_bytes, uint32_t seed)
{
	static uint32_t ident = 77;
	uint8_t *h = d->bytes;

	d->total = data_bytes + 8;
	d->ident = ident++;
	put16(h, FROM_PORT);
	put16(h + 2, PORT);
	put16(h + 4, d->total);
	put16(h + 6, 0);
	for (uint32_t i = 0; i < data_bytes; i++)
		h[8 + i] = pattern(seed, i);
	uint32_t sum = sum16(h, d->total,
			     17 + d->total + (KERNEL_IP >> 16) + (KERNEL_IP & 0xffff) +
				 (PEER_IP >> 16) + (PEER_IP & 0xffff));
	put16(h + 6, (sum ^ 0xffff) ? sum ^ 0xffff : 0xffff);
}

void fix_header(uint8_t *frame)
{
	uint8_t *ip = frame + 14;

	put16(ip + 10, 0);
	put16(ip + 10, sum16(ip, (ip[0] & 15) * 4u, 0) ^ 0xffff);
}

uint32_t make_frame(uint8_t *frame, const struct datagram_bytes *d, uint32_t offset, uint32_t bytes,
		    int more)
{
	uint8_t *ip = frame + 14;
	uint32_t total = 34 + bytes;

	memset(frame, 0, 60);
	memcpy(frame, bench_config.station, 6);
	memcpy(frame + 6, bench_config.peer_station, 6);
	put16(frame + 12, 0x800);
	ip[0] = 0x45;
	put16(ip + 2, 20 + bytes);
	put16(ip + 4, d->ident);
	put16(ip + 6, offset / 8 | (more ? 0x2000 : 0));
	ip[8] = 64;
	ip[9] = 17;
	put32(ip + 12, PEER_IP);
	put32(ip + 16, KERNEL_IP);
	memcpy(ip + 20, d->bytes + offset, bytes);
	fix_header(frame);
	return total < 60 ? 60 : total;
}

void arrives(const uint8_t *frame, uint32_t bytes)
{
	uint8_t aligned[1536] __attribute__((aligned(16)));
	struct mbuf *m;

	CHECK(bytes <= 1514);
	if (bench_by_dma) {
		m = driver_cluster();
		if (m) {
			memcpy(driver_place(m), frame, bytes);
			driver_filled(m, bytes);
		}
	} else { /* from the driver's memory, 2 mod 16 */
		memcpy(aligned + 2, frame, bytes);
		driver_copy(aligned + 2, bytes);
	}
	if (requested)
		net_run();
	requested = 0;
}

void fragment_arrives(const struct datagram_bytes *d, uint32_t offset, uint32_t bytes)
{
	uint8_t frame[1514];

	arrives(frame, make_frame(frame, d, offset, bytes, offset + bytes < d->total));
}

void datagram_arrives(const struct datagram_bytes *d)
{
	for (uint32_t at = 0; at < d->total; at += FRAGMENT)
		fragment_arrives(d, at, d->total - at < FRAGMENT ? d->total - at : FRAGMENT);
}

void expect_datagram(const struct datagram_bytes *d)
{
	static uint8_t data[LONGEST + 1];
	struct udp_name from;
	uint32_t bytes = d->total - 8;

	memset(data, 0xee, sizeof data);
	CHECK_EQUAL(soreceive(bench_socket, data, sizeof data, &from, 0), bytes);
	CHECK_EQUAL(from.host, PEER_IP);
	CHECK_EQUAL(from.port, FROM_PORT);
	CHECK(!memcmp(data, d->bytes + 8, bytes));
	CHECK_EQUAL(data[bytes], 0xee);
}

void expect_nothing(void)
{
	uint8_t data[16];

	CHECK_EQUAL(soreceive(bench_socket, data, sizeof data, NULL, 0), SOCKET_WOULD_WAIT);
}

uint32_t take_sent(uint8_t *frame)
{
	uint32_t place = sent_first % SENT;

	if (!sent_count)
		return 0;
	sent_first++;
	sent_count--;
	memcpy(frame, sent[place].frame, sent[place].bytes);
	return sent[place].bytes;
}
