/* SPDX-License-Identifier: BSD-2-Clause */
/* BLAST: start-up, operations, control, clock. */
#include "protocols/blast/blast_private.h"
#include "xkernel/memory/allocate.h"
#include "xkernel/seed.h"

struct blast_counts blast_counts;

static int blast_pop(struct xobj *session, struct xobj *lower, struct msg *m, void *header)
{
	session->used = 1;
	return xDemux(session, m);
}

static int put_number(uint32_t number, void *buffer, size_t bytes)
{
	if (bytes < sizeof number)
		return XK_ERROR;
	*(uint32_t *)buffer = number;
	return sizeof number;
}

static int blast_control(struct xobj *object, int op, void *buffer, size_t bytes)
{
	const struct blast_session *s = object->state;

	if (op == BLAST_FREE && bytes == sizeof(int32_t)) {
		blast_free(object->protocol, *(int32_t *)buffer);
		return XK_OK;
	}
	if (op == BLAST_SET_SEQUENCE && bytes == sizeof(uint32_t)) {
		((struct blast *)object->protocol->state)->next_sequence = *(uint32_t *)buffer;
		return XK_OK;
	}
	if (object != object->protocol && op == XK_GET_OPT_PACKET)
		return put_number(s->fragment_bytes, buffer, bytes);
	if (object != object->protocol && op == XK_GET_MAX_PACKET)
		return put_number(s->fragment_bytes * BLAST_MAX_FRAGMENTS, buffer, bytes);
	return xControl(object->down[0], op, buffer, bytes);
}

const struct xobj_ops blast_protocol_ops = {
	XOBJ_DEFAULTS,
	.open = blast_open,
	.open_enable = blast_open_enable,
	.open_disable = blast_open_disable,
	.demux = blast_demux,
	.control = blast_control,
};

const struct xobj_ops blast_session_ops = {
	XOBJ_DEFAULTS,
	.push = blast_push,
	.pop = blast_pop,
	.control = blast_control,
};

int blast_init(struct xobj *self)
{
	struct blast *b = xk_allocate_zeroed(sizeof *b);

	if (!b || map_init(&b->active, 32, 2) || map_init(&b->passive, 8, 1))
		return XK_NO_MEMORY;
	self->state = b;
	self->ops = &blast_protocol_ops;
	sem_init(&b->room, BLAST_OUTSTANDING);
	b->next_sequence = (uint32_t)seed_number(SEED_BLAST);
	idle_start(&b->idle, &b->active, blast_session_destroy);
	return xOpenEnable(self, self, self->down[0], NULL);
}
