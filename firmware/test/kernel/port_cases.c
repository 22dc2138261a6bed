/* SPDX-License-Identifier: BSD-2-Clause */
/* Ports: order, limits, owners, shared memory. `second` is the server, with a space of its own. */
#include "test/kernel/bench.h"

static int create(int number)
{
	return (int)user_call(CALL_PORT_CREATE, (uint64_t)number, 0, 0, 0, 0);
}

static int send(int port, uint32_t kind, const void *data, uint32_t bytes)
{
	struct message_header h = { .kind = kind, .bytes = bytes };

	return (int)user_call(CALL_PORT_SEND, (uint64_t)port, (uintptr_t)&h, (uintptr_t)data, 0, 0);
}

static int receive(int port, struct message_header *h, void *data, uint32_t bytes, int wait)
{
	return (int)user_call(CALL_PORT_RECEIVE, (uint64_t)port, (uintptr_t)h, (uintptr_t)data,
			      bytes, (uint64_t)wait);
}

static void to_itself(uint64_t boot)
{
	uint8_t data[100], got[100];
	struct message_header h;
	int port = create(0), n;

	(void)boot;
	CHECK(port >= PORTS_NAMED);
	CHECK_EQUAL(receive(port, &h, NULL, 0, 0), ERROR_WOULD_WAIT);
	for (n = 0; n < PORT_MESSAGES; n++) {
		memset(data, n, sizeof data);
		CHECK_EQUAL(send(port, (uint32_t)n, data, (uint32_t)n), 0);
	}
	CHECK_EQUAL(send(port, 0, NULL, 0), ERROR_FULL);
	CHECK_EQUAL(port_counts.full, 1);
	for (n = 0; n < PORT_MESSAGES; n++) {
		memset(got, 0xee, sizeof got);
		CHECK_EQUAL(receive(port, &h, got, sizeof got, 1), n);
		CHECK_EQUAL(h.kind, n);
		CHECK(n == 0 || (got[0] == n && got[n - 1] == n));
		CHECK_EQUAL(got[n], 0xee);
	}
	CHECK_EQUAL(send(port, 1, data, 100), 0);
	CHECK_EQUAL(receive(port, &h, got, 10, 1), 10); /* cut */
	CHECK_EQUAL(port_counts.too_long, 1);
}

CASE(messages_keep_their_order)
{
	CHECK_EQUAL(run_program(to_itself), 0);
}

static void refused(uint64_t boot)
{
	static uint8_t kernel_data[MESSAGE_DATA + 1];
	struct message_header h;
	uint8_t byte;
	int port = create(0);

	(void)boot;
	CHECK_EQUAL(create(PORT_SERVER), PORT_SERVER);
	CHECK_EQUAL(create(PORT_SERVER), ERROR_IN_USE);
	CHECK_EQUAL(create(PORTS_NAMED), ERROR_BAD_NUMBER);
	CHECK_EQUAL(create(-1), ERROR_BAD_NUMBER);
	CHECK_EQUAL(send(31, 0, NULL, 0), ERROR_BAD_NUMBER);
	CHECK_EQUAL(send(-1, 0, NULL, 0), ERROR_BAD_NUMBER);
	CHECK_EQUAL(send(1000000, 0, NULL, 0), ERROR_BAD_NUMBER);
	CHECK_EQUAL(port_counts.no_port, 3);
	CHECK_EQUAL(send(port, 0, kernel_data, 1), ERROR_BAD_ADDRESS);
	CHECK_EQUAL(send(port, 0, &byte, MESSAGE_DATA + 1), ERROR_TOO_LONG);
	CHECK_EQUAL(user_call(CALL_PORT_SEND, (uint64_t)port, 0, 0, 0, 0), ERROR_BAD_ADDRESS);
	CHECK_EQUAL(send(port, 5, &byte, 1), 0);
	CHECK_EQUAL(receive(port, &h, kernel_data, 1, 1), ERROR_BAD_ADDRESS);
	CHECK_EQUAL(user_call(CALL_PORT_RECEIVE, (uint64_t)port, 0, 0, 0, 1), ERROR_BAD_ADDRESS);
	CHECK_EQUAL(receive(31, &h, NULL, 0, 1), ERROR_BAD_NUMBER);
	CHECK_EQUAL(receive(port, &h, &byte, 1, 1), 1); /* it was not lost */
	CHECK_EQUAL(h.kind, 5);
	CHECK_EQUAL(user_call(CALL_PORT_MAP, (uint64_t)port, 0, 0, 0, 0), ERROR_NO_MEMORY);
	CHECK_EQUAL(user_call(CALL_PORT_OFFER, (uint64_t)port, (uintptr_t)&byte, 0, 0, 0),
		    ERROR_BAD_ADDRESS);
}

CASE(messages_refused)
{
	CHECK_EQUAL(run_program(refused), 0);
}

