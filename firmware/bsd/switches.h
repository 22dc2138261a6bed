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

#define NOT_INLINE __attribute__((noinline)) /* Table 3 counts the function by itself */
#endif
