/* SPDX-License-Identifier: BSD-2-Clause */
/* The uniform protocol interface: protocols and sessions are XObjs, all operations are one indirect
 * call through a constant table.
 *
 * A protocol demultiplexes, a session is an open end point. `refs` of a session counts the
 * permanent references from outside and the pops and calls in progress; at 0 its close operation
 * runs. Every call may switch threads: re-read what you know afterwards. Nothing here runs in an
 * interrupt handler. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "xkernel/message/msg.h"
#include "xkernel/switches.h"

enum xk_result {
	XK_OK = 0,
	XK_ERROR = -1, /* refused or malformed */
	XK_NO_MEMORY = -2,
	XK_WOULD_BLOCK = -3, /* no room now (a full transmit ring): as if lost on the wire */
	XK_REFUSED = -4,
	XK_RESET = -5,
	XK_TIMED_OUT = -6,
	XK_UNKNOWN = -7, /* control: opcode not understood here nor below */
};

/* Why a lower session tells its user about closing (xCloseDone). */
enum xk_close {
	XK_CLOSE_PEER, /* the peer sends no more; we still may */
	XK_CLOSE_DONE, /* both directions are closed and acknowledged */
	XK_CLOSE_REFUSED,
	XK_CLOSE_RESET,
	XK_CLOSE_TIMED_OUT,
};

enum { PART_ITEMS = 4, XOBJ_DOWN = 4 };

/* A participant: a stack of addresses, the uppermost protocol's on top. */
struct part {
	int items;
	struct {
		const void *data;
		size_t bytes;
	} item[PART_ITEMS];
};

static inline void part_init(struct part *p)
{
	p->items = 0;
}

/* Empties the participants of the peer's and of our own side. */
static inline void parts_init(struct part parts[2])
{
	part_init(&parts[0]);
	part_init(&parts[1]);
}

void part_push(struct part *p, const void *data, size_t bytes);
/* The top item, which must have `bytes` bytes, or NULL. */
const void *part_pop(struct part *p, size_t bytes);

struct xobj;

/* Participants: parts[0] remote, parts[1] local; either may have no items (any). */
struct xobj_ops {
	/* protocols */
	struct xobj *(*open)(struct xobj *self, struct xobj *receiver, struct xobj *type,
			     struct part *parts);
	int (*open_enable)(struct xobj *self, struct xobj *receiver, struct xobj *type,
			   struct part *parts);
	int (*open_disable)(struct xobj *self, struct xobj *receiver, struct xobj *type,
			    struct part *parts);
	int (*open_done)(struct xobj *self, struct xobj *session, struct xobj *lower);
	void (*close_done)(struct xobj *self, struct xobj *session, enum xk_close why);
	int (*demux)(struct xobj *self, struct xobj *lower, struct msg *m);
	/* sessions */
	int (*push)(struct xobj *self, struct msg *m);
	int (*pop)(struct xobj *self, struct xobj *lower, struct msg *m, void *header);
	int (*call)(struct xobj *self, struct msg *m, struct msg *reply);
	int (*call_pop)(struct xobj *self, struct xobj *lower, struct msg *m, void *header,
			struct msg *reply);
	int (*call_demux)(struct xobj *self, struct xobj *lower, struct msg *m, struct msg *reply);
	void (*close)(struct xobj *self);
	/* both */
	int (*control)(struct xobj *self, int op, void *buffer, size_t bytes);
};

struct xobj {
	const struct xobj_ops *ops;
	struct xobj *up;	      /* sessions: who gets what arrives */
	struct xobj *down[XOBJ_DOWN]; /* lower protocols, or lower sessions */
	void *state;		      /* the protocol's own */
	struct ref refs;
	struct xobj *protocol; /* sessions: made by; protocols: itself */
	struct xobj *type;     /* sessions: the upper protocol whose number is in the header */
	const char *name;
	uint64_t used; /* for the idle collector (idle.h) */
};

/* Every operation a table leaves out is one of these defaults: see xobj_ops_default. */
extern const struct xobj_ops xobj_ops_default;
struct xobj *xobj_open_default(struct xobj *, struct xobj *, struct xobj *, struct part *);
int xobj_enable_default(struct xobj *, struct xobj *, struct xobj *, struct part *);
int xobj_open_done_default(struct xobj *, struct xobj *, struct xobj *);
void xobj_close_done_default(struct xobj *, struct xobj *, enum xk_close);
int xobj_demux_default(struct xobj *, struct xobj *, struct msg *);
int xobj_push_default(struct xobj *, struct msg *);
int xobj_pop_default(struct xobj *, struct xobj *, struct msg *, void *);
int xobj_call_default(struct xobj *, struct msg *, struct msg *);
int xobj_call_pop_default(struct xobj *, struct xobj *, struct msg *, void *, struct msg *);
int xobj_call_demux_default(struct xobj *, struct xobj *, struct msg *, struct msg *);
void xobj_close_default(struct xobj *);
int xobj_control_default(struct xobj *, int, void *, size_t); /* asks down[0] */

