/* SPDX-License-Identifier: BSD-2-Clause */
/* A request in one send or in two. Nagle's rule keeps a second small segment back until the first
 * is acknowledged, and that acknowledgement waits up to 200 ms for something to go with it. Both
 * ends are here: ./mcpi exec examples/two-sends.c --peer examples/two-sends.c */
#include <mcpi.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PORT = 7, ROUNDS = 4, BYTES = 64 };

static uint8_t text[BYTES];

static int must(long result, const char *what)
{
	if (result < 0) {
		perror(what);
		exit(1);
	}
	return (int)result;
}

static struct sockaddr_in name_of(in_addr_t host)
{
	return (struct sockaddr_in){ AF_INET, htons(PORT), { host }, { 0 } };
}

/* 0: the other end has closed. */
static int receive_all(int so)
{
	int done = 0, part;

	while (done < BYTES && (part = must(recv(so, text + done, BYTES - done, 0), "recv")))
		done += part;
	return done;
}

static void serve(void)
{
	struct sockaddr_in own = name_of(INADDR_ANY);
	int listener = must(socket(AF_INET, SOCK_STREAM, 0), "socket"), so;

	must(bind(listener, (struct sockaddr *)&own, sizeof own), "bind");
	must(listen(listener, 1), "listen");
	so = must(accept(listener, NULL, NULL), "accept");
	while (receive_all(so))
		must(send(so, text, BYTES, 0), "send");
	close(so);
}

static void ask(int so, int first)
{
	must(send(so, text, first, 0), "send");
	if (first < BYTES)
		must(send(so, text + first, BYTES - first, 0), "send");
	receive_all(so);
}

int main(void)
{
	struct sockaddr_in server = name_of(mcpi_host(1));
	int so, on = 1;

	if (mcpi_node() == 1) {
		serve();
		return 0;
	}
	so = must(socket(AF_INET, SOCK_STREAM, 0), "socket");
	must(connect(so, (struct sockaddr *)&server, sizeof server), "connect");
	for (int n = 0; n < ROUNDS; n++)
		MCPI_MEASURE_AS("one send")
	ask(so, BYTES);
	for (int n = 0; n < ROUNDS; n++)
		MCPI_MEASURE_AS("two sends")
	ask(so, BYTES / 2);
	must(setsockopt(so, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "setsockopt");
	for (int n = 0; n < ROUNDS; n++)
		MCPI_MEASURE_AS("two, no delay")
	ask(so, BYTES / 2);
	close(so);
	return 0;
}
