/* SPDX-License-Identifier: BSD-2-Clause */
/* A socket's states, as its protocol tells of them, and the queues of a socket that listens. */
#include "bsd/kern/sleep.h"
#include "bsd/socket/socket.h"
#include "xkernel/memory/allocate.h"
#include "xkernel/memory/memory.h"

struct sockstat sockstat;

static void both_wake(struct socket *so)
{
	wakeup(&so->state);
	sowakeup(so, &so->send);
	sowakeup(so, &so->receive);
}

void soisconnecting(struct socket *so)
{
	so->state &= ~(uint32_t)(SOCKET_CONNECTED | SOCKET_DISCONNECTING);
	so->state |= SOCKET_CONNECTING;
}

/* The oldest first. */
static void put(struct socket **queue, struct socket *so)
{
	while (*queue)
		queue = &(*queue)->next;
	so->next = NULL;
	*queue = so;
}

static int take(struct socket **queue, const struct socket *so)
{
	while (*queue && *queue != so)
		queue = &(*queue)->next;
	if (!*queue)
		return 0;
	*queue = so->next;
	return 1;
}

int soqremque(struct socket *so)
{
	struct socket *head = so->head;

	if (!head)
		return 0;
	if (take(&head->incomplete, so))
		head->incomplete_count--;
	else if (take(&head->complete, so))
		head->complete_count--;
	so->head = so->next = NULL;
	return 1;
}

void soisconnected(struct socket *so)
{
	struct socket *head = so->head;

	so->state &= ~(uint32_t)(SOCKET_CONNECTING | SOCKET_DISCONNECTING);
	so->state |= SOCKET_CONNECTED;
	if (!head) {
		both_wake(so);
		return;
	}
	soqremque(so);
	so->head = head;
	put(&head->complete, so);
	head->complete_count++;
	wakeup(&head->state);
	sowakeup(head, &head->receive);
}

void soisdisconnecting(struct socket *so)
{
	so->state &= ~(uint32_t)SOCKET_CONNECTING;
	so->state |= SOCKET_DISCONNECTING | SOCKET_CANT_RECEIVE | SOCKET_CANT_SEND;
	both_wake(so);
}

void soisdisconnected(struct socket *so)
{
	so->state &= ~(uint32_t)(SOCKET_CONNECTING | SOCKET_CONNECTED | SOCKET_DISCONNECTING);
	so->state |= SOCKET_CANT_RECEIVE | SOCKET_CANT_SEND | SOCKET_DISCONNECTED;
	both_wake(so);
}

void socantsendmore(struct socket *so)
{
	so->state |= SOCKET_CANT_SEND;
	sowakeup(so, &so->send);
}

void socantrcvmore(struct socket *so)
{
	so->state |= SOCKET_CANT_RECEIVE;
	sowakeup(so, &so->receive);
}

/* A flood of SYNs costs the oldest incomplete connection, not memory. */
static void evict(struct socket *head)
{
	struct socket *oldest = head->incomplete;

	sockstat.evicted++;
	soqremque(oldest);
	oldest->protocol->usrreq(oldest, REQUEST_DETACH, NULL, NULL);
}

struct socket *sonewconn(struct socket *head)
{
	struct socket *so;

	if (head->incomplete_count >= head->backlog)
		evict(head);
	so = xk_allocate_zeroed(sizeof *so);
	if (!so)
		return NULL;
	so->protocol = head->protocol;
	so->options = head->options & ~(uint32_t)SOCKET_ACCEPTS;
	so->state = SOCKET_NO_USER;
	so->send.least = SEND_LEAST;
	sbreserve(&so->send, head->send.bytes_limit);
	sbreserve(&so->receive, head->receive.bytes_limit);
	so->head = head;
	put(&head->incomplete, so);
	head->incomplete_count++;
	if (so->protocol->usrreq(so, REQUEST_ATTACH, NULL, NULL)) {
		soqremque(so);
		xk_free(so);
		return NULL;
	}
	return so;
}

void sofree(struct socket *so)
{
	if (so->pcb || !(so->state & SOCKET_NO_USER))
		return;
	soqremque(so);
	sbdrop(&so->send, so->send.bytes);
	sbdrop(&so->receive, so->receive.bytes);
	xk_free(so);
}
