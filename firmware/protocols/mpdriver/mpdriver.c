/* SPDX-License-Identifier: BSD-2-Clause */
#include "protocols/mpdriver/mpdriver.h"

#include "platform/platform.h"
#include "xkernel/memory/memory.h"

struct mpdriver_counts mpdriver_counts PER_CPU;

static int push(struct xobj *session, struct msg *m)
{
	COUNT(mpdriver_counts, sent);
	ADD_COUNT(mpdriver_counts, sent_bytes, msg_bytes(m));
	return XK_OK;
}

int mpdriver_receive(struct xobj *session, struct msg *frame)
{
	struct msg m;
	int result;

	msg_share(&m, frame);
	COUNT(mpdriver_counts, received);
	result = xDemux(session, &m);
	msg_destroy(&m);
	return result;
}

static const struct xobj_ops session_ops = { XOBJ_DEFAULTS, .push = push };

/* One session, for whoever stands above. */
static struct xobj *open_session(struct xobj *self, struct xobj *receiver, struct xobj *type,
				 struct part *parts)
{
	struct xobj *session = xCreateSession(self, &session_ops, receiver, type, NULL, 0);

	return session ? xDuplicate(session) : NULL;
}

static const struct xobj_ops protocol_ops = { XOBJ_DEFAULTS, .open = open_session };

int mpdriver_init(struct xobj *self)
{
	self->ops = &protocol_ops;
	return XK_OK;
}
