/* SPDX-License-Identifier: BSD-2-Clause */
/* Variant switches; each is 0 or 1 and is tested by `if`, never by #if inside a function.
 * First the rows of SIGCOMM'96 Table 1; XK_MISC is our own choice of "other minor changes". */
#pragma once

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
#ifndef XK_USC
#define XK_USC 1 /* LANCE's descriptors in place, instead of copied to dense memory and back */
#endif
#ifndef XK_INLINE
#define XK_INLINE 1 /* headers pushed and popped, checksums folded without a call */
#endif
#ifndef XK_MISC
#define XK_MISC 1 /* what is constant of IP's header sum is kept per session */
#endif

/* Changes of SIGCOMM'96 2.2.1 for the data cache; it has no instruction counts for these. */
#ifndef XK_PACK
#define XK_PACK 1 /* a connection's busy state lies together, without padding */
#endif
#ifndef XK_CONT
#define XK_CONT 1 /* continuations share a stack, the one freed last is used first */
#endif
#ifndef XK_BUCKETS
#define XK_BUCKETS 1 /* a map's traversal visits its linked non-empty buckets, not all */
#endif

#if XK_PACK
#define PADDING(name)
#else
#define PADDING(name) uint64_t name[4]; /* a cache block */
#endif

#if XK_INLINE
#define HEADER_INLINE static inline
#else
#define HEADER_INLINE static __attribute__((noinline, unused))
#endif

/* Features of some graphs, which the measured images do not have. */
#ifndef XK_FRAGMENTS
#define XK_FRAGMENTS 0 /* IP's fragments, both ways: protocols/fragment */
#endif
#ifndef XK_ARP
#define XK_ARP 0 /* VNET asks the second protocol below it, if there is one: protocols/arp */
#endif
#ifndef XK_LONGWORDS
#define XK_LONGWORDS 0 /* memcpy by longwords, where both ends agree on them alone */
#endif
#ifndef XK_KEEPALIVE
#define XK_KEEPALIVE 0 /* TCP's keep-alive: protocols/keepalive */
#endif
#ifndef XK_LINK_CHECK
#define XK_LINK_CHECK 0 /* IP drops what came to all stations and is for us alone */
#endif
#ifndef XK_TCP_NET2
#define XK_TCP_NET2 0 /* fast recovery as in BSD Net/2, instead of Tahoe's slow start */
#endif
#ifndef XK_ONE_WAY
#define XK_ONE_WAY 0 /* TCPTEST's server sends a byte a millisecond; its client only reads */
#endif
#ifndef XK_TCP_HDRPRED
#define XK_TCP_HDRPRED 0 /* header prediction as in BSD Net/2 */
#endif
#ifndef XK_CONNECTIONS
#define XK_CONNECTIONS 1 /* TCPTEST's and XRPCTEST's: 1, 8 or 64, which take turns */
#endif
#ifndef XK_STREAM
#define XK_STREAM 0 /* the test's client sends as much as it can: throughput, not latency */
#endif
/* The fast path (docs/explanation/fastpath.md): the steps of version FAST. */
#ifndef XK_FAST_IN
#define XK_FAST_IN 0 /* what is expected goes from ETH to TCP's or MSELECT's user in one */
#endif
#ifndef XK_FAST_GUARD
#define XK_FAST_GUARD 1 /* 0, as PIN's: a frame's headers are taken to be the connection's */
#endif
#ifndef XK_FAST_OUT
#define XK_FAST_OUT 0 /* a short frame is put together from a template */
#endif
#ifndef XK_FAST_RING
#define XK_FAST_RING 0 /* a short frame goes to the chip without a change of the IPL */
#endif
#ifndef XK_FAST_USER
#define XK_FAST_USER 0 /* window news and short messages are looked at in line */
#endif
#ifndef XK_FAST_TIMER
#define XK_FAST_TIMER 0 /* CHAN's timers are not cancelled, but look whether they are due */
#endif
#ifndef XK_FAST_TABLE
#define XK_FAST_TABLE 0 /* a frame's ports or channel choose the connection, not the last frame */
#endif
#ifndef XK_FAST_OWN
#define XK_FAST_OWN 0 /* and the connection has code of its own: xkernel/own_code */
#endif
#define XK_FAST (XK_FAST_IN || XK_FAST_OUT)
#ifndef XK_CHECKS
#define XK_CHECKS 0 /* callers' mistakes end the machine with a message */
#endif

/* Only errors, initialisation and rare cases are annotated. STD translates them as plain ifs. With
 * XK_OUTLINE the unlikely way begins with a comment in the assembly, by which
 * tools/mcpi/firmware/outline.py finds what it must move to the end of the function. GCC's own
 * __builtin_expect is not used: it works only together with GCC's guesses, which move what nobody
 * has annotated (docs/explanation/variants.md).
 */
#ifdef XK_OUTLINE
#define UNLIKELY_FROM_HERE __asm__ volatile("# outline: unlikely")
/* clang-format off */
#define PREDICT_FALSE(c) ((c) && ({ UNLIKELY_FROM_HERE; 1; }))
#define PREDICT_TRUE(c) ((c) || ({ UNLIKELY_FROM_HERE; 0; }))
/* clang-format on */
#else
#define PREDICT_FALSE(c) (c)
#define PREDICT_TRUE(c) (c)
#endif
