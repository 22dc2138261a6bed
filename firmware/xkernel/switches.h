/* SPDX-License-Identifier: BSD-2-Clause */
/* Variant switches; each is 0 or 1 and is tested by `if`, never by #if inside a function.
 * The six of SIGCOMM'96 Table 1 that touch this code; XK_USC belongs to the LANCE driver. */
#ifndef XK_SWITCHES_H
#define XK_SWITCHES_H

#ifndef XK_WORDS
#define XK_WORDS 1 /* small TCP state in words, not bytes and shorts */
#endif
#ifndef XK_REFRESH
#define XK_REFRESH 1 /* reset a receive message nobody else holds, instead of free + allocate */
#endif
#ifndef XK_MAPINL
#define XK_MAPINL 1 /* compare with a map's cached key in line */
#endif
#ifndef XK_NODIV
#define XK_NODIV 1 /* no multiply and divide for the congestion and receive window */
#endif

/* What only some graphs have, and the measured images don't. */
#ifndef XK_FRAGMENTS
#define XK_FRAGMENTS 0 /* IP's fragments, both ways: protocols/fragment */
#endif
#ifndef XK_ARP
#define XK_ARP 0 /* VNET asks the second protocol below it, if there is one: protocols/arp */
#endif
#ifndef XK_KEEPALIVE
#define XK_KEEPALIVE 0 /* TCP's keep-alive: protocols/keepalive */
#endif
#ifndef XK_CHECKS
#define XK_CHECKS 0 /* callers' mistakes end the machine with a message */
#endif

/* Only errors, initialisation and rare cases are annotated. STD translates them as plain ifs. */
#ifdef XK_OUTLINE
#define PREDICT_FALSE(c) __builtin_expect(!!(c), 0)
#define PREDICT_TRUE(c) __builtin_expect(!!(c), 1)
#else
#define PREDICT_FALSE(c) (c)
#define PREDICT_TRUE(c) (c)
#endif
#endif
