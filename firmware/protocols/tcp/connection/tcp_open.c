/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: active and passive opens. */
#include "protocols/tcp/connection/tcp_connection.h"
#include "protocols/tcp/output/tcp_output.h"
#include "xkernel/byteorder.h"

/* Local port as on the wire that makes no existing connection; 0: none. */
static uint32_t choose_port(struct tcp_protocol *p, uint32_t remote, uint32_t remote_port)
{
	for (uint32_t i = TCP_FIRST_PORT; i < 65536; i++) {
		uint32_t port = swap16(p->next_port);
		uint64_t key = tcp_key(remote, remote_port | port << 16);

		p->next_port = p->next_port < 65535 ? p->next_port + 1 : TCP_FIRST_PORT;
		if (!map_find(&p->active, &key))
			return port;
	}
	return 0;
}

static int wait_for_peer(struct xobj *s)
{
	struct tcp *t = s->state;

	if (XK_MP)
		return tcp_connect(s);
	t->waiting_open = 1;
	tcp_output(s);
	if (sem_wait(&t->opened)) {
		t->waiting_open = 0;
		return XK_NO_MEMORY;
	}
	return t->open_result;
}

struct xobj *tcp_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
		      struct part *parts)
{
	struct tcp_protocol *p = self->state;
	const uint16_t *remote_port = part_pop(&parts[0], sizeof *remote_port);
	const uint16_t *local_port = part_pop(&parts[1], sizeof *local_port);
	struct xobj *lower, *s = NULL;
	struct tcp *t;
	uint32_t remote, ports;

	if (!remote_port || *remote_port == 0)
		return NULL;
	lower = xOpen(self, self, self->down[0], parts);
	if (!lower)
		return NULL;
	if (xControl(lower, XK_GET_PEER_HOST, &remote, sizeof remote) >= 0) {
		remote = swap32(remote);
		ports = swap16(*remote_port);
		ports |= (local_port ? swap16(*local_port) : choose_port(p, remote, ports)) << 16;
		if (ports >> 16)
			s = tcp_session_make(self, receiver, type, lower, remote, ports);
	}
	if (!s) {
		xClose(lower);
		return NULL;
	}
	t = s->state;
	xDuplicate(s);
	TCP_BEGIN(s);
	t->state = TCP_SYN_SENT;
	t->timer[TCP_KEEP] = TCP_KEEP_OPENING;
	TCP_END;
	if (wait_for_peer(s) != XK_OK) {
		xClose(s);
		return NULL;
	}
	return s;
}

int tcp_open_enable(struct xobj *self, struct xobj *receiver, struct xobj *type, struct part *parts)
{
	struct tcp_protocol *p = self->state;
	const uint16_t *port = part_pop(&parts[1], sizeof *port);

	return passive_bind_port(&p->passive, port, receiver, type, xk_allocate_zeroed);
}

/* Connections that this port's listener would still be told of. */
static int reset_half_open(const uint64_t *key, void *value, void *arg)
{
	struct xobj *s = xDuplicate(value);
	const struct tcp *t = s->state;

	if (t->passive && (*key >> 16 & 0xffff) == *(const uint64_t *)arg)
		xControl(s, TCP_ABORT, NULL, 0);
	xClose(s);
	return MAP_CONTINUE;
}

int tcp_open_disable(struct xobj *self, struct xobj *receiver, struct xobj *type,
		     struct part *parts)
{
	struct tcp_protocol *p = self->state;
	const uint16_t *port = part_pop(&parts[1], sizeof *port);
	uint64_t key;

	if (!port)
		return XK_ERROR;
	key = swap16(*port);
	if (passive_unbind(&p->passive, 1, &key, &receiver))
		return XK_ERROR;
	tcp_for_each(p, reset_half_open, &key);
	return XK_OK;
}
