/* SPDX-License-Identifier: BSD-2-Clause */
/* Defaults of the uniform protocol interface, sessions, participants. */
#include "xkernel/upi.h"

#include "xkernel/console.h"
#include "xkernel/memory/allocate.h"

const struct xobj_ops xobj_ops_default = { XOBJ_DEFAULTS };

struct xobj *xobj_open_default(struct xobj *self, struct xobj *receiver, struct xobj *type,
			       struct part *parts)
{
	return NULL;
}

int xobj_enable_default(struct xobj *self, struct xobj *receiver, struct xobj *type,
			struct part *parts)
{
	return XK_ERROR;
}

int xobj_open_done_default(struct xobj *self, struct xobj *session, struct xobj *lower)
{
	return XK_OK;
}

void xobj_close_done_default(struct xobj *self, struct xobj *session, enum xk_close why)
{
}

int xobj_demux_default(struct xobj *self, struct xobj *lower, struct msg *m)
{
	return XK_ERROR;
}

int xobj_push_default(struct xobj *self, struct msg *m)
{
	return XK_ERROR;
}

int xobj_pop_default(struct xobj *self, struct xobj *lower, struct msg *m, void *header)
{
	return XK_ERROR;
}

int xobj_call_default(struct xobj *self, struct msg *m, struct msg *reply)
{
	return XK_ERROR;
}

int xobj_call_pop_default(struct xobj *self, struct xobj *lower, struct msg *m, void *header,
			  struct msg *reply)
{
	return XK_ERROR;
}

int xobj_call_demux_default(struct xobj *self, struct xobj *lower, struct msg *m, struct msg *reply)
{
	return XK_ERROR;
}

void xobj_close_default(struct xobj *self)
{
}

int xobj_control_default(struct xobj *self, int op, void *buffer, size_t bytes)
{
	if (!self->down[0])
		return XK_UNKNOWN;
	return xControl(self->down[0], op, buffer, bytes);
}

struct xobj *xCreateSession(struct xobj *protocol, const struct xobj_ops *ops, struct xobj *up,
			    struct xobj *type, struct xobj *lower, size_t state_bytes)
{
	/* One block for both: they are used together. */
	struct xobj *s = xk_allocate_zeroed(sizeof *s + state_bytes);

	if (PREDICT_FALSE(!s))
		return NULL;
	s->ops = ops;
	s->up = up;
	s->down[0] = lower;
	s->state = s + 1;
	s->protocol = protocol;
	s->type = type;
	s->name = protocol->name;
	return s;
}

void xDestroy(struct xobj *session)
{
	xk_free(session);
}

#if XK_CHECKS
void xobj_closed_too_often(const struct xobj *session)
{
	console_fail(session->name, "a session is closed more often than it was opened");
}
#endif

void part_push(struct part *p, const void *data, size_t bytes)
{
	if (p->items == PART_ITEMS)
		return; /* the lower protocol will miss its item and refuse the open */
	p->item[p->items].data = data;
	p->item[p->items].bytes = bytes;
	p->items++;
}

const void *part_pop(struct part *p, size_t bytes)
{
	if (!p || p->items == 0 || p->item[p->items - 1].bytes != bytes)
		return NULL;
	return p->item[--p->items].data;
}
