/* SPDX-License-Identifier: BSD-2-Clause */
/* What the steps of a program do, by subject; each is given the step's bytes. */
#pragma once

#include <stdint.h>

#include "test/fuzz/fuzz.h"

/* tcp_steps.c: a segment near what is expected; the same with something wrong in its headers. */
void tcp_step(const uint8_t *b);
void twisted_tcp_step(const uint8_t *b);

/* user_steps.c: TCP's user, and pings. */
void user_step(const uint8_t *b);
void user_ends_probing(void); /* of closed windows, which TCP does without end (tcp.md) */

/* steps.c: the one that the first byte says; everybody goes home, and what is left is counted. */
void run_step(const uint8_t *b);
void wind_down(enum scenario s);

/* rpc_steps.c: messages of the peer's, calls of ours. */
void rpc_meet_now(int and_open); /* BIDCTL's handshake; then calls may be made */
void rpc_meet_again(void);	 /* it alone; the peer's calls are new ones, and so may ours be */
void blast_step(const uint8_t *b);
void chan_step(const uint8_t *b);
void long_chan_step(const uint8_t *b);
void bidctl_step(const uint8_t *b);
void call_step(const uint8_t *b);
