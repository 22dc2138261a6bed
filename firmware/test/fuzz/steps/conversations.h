/* SPDX-License-Identifier: BSD-2-Clause */
/* Many TCP connections to several peers, for the machine that lives through all inputs (live.c).
 * peer.h and known.h know one connection; here each has its own copy of what they know. */
#pragma once

#include <stdint.h>

/* Conversation n is with peer 10.0.0.(2 + n % PEERS), port CONVERSATION_PORT + n. */
enum { PEERS = 4, CONVERSATIONS = 40, CONVERSATION_PORT = 6000 };

void conversations_begin(uint16_t kernel_port); /* until then there is one, peer.h's */
void converse(unsigned n);			/* from here on the peer is this one's */
unsigned conversation_now(void);
void conversation_anew(uint32_t peer_initial); /* the current one: its next segment is a SYN */

/* A frame that the machine has sent: turns to the conversation it belongs to, and says which it was
 * before. One that is nobody's changes nothing. */
unsigned converse_with(const uint8_t *ip);

/* The conversation of a connection, by the remote host (host order) and port; -1: none. */
int conversation_of(uint32_t host, uint32_t port);
