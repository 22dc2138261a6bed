/* SPDX-License-Identifier: BSD-2-Clause */
/* IP: the header as it is on the wire and, once ip_input.c has changed it, in host order. */
#ifndef BSD_IP_H
#define BSD_IP_H

#include "bsd/net/route.h"
#include "bsdnet/mbuf/words.h"

struct ip {
	uint8_t header_words : 4, version : 4;
	uint8_t service;
	uint16_t bytes, ident, offset;
	uint8_t ttl, protocol;
	uint16_t check;
	uint32_t source, destination;
} __attribute__((may_alias));

enum {
	IP_HEADER = 20,
	IP_OPTIONS_MOST = 40,
	IP_SEND_TTL = 30,
	IP_DONT = 0x4000,
	IP_MORE_OR_OFFSET = 0x3fff,
	IP_TCP = 6,
	IP_PROTOCOLS = 256,
};

struct ipstat {
	uint64_t received, delivered, sent;
	uint64_t too_short;	    /* than a header */
	uint64_t bad_version;	    /* not 4 */
	uint64_t bad_header_length; /* below 20 or beyond the packet */
	uint64_t bad_checksum;
	uint64_t bad_length;	 /* below the header's or beyond the packet */
	uint64_t ttl_expired;	 /* 0 on arrival */
	uint64_t not_ours;	 /* another host's */
	uint64_t link_broadcast; /* ours alone, in a frame for all stations */
	uint64_t fragments_refused;
	uint64_t unknown_protocol;
	uint64_t no_mbuf;
	uint64_t no_route;
	uint64_t too_long; /* to be sent, for the interface: nothing is cut */
};
extern struct ipstat ipstat;

/* Hidden, as if it were static: a path has a copy of ip_output() (docs/explanation/paths.md). */
extern uint32_t ip_ident __attribute__((visibility("hidden")));

void ip_start(void);
NOT_INLINE void ipintr(void); /* the software interrupt: all packets of the queue */

/* A packet whose header has length, source, destination, service, time to live and protocol, in
 * host order. `r`: the sender's route, or NULL. enum bsd_error. */
NOT_INLINE int ip_output(struct mbuf *m, struct route *r);
/* An IP header with options loses them; the packet gets shorter. */
void ip_strip_options(struct mbuf *m);

/* RFC 1071's sum of the first bytes of a chain; 0 if the checksum in them is right. */
NOT_INLINE uint16_t in_cksum(const struct mbuf *m, uint32_t bytes);

/* The same of a header without options. */
static inline uint32_t ip_header_cksum(const struct ip *ip)
{
	const wire_word *w = (const wire_word *)(const void *)ip;
	uint64_t sum = (uint64_t)w[0] + w[1] + w[2] + w[3] + w[4];

	sum = (sum & 0xffff) + (sum >> 16 & 0xffff) + (sum >> 32);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint32_t)~sum & 0xffff;
}
#endif
