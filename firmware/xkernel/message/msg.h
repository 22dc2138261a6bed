/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages: a contiguous front piece, and behind it a tree of shared pieces.
 *
 * Headers are pushed and popped at the front without copying. A struct msg belongs to whoever
 * declared it, who must msg_destroy it; the bytes belong to reference-counted nodes and may be
 * shared by many messages. Nothing here is called from an interrupt handler.
 *
 * Alignment: the data of a new leaf starts and ends on 16 bytes. A received frame is put at 2 mod
 * 16, so the IP header behind the 14-byte Ethernet header lies on 16, and TCP's on a longword. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "xkernel/atomic/ref.h"
#include "xkernel/switches.h"

struct msg_view {	       /* a byte range of a node */
	struct msg_node *node; /* NULL: empty */
	size_t offset, bytes;
};

struct msg_node {
	struct ref refs;
	uint64_t depth; /* 0: a leaf; else a pair, and a bound of every walk */
	union {
		struct {
			uint8_t *data; /* `room` bytes behind this structure */
			size_t room;
		} leaf;
		struct {
			struct msg_view left, right;
		} pair;
	};
};

struct msg {
	uint8_t *head, *tail; /* the front piece: [head, tail) lies in `front` */
	uint8_t *low; /* headers may be pushed down to here; == head: no room that is ours */
	struct msg_node *front; /* a leaf; NULL: no front piece */
	struct msg_view rest;	/* what follows the front piece */
	const void *attribute;	/* lower header for the protocols above, during the upcall */
};

enum {
	MSG_HEADER_ROOM = 128, /* header stack of a message made for sending */
	MSG_FRAME_ROOM = 1552, /* leaf of a receive message: 2 + 1518 and some, times 16 */
	MSG_MAX_DEPTH = 16,    /* of a tree; a deeper join copies into one leaf */
};

/* All that return int give 0, or -1 when memory ran out; the message is unchanged then. */
void msg_init_empty(struct msg *m);
int msg_init_bytes(struct msg *m, size_t bytes); /* uninitialised bytes behind a header stack */
int msg_init_copy(struct msg *m, const void *data, size_t bytes);
void msg_destroy(struct msg *m); /* leaves an empty message */

static inline size_t msg_front_bytes(const struct msg *m)
{
	return (size_t)(m->tail - m->head);
}

static inline size_t msg_bytes(const struct msg *m)
{
	return msg_front_bytes(m) + m->rest.bytes;
}

void *msg_push_slow(struct msg *m, size_t bytes);
void *msg_pop_slow(struct msg *m, size_t bytes);

/* Room for a header in front of the message, to be filled by the caller. NULL: no memory. */
HEADER_INLINE void *msg_push(struct msg *m, size_t bytes)
{
	if ((size_t)(m->head - m->low) < bytes)
		return msg_push_slow(m, bytes);
	return m->head -= bytes;
}

/* The first `bytes` > 0 bytes, contiguous, no longer part of the message; they stay readable until
 * the next msg_push on this message or its destruction. NULL: the message is shorter, or no memory.
 */
HEADER_INLINE void *msg_pop(struct msg *m, size_t bytes)
{
	void *header = m->head;

	if (PREDICT_FALSE(msg_front_bytes(m) < bytes || ref_read(&m->front->refs) != 1))
		return msg_pop_slow(m, bytes);
	m->head += bytes;
	return header;
}

void msg_share(struct msg *copy, struct msg *m);	      /* copy := m, same bytes, counted */
void msg_discard(struct msg *m, size_t bytes);		      /* drop from the front, up to all */
void msg_truncate(struct msg *m, size_t bytes);		      /* keep the first `bytes` */
int msg_break(struct msg *m, struct msg *head, size_t bytes); /* head := the first bytes of m */
int msg_join(struct msg *m, struct msg *behind); /* m := m + behind; behind keeps its own view */

/* Walks the contiguous pieces; stops early when f returns non-zero, and returns that. */
int msg_for_each(const struct msg *m, int (*f)(const uint8_t *piece, size_t bytes, void *arg),
		 void *arg);
void msg_copy_out(const struct msg *m, void *to); /* all msg_bytes(m) */

/* With XK_FAST_USER these three do in line what is usual of messages in one piece. */
static inline void msg_share_here(struct msg *copy, struct msg *m)
{
	if (!XK_FAST_USER || m->rest.node || !m->front) {
		msg_share(copy, m);
		return;
	}
	copy->head = copy->low = m->head;
	copy->tail = m->tail;
	copy->front = m->front;
	copy->rest = (struct msg_view){ NULL, 0, 0 };
	copy->attribute = NULL;
	ref_up(&m->front->refs);
}

/* m is not used again. */
static inline void msg_end(struct msg *m)
{
	if (!XK_FAST_USER || m->rest.node || !m->front || ref_read(&m->front->refs) == 1)
		msg_destroy(m);
	else
		ref_down(&m->front->refs);
}

/* The byte of a message of one byte. */
static inline uint8_t msg_byte(const struct msg *m)
{
	uint8_t byte;

	if (XK_FAST_USER && !m->rest.bytes)
		return *m->head;
	msg_copy_out(m, &byte);
	return byte;
}

/* msg_init_bytes(m, 0) for a message that was made by it, or is empty: keeps the leaf, if nobody
 * else has it. */
static inline int msg_again(struct msg *m)
{
	if (!m->front || m->rest.node || ref_read(&m->front->refs) != 1 ||
	    m->front->leaf.room != MSG_HEADER_ROOM) {
		msg_destroy(m);
		return msg_init_bytes(m, 0);
	}
	m->low = m->front->leaf.data;
	m->head = m->tail = m->low + MSG_HEADER_ROOM;
	return 0;
}

/* A receive message: one leaf of MSG_FRAME_ROOM, the frame starting at data + 2. */
int msg_init_frame(struct msg *m);
/* Make it ready for the next frame: if nobody else holds the leaf only the pointers are reset
 * (XK_REFRESH), else destroy and allocate. -1: no memory, m is empty. */
int msg_refresh_frame(struct msg *m);
