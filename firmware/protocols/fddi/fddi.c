/* SPDX-License-Identifier: BSD-2-Clause */
/* FDDI: start-up, operations, control, the way down. */
#include "platform/platform.h"
#include "protocols/fddi/fddi_private.h"
#include "xkernel/memory/allocate.h"
#include "xkernel/memory/memory.h"

struct fddi_counts fddi_counts PER_CPU;

int fddi_push(struct xobj *session, struct msg *m)
{
	const struct fddi_session *s = session->state;
	uint8_t *header;
	fddi_word *words;

	if (PREDICT_FALSE(msg_bytes(m) > FDDI_MTU)) {
		COUNT(fddi_counts, too_long);
		return XK_ERROR;
	}
	header = msg_push(m, FDDI_HEADER_BYTES);
	if (PREDICT_FALSE(!header)) {
		COUNT(fddi_counts, no_memory);
		return XK_NO_MEMORY;
	}
	header[0] = FDDI_CONTROL;
	words = (fddi_word *)(header + 1);
	for (int i = 0; i < 5; i++)
		words[i] = s->word[i];
	COUNT(fddi_counts, sent);
	return xPush(session->down[0], m);
}

static int fddi_control(struct xobj *object, int op, void *buffer, size_t bytes)
{
	const struct fddi *fddi = object->protocol->state;

	if (op != XK_GET_MAX_PACKET && op != XK_GET_OPT_PACKET)
		return xControl(fddi->driver, op, buffer, bytes);
	if (bytes < sizeof(uint32_t))
		return XK_ERROR;
	*(uint32_t *)buffer = FDDI_MTU;
	return sizeof(uint32_t);
}

const struct xobj_ops fddi_session_ops = {
	XOBJ_DEFAULTS,
	.push = fddi_push,
	.pop = fddi_pop,
	.control = fddi_control,
};

static const struct xobj_ops protocol_ops = {
	XOBJ_DEFAULTS,	     .open = fddi_open,	      .open_enable = fddi_open_enable,
	.demux = fddi_demux, .control = fddi_control,
};

int fddi_init(struct xobj *self)
{
	struct fddi *fddi = xk_allocate_zeroed(sizeof *fddi);

	if (!fddi || map_init(&fddi->active, 32, 1) || map_init(&fddi->passive, 8, 1))
		return XK_NO_MEMORY;
	self->state = fddi;
	self->ops = &protocol_ops;
	fddi->station = plat_boot()->mac;
	fddi->driver = xOpen(self, self, self->down[0], NULL);
	return fddi->driver ? XK_OK : XK_ERROR;
}
