/* SPDX-License-Identifier: BSD-2-Clause */
/* A channel's entry in the table of the fast path, and what is constant while it is there. */
#include "protocols/mselect/mselect_fast.h"
#include "xkernel/own_code/own_code.h"

#if XK_FAST_TABLE

#if XK_FAST_OWN
enum object { CHANNEL = OWN_SESSION + 1, SESSION, BELOW, PROGRAM, PROGRAM_OPS, OTHER };

/* Constants of mselect_fast_input() and mselect_fast_down() between chan_fast_enter() and
 * chan_fast_leave(). A call that has not returned after that holds MSELECT's session. `ready` is no
 * constant: while the user answers, the channel's other session may end. */
static inline void constants(void)
{
	/* Set when the sessions are made, and never again. */
	OWN_INSIDE(OWN_SESSION, struct xobj, state, CHANNEL, sizeof(struct xobj));
	OWN_ADDRESS(SESSION, struct xobj, state, OTHER);
	OWN_ADDRESS(SESSION, struct xobj, up, PROGRAM);
	OWN_ADDRESS(SESSION, struct xobj, down[0], BELOW);
	OWN_ADDRESS(BELOW, struct xobj, state, OTHER);
	/* Set when the machine starts. */
	OWN_ADDRESS(PROGRAM, struct xobj, ops, PROGRAM_OPS);
	OWN_CALL(PROGRAM_OPS, struct xobj_ops, call_demux);
	/* Set by mselect_fast_begin(), before the entry. */
	OWN_ADDRESS(CHANNEL, struct chan_end, fast.user, SESSION);
}
#else
static inline void constants(void)
{
}
#endif

void mselect_fast_enter(struct xobj *channel)
{
	constants();
	chan_fast_enter(channel, mselect_fast_shared_up, mselect_fast_shared_down);
}

#endif
