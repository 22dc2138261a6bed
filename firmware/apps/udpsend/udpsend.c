/* SPDX-License-Identifier: BSD-2-Clause */
/* The generator of the UDP study as a program: sends so many messages of 14,792 bytes, ten full
 * frames each, to the peer's port 7, with a pause after each. */
#include "kernel/user/calls.h"
#include "platform/platform.h"

enum { PORT = 7, MESSAGE = 14792, PAUSE_US = 20000 };

static void fill(uint8_t *data, uint64_t number)
{
	for (uint64_t i = 0; i < MESSAGE; i++)
		data[i] = (uint8_t)(i * 31 + (i >> 8) + number * 7);
}

static void run(uint64_t argument)
{
	const struct boot_params *boot = (const struct boot_params *)argument;
	const struct socket_name to = { (uint32_t)boot->peer_ip, PORT };
	struct socket_name *peer = user_memory(sizeof *peer);
	uint8_t *data = user_memory(MESSAGE);
	int socket = user_socket();

	if (!peer || !data || socket < 0) {
		user_print("udpsend: no memory or socket\n");
		user_exit(1);
	}
	*peer = to;
	user_pause(PAUSE_US); /* until the reader is there */
	for (uint64_t n = 0; n < boot->round_trips; n++) {
		fill(data, n);
		if (user_send(socket, data, MESSAGE, peer) != MESSAGE) {
			user_print("udpsend: not sent\n");
			user_exit(1);
		}
		user_pause(PAUSE_US);
	}
	user_close(socket);
}

const struct program first_program = { .name = "udpsend", .entry = run, .priority = PRIORITY_USER };
