/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/station.h"

#include "protocols/lance/lance.h"

static struct xobj driver, user;
static struct xobj *session;

int station_start(void)
{
	driver = (struct xobj){ .ops = &xobj_ops_default, .name = "lance", .protocol = &driver };
	user = (struct xobj){ .ops = &xobj_ops_default, .name = "kernel", .protocol = &user };
	if (lance_init(&driver) < 0)
		return -1;
	session = xOpen(&user, &user, &driver, NULL);
	return session ? 0 : -1;
}

int station_send(size_t bytes, void (*fill)(void *frame, const void *arg), const void *arg)
{
	struct msg m;
	int result;

	if (msg_init_bytes(&m, bytes))
		return -1;
	fill(m.head, arg);
	result = xPush(session, &m);
	msg_destroy(&m);
	return result < 0 ? -1 : 0;
}
