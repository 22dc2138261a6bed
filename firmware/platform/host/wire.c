/* SPDX-License-Identifier: BSD-2-Clause */
/* In the LANCE driver's place: frames go to and come from the harness, in no time. */
#include <string.h>

#include "platform/host/host_private.h"
#include "protocols/lance/lance.h"
#include "xkernel/path_id.h"
#include "xkernel/thread/shepherd.h"

struct lance_counts lance_counts;

enum { WIRE_FRAMES = 256 };

struct frames {
	struct host_frame frame[WIRE_FRAMES];
	size_t first, count;
};

static struct frames arrived, sent;
static struct xobj *session;
static int transmit_full;

static struct host_frame *add(struct frames *q)
{
	if (q->count == WIRE_FRAMES)
		return NULL;
	return &q->frame[(q->first + q->count++) % WIRE_FRAMES];
}

static struct host_frame *take(struct frames *q)
{
	struct host_frame *f = &q->frame[q->first];

	if (!q->count)
		return NULL;
	q->first = (q->first + 1) % WIRE_FRAMES;
	q->count--;
	return f;
}

#if LANCE_CLASSIFIER
/* Patterns that were asked for; id n + 1 has the n-th. */
enum { PATTERNS = 8, QUADS = 16 };
static struct {
	uint64_t first[QUADS], masks[QUADS], quads;
} patterns[PATTERNS];
static int known;

static int recognise(const struct path_pattern *p)
{
	size_t bytes = p->quads * sizeof *p->first;

	if (known == PATTERNS || p->quads > QUADS)
		return XK_REFUSED;
	memcpy(patterns[known].first, p->first, bytes);
	memcpy(patterns[known].masks, p->masks, bytes);
	patterns[known].quads = p->quads;
	return ++known;
}

/* The frame lies where the path's id comes before it. */
static void set_path(struct shepherd *s, size_t bytes)
{
	const uint64_t *words = (const uint64_t *)(shepherd_frame(s) - 2);
	uint64_t id = 0;

	for (int n = known; n; n--) {
		uint64_t odd = bytes + 2 < patterns[n - 1].quads * sizeof *words;

		for (uint64_t i = 0; i < patterns[n - 1].quads; i++)
			odd |= (words[i] ^ patterns[n - 1].first[i]) & patterns[n - 1].masks[i];
		id = odd ? id : (uint64_t)n;
	}
	shepherd_path_set(s, id);
}
#else
static int recognise(const struct path_pattern *)
{
	return XK_UNKNOWN;
}

static void set_path(struct shepherd *, size_t)
{
}
#endif

static void interrupt(void)
{
	struct host_frame *f;

	host_raise_network(0);
	while ((f = take(&arrived))) {
		struct shepherd *s = shepherd_take();

		if (!s) {
			lance_counts.no_shepherd++;
			continue;
		}
		lance_counts.received++;
		memcpy(shepherd_frame(s), f->data, f->bytes);
		set_path(s, f->bytes);
		shepherd_deliver(s, session, f->bytes);
	}
}

static int wire_push(struct xobj *self, struct msg *m)
{
	size_t bytes = msg_bytes(m);
	struct host_frame *f;

	if (bytes > LANCE_MAX_FRAME) {
		lance_counts.too_long++;
		return XK_ERROR;
	}
	f = transmit_full ? NULL : add(&sent);
	if (!f) {
		lance_counts.no_buffer++;
		return XK_WOULD_BLOCK;
	}
	memset(f->data, 0, LANCE_MIN_FRAME);
	msg_copy_out(m, f->data);
	f->bytes = bytes < LANCE_MIN_FRAME ? LANCE_MIN_FRAME : bytes;
	f->time = host_now();
	lance_counts.sent++;
	host_frame_sent();
	return XK_OK;
}

static int push_words(struct xobj *self, const uint64_t *words, size_t bytes)
{
	struct msg m;
	int result;

	if (msg_init_copy(&m, words, bytes))
		return XK_WOULD_BLOCK;
	result = wire_push(self, &m);
	msg_destroy(&m);
	return result;
}

int lance_push_short(struct xobj *self, const uint64_t words[8])
{
	return push_words(self, words, LANCE_MIN_FRAME);
}

int lance_push_call(struct xobj *self, const uint64_t words[12])
{
	return push_words(self, words, LANCE_CALL_FRAME);
}

static int wire_control(struct xobj *self, int op, void *buffer, size_t bytes)
{
	uint32_t max = LANCE_MAX_FRAME;

	if (op == XK_RECOGNISE && bytes == sizeof(struct path_pattern))
		return recognise(buffer);
	if (op == XK_GET_MY_HOST && bytes >= LANCE_MAC_BYTES) {
		memcpy(buffer, &plat_boot()->mac, LANCE_MAC_BYTES);
		return LANCE_MAC_BYTES;
	}
	if ((op == XK_GET_MAX_PACKET || op == XK_GET_OPT_PACKET) && bytes >= sizeof max) {
		memcpy(buffer, &max, sizeof max);
		return sizeof max;
	}
	return XK_UNKNOWN;
}

static const struct xobj_ops session_ops = {
	XOBJ_DEFAULTS,
	.push = wire_push,
	.control = wire_control,
};

static struct xobj *wire_open(struct xobj *self, struct xobj *receiver, struct xobj *type,
			      struct part *parts)
{
	session = xCreateSession(self, &session_ops, receiver, type, NULL, 0);
	if (!session)
		return NULL;
	plat_on_network(interrupt);
	return xDuplicate(session);
}

static const struct xobj_ops protocol_ops = {
	XOBJ_DEFAULTS,
	.open = wire_open,
	.control = wire_control,
};

int lance_init(struct xobj *self)
{
	self->ops = &protocol_ops;
	return XK_OK;
}

void host_deliver(const void *frame, size_t bytes)
{
	struct host_frame *f = bytes <= sizeof f->data ? add(&arrived) : NULL;

	if (!f)
		return;
	f->bytes = bytes;
	memcpy(f->data, frame, bytes);
	host_raise_network(1);
}

int host_take(struct host_frame *frame)
{
	struct host_frame *f = take(&sent);

	if (!f)
		return 0;
	*frame = *f;
	return 1;
}

void host_transmit_full(int full)
{
	transmit_full = full;
}
