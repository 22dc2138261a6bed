/* SPDX-License-Identifier: BSD-2-Clause */
/* The common parts of users of protocols: participants of an open, and their operations. */
#pragma once

#include "platform/host/host.h"
#include "xkernel/upi.h"

/* A participant that is NULL is left out. */
static inline void parts_of(struct part parts[2], const uint32_t *host, const uint16_t *port,
			    const uint16_t *my_port)
{
	parts_init(parts);
	if (host)
		part_push(&parts[0], host, sizeof *host);
	if (port)
		part_push(&parts[0], port, sizeof *port);
	if (my_port)
		part_push(&parts[1], my_port, sizeof *my_port);
}
/* Pushes, and holds a reference meanwhile: an upcall may close the session. */
static inline int push_held(struct xobj *session, struct msg *m)
{
	xDuplicate(session);
	int result = xPush(session, m);
	xClose(session);
	msg_destroy(m);
	return result;
}

/* IN_KERNEL(f) { steps } defines void f(void), whose steps a thread of the kernel takes. */
#define IN_KERNEL(name)                                                                            \
	static void name##_now(void *);                                                            \
	void name(void)                                                                            \
	{                                                                                          \
		host_call(name##_now, NULL);                                                       \
	}                                                                                          \
	static void name##_now(void *)

/* A protocol of the tests': `ops` are those named, and name_init finds itself. */
#define USER_PROTOCOL(name, ...)                                                                   \
	int name##_init(struct xobj *self)                                                         \
	{                                                                                          \
		static const struct xobj_ops ops = { XOBJ_DEFAULTS, __VA_ARGS__ };                 \
		self->ops = &ops;                                                                  \
		self_protocol = self;                                                              \
		return XK_OK;                                                                      \
	}
