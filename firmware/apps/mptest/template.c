/* SPDX-License-Identifier: BSD-2-Clause */
#include "apps/mptest/template.h"

#include "apps/mptest/mptest.h"
#include "protocols/mpdriver/frame.h"
#include "protocols/udp/udp.h"
#include "xkernel/byteorder.h"
#include "xkernel/checksum.h"

enum { UDP_PROTOCOL = 17, PEER_PORT = 7 };

int mptest_template(struct msg *m, size_t bytes)
{
	uint32_t udp_bytes = (uint32_t)(UDP_HEADER_BYTES + bytes);
	uint32_t *udp = mpdriver_frame(m, UDP_PROTOCOL, udp_bytes);
	uint64_t sum = mpdriver_pseudo_sum(UDP_PROTOCOL, udp_bytes);

	if (!udp)
		return XK_NO_MEMORY;
	udp[0] = swap16(PEER_PORT) | swap16(MPTEST_PORT) << 16;
	udp[1] = swap16(udp_bytes);
	for (size_t i = 0; i < bytes; i++)
		((uint8_t *)(udp + 2))[i] = (uint8_t)i;
	if (XK_MP_CHECKSUM)
		udp[1] |= (uint32_t)checksum_fold(checksum_add(sum, udp, udp_bytes)) << 16;
	return XK_OK;
}