static void takes_all(uint64_t boot)
{
	int a = create(0), b = create(0), n;

	(void)boot;
	for (n = 0; n < MESSAGES; n++)
		CHECK_EQUAL(send(n < PORT_MESSAGES ? a : b, 0, NULL, 0), 0);
	CHECK_EQUAL(send(b, 0, NULL, 0), ERROR_NO_MEMORY);
	CHECK_EQUAL(port_counts.no_message, 1);
}

CASE(messages_are_limited)
{
	CHECK_EQUAL(run_program(takes_all), 0);
	CHECK_EQUAL(port_counts.discarded, MESSAGES);
}

static uint8_t *shared_there;

static void server(uint64_t boot)
{
	struct message_header h;

	(void)boot;
	create(PORT_SERVER);
	shared_there = user_memory(64);
	CHECK_EQUAL(user_call(CALL_PORT_OFFER, PORT_SERVER, (uintptr_t)shared_there, 0, 0, 0), 0);
	note('1');
	CHECK_EQUAL(receive(PORT_SERVER, &h, NULL, 0, 1), 0);
	note('3');
	CHECK_EQUAL(shared_there[5], 'c');
	shared_there[6] = 's';
	h.bytes = 0;
	user_call(CALL_PORT_SEND, h.reply_port, (uintptr_t)&h, 0, 0, 0);
	note('4');
}

static void client(uint64_t boot)
{
	struct message_header h = { .reply_port = (uint32_t)create(0) };
	uint8_t *shared = (uint8_t *)(uintptr_t)user_call(CALL_PORT_MAP, PORT_SERVER, 0, 0, 0, 0);

	(void)boot;
	note('2');
	shared[5] = 'c';
	CHECK_EQUAL(receive(PORT_SERVER, &h, NULL, 0, 1), ERROR_NOT_OURS);
	CHECK_EQUAL(user_call(CALL_PORT_OFFER, PORT_SERVER, (uintptr_t)shared, 0, 0, 0),
		    ERROR_NOT_OURS);
	CHECK_EQUAL(user_call(CALL_PORT_SEND, PORT_SERVER, (uintptr_t)&h, 0, 0, 0), 0);
	note('5');		     /* the server is more urgent, and has ended */
	CHECK_EQUAL(shared[6], 's'); /* its memory stays while we map it */
	CHECK_EQUAL(user_call(CALL_PRINT, (uintptr_t)shared, 64, 0, 0, 0), 64);
	CHECK_EQUAL(receive((int)h.reply_port, &h, NULL, 0, 1), 0);
	CHECK_EQUAL(user_call(CALL_PORT_SEND, PORT_SERVER, (uintptr_t)&h, 0, 0, 0),
		    ERROR_BAD_NUMBER);
}

CASE(server_and_client_share_memory)
{
	second_program = server;
	second_priority = PRIORITY_SERVER;
	CHECK_EQUAL(run_program(client), 0);
	CHECK_NOTES("12345");
}

static void waits_for_the_server(uint64_t boot)
{
	struct message_header h;

	(void)boot;
	CHECK_EQUAL(create(PORT_SERVER), PORT_SERVER);
	CHECK_EQUAL(receive(PORT_SERVER, &h, NULL, 0, 1), 0);
	note('r');
}

static void sends_later(uint64_t boot)
{
	(void)boot;
	note('1');
	CHECK_EQUAL(send(PORT_SERVER, 0, NULL, 0), 0);
	note('2');
}

CASE(receiver_waits)
{
	second_program = waits_for_the_server;
	second_priority = PRIORITY_SERVER;
	CHECK_EQUAL(run_program(sends_later), 0);
	CHECK_NOTES("1r2");
}

static void refuses_many(uint64_t boot)
{
	int port = create(0), n;

	(void)boot;
	for (n = 0; n < 3 * MESSAGES; n++)
		CHECK_EQUAL(send(31, 0, NULL, 0), ERROR_BAD_NUMBER);
	for (n = 0; n < PORT_MESSAGES; n++)
		CHECK_EQUAL(send(port, 0, NULL, 0), 0);
	for (n = 0; n < MESSAGES; n++)
		CHECK_EQUAL(send(port, 0, NULL, 0), ERROR_FULL);
	CHECK_EQUAL(port_counts.no_message, 0);
}

CASE(messages_come_back)
{
	CHECK_EQUAL(run_program(refuses_many), 0);
}

static int waiting;

static void waits_for_ever(uint64_t port)
{
	struct message_header h;

	note((char)('0' - receive((int)port, &h, NULL, 0, 1) + ERROR_ENDED));
}

static void ends_the_receiver(uint64_t boot)
{
	int port = create(0);

	(void)boot;
	waiting = user_start(waits_for_ever, (uint64_t)port, PRIORITY_USER);
	user_yield();
	process_end(process_find(waiting), -3, "ended by the case");
	CHECK_EQUAL(user_wait(waiting), -3);
	CHECK_EQUAL(send(port, 0, NULL, 0), 0); /* nobody takes it */
	note('e');
}

CASE(receiver_that_must_end)
{
	CHECK_EQUAL(run_program(ends_the_receiver), 0);
	CHECK_NOTES("e");
}
