/* SPDX-License-Identifier: BSD-2-Clause */
#include "protocols/mpdriver/frame.h"

#include "platform/platform.h"
#include "protocols/ip/ip_private.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"
#include "xkernel/memory/memory.h"

uint32_t *mpdriver_frame(struct msg *m, uint32_t protocol, size_t bytes)
{
	const struct boot_params *boot = plat_boot();
	struct ip_header *ip;
	uint8_t *frame;

	if (msg_init_bytes(m, FDDI_FRAME_AT + MPDRIVER_HEADERS + bytes))
		return NULL;
	msg_discard(m, FDDI_FRAME_AT);
	frame = m->head;
	frame[0] = FDDI_CONTROL;
	memcpy(frame + 1, &boot->mac, FDDI_STATION_BYTES);
	memcpy(frame + 7, &boot->peer_mac, FDDI_STATION_BYTES);
	memcpy(frame + 13, "\xaa\xaa\x03\0\0\0\x08\0", 8);
	ip = (struct ip_header *)(frame + FDDI_HEADER_BYTES);
	memset(ip, 0, sizeof *ip);
	ip->version_length = 0x45 | swap16((uint32_t)(IP_HEADER_BYTES + bytes)) << 16;
	ip->ttl_protocol = IP_TTL | protocol << 8;
	ip->source = swap32((uint32_t)boot->peer_ip);
	ip->destination = swap32((uint32_t)boot->ip);
	ip->ttl_protocol |= (uint32_t)checksum_fold(checksum_add(0, ip, sizeof *ip)) << 16;
	return (uint32_t *)(ip + 1);
}

uint64_t mpdriver_pseudo_sum(uint32_t protocol, size_t bytes)
{
	const struct boot_params *boot = plat_boot();

	return (uint64_t)swap32((uint32_t)boot->peer_ip) + swap32((uint32_t)boot->ip) +
	       swap16(protocol) + swap16((uint32_t)bytes);
}
