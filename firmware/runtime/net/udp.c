/* SPDX-License-Identifier: BSD-2-Clause */
/* UDP over IPv4 (RFC 768, RFC 791), between machines that know each other: no ARP, no options, no
 * fragments. */
#include "mcpi.h"
#include "mcpi_net.h"
#include "platform/platform.h"
#include "string.h"

enum { ETHERNET = 14, IP = 20, UDP = 8, HEADERS = ETHERNET + IP + UDP, TYPE_IP = 0x0800 };
enum { PROTOCOL_UDP = 17, LIFE = 64 };

static void put16(uint8_t *at, unsigned value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static unsigned get16(const uint8_t *at)
{
	return (unsigned)at[0] << 8 | at[1];
}

static void put32(uint8_t *at, uint64_t value)
{
	put16(at, (unsigned)(value >> 16) & 0xffff);
	put16(at + 2, (unsigned)value & 0xffff);
}

static uint64_t get32(const uint8_t *at)
{
	return (uint64_t)get16(at) << 16 | get16(at + 2);
}

/* The sum of 16-bit words, folded; the last byte of an odd number is a high one. */
static unsigned add(unsigned sum, const uint8_t *at, size_t bytes)
{
	for (; bytes > 1; bytes -= 2, at += 2)
		sum += get16(at);
	if (bytes)
		sum += (unsigned)at[0] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

/* The sum of the pseudo header, the UDP header and the data. */
static unsigned udp_sum(const uint8_t *ip, size_t bytes)
{
	unsigned sum = add(PROTOCOL_UDP + (unsigned)bytes, ip + 12, 8);

	return add(sum, ip + IP, bytes);
}

/* `frame` has both station addresses, and nothing else. */
static int send(uint8_t *frame, uint64_t host, uint16_t from, uint16_t to, const void *data,
		size_t bytes)
{
	uint8_t *ip = frame + ETHERNET, *udp = ip + IP;
	unsigned sum;

	if (bytes > MCPI_UDP_MAX)
		return -1;
	put16(frame + 12, TYPE_IP);
	ip[0] = 0x45;
	put16(ip + 2, (unsigned)(IP + UDP + bytes));
	ip[8] = LIFE;
	ip[9] = PROTOCOL_UDP;
	put32(ip + 12, plat_boot()->ip);
	put32(ip + 16, host);
	put16(ip + 10, ~add(0, ip, IP) & 0xffff);
	put16(udp, from);
	put16(udp + 2, to);
	put16(udp + 4, (unsigned)(UDP + bytes));
	memcpy(udp + UDP, data, bytes);
	sum = ~udp_sum(ip, UDP + bytes) & 0xffff;
	put16(udp + 6, sum ? sum : 0xffff);
	return mcpi_frame_send(frame, HEADERS + bytes);
}

int mcpi_udp_send(uint16_t from, uint16_t to, const void *data, size_t bytes)
{
	uint8_t frame[MCPI_FRAME_MAX] = { 0 };

	mcpi_address(frame + 6, frame);
	return send(frame, plat_boot()->peer_ip, from, to, data, bytes);
}

/* The internet address of machine 0; the others' follow it. */
static uint64_t first_host(void)
{
	return plat_boot()->ip - (uint64_t)mcpi_node();
}

int mcpi_udp_send_to(int node, uint16_t from, uint16_t to, const void *data, size_t bytes)
{
	uint8_t frame[MCPI_FRAME_MAX] = { 0 };

	mcpi_address_of(node, frame);
	mcpi_address_of(mcpi_node(), frame + 6);
	return send(frame, first_host() + (uint64_t)node, from, to, data, bytes);
}

/* Bytes of data if it is a datagram to `port`, else -1. */
static long datagram(const uint8_t *frame, size_t bytes, uint16_t port)
{
	const uint8_t *ip = frame + ETHERNET, *udp = ip + IP;
	size_t length = get16(udp + 4);

	if (bytes < HEADERS || get16(frame + 12) != TYPE_IP || ip[0] != 0x45 ||
	    ip[9] != PROTOCOL_UDP || add(0, ip, IP) != 0xffff)
		return -1;
	if (length < UDP || ETHERNET + IP + length > bytes || get16(udp + 2) != port)
		return -1;
	if (get16(udp + 6) && udp_sum(ip, length) != 0xffff)
		return -1;
	return (long)(length - UDP);
}

size_t mcpi_udp_receive_from(uint16_t port, void *data, size_t room, uint16_t *from, int *node)
{
	uint8_t frame[MCPI_FRAME_MAX];
	long bytes;

	do
		bytes = datagram(frame, mcpi_frame_receive(frame, sizeof frame), port);
	while (bytes < 0);
	if (from)
		*from = (uint16_t)get16(frame + ETHERNET + IP);
	if (node)
		*node = (int)(get32(frame + ETHERNET + 12) - first_host());
	memcpy(data, frame + HEADERS, (size_t)bytes < room ? (size_t)bytes : room);
	return (size_t)bytes;
}

size_t mcpi_udp_receive(uint16_t port, void *data, size_t room, uint16_t *from)
{
	return mcpi_udp_receive_from(port, data, room, from, NULL);
}
