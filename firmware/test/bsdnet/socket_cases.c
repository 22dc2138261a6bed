/* SPDX-License-Identifier: BSD-2-Clause */
/* Sockets: ports, both limits, readers that wait, short and bad buffers; and the sender. */
#include <string.h>

#include "test/bsdnet/bench.h"

static struct datagram_bytes d;

static uint32_t messages_that_fit(uint32_t bytes, uint32_t mbuf_bytes)
{
	uint32_t n;

	bench_start();
	CHECK_EQUAL(socket_limits(bench_socket, bytes, mbuf_bytes), 0);
	make_datagram(&d, PAPER_MESSAGE, 1);
	for (n = 0; n < 20; n++)
		datagram_arrives(&d);
	n = (uint32_t)udpin_counts.delivered;
	CHECK_EQUAL(n + socket_counts.full_bytes + socket_counts.full_mbufs, 20);
	for (uint32_t i = 0; i < n; i++)
		expect_datagram(&d);
	expect_nothing();
	return n;
}

/* TR 93-04 says 16; BSD's limit of mbufs would be met by 11. */
CASE(socket_of_246467_bytes_holds_16_messages_by_bytes)
{
	CHECK_EQUAL(messages_that_fit(246467, 2 * SOCKET_BYTES_MAX), 16);
	CHECK_EQUAL(socket_counts.full_bytes, 4);
	CHECK_EQUAL(socket_counts.full_mbufs, 0);
}

CASE(socket_of_246467_bytes_holds_11_messages_by_mbufs)
{
	CHECK_EQUAL(messages_that_fit(246467, 0), 11);
	CHECK_EQUAL(socket_counts.full_bytes, 0);
	CHECK_EQUAL(socket_counts.full_mbufs, 9);
}

CASE(socket_of_one_message)
{
	CHECK_EQUAL(messages_that_fit(16000, 0), 1);
	CHECK_EQUAL(messages_that_fit(PAPER_MESSAGE + 8, 0), 1);
	CHECK_EQUAL(messages_that_fit(PAPER_MESSAGE + 7, 0), 0);
}

CASE(socket_has_room_again_when_it_is_read, bench_start())
{
	socket_limits(bench_socket, 20000, 0);
	for (uint32_t n = 0; n < 40; n++) {
		make_datagram(&d, PAPER_MESSAGE, n);
		datagram_arrives(&d);
		expect_datagram(&d);
	}
	CHECK_EQUAL(socket_get(bench_socket)->receive.bytes, 0);
	CHECK_EQUAL(socket_get(bench_socket)->receive.mbuf_bytes, 0);
}

CASE(datagrams_come_in_order, bench_start())
{
	static struct datagram_bytes many[5];

	for (uint32_t n = 0; n < 5; n++) {
		make_datagram(&many[n], n * 700, n);
		datagram_arrives(&many[n]);
	}
	for (uint32_t n = 0; n < 5; n++)
		expect_datagram(&many[n]);
	CHECK_EQUAL(socket_counts.truncated, 0);
	CHECK_EQUAL(socket_counts.read, 5);
	CHECK_EQUAL(socket_counts.read_bytes, 7000);
}

CASE(short_buffer_gets_the_beginning, bench_start())
{
	static uint8_t data[LONGEST];

	for (uint32_t bytes = 0; bytes < 3000; bytes += 37) {
		make_datagram(&d, 3000, bytes);
		datagram_arrives(&d);
		memset(data, 0xee, sizeof data);
		CHECK_EQUAL(soreceive(bench_socket, data, bytes, NULL, 0), bytes);
		CHECK(!memcmp(data, d.bytes + 8, bytes));
		CHECK_EQUAL(data[bytes], 0xee);
	}
	CHECK_EQUAL(socket_counts.truncated, 82);
	expect_nothing();
}

CASE(bad_buffer_loses_the_datagram, bench_start())
{
	static uint8_t data[LONGEST];

	make_datagram(&d, 9000, 1);
	datagram_arrives(&d);
	datagram_arrives(&d);
	bench_bad_user = data + 5000;
	CHECK_EQUAL(soreceive(bench_socket, data, sizeof data, NULL, 0), SOCKET_BAD_ADDRESS);
	CHECK_EQUAL(socket_counts.bad_address, 1);
	bench_bad_user = NULL;
	expect_datagram(&d);
	expect_nothing();
}

