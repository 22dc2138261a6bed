/* SPDX-License-Identifier: BSD-2-Clause */
/* A socket's buffer: a chain of mbufs without records. */
#include "bsd/error.h"
#include "bsd/kern/sleep.h"
#include "bsd/socket/socket.h"
#include "xkernel/memory/memory.h"

enum { MBUF_BYTES_PER_BYTE = 2, MBUF_BYTES_MOST = 262144 };

static uint32_t size_of(const struct mbuf *m)
{
	return MBUF_BYTES + (m->flags & M_CLUSTER ? (uint32_t)CLUSTER_BYTES : 0);
}

void sbreserve(struct socket_buffer *sb, uint32_t bytes)
{
	if (bytes > SOCKET_BYTES_MOST)
		bytes = SOCKET_BYTES_MOST;
	sb->bytes_limit = bytes;
	sb->mbuf_limit = bytes * MBUF_BYTES_PER_BYTE + MBUF_BYTES + CLUSTER_BYTES;
	if (sb->mbuf_limit > MBUF_BYTES_MOST)
		sb->mbuf_limit = MBUF_BYTES_MOST;
	if (sb->least > bytes)
		sb->least = bytes;
}

static uint32_t room_after(struct mbuf *m)
{
	return (uint32_t)(mbuf_room_start(m) + mbuf_room_bytes(m) - (m->data + m->bytes));
}

/* A chain to the buffer's end. Small pieces are copied into the last mbuf; what holds nothing is
 * freed. */
void sbappend(struct socket_buffer *sb, struct mbuf *m)
{
	struct mbuf *last = sb->last;

	while (m) {
		if (!m->bytes) {
			m = mbuf_give(m);
			continue;
		}
		if (last && !((last->flags | m->flags) & M_CLUSTER) &&
		    m->bytes <= room_after(last)) {
			memcpy(last->data + last->bytes, m->data, m->bytes);
			last->bytes += m->bytes;
			sb->bytes += m->bytes;
			m = mbuf_give(m);
			continue;
		}
		if (last)
			last->next = m;
		else
			sb->first = m;
		last = m;
		sb->bytes += m->bytes;
		sb->mbuf_bytes += size_of(m);
		m = m->next;
		last->next = NULL;
	}
	sb->last = last;
}

void sbdrop(struct socket_buffer *sb, uint32_t bytes)
{
	struct mbuf *m = sb->first;

	sb->bytes -= bytes;
	while (m && (bytes || !m->bytes)) {
		if (m->bytes > bytes) {
			m->data += bytes;
			m->bytes -= bytes;
			break;
		}
		bytes -= m->bytes;
		sb->mbuf_bytes -= size_of(m);
		m = mbuf_give(m);
	}
	sb->first = m;
	if (!m)
		sb->last = NULL;
}

int sbwait(struct socket_buffer *sb)
{
	sb->waiting++;
	if (tsleep(&sb->bytes) == 0)
		return 0;
	sb->waiting--;
	return BSD_EINTR;
}

int sblock(struct socket_buffer *sb)
{
	while (sb->locked) {
		sb->wanted = 1;
		if (tsleep(&sb->locked))
			return BSD_EINTR;
	}
	sb->locked = 1;
	return 0;
}

void sbunlock(struct socket_buffer *sb)
{
	sb->locked = 0;
	if (!sb->wanted)
		return;
	sb->wanted = 0;
	wakeup(&sb->locked);
}

void sowakeup(struct socket *so, struct socket_buffer *sb)
{
	if (sb->waiting) {
		sb->waiting = 0;
		wakeup(&sb->bytes);
	}
	if (so->upcall)
		so->upcall(so, so->upcall_arg);
}
