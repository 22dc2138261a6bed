/* SPDX-License-Identifier: BSD-2-Clause */
/* Sockets of a program that has the protocols in its own domain. The thread that waits for a
 * datagram takes frames from the network's port and does all of their work, so every access to the
 * bytes is in one space, without another process between. One thread at a time uses them; another
 * one may close what it waits for. */
#include "structures/bsdnet/buffers.h"
#include "structures/bsdnet/counts.h"
#include "structures/bsdnet/errors.h"
#include "structures/footprint.h"
#include "structures/mach/server.h"
#include "structures/probe.h"
#include "xkernel/memory/memory.h"

enum { BUFFER = 2048, FRAME = 1514 };

static uint8_t *received, *sent; /* a frame each: the kernel uses memory that it gave */
static int requested;		 /* net_run is to be called */
static int waiting;		 /* a thread has nothing to do until a message comes */

/* The next frame, up to the sockets. -1: there is none, or the program must end. */
static int take_frame(int wait)
{
	struct message_header h;
	/* 2 mod 16, so that IP's header is aligned. */
	int bytes = (int)user_call(CALL_PORT_RECEIVE, PORT_NETWORK, (uintptr_t)&h,
				   (uintptr_t)(received + 2), BUFFER - 2, (uint64_t)wait);

	if (bytes < 0)
		return -1;
	if (h.kind == MESSAGE_HALF_SECOND)
		net_half_second();
	else if (h.kind == MESSAGE_FRAME)
		driver_copy(received + 2, (uint32_t)bytes);
	if (requested)
		net_run();
	requested = 0;
	footprint_read();
	return 0;
}

static int raise_level(void)
{
	return 0;
}

static void restore(int level)
{
	(void)level;
}

static void request(void)
{
	requested = 1;
}

/* Nobody else could wake the reader: it works until its datagram is there. */
static int work(const void *channel)
{
	int result;

	(void)channel;
	waiting = 1;
	result = take_frame(1);
	waiting = 0;
	return result;
}

static void wakeup(const void *channel)
{
	(void)channel;
}

static int copy(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	return 0;
}

static int transmit(struct mbuf *m)
{
	m_copydata(m, 0, m->packet_bytes, sent);
	return frame_send(sent, m->packet_bytes);
}

static void probe(const struct mbuf *m)
{
	probe_load(m->data, m->bytes);
}

static int start(void)
{
	static const struct net_environment environment = {
		.raise = raise_level,
		.restore = restore,
		.request = request,
		.sleep = work,
		.wakeup = wakeup,
		.copy_out = copy,
		.copy_in = copy,
		.transmit = transmit,
		.probe = PROBE ? probe : NULL,
	};
	struct boot_params boot;
	struct net_config config;
	int64_t told;

	received = user_memory(BUFFER);
	sent = user_memory(FRAME);
	if (!received || !sent || user_call(CALL_SOCKET, 0, 0, 0, 0, 0) != PORT_NETWORK)
		return -1;
	told = user_call(CALL_RECEIVE, 0, (uintptr_t)&boot, sizeof boot, 0, 0);
	if (told != sizeof boot)
		return -1;
	config = net_config_of(&boot, NULL);
	net_start(&config, &environment);
	return 0;
}

int user_socket(void)
{
	if (!received && start())
		return ERROR_NO_MEMORY;
	return error_of(socket_create());
}

int user_bind(int number, uint32_t port)
{
	return error_of(socket_bind(number, port));
}

int user_limits(int number, uint32_t bytes, uint32_t mbuf_bytes)
{
	return error_of(socket_limits(number, bytes, mbuf_bytes));
}

int user_receive(int number, void *buffer, uint32_t bytes, struct socket_name *from, int wait)
{
	struct udp_name name = { 0, 0 };
	int result;

	while (!wait && take_frame(0) == 0)
		;
	result = soreceive(number, buffer, bytes, &name, wait);
	if (from)
		*from = (struct socket_name){ name.host, name.port };
	return error_of(result);
}

int user_send(int number, const void *data, uint32_t bytes, const struct socket_name *to)
{
	struct udp_name name = { to->host, to->port };

	return error_of(sosend(number, data, bytes, &name));
}

int user_close(int number)
{
	struct message_header h = { .kind = REQUEST_CLOSE };
	int result = error_of(socket_close(number));

	if (waiting) /* for this socket, perhaps: it looks again */
		message_send(PORT_NETWORK, &h, NULL);
	say_counts();
	return result;
}
