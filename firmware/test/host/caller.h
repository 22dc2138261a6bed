/* SPDX-License-Identifier: BSD-2-Clause */
/* In XRPCTEST's place: calls what the script says, serves as it says, notes what happens. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { CALLER_MAX = 64, CALLER_BYTES = 64 * 1456 };

struct caller_call { /* one of ours */
	int done, result;
	size_t reply_bytes;
	uint8_t reply[CALLER_BYTES];
};

enum caller_mode {
	CALLER_ECHO,  /* the reply is the request */
	CALLER_EMPTY, /* the reply is empty */
	CALLER_SLOW,  /* echo, when caller_let_go says so */
	CALLER_FAIL,
};

struct caller {
	struct caller_call call[CALLER_MAX];
	int calls; /* begun */
	enum caller_mode mode;
	int executed;	    /* as server */
	int running;	    /* of those, now */
	void (*ends)(void); /* in the thread of a call of ours, as soon as that returns */
	size_t request_bytes;
	uint8_t request[CALLER_BYTES]; /* the last one */
};
extern struct caller caller;

void caller_open(void);
void caller_close(void);
int caller_call(const void *data, size_t bytes); /* its number; the call runs on by itself */
void call_ends(int call, int result);		 /* it has, with this */
int caller_control(int op, uint32_t value);
int caller_control_now(int op, uint32_t value); /* the same, in a kernel thread already */
void caller_serve(enum caller_mode mode);
void caller_ends_service(void);
void rpc_serves(enum caller_mode mode); /* the kernel, started, serves */
void rpc_calls(void);			/* it has opened its channels */
void caller_let_go(void);		/* one of the slow ones ends */
