/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP's fast path of many connections: the table by which a frame finds its connection, and the
 * connections' own code (docs/explanation/cloning.md). */
#include "protocols/ip/ip_private.h"
#include "protocols/tcp/fast/tcp_fast.h"
#include "protocols/tcp/fast/tcp_fast_begin.h"
#include "xkernel/console.h"
#include "xkernel/memory/allocate.h"
#include "xkernel/own_code/own_code.h"

#if XK_FAST_TABLE

struct tcp_fast_entry tcp_fast_table[TCP_FAST_ENTRIES];
struct tcp_fast_counts tcp_fast_counts;

static struct tcp_fast_entry *entry_of(const struct tcp *t)
{
	return tcp_fast_entry((uint32_t)(t->fast.destination >> 32));
}

#if XK_FAST_OWN
enum object { USER = OWN_SESSION + 1, USER_OPS, CONNECTION, IP_SESSION, IP_PROTOCOL, OTHER };

/* Constants of tcp_fast_input() and tcp_fast_push() between tcp_fast_enter() and tcp_fast_leave().
 * After that only a call that has not returned is in their code: its session is there until then,
 * and is not established. */
static inline void constants(void)
{
	/* Set when the session is made, and never again. */
	OWN_INSIDE(OWN_SESSION, struct xobj, state, CONNECTION, sizeof(struct xobj));
	OWN_ADDRESS(OWN_SESSION, struct xobj, up, USER);
	OWN_ADDRESS(OWN_SESSION, struct xobj, down[0], IP_SESSION);
	OWN_ADDRESS(IP_SESSION, struct xobj, protocol, IP_PROTOCOL);
	/* Set when the machine starts. */
	OWN_ADDRESS(IP_PROTOCOL, struct xobj, state, OTHER);
	OWN_ADDRESS(USER, struct xobj, ops, USER_OPS);
	OWN_CALL(USER_OPS, struct xobj_ops, demux);
	/* Set by the peer's SYN, before the connection is established. */
	OWN_SMALL(CONNECTION, struct tcp, segment_max);
	/* Set by tcp_fast_begin(), before the entry. */
	OWN_NOT_ZERO(CONNECTION, struct tcp, fast.ready);
	OWN_ADDRESS(CONNECTION, struct tcp, fast.driver, OTHER);
	OWN_ADDRESS(CONNECTION, struct tcp, fast.bytes.front, OTHER);
	OWN_ADDRESS(CONNECTION, struct tcp, fast.bytes.head, OTHER);
}

static void own_code(struct xobj *s, struct tcp_fast_entry *e)
{
	struct tcp *t = s->state;
	struct xobj_ops *ops = xk_allocate_zeroed(sizeof *ops);
	uintptr_t code[OWN_CODE_FUNCTIONS];

	constants();
	t->fast.own = ops ? own_code_open(s, code) : 0;
	if (!t->fast.own) {
		xk_free(ops);
		return;
	}
	*ops = *s->ops;
	t->fast.ops = ops;
	ops->push = (int (*)(struct xobj *, struct msg *))code[1];
	s->ops = ops;
	e->input = (tcp_fast_way)code[0];
}

/* Not before: an upcall that has not returned is called by this code. */
void tcp_fast_freed(struct xobj *s)
{
	const struct tcp *t = s->state;

	if (!t->fast.own)
		return;
	if (XK_CHECKS && (entry_of(t)->session == s || s->ops == t->fast.ops))
		console_fail("tcp", "code of a connection that is gone can still be called");
	own_code_close(t->fast.own);
	xk_free(t->fast.ops);
}

static void check(const struct xobj *s)
{
	const struct tcp *t = s->state;

	if (XK_CHECKS && t->fast.own)
		own_code_check(s, t->fast.own);
}
#else
static void own_code(struct xobj *s, struct tcp_fast_entry *e)
{
}

static void check(const struct xobj *s)
{
}
#endif

void tcp_fast_enter(struct xobj *s)
{
	struct tcp_fast_entry *e = entry_of(s->state);

	if (e->session) {
		tcp_fast_counts.no_entry++;
		return;
	}
	e->input = tcp_fast_shared;
	own_code(s, e);
	e->session = s;
}

void tcp_fast_leave(struct xobj *s)
{
	struct tcp_fast_entry *e = entry_of(s->state);

	if (e->session == s)
		e->session = NULL;
	s->ops = &tcp_session_ops;
	check(s);
}

#endif
