/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages: making, pushing, popping, destroying. Sharing and cutting are in msg_tree.c. */
#include "xkernel/message/msg.h"

#include "xkernel/memory/memory.h"
#include "xkernel/message/msg_node.h"
#include "xkernel/percpu/block_cache.h"

/* The data behind the node is as aligned as the node itself. */
_Static_assert(sizeof(struct msg_node) % 16 == 0, "leaf data must begin on 16 bytes");

struct msg_node *msg_leaf_new(size_t room)
{
	struct msg_node *node;

	room = (room + 15) & ~(size_t)15;
	node = piece_allocate(sizeof *node + room);
	if (PREDICT_FALSE(!node))
		return NULL;
	ref_set(&node->refs, 1);
	node->depth = 0;
	node->leaf.data = (uint8_t *)(node + 1);
	node->leaf.room = room;
	return node;
}

void msg_node_release(struct msg_node *node)
{
	while (node && ref_down(&node->refs) == 0) {
		struct msg_node *right = NULL;

		if (node->depth) {
			msg_node_release(node->pair.left.node);
			right = node->pair.right.node;
		}
		piece_free(node);
		node = right;
	}
}

void msg_init_empty(struct msg *m)
{
	m->head = m->tail = m->low = NULL;
	m->front = NULL;
	m->rest = (struct msg_view){ NULL, 0, 0 };
	m->attribute = NULL;
}

int msg_init_bytes(struct msg *m, size_t bytes)
{
	struct msg_node *leaf;

	msg_init_empty(m);
	if (bytes > (size_t)1 << 20)
		return -1;
	leaf = msg_leaf_new(MSG_HEADER_ROOM + bytes);
	if (PREDICT_FALSE(!leaf))
		return -1;
	m->front = leaf;
	m->low = leaf->leaf.data;
	m->head = m->low + MSG_HEADER_ROOM;
	m->tail = m->head + bytes;
	return 0;
}

int msg_init_copy(struct msg *m, const void *data, size_t bytes)
{
	if (msg_init_bytes(m, bytes))
		return -1;
	memcpy(m->head, data, bytes);
	return 0;
}

void msg_destroy(struct msg *m)
{
	msg_node_release(m->front);
	if (m->rest.node)
		msg_node_release(m->rest.node);
	msg_init_empty(m);
}

void *msg_push_slow(struct msg *m, size_t bytes)
{
	size_t room = bytes > MSG_HEADER_ROOM ? bytes : MSG_HEADER_ROOM;
	struct msg_node *leaf = msg_leaf_new(room);
	struct msg_view rest;

	if (PREDICT_FALSE(!leaf))
		return NULL;
	if (msg_as_view(m, &rest)) {
		msg_node_release(leaf);
		return NULL;
	}
	m->front = leaf;
	m->rest = rest;
	m->low = leaf->leaf.data;
	m->tail = leaf->leaf.data + leaf->leaf.room;
	return m->head = m->tail - bytes;
}

void *msg_pop_slow(struct msg *m, size_t bytes)
{
	struct msg_node *leaf;
	struct msg_view rest;
	void *header = m->head;

	if (PREDICT_FALSE(msg_bytes(m) < bytes))
		return NULL;
	if (msg_front_bytes(m) >= bytes) {
		/* Others see these bytes: a header pushed here would overwrite theirs. */
		if (bytes)
			m->head += bytes;
		m->low = m->head;
		return header;
	}
	leaf = msg_leaf_new(bytes);
	if (PREDICT_FALSE(!leaf))
		return NULL;
	msg_copy_front(m, leaf->leaf.data, bytes);
	msg_discard(m, bytes);
	msg_as_view(m, &rest); /* cannot fail: the header used up the front piece */
	m->rest = rest;
	m->front = leaf;
	m->low = leaf->leaf.data;
	m->head = m->tail = leaf->leaf.data + bytes;
	return leaf->leaf.data;
}

enum { FRAME_OFFSET = 2 }; /* of a received frame in its leaf: 14 + 2 = 16 */

static void reset_frame(struct msg *m)
{
	struct msg_node *leaf = m->front;

	m->head = m->low = leaf->leaf.data + FRAME_OFFSET;
	m->tail = leaf->leaf.data + leaf->leaf.room;
	m->attribute = NULL;
}

int msg_init_frame(struct msg *m)
{
	msg_init_empty(m);
	m->front = msg_leaf_new(MSG_FRAME_ROOM);
	if (PREDICT_FALSE(!m->front))
		return -1;
	reset_frame(m);
	return 0;
}

int msg_refresh_frame(struct msg *m)
{
	struct msg_node *leaf = m->front;

	if (XK_REFRESH && leaf && ref_read(&leaf->refs) == 1 && leaf->leaf.room == MSG_FRAME_ROOM &&
	    !m->rest.node) {
		reset_frame(m);
		return 0;
	}
	msg_destroy(m);
	return msg_init_frame(m);
}
