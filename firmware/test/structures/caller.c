/* SPDX-License-Identifier: BSD-2-Clause */
/* A program that makes socket calls, right and wrong ones, and says what each gave: the same in
 * every structure (test_structure_calls.py sends the datagrams). */
#include "kernel/user/calls.h"

enum { PORT = 7, OTHER_PORT = 8, ROOM = 4096, PAUSE_US = 50000 };

static uint8_t kernel_data[16]; /* no memory of the program */

static void say(const char *what, int result)
{
	user_print(what);
	user_print(result < 0 ? " -" : " ");
	user_print_number((uint64_t)(result < 0 ? -result : result));
	user_print("\n");
}

static int closed_by_another;

static void waits(uint64_t socket)
{
	uint8_t byte;
	int got = user_receive((int)socket, &byte, 1, NULL, 1);

	say("closed while it waits", got < 0 ? -1 : got);
	closed_by_another = 1;
}

static void wrong_numbers(uint8_t *data)
{
	struct socket_name *name = user_memory(sizeof *name);

	say("bind of no socket", user_bind(99, PORT));
	say("receive of no socket", user_receive(-1, data, ROOM, NULL, 1));
	say("close of no socket", user_close(5));
	say("limits of no socket", user_limits(5, 100, 0));
	say("send of no socket", user_send(99, data, 1, name));
}

static void ports(int a, int b)
{
	say("bind", user_bind(a, PORT));
	say("port in use", user_bind(b, PORT));
	say("no port", user_bind(b, 65536));
	say("another port", user_bind(b, OTHER_PORT));
}

/* The case has sent datagrams of 100, 3000, 20, 5000, 6 bytes to PORT by now. */
static void reads(int socket, uint8_t *data)
{
	struct socket_name *from = user_memory(sizeof *from);

	say("first", user_receive(socket, data, ROOM, from, 1));
	say("its last byte", data[99]);
	say("its port", (int)from->port);
	say("cut", user_receive(socket, data, 1000, NULL, 1));
	say("into no memory", user_receive(socket, data, 0, NULL, 1));
	say("longer than the room", user_receive(socket, data, ROOM, NULL, 1));
	say("last", user_receive(socket, data, ROOM, NULL, 0));
	say("nothing there", user_receive(socket, data, ROOM, NULL, 0));
}

static void run(uint64_t argument)
{
	uint8_t *data = user_memory(ROOM);
	struct socket_name *far = user_memory(sizeof *far);
	int a = user_socket(), b = user_socket();

	(void)argument;
	wrong_numbers(data);
	ports(a, b);
	say("empty", user_receive(a, data, ROOM, NULL, 0));
	user_pause(PAUSE_US);
	reads(a, data);
	*far = (struct socket_name){ 0x0a000063, 9 };
	say("to a stranger", user_send(a, data, 10, far) < 0 ? -1 : 0);
	say("limit below a datagram", user_limits(b, 100, 0));
	user_pause(PAUSE_US); /* 200, then 50 bytes come to OTHER_PORT */
	say("what fits", user_receive(b, data, ROOM, NULL, 0));
	say("what does not", user_receive(b, data, ROOM, NULL, 0));
	say("a thread", user_start(waits, (uint64_t)b, PRIORITY_USER) > 0);
	user_pause(PAUSE_US);
	say("close", user_close(b));
	user_pause(PAUSE_US);
	say("it has ended", closed_by_another);
	say("closed", user_receive(b, data, ROOM, NULL, 0));
	say("again", user_bind(user_socket(), OTHER_PORT));
	say("to the kernel", user_call(CALL_RECEIVE, (uint64_t)a, (uintptr_t)kernel_data, 1, 0,
				       0) == ERROR_BAD_ADDRESS ||
				 user_call(CALL_SOCKET, 0, 0, 0, 0, 0) == ERROR_NO_CALL);
}

const struct program first_program = { .name = "caller", .entry = run, .priority = PRIORITY_USER };
