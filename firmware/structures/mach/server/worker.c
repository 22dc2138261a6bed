/* SPDX-License-Identifier: BSD-2-Clause */
/* A thread of the server that does one client's requests, and blocks for it in soreceive. */
#include "structures/bsdnet/errors.h"
#include "structures/mach/server.h"

static int receive(const struct worker *w, struct message_header *h)
{
	uint32_t bytes = (uint32_t)h->more[0];
	struct udp_name from = { 0, 0 };
	int result;

	if (bytes > SHARED_BYTES)
		bytes = SHARED_BYTES;
	result = soreceive(h->value, w->shared, bytes, &from, (int)h->more[1]);
	h->more[0] = from.host;
	h->more[1] = from.port;
	return result;
}

static int send(const struct worker *w, const struct message_header *h)
{
	struct udp_name to = { (uint32_t)(h->more[1] >> 32), (uint32_t)h->more[1] };

	if (h->more[0] > SHARED_BYTES)
		return SOCKET_TOO_LONG;
	return sosend(h->value, w->shared, (uint32_t)h->more[0], &to);
}

static int serve(const struct worker *w, struct message_header *h)
{
	switch (h->kind) {
	case REQUEST_SOCKET:
		return error_of(socket_create());
	case REQUEST_BIND:
		return error_of(socket_bind(h->value, (uint32_t)h->more[0]));
	case REQUEST_LIMITS:
		return error_of(
		    socket_limits(h->value, (uint32_t)h->more[0], (uint32_t)h->more[1]));
	case REQUEST_RECEIVE:
		return error_of(receive(w, h));
	case REQUEST_SEND:
		return error_of(send(w, h));
	case REQUEST_CLOSE:
		return error_of(socket_close(h->value));
	default:
		return ERROR_NO_CALL;
	}
}

void worker(uint64_t argument)
{
	const struct worker *w = (const struct worker *)argument;
	struct message_header h;

	while (message_receive(w->port, &h, NULL, 0) >= 0) {
		user_lock(server_lock);
		h.value = serve(w, &h);
		user_unlock(server_lock);
		h.bytes = 0;
		message_send((int)h.reply_port, &h, NULL);
	}
}