static void it_arrives(void)
{
	datagram_arrives(&d);
}

CASE(reader_waits_until_a_datagram_is_there, bench_start())
{
	static uint8_t data[LONGEST];

	make_datagram(&d, 5000, 1);
	bench_on_sleep = it_arrives;
	CHECK_EQUAL(soreceive(bench_socket, data, sizeof data, NULL, 1), 5000);
	CHECK(!memcmp(data, d.bytes + 8, 5000));
	CHECK(bench_wakeups > 0);
}

static void it_closes(void)
{
	socket_close(bench_socket);
}

static void another_gets_the_number(void)
{
	socket_close(bench_socket);
	CHECK_EQUAL(socket_create(), bench_socket);
	socket_bind(bench_socket, PORT);
	datagram_arrives(&d);
}

CASE(reader_of_a_socket_that_closes, bench_start())
{
	uint8_t byte;

	bench_on_sleep = it_closes;
	CHECK_EQUAL(soreceive(bench_socket, &byte, 1, NULL, 1), SOCKET_CLOSED);
	CHECK_EQUAL(soreceive(bench_socket, &byte, 1, NULL, 1), SOCKET_NONE);
}

CASE(reader_does_not_get_another_sockets_datagram, bench_start())
{
	uint8_t byte;

	make_datagram(&d, 10, 1);
	bench_on_sleep = another_gets_the_number;
	CHECK_EQUAL(soreceive(bench_socket, &byte, 1, NULL, 1), SOCKET_CLOSED);
	expect_datagram(&d);
}

CASE(reader_that_must_end, bench_start())
{
	uint8_t byte;

	CHECK_EQUAL(soreceive(bench_socket, &byte, 1, NULL, 1), SOCKET_CLOSED);
}

CASE(closing_discards_what_waits, bench_start())
{
	make_datagram(&d, PAPER_MESSAGE, 1);
	datagram_arrives(&d);
	datagram_arrives(&d);
	socket_close(bench_socket);
	CHECK_EQUAL(socket_counts.discarded, 2);
	CHECK_EQUAL(mbufs_free(), MBUFS);
	datagram_arrives(&d);
	CHECK_EQUAL(udpin_counts.no_port, 1);
}

CASE(ports, bench_start())
{
	int a = socket_create(), b = socket_create();

	CHECK_EQUAL(socket_bind(a, PORT), SOCKET_IN_USE);
	CHECK_EQUAL(socket_bind(a, 65536), SOCKET_NONE);
	CHECK_EQUAL(socket_bind(a, 0), FIRST_FREE_PORT);
	CHECK_EQUAL(socket_bind(b, 0), FIRST_FREE_PORT + 1);
	CHECK_EQUAL(socket_bind(b, FIRST_FREE_PORT), SOCKET_IN_USE);
	CHECK_EQUAL(socket_bind(99, 1), SOCKET_NONE);
	CHECK_EQUAL(socket_close(-1), SOCKET_NONE);
	socket_close(a);
	CHECK_EQUAL(socket_bind(b, FIRST_FREE_PORT), FIRST_FREE_PORT);
	for (int n = 2; n < SOCKETS; n++)
		CHECK(socket_create() >= 0);
	CHECK_EQUAL(socket_create(), SOCKET_NONE);
	CHECK_EQUAL(socket_limits(b, SOCKET_BYTES_MAX + 1, 0), SOCKET_TOO_LONG);
}

CASE(connected_socket_takes_its_peer_only, bench_start())
{
	struct udp_name peer = { PEER_IP, FROM_PORT }, stranger = { PEER_IP, FROM_PORT + 1 };

	make_datagram(&d, 10, 1);
	CHECK_EQUAL(socket_connect(bench_socket, &stranger), 0);
	datagram_arrives(&d);
	CHECK_EQUAL(udpin_counts.no_port, 1);
	CHECK_EQUAL(socket_connect(bench_socket, &peer), 0);
	datagram_arrives(&d);
	expect_datagram(&d);
}

