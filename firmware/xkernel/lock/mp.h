/* SPDX-License-Identifier: BSD-2-Clause */
/* Switches of the parallel x-kernel; tested by `if`, and by #if only around what a structure has.
 * Without XK_MP nothing of it is in an image: locks are empty, counts are plain. */
#pragma once

#ifndef XK_MP
#define XK_MP 0 /* several processors: locks, atomic counts, per-processor data */
#endif
#ifndef XK_MP_SYNC
#define XK_MP_SYNC 0 /* the machine has a sync bus; LOCK_MUTEX is a lock of that bus */
#endif
/* The machine's own lock, as OSDI'94 has it: of maps, heap, counts, events. */
#define LOCK_MUTEX (XK_MP_SYNC ? LOCK_SYNC : LOCK_TAS)
#ifndef XK_MP_LOCK
#define XK_MP_LOCK LOCK_MUTEX /* kind of the locks of connections and applications */
#endif
#ifndef XK_MP_MAPLOCK
#define XK_MP_MAPLOCK 1 /* a counting lock for each map; off: correct while no processor binds */
#endif
#ifndef XK_MP_MAP_LOCK
#define XK_MP_MAP_LOCK LOCK_MUTEX /* kind of the maps' locks */
#endif
#ifndef XK_MP_ATOMIC
#define XK_MP_ATOMIC 1 /* a count is one LDQ_L and STQ_C; off: a lock of its own guards it */
#endif
#ifndef XK_MP_MSGCACHE
#define XK_MP_MSGCACHE 1 /* each processor keeps pieces of messages; off: the heap has them */
#endif
#ifndef XK_MP_PAD
#define XK_MP_PAD 1 /* a lock has its own blocks of the b-cache; off: next to data */
#endif
#ifndef XK_MP_UNROLL
#define XK_MP_UNROLL 1 /* the checksum takes 64 bytes a turn; off: 16 */
#endif

#ifndef XK_MP_CHECKSUM
#define XK_MP_CHECKSUM 1 /* off: TCP and UDP neither compute nor check sums (OSDI'94 3) */
#endif
#ifndef XK_MP_TCP_LOCKS
#define XK_MP_TCP_LOCKS 1 /* of a connection of TCP: 1, 2 or 6 (protocols/tcp/parallel/locks.h) */
#endif
#ifndef XK_MP_TICKETS
#define XK_MP_TICKETS 0 /* delivered segments have numbers; the receiver waits for its turn */
#endif
#ifndef XK_MP_ASSUME_ORDER
#define XK_MP_ASSUME_ORDER 0 /* TCP takes each data segment as the expected segment */
#endif

enum { XK_CPUS = 8, XK_MP_BLOCK = 128 /* the largest block of a b-cache */ };
