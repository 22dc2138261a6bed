/* SPDX-License-Identifier: BSD-2-Clause */
/* LANCE: the anchor protocol at the bottom of the graph, and the chip's interrupt handler. */
#include "protocols/lance/lance.h"
#include "machine.h"
#include "platform/marker.h"
#include "platform/platform.h"
#include "protocols/lance/chip.h"
#include "protocols/lance/entries.h"
#include "protocols/lance/layout.h"
#include "protocols/lance/receive_buffer.h"
#include "protocols/lance/rings.h"
#include "xkernel/memory/memory.h"
#include "xkernel/thread/event.h"

struct lance_counts lance_counts;
struct rings lance_rings;

void rings_init(void)
{
	uint64_t i, descriptor;
	uint32_t address;

	for (i = 0; i < RING; i++) {
		descriptor = LANCE_MEMORY + LANCE_SPREAD * (RECEIVE_RING + 8 * i);
		address = receive_buffer(i);
		descriptor_address_set(descriptor, address);
		descriptor_length_set(descriptor, RECEIVE_BYTES);
		descriptor_flags_set(descriptor, FLAG_OWN, address);

		descriptor = LANCE_MEMORY + LANCE_SPREAD * (TRANSMIT_RING + 8 * i);
		address = (uint32_t)(TRANSMIT_BUFFERS + BUFFER_BYTES * i);
		descriptor_address_set(descriptor, address);
		descriptor_flags_set(descriptor, 0, address);
	}
	if (XK_FAST_RING)
		lance_starts++;
	lance_rings.receive_next = 0;
	lance_rings.transmit_next = 0;
	lance_rings.transmit_done = 0;
}

/* Stop, rings as new, start. Frames in the rings are lost, as on the wire. */
static int start(void)
{
	int result;

	chip_csr0_write(CSR0_STOP);
	rings_init();
	result = chip_start(plat_boot()->mac);
	if (result < 0)
		lance_counts.no_answer++;
	return result;
}

/* The chip has not answered a restart: a thread tries until it does. */
static struct {
	int pending;
	struct thread thread; /* the first attempt: an interrupt handler schedules no event */
	struct event event;   /* the others */
} retry;

static void try_again(void *arg)
{
	int level = plat_ipl_raise(IPL_NET), failed = start() < 0;

	/* Before an interrupt may come, which may find that another restart is due. */
	retry.pending = failed;
	plat_ipl_set(level);
	if (failed)
		event_schedule(&retry.event, try_again, arg, LANCE_RETRY_US);
}

static void restart(void)
{
	if (retry.pending)
		return;
	lance_counts.restarts++;
	if (start() < 0) {
		retry.pending = 1;
		thread_ready(&retry.thread, try_again, NULL);
	}
}

static void lance_interrupt(void)
{
	uint32_t csr0;
	int failed = 0;

	MARK(MARK_EVENT, EVENT_NET_INTERRUPT);
	csr0 = chip_csr0_read();
	/* Acknowledge first: what happens from here on interrupts again. */
	chip_csr0_write((csr0 & CSR0_CLEAR) | CSR0_INEA);
	if (csr0 & CSR0_RINT)
		receive_frames();
	if (csr0 & CSR0_TINT)
		failed = transmit_reclaim();
	if (PREDICT_FALSE(csr0 & CSR0_ERR)) {
		if (csr0 & CSR0_BABL)
			lance_counts.too_long++;
		if (csr0 & CSR0_MISS)
			lance_counts.missed++;
		/* After a lost frame the silo may hold stale bytes; after MERR the chip is off. */
		if (csr0 & (CSR0_MISS | CSR0_MERR))
			failed = 1;
	}
	if (PREDICT_FALSE(failed || (csr0 & (CSR0_RXON | CSR0_TXON)) != (CSR0_RXON | CSR0_TXON)))
		restart();
}

static int lance_push(struct xobj *self, struct msg *m)
{
	int level, result;

	if (PREDICT_FALSE(msg_bytes(m) > LANCE_MAX_FRAME)) {
		lance_counts.too_long++;
		return XK_ERROR;
	}
	level = plat_ipl_raise(IPL_NET);
	result = transmit_frame(m);
	plat_ipl_set(level);
	return result;
}

#if XK_FAST
uint64_t lance_starts;

/* The handler alone writes `transmit_done`, threads alone `transmit_next`: only a restart between
 * them, which begins both anew, makes this frame's descriptor wrong. Then there is another one. */
static inline int push_at_any_level(int (*transmit)(const uint64_t *words), const uint64_t *words)
{
	uint64_t starts = lance_starts;
	int result = transmit(words), level;

	if (PREDICT_FALSE(starts != lance_starts)) {
		level = plat_ipl_raise(IPL_NET);
		restart();
		plat_ipl_set(level);
	}
	return result;
}

static inline int push(int (*transmit)(const uint64_t *words), const uint64_t *words)
{
	int level, result;

	if (XK_FAST_RING)
		return push_at_any_level(transmit, words);
	level = plat_ipl_raise(IPL_NET);
	result = transmit(words);
	plat_ipl_set(level);
	return result;
}

int lance_push_short(struct xobj *self, const uint64_t words[8])
{
	return push(transmit_short, words);
}

int lance_push_call(struct xobj *self, const uint64_t words[12])
{
	return push(transmit_call, words);
}
#endif

static int lance_control(struct xobj *self, int op, void *buffer, size_t bytes)
{
	uint64_t mac = plat_boot()->mac;
	uint32_t largest = LANCE_MAX_FRAME;

	if (LANCE_CLASSIFIER && op == XK_RECOGNISE)
		return bytes == sizeof(struct path_pattern) ? entries_id(buffer) : XK_ERROR;
	switch (op) {
	case XK_GET_MY_HOST:
		if (bytes < LANCE_MAC_BYTES)
			return XK_ERROR;
		memcpy(buffer, &mac, LANCE_MAC_BYTES);
		return LANCE_MAC_BYTES;
	case XK_GET_MAX_PACKET:
	case XK_GET_OPT_PACKET:
		if (bytes < sizeof largest)
			return XK_ERROR;
		memcpy(buffer, &largest, sizeof largest);
		return sizeof largest;
	default:
		return XK_UNKNOWN;
	}
}

static const struct xobj_ops session_ops = {
	XOBJ_DEFAULTS,
	.push = lance_push,
	.control = lance_control,
};

static struct xobj *lance_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
			       struct part *parts)
{
	struct xobj *session;

	if (lance_rings.session)
		return NULL;
	session = xCreateSession(self, &session_ops, receiver, type, NULL, 0);
	if (!session)
		return NULL;
	ref_set(&session->refs, 1);
	lance_rings.session = session;
	plat_on_network(lance_interrupt);
	if (start() < 0) {
		lance_rings.session = NULL;
		xDestroy(session);
		return NULL;
	}
	return session;
}

static const struct xobj_ops protocol_ops = {
	XOBJ_DEFAULTS,
	.open = lance_open,
	.control = lance_control,
};

int lance_init(struct xobj *self)
{
	self->ops = &protocol_ops;
	chip_reset();
	return XK_OK;
}
