/* SPDX-License-Identifier: BSD-2-Clause */
/* The environment of bsdnet, which the kernel or a server process implements, and its parameters
 * (docs/explanation/udp-receive.md). */
#ifndef BSDNET_ENVIRONMENT_H
#define BSDNET_ENVIRONMENT_H

#include "bsdnet/pool/pool.h"

#ifndef COPY_SUMS
#define COPY_SUMS 0 /* 1: a reader that checks does it in its copy; no datagram is lent then */
#endif

struct mbuf;

struct net_environment {
	int (*raise)(void); /* holds off the driver; the level before */
	void (*restore)(int level);
	void (*request)(void); /* net_run is to be called soon, by a thread. At any level */
	int (*sleep)(const void *channel); /* until a wakeup; -1: the caller must give up */
	void (*wakeup)(const void *channel);
	int (*copy_out)(void *user, const void *from, size_t bytes); /* -1: bad user address */
	int (*copy_in)(void *to, const void *user, size_t bytes);
	int (*transmit)(struct mbuf *frame);	 /* -1: not sent. The frame is not freed */
	void (*probe)(const struct mbuf *large); /* before a large mbuf is copied; NULL: none */
};

struct net_config {
	struct pool_config mbufs, clusters;
	uint8_t station[6], peer_station[6]; /* Ethernet addresses */
	uint32_t address, netmask, peer;     /* host order; there is one peer, and no ARP */
	uint32_t queue_packets;		     /* limit of IP's input queue; 0: BSD's 50 */
	uint32_t fragment_half_seconds;	     /* life of a datagram that is not whole; 0: 60 */
	int without_udp_checksum;	     /* 1: neither sent nor checked */
	int late_udp_checksum;		     /* 1: the reader checks, just before it copies */
};

/* Everything new; what was there is forgotten. */
void net_start(const struct net_config *config, const struct net_environment *environment);
void net_run(void);	    /* the software interrupt: IP takes all packets that wait */
void net_half_second(void); /* call it so often: datagrams in pieces grow old */

extern struct net_config net_config;
extern struct net_environment net; /* for the files of bsdnet */
#endif
