/* SPDX-License-Identifier: BSD-2-Clause */
/* CHAN: the sequences of channels that have no session now. Without a server's, a request from the
 * past would be executed again; without a client's, new ones would be taken for old.
 *
 * Key: machine and its boot id, upper protocol and channel, which end. A server's sequence means
 * nothing to another boot of the client; a client's is as good for another boot of the server. */
#include "protocols/bidctl/bidctl.h"
#include "protocols/chan/chan_private.h"

static void dormant_key(uint64_t key[3], struct xobj *session, int is_client)
{
	const struct chan_end *e = session->state;
	uint32_t boot = 0;

	if (!is_client)
		xControl(session->down[0], BIDCTL_GET_PEER_ID, &boot, sizeof boot);
	key[0] = (uint64_t)e->host << 32 | boot;
	key[1] = e->key[1];
	key[2] = (uint64_t)is_client;
}

static const uint64_t PRESENT = (uint64_t)1 << 32; /* so that sequence 0 is not NULL */

int chan_remember(struct xobj *session, int is_client)
{
	struct chan *c = session->protocol->state;
	const struct chan_end *e = session->state;
	uint64_t key[3];

	if (c->dormant.entries >= CHAN_DORMANT) {
		chan_counts.full++;
		return -1;
	}
	dormant_key(key, session, is_client);
	if (map_bind(&c->dormant, key, (void *)(uintptr_t)(PRESENT | e->sequence))) {
		chan_counts.no_memory++;
		return -1;
	}
	return 0;
}

void chan_recall(struct xobj *session, int is_client)
{
	struct chan *c = session->protocol->state;
	struct chan_end *e = session->state;
	uint64_t key[3];
	void *value;

	dormant_key(key, session, is_client);
	value = map_unbind(&c->dormant, key);
	if (value)
		e->sequence = (uint32_t)(uintptr_t)value;
}

static int visit(const uint64_t *key, void *value, void *arg)
{
	if (key[0] >> 32 == *(uint32_t *)arg && !key[2])
		return MAP_CONTINUE | MAP_REMOVE;
	return MAP_CONTINUE;
}

void chan_forget_host(struct chan *c, uint32_t host)
{
	map_for_each(&c->dormant, visit, &host);
}
