/* SPDX-License-Identifier: BSD-2-Clause */
/* The emulator library: in the client's space, it turns socket calls into messages to the server,
 * and copies between the shared buffer and the user's. */
#include "structures/mach/server.h"
#include "xkernel/memory/memory.h"

static struct emulator { /* by the number of its process */
	int worker, reply;
	uint8_t *shared;
} emulators[PROCESSES];

/* Sends *h and waits for its answer, which is in *h then. Its value. */
static int call(int port, struct message_header *h, int reply)
{
	int result;

	h->reply_port = (uint32_t)reply;
	h->bytes = 0;
	result = message_send(port, h, NULL);
	if (result >= 0)
		result = message_receive(reply, h, NULL, 0);
	return result < 0 ? result : h->value;
}

static struct emulator *session(void)
{
	struct emulator *e = &emulators[user_self()];
	struct message_header h = { .kind = REQUEST_SESSION };

	if (e->shared)
		return e;
	if (!e->reply)
		e->reply = port_new(0);
	if (e->reply < 0)
		return NULL;
	e->worker = call(PORT_SERVER, &h, e->reply);
	if (e->worker < 0)
		return NULL;
	e->shared = shared_map(e->worker);
	return e->shared ? e : NULL;
}

static int request(enum request kind, int value, uint64_t first, uint64_t second)
{
	struct message_header h = { .kind = kind, .value = value, .more = { first, second } };
	struct emulator *e = session();

	return e ? call(e->worker, &h, e->reply) : ERROR_NO_MEMORY;
}

int user_socket(void)
{
	return request(REQUEST_SOCKET, 0, 0, 0);
}

int user_bind(int number, uint32_t port)
{
	return request(REQUEST_BIND, number, port, 0);
}

int user_limits(int number, uint32_t bytes, uint32_t mbuf_bytes)
{
	return request(REQUEST_LIMITS, number, bytes, mbuf_bytes);
}

int user_receive(int number, void *buffer, uint32_t bytes, struct socket_name *from, int wait)
{
	struct message_header h = { .kind = REQUEST_RECEIVE,
				    .value = number,
				    .more = { bytes, (uint64_t)wait } };
	struct emulator *e = session();
	int result = e ? call(e->worker, &h, e->reply) : ERROR_NO_MEMORY;

	if (result < 0)
		return result;
	memcpy(buffer, e->shared, (size_t)result);
	if (from)
		*from = (struct socket_name){ (uint32_t)h.more[0], (uint32_t)h.more[1] };
	return result;
}

int user_send(int number, const void *data, uint32_t bytes, const struct socket_name *to)
{
	struct emulator *e = session();

	if (!e)
		return ERROR_NO_MEMORY;
	if (bytes > SHARED_BYTES)
		return ERROR_TOO_LONG;
	memcpy(e->shared, data, bytes);
	return request(REQUEST_SEND, number, bytes, (uint64_t)to->host << 32 | to->port);
}

int user_close(int number)
{
	return request(REQUEST_CLOSE, number, 0, 0);
}
