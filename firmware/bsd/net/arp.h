/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of stations by host. There is no ARP on the wire: whoever starts the stack fills it. */
#ifndef BSD_ARP_H
#define BSD_ARP_H

#include <stdint.h>

void arp_start(void);
int arp_set(uint32_t host, const uint8_t station[6]); /* host as on the wire; -1: no room */
const uint8_t *arp_resolve(uint32_t host);	      /* NULL: no entry */
#endif
