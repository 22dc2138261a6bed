/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include <stdint.h>

/* Five longwords as on the wire. */
struct tcp_header {
	uint32_t ports; /* source 16, destination 16 */
	uint32_t sequence, ack;
	uint32_t offset_flags_window; /* offset 4, reserved 6, flags 6, window 16 */
	uint32_t checksum_urgent;
} __attribute__((may_alias));

enum {
	TCP_HEADER_BYTES = 20,
	TCP_OPTION_BYTES = 4, /* the only option we send: maximum segment size */

	TCP_FIN = 1,
	TCP_SYN = 2,
	TCP_RST = 4,
	TCP_PSH = 8,
	TCP_ACK = 16,
	TCP_URG = 32,

	TCP_OPTION_END = 0,
	TCP_OPTION_NONE = 1,
	TCP_OPTION_SEGMENT_MAX = 2,

	TCP_PROTOCOL = 6, /* in the pseudo-header */
};
