/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages as trees: sharing, cutting, joining and walking. */
#include "xkernel/memory/memory.h"
#include "xkernel/message/msg_node.h"
#include "xkernel/percpu/block_cache.h"

static const struct msg_view empty_view = { NULL, 0, 0 };

static uint64_t depth_of(const struct msg_node *node)
{
	return node ? node->depth : 0;
}

/* A pair that takes over the references of both views. */
static int pair_views(struct msg_view *pair, struct msg_view left, struct msg_view right)
{
	struct msg_node *node;
	uint64_t depth = depth_of(left.node);

	if (!left.bytes || !right.bytes) {
		msg_node_release(left.bytes ? right.node : left.node);
		*pair = left.bytes ? left : right;
		return 0;
	}
	if (depth < depth_of(right.node))
		depth = depth_of(right.node);
	node = piece_allocate(sizeof *node);
	if (PREDICT_FALSE(!node))
		return -1;
	ref_set(&node->refs, 1);
	node->pair.left = left;
	node->pair.right = right;
	node->depth = depth + 1;
	*pair = (struct msg_view){ node, 0, left.bytes + right.bytes };
	return 0;
}

static struct msg_view front_view(const struct msg *m)
{
	if (!msg_front_bytes(m))
		return (struct msg_view){ m->front, 0, 0 };
	return (struct msg_view){ m->front, (size_t)(m->head - m->front->leaf.data),
				  msg_front_bytes(m) };
}

int msg_as_view(struct msg *m, struct msg_view *view)
{
	return pair_views(view, front_view(m), m->rest);
}

/* msg_for_each for the part [from, from + bytes) of a view. */
static int walk(const struct msg_view *v, size_t from, size_t bytes,
		int (*f)(const uint8_t *, size_t, void *), void *arg)
{
	const struct msg_node *node = v->node;
	size_t left, part;
	int result;

	if (!bytes)
		return 0;
	from += v->offset;
	if (!node->depth)
		return f(node->leaf.data + from, bytes, arg);
	left = node->pair.left.bytes;
	if (from < left) {
		part = left - from < bytes ? left - from : bytes;
		result = walk(&node->pair.left, from, part, f, arg);
		if (result)
			return result;
		from = left;
		bytes -= part;
	}
	return walk(&node->pair.right, from - left, bytes, f, arg);
}

int msg_for_each(const struct msg *m, int (*f)(const uint8_t *piece, size_t bytes, void *arg),
		 void *arg)
{
	if (msg_front_bytes(m)) {
		int result = f(m->head, msg_front_bytes(m), arg);

		if (result)
			return result;
	}
	return walk(&m->rest, 0, m->rest.bytes, f, arg);
}

struct copy_out {
	uint8_t *to;
	size_t left;
};

static int copy_piece(const uint8_t *piece, size_t bytes, void *arg)
{
	struct copy_out *c = arg;
	size_t part = bytes < c->left ? bytes : c->left;

	memcpy(c->to, piece, part);
	c->to += part;
	c->left -= part;
	return c->left == 0;
}

void msg_copy_front(const struct msg *m, uint8_t *to, size_t bytes)
{
	struct copy_out c = { to, bytes };

	if (bytes)
		msg_for_each(m, copy_piece, &c);
}

void msg_copy_out(const struct msg *m, void *to)
{
	msg_copy_front(m, to, msg_bytes(m));
}

void msg_share(struct msg *copy, struct msg *m)
{
	*copy = *m;
	copy->low = copy->head; /* one message at most may push into a leaf */
	copy->attribute = NULL;
	if (m->front)
		ref_up(&m->front->refs);
	if (m->rest.node)
		ref_up(&m->rest.node->refs);
}

/* Cuts `bytes` off the front of the view; subtrees left behind are let go. */
static void view_discard(struct msg_view *v, size_t bytes)
{
	v->offset += bytes;
	v->bytes -= bytes;
	if (!v->bytes) {
		msg_node_release(v->node);
		*v = empty_view;
		return;
	}
	while (v->node->depth && v->offset >= v->node->pair.left.bytes) {
		struct msg_node *pair = v->node;

		v->offset += pair->pair.right.offset - pair->pair.left.bytes;
		v->node = pair->pair.right.node;
		ref_up(&v->node->refs);
		msg_node_release(pair);
	}
}

void msg_discard(struct msg *m, size_t bytes)
{
	size_t front = msg_front_bytes(m);

	if (bytes < front) {
		if (ref_read(&m->front->refs) != 1)
			m->low = m->head + bytes;
		m->head += bytes;
		return;
	}
	m->head = m->low = m->tail;
	bytes -= front;
	if (bytes > m->rest.bytes)
		bytes = m->rest.bytes;
	if (m->rest.node)
		view_discard(&m->rest, bytes);
	/* The next piece becomes the front: the next header is popped without copying.
	 */
	if (m->rest.node && !m->rest.node->depth) {
		msg_node_release(m->front);
		m->front = m->rest.node;
		m->head = m->low = m->front->leaf.data + m->rest.offset;
		m->tail = m->head + m->rest.bytes;
		m->rest = empty_view;
	}
}

void msg_truncate(struct msg *m, size_t bytes)
{
	size_t front = msg_front_bytes(m);

	if (bytes >= msg_bytes(m))
		return;
	if (bytes > front) {
		m->rest.bytes = bytes - front;
		return;
	}
	if (bytes < front)
		m->tail = m->head + bytes;
	if (m->rest.node)
		msg_node_release(m->rest.node);
	m->rest = empty_view;
}

int msg_break(struct msg *m, struct msg *head, size_t bytes)
{
	uint8_t *low = m->low;

	msg_share(head, m);
	msg_truncate(head, bytes);
	if (bytes) {
		head->low = low; /* the room goes with the bytes behind it */
		m->low = m->head;
	}
	msg_discard(m, bytes);
	return 0;
}

/* All of both in one new leaf, with a header stack. */
static int join_by_copy(struct msg *m, const struct msg *behind)
{
	struct msg joined;

	if (msg_init_bytes(&joined, msg_bytes(m) + msg_bytes(behind)))
		return -1;
	msg_copy_out(m, joined.head);
	msg_copy_out(behind, joined.head + msg_bytes(m));
	joined.attribute = m->attribute;
	msg_destroy(m);
	*m = joined;
	return 0;
}

int msg_join(struct msg *m, struct msg *behind)
{
	struct msg copy;
	struct msg_view view, rest = m->rest;

	if (!msg_bytes(behind))
		return 0;
	if (depth_of(m->rest.node) + 2 > MSG_MAX_DEPTH ||
	    depth_of(behind->rest.node) + 2 > MSG_MAX_DEPTH)
		return join_by_copy(m, behind);
	msg_share(&copy, behind);
	if (msg_as_view(&copy, &view)) {
		msg_destroy(&copy);
		return -1;
	}
	if (pair_views(&m->rest, rest, view)) {
		msg_node_release(view.node);
		m->rest = rest;
		return -1;
	}
	return 0;
}
