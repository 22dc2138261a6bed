/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader: copies what there is, frees it, and tells the protocol, which may have a window to
 * announce. */
#include "bsd/error.h"
#include "bsd/socket/socket.h"
#include "xkernel/memory/memory.h"
#include "xkernel/switches.h"

/* Waits for a byte, the end or an error. 0: there are bytes, or nothing more will come. */
static inline int wait_for_data(struct socket *so, int flags)
{
	int error = 0;

	while (!so->receive.bytes && !error) {
		if (so->error) {
			error = so->error;
			if (!(flags & RECEIVE_PEEK))
				so->error = 0;
		} else if (so->state & SOCKET_CANT_RECEIVE) {
			break;
		} else if (!(so->state & (SOCKET_CONNECTED | SOCKET_CONNECTING))) {
			error = BSD_ENOTCONN;
		} else if (flags & RECEIVE_NO_WAIT) {
			error = BSD_EWOULDBLOCK;
		} else {
			error = sbwait(&so->receive);
		}
	}
	return error;
}

void soconsume(struct socket *so, uint32_t bytes)
{
	int level = splnet();

	sbdrop(&so->receive, bytes);
	if (so->pcb)
		so->protocol->usrreq(so, REQUEST_RECEIVED, NULL, NULL);
	splx(level);
}

int soreceive(struct socket *so, void *to, uint32_t *bytes, int flags)
{
	uint32_t wanted = *bytes, done = 0;
	int level, error = sblock(&so->receive);

	*bytes = 0;
	if (PREDICT_FALSE(error))
		return error;
	level = splnet();
	error = wait_for_data(so, flags);
	while (!error && done < wanted && so->receive.bytes) {
		struct mbuf *m = so->receive.first;
		uint32_t part = m->bytes < wanted - done ? m->bytes : wanted - done;

		if (flags & RECEIVE_PEEK) {
			part = so->receive.bytes < wanted ? so->receive.bytes : wanted;
			m_copydata(m, 0, part, to);
			done = part;
			break;
		}
		splx(level); /* the mbuf is ours: who appends looks at the last one's end alone */
		memcpy((uint8_t *)to + done, m->data, part);
		level = splnet();
		sbdrop(&so->receive, part);
		done += part;
	}
	if (done && !(flags & RECEIVE_PEEK)) {
		sockstat.received_bytes += done;
		if (so->pcb)
			so->protocol->usrreq(so, REQUEST_RECEIVED, NULL, NULL);
	}
	splx(level);
	sbunlock(&so->receive);
	*bytes = done;
	return error;
}
