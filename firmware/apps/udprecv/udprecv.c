/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of the UDP study: takes datagrams at port 7 until so many have come, and says how many
 * bytes they had and what their sum is. As a server it sends each one back (RFC 862). */
#include "kernel/user/calls.h"
#include "platform/marker.h"
#include "platform/platform.h"

#ifndef QUEUE_BYTES
#define QUEUE_BYTES 131072 /* what may wait in the socket */
#endif
#ifndef READER_SUMS
#define READER_SUMS 1 /* 0: it does not look at what it has read */
#endif
#ifndef READER_LOADS
#define READER_LOADS 0 /* 1: it loads each word of it */
#endif
#ifndef EMPTY_ENDS
#define EMPTY_ENDS 0 /* 1: an empty datagram is the last one */
#endif

#ifndef MEASURE_AFTER
#define MEASURE_AFTER 0 /* datagrams after which counting begins, until the last; 0: all counts */
#endif

#ifndef LOAD_BYTES
#define LOAD_BYTES 0 /* of its state that the reader goes through for a word that it has read */
#endif

enum { PORT = 7, LONGEST = 65507, STATE_WORDS = LOAD_BYTES ? 65536 : 1, PIECES = 96 };

/* On through the state, as large as the cache, and from its end to its start. */
static void work(int bytes)
{
	static const volatile uint32_t state[STATE_WORDS];
	static uint32_t at;

	for (uint64_t left = (uint64_t)bytes / 4 * LOAD_BYTES / 4; left; left--) {
		(void)state[at];
		at = (at + 1) % STATE_WORDS;
	}
}

static uint64_t sum_of(uint64_t sum, const uint8_t *data, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i++)
		sum = sum * 31 + data[i];
	return sum;
}

static void load(const uint8_t *data, uint64_t bytes)
{
	typedef const volatile uint32_t __attribute__((may_alias)) word;
	uintptr_t at = (uintptr_t)data & ~(uintptr_t)3, end = (uintptr_t)data + bytes;

	for (; at < end; at += 4)
		(void)*(word *)at;
}

/* The next datagram: its bytes, and where they lie: where the kernel has them, or in `data`. */
#if FBUFS
static int receive(int socket, uint8_t *data, struct lent_piece *pieces, struct socket_name *from)
{
	(void)data;
	return user_borrow(socket, pieces, PIECES * sizeof *pieces, from, 1);
}
#else
static int receive(int socket, uint8_t *data, struct lent_piece *pieces, struct socket_name *from)
{
	int got = user_receive(socket, data, LONGEST, from, 1);

	pieces[0] = (struct lent_piece){ data, (uint64_t)got };
	return got;
}
#endif

/* The reader's work on a piece. Its sum, if it has one. */
static uint64_t look(const struct lent_piece *piece, int64_t bytes)
{
	uint64_t sum = 0;

	for (; bytes > 0; bytes -= (int64_t)piece->bytes, piece++) {
		if (READER_LOADS)
			load(piece->data, piece->bytes);
		if (READER_SUMS)
			sum = sum_of(sum, piece->data, piece->bytes);
	}
	return sum;
}

#if MEASURE_AFTER
__attribute__((noinline)) static void measure_start(void)
{
	MARK(MARK_EVENT, EVENT_MEASURE_START);
}

__attribute__((noinline)) static void measure_end(void)
{
	MARK(MARK_EVENT, EVENT_MEASURE_END);
}
#else
static void measure_start(void)
{
}
static void measure_end(void)
{
}
#endif

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
	struct lent_piece pieces[PIECES];
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
		if (n && n == MEASURE_AFTER)
			measure_start();
		got = receive(socket, data, pieces, &from);
		if (got < 0)
			fail("receive failed");
		if (EMPTY_ENDS && !got)
			break;
		bytes += (uint64_t)got;
		if (LOAD_BYTES)
			work(got);
		if (READER_SUMS || READER_LOADS)
			sum = sum * 31 + look(pieces, got);
		if (boot->role && from.port != PORT) /* two servers would never end */
			user_send(socket, data, (uint32_t)got, &from);
	}
	measure_end();
	say(n, bytes, sum);
	user_close(socket);
}

const struct program first_program = { .name = "udprecv", .entry = run, .priority = PRIORITY_USER };