/* A datagram that is sent and received again: bytes, ports, fragments and checksums agree. */
static void sent_comes_back(uint32_t bytes, int without_checksum)
{
	static uint8_t data[LONGEST], back[LONGEST], frame[1514];
	struct udp_name to = { PEER_IP, PORT }, from;
	uint32_t n, frames = 0;
	int got;

	bench_config.without_udp_checksum = without_checksum;
	bench_start();
	for (uint32_t i = 0; i < bytes; i++)
		data[i] = pattern(bytes, i);
	CHECK_EQUAL(sosend(bench_socket, data, bytes, &to), bytes);
	while ((n = take_sent(frame))) {
		CHECK(!memcmp(frame, bench_config.peer_station, 6));
		CHECK_EQUAL(get32(frame + 14 + 16), PEER_IP);
		CHECK_EQUAL(get16(frame + 14 + 2), n - 14);
		memcpy(frame, bench_config.station, 6);
		put32(frame + 14 + 12, PEER_IP); /* turned round: the checksums stay */
		put32(frame + 14 + 16, KERNEL_IP);
		arrives(frame, n);
		frames++;
	}
	CHECK_EQUAL(frames, bytes + 8 <= FRAGMENT ? 1 : (bytes + 8 + FRAGMENT - 1) / FRAGMENT);
	got = soreceive(bench_socket, back, sizeof back, &from, 0);
	CHECK_EQUAL(got, bytes);
	CHECK_EQUAL(from.port, PORT);
	CHECK(!memcmp(data, back, bytes));
	CHECK_EQUAL(udpin_counts.no_checksum, 0);
	CHECK_EQUAL(mbufs_free(), MBUFS);
	CHECK_EQUAL(clusters_free(), CLUSTERS);
}

CASE(sender_of_every_length)
{
	for (uint32_t bytes = 0; bytes < 1600; bytes++)
		sent_comes_back(bytes, 0);
	for (uint32_t bytes = 1600; bytes < 16400; bytes += 97)
		sent_comes_back(bytes, (int)bytes & 1);
	sent_comes_back(PAPER_MESSAGE, 0);
}

/* A datagram whose sum is all ones is sent with all ones: 0 says that there is none. */
CASE(sender_of_a_sum_of_0, bench_start())
{
	uint8_t data[2], frame[1514];
	struct udp_name to = { PEER_IP, PORT };

	for (uint32_t n = 0; n < 65536; n++) {
		put16(data, n);
		CHECK_EQUAL(sosend(bench_socket, data, 2, &to), 2);
		CHECK(take_sent(frame));
		CHECK(get16(frame + 40));
	}
}

CASE(sender_fails_cleanly, bench_start())
{
	static uint8_t data[LONGEST + 1];
	struct udp_name to = { PEER_IP, 7 }, far = { PEER_IP + 1, 7 };
	uint8_t frame[1514];

	CHECK_EQUAL(sosend(bench_socket, data, UDP_LONGEST + 1, &to), SOCKET_TOO_LONG);
	CHECK_EQUAL(sosend(99, data, 1, &to), SOCKET_NONE);
	CHECK_EQUAL(sosend(bench_socket, data, 9000, &far), SOCKET_NOT_SENT);
	CHECK_EQUAL(ether_counts.no_station, 1);
	bench_bad_user = data + 5000;
	CHECK_EQUAL(sosend(bench_socket, data, 9000, &to), SOCKET_BAD_ADDRESS);
	CHECK_EQUAL(take_sent(frame), 0);
	CHECK_EQUAL(mbufs_free(), MBUFS);
}

CASE(sender_with_small_pools)
{
	static uint8_t data[9000];
	struct udp_name to = { PEER_IP, 7 };
	uint8_t frame[1514];
	int result = SOCKET_NOT_SENT;

	for (uint32_t mbufs = 1; mbufs < 40; mbufs++) {
		bench_config.mbufs.count = mbufs;
		bench_config.clusters.count = 1 + mbufs / 3;
		bench_start();
		result = sosend(bench_socket, data, sizeof data, &to);
		while (take_sent(frame))
			;
		case_ends();
	}
	CHECK_EQUAL(result, sizeof data);
}
