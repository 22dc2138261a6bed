/* SPDX-License-Identifier: BSD-2-Clause */
/* ARP: 28 bytes from and to the wire. */
#include "protocols/arp/arp_private.h"

static const uint8_t format[6] = { 0, 1, 8, 0, 6, 4 }; /* Ethernet, IP, their lengths */
enum { OPERATION = 7, SENDER_MAC = 8, SENDER = 14, TARGET_MAC = 18, TARGET = 24 };

static uint64_t get(const uint8_t *from, int bytes)
{
	uint64_t value = 0;

	for (int i = 0; i < bytes; i++)
		value = value << 8 | from[i];
	return value;
}

static uint32_t get_host(const uint8_t *from)
{
	return (uint32_t)get(from, 4);
}

/* First wire byte lowest. */
static uint64_t get_mac(const uint8_t *from)
{
	uint64_t mac = 0;

	for (int i = ETH_MAC_BYTES; i-- > 0;)
		mac = mac << 8 | from[i];
	return mac;
}

static void put_host(uint8_t *to, uint32_t host)
{
	for (int i = 0; i < 4; i++)
		to[i] = (uint8_t)(host >> (24 - 8 * i));
}

static void put_mac(uint8_t *to, uint64_t mac)
{
	for (int i = 0; i < ETH_MAC_BYTES; i++)
		to[i] = (uint8_t)(mac >> 8 * i);
}

int arp_parse(struct msg *m, struct arp_packet *packet)
{
	const uint8_t *b;

	if (msg_bytes(m) < ARP_BYTES) {
		arp_counts.too_short++;
		return -1;
	}
	b = msg_pop(m, ARP_BYTES);
	if (!b) {
		arp_counts.no_memory++;
		return -1;
	}
	for (size_t i = 0; i < sizeof format; i++) {
		if (b[i] != format[i]) {
			arp_counts.bad_format++;
			return -1;
		}
	}
	packet->operation = (uint32_t)get(b + OPERATION - 1, 2);
	packet->sender_mac = get_mac(b + SENDER_MAC);
	packet->sender = get_host(b + SENDER);
	packet->target = get_host(b + TARGET);
	if (packet->operation != ARP_REQUEST && packet->operation != ARP_REPLY) {
		arp_counts.bad_operation++;
		return -1;
	}
	if (packet->sender_mac == 0 || (packet->sender_mac & 1)) {
		arp_counts.bad_sender++;
		return -1;
	}
	return 0;
}

void arp_send(struct arp *arp, struct xobj *eth_session, uint32_t operation, uint64_t target_mac,
	      uint32_t target)
{
	struct msg m;
	uint8_t *b;

	if (msg_init_bytes(&m, ARP_BYTES)) {
		arp_counts.no_memory++;
		return;
	}
	b = m.head;
	for (size_t i = 0; i < sizeof format; i++)
		b[i] = format[i];
	b[OPERATION - 1] = 0;
	b[OPERATION] = (uint8_t)operation;
	put_mac(b + SENDER_MAC, arp->mac);
	put_host(b + SENDER, arp->address);
	put_mac(b + TARGET_MAC, target_mac);
	put_host(b + TARGET, target);
	xPush(eth_session, &m);
	msg_destroy(&m);
}
