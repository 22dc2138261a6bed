/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of a program, by subject; each is given the step's bytes. */
#pragma once

#include <stdint.h>

#include "test/fuzz/fuzz.h"

/* tcp_steps.c: a segment near what is expected; the same with something wrong in its headers. */
void tcp_step(const uint8_t *b);
void twisted_tcp_step(const uint8_t *b);

/* user_steps.c: TCP's user, and pings. */
void user_step(const uint8_t *b);
void user_ends_probing(void); /* of windows for which a user still waits in a push (tcp.md) */

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

/* packets.c: packets other than TCP's and RPC's; raw_step sends anything at all. */
extern uint32_t echo_asked; /* identifier and sequence of the kernel's last echo request */
void udp_step(const uint8_t *b);
void icmp_step(const uint8_t *b);
void arp_step(const uint8_t *b);
void fragment_step(const uint8_t *b);
void raw_step(const uint8_t *b);
void arp_packet(uint32_t operation, uint32_t sender, uint32_t target);

/* udp_user.c: a user of UDP and of the protocols' controls; in a thread of the kernel's. */
void udp_user_step(const uint8_t *step);
void udp_user_ends(void);		       /* gives everything back */
int udp_user_sends_no_checksum(uint32_t port); /* it has asked for that, of this port of ours */

/* layer_user.c: a user of every layer, with numbers of its own (tcp.table): it opens, enables,
 * pushes, calls, asks and closes where usually only the protocol above would. */
void layer_user_step(const uint8_t *step);
void layer_user_ends(void);
int layer_user_made_calls(void); /* CHAN remembers the channels used, as it should */
