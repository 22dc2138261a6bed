/* SPDX-License-Identifier: BSD-2-Clause */
/* Ethernet: frames that are ours go to IP's queue; a header for what is sent. */
#ifndef BSD_ETHER_H
#define BSD_ETHER_H

#include "bsd/net/interface.h"

extern struct packets ip_queue;

void ether_start(struct interface *i);
/* A frame without its header, which is at `header`. At the driver's level. */
void ether_input(struct interface *i, const uint8_t *header, struct mbuf *m);
NOT_INLINE int ether_output(struct interface *i, struct mbuf *m,
			    uint32_t host); /* enum bsd_error */
#endif
