/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of TCP's state machine to other layers, and the places of parallel TCP's locks.
 *
 * One processor: it is done at once, and there are no locks. With XK_MP it is only noted, and done
 * when the connection's locks have been released (parallel/work.h). Each of these is then a
 * function; without XK_MP each is a macro, because even an empty function changes the order of
 * operands in an image. */
#pragma once

#include "protocols/tcp/parallel/locks.h"
#include "xkernel/upi.h"

#if XK_MP
#include "protocols/tcp/parallel/work.h"
#else
#define tcp_up(s, m) xDemux(s, m)
#define tcp_tell(s, why) xCloseDone(s, why)
#define tcp_unbind(p, t) map_unbind(&(p)->active, &(t)->key)
#define tcp_give_back(s) xClose(s)
#define tcp_accept_later() ((void)0) /* and these three stand behind if (XK_MP) */
#define tcp_may_be_born(p) 1
#define tcp_send_later(ip_session, m, h, sum) XK_OK
#define tcp_connect(s) XK_OK
#define tcp_may_go_on(output) 1 /* with the next segment */
#define tcp_for_each(p, visit, arg) map_for_each(&(p)->active, visit, arg)

/* Around what changes a connection, where no pop, push, control or close does. */
#define TCP_BEGIN(s)
#define TCP_END

#define tcp_is_not_born(p)
#define tcp_lock_births(p)
#define tcp_unlock_births(p)
#define tcp_lock_reassembly(t)
#define tcp_unlock_reassembly(t)
#define tcp_lock_queue(t)
#define tcp_unlock_queue(t)
#define TCP_PARALLEL
#define TCP_BIRTHS
#endif
