/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of the UDP study: takes datagrams at port 7 until so many have come, and says how many
 * bytes they had and what their sum is. As a server it sends each one back (RFC 862). */
#include "kernel/user/calls.h"
#include "platform/platform.h"

#ifndef QUEUE_BYTES
#define QUEUE_BYTES 131072 /* what may wait in the socket */
#endif
#ifndef READER_SUMS
#define READER_SUMS 1 /* 0: it does not look at what it has read */
#endif
#ifndef EMPTY_ENDS
#define EMPTY_ENDS 0 /* 1: an empty datagram is the last one */
#endif

enum { PORT = 7, LONGEST = 65507 };

static uint64_t sum_of(const uint8_t *data, int bytes)
{
	uint64_t sum = 0;

	for (int i = 0; i < bytes; i++)
		sum = sum * 31 + data[i];
	return sum;
}

static void say(uint64_t datagrams, uint64_t bytes, uint64_t sum)
{
	user_print("udprecv: ");
	user_print_number(datagrams);
	user_print(" datagrams, ");
	user_print_number(bytes);
	user_print(" bytes, sum ");
	user_print_number(sum);
	user_print("\n");
}

static void fail(const char *what)
{
	user_print("udprecv: ");
	user_print(what);
	user_print("\n");
	user_exit(1);
}

static void run(uint64_t argument)
{
	const struct boot_params *boot = (const struct boot_params *)argument;
	uint8_t *data = user_memory(LONGEST);
	struct socket_name from;
	uint64_t bytes = 0, sum = 0, n;
	int socket, got;

	if (!data)
		fail("no memory");
	socket = user_socket();
	if (socket < 0 || user_bind(socket, PORT) != PORT ||
	    user_limits(socket, QUEUE_BYTES, 0) < 0)
		fail("no socket");
	for (n = 0; !boot->round_trips || n < boot->round_trips; n++) {
		got = user_receive(socket, data, LONGEST, &from, 1);
		if (got < 0)
			fail("receive failed");
		if (EMPTY_ENDS && !got)
			break;
		bytes += (uint64_t)got;
		if (READER_SUMS)
			sum = sum * 31 + sum_of(data, got);
		if (boot->role && from.port != PORT) /* two servers would never end */
			user_send(socket, data, (uint32_t)got, &from);
	}
	say(n, bytes, sum);
	user_close(socket);
}

const struct program first_program = { .name = "udprecv", .entry = run, .priority = PRIORITY_USER };
