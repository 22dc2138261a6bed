/* SPDX-License-Identifier: BSD-2-Clause */
/* A protocol above TCP that does what the script says and notes what happens. */
#pragma once

#include <stdint.h>

#include "xkernel/upi.h"

struct user {
	struct xobj *session; /* we hold a reference */
	int opening, open_failed;
	uint8_t data[65536]; /* what has come up */
	size_t bytes, messages;
	int peer_closed, done, refused, reset, timed_out; /* close notices */
	int accepted;
	/* what it does by itself */
	int keep_space; /* do not restore the receive space */
	int echo, close_on_peer, close_in_demux;
	int refuse; /* answer of open_done */
	int ignore; /* open_done keeps nothing */
	int push_result;
	int pushes_begun, pushes_done;
};
extern struct user user;

int user_init(struct xobj *self);
void user_listen(void);
void user_listen_on(uint16_t port);
void user_unlisten(void);
void user_open(void); /* to the peer's PEER_PORT; blocks in its own thread */
void user_push(const void *data, size_t bytes);
void user_close(void);
int user_control(int op, uint32_t value);
uint32_t user_state(void); /* enum tcp_state; the session must be ours */
