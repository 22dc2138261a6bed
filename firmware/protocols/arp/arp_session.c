/* SPDX-License-Identifier: BSD-2-Clause */
/* ARP: sessions stand in ETH's place below VNET and open ETH once the station address is known.
 * Nothing comes up through them: what the other host sends arrives through ETH's sessions. */
#include "protocols/arp/arp_private.h"

/* ETH's session to `mac` becomes what is below. */
static void attach(struct arp_session *s, uint64_t mac)
{
	struct xobj *session = s->session, *lower = session->down[0];
	struct part parts[2];

	parts_init(parts);
	part_push(&parts[0], &mac, ETH_MAC_BYTES);
	session->down[0] = xOpen(s->receiver, session->type, session->protocol->down[0], parts);
	s->mac = session->down[0] ? mac : 0;
	if (lower)
		xClose(lower);
	if (!session->down[0])
		arp_counts.no_memory++;
}

static int send(struct arp_session *s, uint64_t mac, struct msg *m)
{
	if (s->mac != mac)
		attach(s, mac);
	return s->session->down[0] ? xPush(s->session->down[0], m) : XK_NO_MEMORY;
}

static void let_go(struct arp_session *s)
{
	if (s->holds)
		msg_destroy(&s->held);
	s->holds = 0;
}

/* The newest message is the one worth keeping (RFC 1122 2.3.2.2). */
static int arp_push(struct xobj *session, struct msg *m)
{
	struct arp_session *s = session->state;
	uint64_t mac = arp_resolve(session->protocol->state, s->host);

	if (mac)
		return send(s, mac, m);
	arp_counts.replaced += (uint64_t)s->holds;
	let_go(s);
	msg_share(&s->held, m);
	s->holds = 1;
	return XK_OK;
}

void arp_answered(struct arp *arp, const struct arp_entry *entry)
{
	uint32_t host = entry->host;
	uint64_t mac = entry->mac;

	for (struct arp_session *s = arp->sessions; s; s = s->next) {
		struct msg m;

		if (s->host != host || !s->holds)
			continue;
		m = s->held;
		s->holds = 0;
		send(s, mac, &m);
		msg_destroy(&m);
	}
}

static void arp_close(struct xobj *session)
{
	struct arp_session *s = session->state, **link;
	struct arp *arp = session->protocol->state;

	for (link = &arp->sessions; *link != s; link = &(*link)->next)
		;
	*link = s->next;
	let_go(s);
	if (session->down[0])
		xClose(session->down[0]);
	xDestroy(session);
}

static int arp_control(struct xobj *session, int op, void *buffer, size_t bytes)
{
	const struct arp_session *s = session->state;

	if (op != XK_GET_PEER_HOST)
		return xControl(session->protocol->down[0], op, buffer, bytes);
	return s->mac ? xControl(session->down[0], op, buffer, bytes) : XK_ERROR;
}

static const struct xobj_ops session_ops = {
	XOBJ_DEFAULTS,
	.push = arp_push,
	.close = arp_close,
	.control = arp_control,
};

static void gave_up(struct arp *arp, uint32_t host)
{
	for (struct arp_session *s = arp->sessions; s; s = s->next) {
		if (s->host != host || !s->holds)
			continue;
		arp_counts.dropped++;
		let_go(s);
	}
}

void arp_sessions_start(struct arp *arp)
{
	arp->gave_up = gave_up;
}

struct xobj *arp_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
		      struct part *parts)
{
	struct arp *arp = self->state;
	const uint32_t *host = part_pop(parts, sizeof *host);
	struct xobj *session;
	struct arp_session *s;

	if (!host || *host == 0 || *host == arp->address || !arp_is_neighbour(arp, *host))
		return NULL;
	for (s = arp->sessions; s; s = s->next)
		if (s->host == *host && s->session->type == type)
			return xDuplicate(s->session);
	session = xCreateSession(self, &session_ops, receiver, type, NULL, sizeof *s);
	if (!session) {
		arp_counts.no_memory++;
		return NULL;
	}
	s = session->state;
	s->session = session;
	s->host = *host;
	s->receiver = receiver;
	s->next = arp->sessions;
	arp->sessions = s;
	return xDuplicate(session);
}
