/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP's header on the wire, with IP's over it: the checksum's pseudo header is what is left of IP's
 * header once the first words are zero. */
#ifndef BSD_TCP_WIRE_H
#define BSD_TCP_WIRE_H

#include <stdint.h>

struct tcpiphdr {
	uint64_t none; /* of IP's header; zero for the checksum */
	uint8_t zero, protocol;
	uint16_t length; /* TCP's header and text */
	uint32_t source, destination;
	uint16_t source_port, destination_port;
	uint32_t sequence, ack;
	uint8_t reserved : 4, header_words : 4;
	uint8_t flags;
	uint16_t window, check, urgent;
} __attribute__((may_alias, packed, aligned(4)));

enum {
	TCP_HEADER = 20,
	TCPIP_HEADER = 40,
	TCP_OPTIONS_MOST = 40,
	TCP_SEGMENT_OPTION = 4,

	TH_FIN = 1,
	TH_SYN = 2,
	TH_RST = 4,
	TH_PUSH = 8,
	TH_ACK = 16,
	TH_URG = 32,
	TH_ALL = 63,

	OPTION_END = 0,
	OPTION_NONE = 1,
	OPTION_SEGMENT_MAX = 2,
};
_Static_assert(sizeof(struct tcpiphdr) == TCPIP_HEADER, "as on the wire");
#endif
