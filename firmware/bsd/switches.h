/* SPDX-License-Identifier: BSD-2-Clause */
/* Switches of the production stack; each is a number that `if` tests (docs/explanation/bsd.md). */
#ifndef BSD_SWITCHES_H
#define BSD_SWITCHES_H

#ifndef BSD_HDRPRED
#define BSD_HDRPRED 1 /* header prediction */
#endif
#ifndef BSD_PCB_CACHE
#define BSD_PCB_CACHE 1 /* the last segment's connection is compared before the list */
#endif
#ifndef BSD_WORDS
#define BSD_WORDS 0 /* 1: small state of a connection in words; BSD has bytes and shorts */
#endif
/* Costs of a whole production system (Table 3's mCPI): off in measured images. */
#ifndef BSD_LOCKS
#define BSD_LOCKS 0 /* locks of a multiprocessor's kernel: queues, connections, sockets */
#endif
#ifndef BSD_CROSSING
#define BSD_CROSSING 0 /* BSDTEST in user mode: two system calls an exchange */
#endif
#ifndef BSD_POLLUTER
#define BSD_POLLUTER 0 /* KB of other code, and as many of data, used between packets: 0, 4, 8 */
#endif
#ifndef BSD_NEIGHBOURS
#define BSD_NEIGHBOURS 0 /* each eighth block of the image loses its place in 2 MB of b-cache */
#endif
#ifndef BSD_ONE_WAY
#define BSD_ONE_WAY 0 /* BSDTEST's server sends a byte a millisecond; its client only reads */
#endif

#define NOT_INLINE __attribute__((noinline)) /* Table 3 counts the function by itself */
#endif
