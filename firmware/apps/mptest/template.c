/* SPDX-License-Identifier: BSD-2-Clause */
#include "apps/mptest/template.h"

#include "apps/mptest/mptest.h"
#include "platform/platform.h"
#include "protocols/fddi/fddi.h"
#include "protocols/ip/ip_private.h"
#include "protocols/udp/udp.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"
#include "xkernel/memory.h"

enum { HEADERS = FDDI_HEADER_BYTES + IP_HEADER_BYTES + UDP_HEADER_BYTES, PEER_PORT = 7 };

int mptest_template(struct msg *m, size_t bytes)
{
	const struct boot_params *boot = plat_boot();
	uint32_t *udp, udp_bytes = (uint32_t)(UDP_HEADER_BYTES + bytes);
	struct ip_header *ip;
	uint64_t sum;
	uint8_t *frame;

	if (msg_init_bytes(m, FDDI_FRAME_AT + HEADERS + bytes))
		return XK_NO_MEMORY;
	msg_discard(m, FDDI_FRAME_AT);
	frame = m->head;
	frame[0] = FDDI_CONTROL;
	memcpy(frame + 1, &boot->mac, FDDI_STATION_BYTES);
	memcpy(frame + 7, &boot->peer_mac, FDDI_STATION_BYTES);
	memcpy(frame + 13, "\xaa\xaa\x03\0\0\0\x08\0", 8);
	ip = (struct ip_header *)(frame + FDDI_HEADER_BYTES);
	memset(ip, 0, sizeof *ip);
	ip->version_length = 0x45 | swap16(IP_HEADER_BYTES + udp_bytes) << 16;
	ip->ttl_protocol = IP_TTL | 17 << 8;
	ip->source = swap32((uint32_t)boot->peer_ip);
	ip->destination = swap32((uint32_t)boot->ip);
	ip->ttl_protocol |= (uint32_t)checksum_fold(checksum_add(0, ip, sizeof *ip)) << 16;
	udp = (uint32_t *)(ip + 1);
	udp[0] = swap16(PEER_PORT) | swap16(MPTEST_PORT) << 16;
	udp[1] = swap16(udp_bytes);
	for (size_t i = 0; i < bytes; i++)
		((uint8_t *)(udp + 2))[i] = (uint8_t)i;
	sum = (uint64_t)ip->source + ip->destination + swap16(17) + swap16(udp_bytes);
	udp[1] |= (uint32_t)checksum_fold(checksum_add(sum, udp, udp_bytes)) << 16;
	return XK_OK;
}
