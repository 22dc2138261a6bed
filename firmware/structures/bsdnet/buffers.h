/* SPDX-License-Identifier: BSD-2-Clause */
/* bsdnet's parameters wherever it runs, and the study's switches. */
#ifndef STRUCTURES_BUFFERS_H
#define STRUCTURES_BUFFERS_H

#include "bsdnet/environment.h"
#include "bsdnet/mbuf/mbuf.h"
#include "platform/platform.h"

#ifndef POOL_ORDER
#define POOL_ORDER POOL_LIFO /* enum pool_order */
#endif
#ifndef POOL_SHUFFLE
#define POOL_SHUFFLE 0 /* 1: free lists begin in an order drawn from the boot seed */
#endif
#ifndef POOL_PLACE
#define POOL_PLACE 0 /* 1: they begin at a place drawn from the boot seed, and go by address */
#endif
#ifndef UDP_CHECKSUM
#define UDP_CHECKSUM 1 /* 0: neither sent nor checked; 2: the reader checks */
#endif

enum { MBUFS = 1024, CLUSTERS = 512 };

/* With pools of static memory, for the machine of these boot parameters. `seen`: the address by
 * which static memory is used; NULL: its own. */
struct net_config net_config_of(const struct boot_params *boot,
				void *(*seen)(void *area, size_t bytes));
#endif