/* Overriding a default is the purpose of these tables, so no warning about it. */
#pragma GCC diagnostic ignored "-Woverride-init"
/* First in every table; what follows overrides: { XOBJ_DEFAULTS, .push = eth_push }. */
#define XOBJ_DEFAULTS                                                                              \
	.open = xobj_open_default, .open_enable = xobj_enable_default,                             \
	.open_disable = xobj_enable_default, .open_done = xobj_open_done_default,                  \
	.close_done = xobj_close_done_default, .demux = xobj_demux_default,                        \
	.push = xobj_push_default, .pop = xobj_pop_default, .call = xobj_call_default,             \
	.call_pop = xobj_call_pop_default, .call_demux = xobj_call_demux_default,                  \
	.close = xobj_close_default, .control = xobj_control_default

/* A session of `protocol`, refs 0, with `state_bytes` zeroed bytes at ->state. NULL: no memory.
 * `lower` (may be NULL) becomes down[0]; the caller has already counted its reference. */
struct xobj *xCreateSession(struct xobj *protocol, const struct xobj_ops *ops, struct xobj *up,
			    struct xobj *type, struct xobj *lower, size_t state_bytes);
void xDestroy(struct xobj *session); /* frees it; does not close what is below */

static inline struct xobj *xOpen(struct xobj *receiver, struct xobj *type, struct xobj *lower,
				 struct part *parts)
{
	return lower->ops->open(lower, receiver, type, parts);
}

static inline int xOpenEnable(struct xobj *receiver, struct xobj *type, struct xobj *lower,
			      struct part *parts)
{
	return lower->ops->open_enable(lower, receiver, type, parts);
}

static inline int xOpenDisable(struct xobj *receiver, struct xobj *type, struct xobj *lower,
			       struct part *parts)
{
	return lower->ops->open_disable(lower, receiver, type, parts);
}

static inline int xOpenDone(struct xobj *upper, struct xobj *session, struct xobj *lower)
{
	return upper->ops->open_done(upper, session, lower);
}

static inline void xCloseDone(struct xobj *session, enum xk_close why)
{
	session->up->ops->close_done(session->up, session, why);
}

/* The message's contents are undefined afterwards, but the pusher still destroys it. */
static inline int xPush(struct xobj *session, struct msg *m)
{
	return session->ops->push(session, m);
}

/* `session` hands a message to the object above it. */
static inline int xDemux(struct xobj *session, struct msg *m)
{
	return session->up->ops->demux(session->up, session, m);
}

static inline int xCallDemux(struct xobj *session, struct msg *m, struct msg *reply)
{
	return session->up->ops->call_demux(session->up, session, m, reply);
}

/* A message went by: the idle collector leaves it. Processors that share a session don't store what
 * is there already. */
static inline void xUsed(struct xobj *session)
{
	if (!XK_MP)
		session->used = 1;
	else if (!atomic_read(&session->used))
		atomic_write(&session->used, 1);
}

static inline struct xobj *xDuplicate(struct xobj *session)
{
	ref_up(&session->refs);
	return session;
}

/* With XK_CHECKS: somebody gave back what he did not have. Ends the machine. */
void xobj_closed_too_often(const struct xobj *session);

/* Gives a reference back. */
static inline void xClose(struct xobj *session)
{
	if (XK_CHECKS && !ref_read(&session->refs))
		xobj_closed_too_often(session);
	if (ref_down(&session->refs) == 0)
		session->ops->close(session);
}

/* Blocks until the reply is there; a session closed meanwhile stays until then. */
static inline int xCall(struct xobj *session, struct msg *m, struct msg *reply)
{
	int result;

	ref_up(&session->refs);
	result = session->ops->call(session, m, reply);
	xClose(session);
	return result;
}

/* A protocol's demux hands the message to its own session. */
static inline int xPop(struct xobj *session, struct xobj *lower, struct msg *m, void *header)
{
	int result;

	ref_up(&session->refs);
	result = session->ops->pop(session, lower, m, header);
	xClose(session);
	return result;
}

static inline int xCallPop(struct xobj *session, struct xobj *lower, struct msg *m, void *header,
			   struct msg *reply)
{
	int result;

	ref_up(&session->refs);
	result = session->ops->call_pop(session, lower, m, header, reply);
	xClose(session);
	return result;
}

/* Bytes written or read, or an enum xk_result below 0. */
static inline int xControl(struct xobj *object, int op, void *buffer, size_t bytes)
{
	return object->ops->control(object, op, buffer, bytes);
}

/* Opcodes: class * 100 + n. Every class may be asked of any object; unknown ones go down. */
enum xk_control {
	XK_GET_MY_HOST = 100,	 /* 6 bytes (eth, lance) or uint32_t in host order (ip and up) */
	XK_GET_MAX_PACKET = 101, /* uint32_t: largest message xPush takes */
	XK_GET_OPT_PACKET = 102, /* uint32_t: largest without fragmentation */
	XK_GET_PEER_HOST = 103,
	XK_RECOGNISE = 104, /* struct path_pattern: an id for such frames, above 0 */
};

/* Words of a path's frame, as path.h reads them, and which of their bits a driver is to recognise
 * it by. */
struct path_pattern {
	const uint64_t *first, *masks;
	uint64_t quads;
};
