/* SPDX-License-Identifier: BSD-2-Clause */
/* Orderly conversations, from which disorder grows faster than from nothing. */
#include "test/fuzz/fuzz.h"

enum { SYN_FLAG = 2, FIN_ACK = 0x11, ACK_FLAG = 0x40, PUSH = 0x80 };
/* Acts of the user, as steps.c counts them. */
enum { DOES_PUSH = 0, DOES_CLOSE = 2, DOES_PING = 11, DOES_KEEPALIVE = 10 };

/* clang-format off */
const struct program seeds[] = {
	{ LISTENING, 8, { { STEP_TCP, SYN_FLAG }, { STEP_TCP, ACK_FLAG }, { STEP_TCP, PUSH, 0, 0, 40 },
			  { STEP_USER, DOES_PUSH, 60 }, { STEP_TCP, ACK_FLAG }, { STEP_WAIT, 3, 0 },
			  { STEP_TCP, FIN_ACK }, { STEP_USER, DOES_CLOSE } } },
	{ CONNECTED, 6, { { STEP_USER, DOES_PUSH, 200 }, { STEP_TCP, ACK_FLAG },
			  { STEP_USER, DOES_CLOSE }, { STEP_TCP, ACK_FLAG }, { STEP_TCP, FIN_ACK },
			  { STEP_WAIT, 7, 1 } } },
	{ CONNECTED, 5, { { STEP_TCP, PUSH, 40, 0, 40 }, { STEP_TCP, PUSH, 20, 0, 40 },
			  { STEP_TCP, PUSH, 0, 0, 20 }, { STEP_TCP, PUSH, 0, 0, 127 },
			  { STEP_WAIT, 4 } } },
	{ CONNECTED, 5, { { STEP_USER, DOES_KEEPALIVE, 20 }, { STEP_WAIT, 7, 3 },
			  { STEP_TCP, ACK_FLAG }, { STEP_WAIT, 7, 15 }, { STEP_WAIT, 7, 15 } } },
	{ CONNECTED, 6, { { STEP_TCP, ACK_FLAG, 0, 0, 0, 0, 1 }, { STEP_USER, DOES_PUSH, 200 },
			  { STEP_WAIT, 6, 3 }, { STEP_WAIT, 6, 3 }, { STEP_TCP, ACK_FLAG },
			  { STEP_WAIT, 4 } } },
	{ CONNECTED, 6, { { STEP_USER, DOES_PUSH, 255 }, { STEP_TCP, ACK_FLAG, 0, 200 },
			  { STEP_TCP, ACK_FLAG, 0, 200 }, { STEP_TCP, ACK_FLAG, 0, 200 },
			  { STEP_TCP, ACK_FLAG, 0, 200 }, { STEP_WAIT, 7, 15 } } },
	{ OPENING, 4, { { STEP_TCP, SYN_FLAG | 0x10 }, { STEP_USER, DOES_PUSH, 9 },
			{ STEP_TCP, FIN_ACK }, { STEP_USER, DOES_CLOSE } } },
	{ OPENING, 3, { { STEP_TCP, SYN_FLAG }, { STEP_TCP, ACK_FLAG }, { STEP_TCP, PUSH, 0, 0, 9 } } },
	{ DATAGRAMS, 4, { { STEP_FRAGMENT, 2, 0, 100 }, { STEP_FRAGMENT, 2, 0, 100 },
			  { STEP_FRAGMENT, 2, 0, 179 }, { STEP_FRAGMENT, 2, 0, 179 } } },
	{ DATAGRAMS, 6, { { STEP_FRAGMENT, 0, 0, 5 }, { STEP_FRAGMENT, 0, 0x80 + 4, 9 },
			  { STEP_FRAGMENT, 0, 0x80 + 14, 30 }, { STEP_FRAGMENT, 1, 0, 2 },
			  { STEP_FRAGMENT, 1, 0, 9 }, { STEP_WAIT, 7, 2 } } },
	{ DATAGRAMS, 4, { { STEP_UDP, 0, 0, 9 }, { STEP_UDP, 3, 0, 9 }, { STEP_ICMP, 0, 0, 9 },
			  { STEP_USER, DOES_PING, 5 } } },
	{ DATAGRAMS, 8, { { STEP_UDP_USER, 0, 0, 1, 1 }, { STEP_UDP_USER, 3, 0, 0, 99 },
			  { STEP_UDP_USER, 5, 0 }, { STEP_UDP, 3, 0, 9 }, { STEP_UDP_USER, 7, 0x80, 0, 7, 1 },
			  { STEP_UDP_USER, 5, 0, 1 }, { STEP_UDP_USER, 2, 0 }, { STEP_UDP, 3, 0, 9 } } },
	{ DATAGRAMS, 4, { { STEP_USER, DOES_PING, 5 }, { STEP_ICMP, 3, 0, 20 }, { STEP_USER, DOES_PING, 6 },
			  { STEP_WAIT, 7 } } },
	{ DATAGRAMS, 5, { { STEP_ARP, 0, 0x80, 0x80 }, { STEP_ARP, 1, 0x80, 0x80 }, { STEP_ARP, 0, 9, 0x80 },
			  { STEP_WAIT, 7, 15 }, { STEP_UDP, 3, 0, 9 } } },
	{ RPC_SERVER, 5, { { STEP_CHAN, 3, 0, 0, 0, 50 }, { STEP_CHAN, 3, 0, 0, 0, 50 },
			   { STEP_CHAN, 3, 0, 1, 0, 50 }, { STEP_CHAN, 1, 0, 2 }, { STEP_WAIT, 6, 5 } } },
	{ RPC_SERVER, 4, { { STEP_LONG_CHAN, 3, 0, 0, 20 }, { STEP_WAIT, 4, 3 },
			   { STEP_LONG_CHAN, 3, 1, 0, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0x55 },
			   { STEP_WAIT, 6, 3 } } },
	{ RPC_CLIENT, 4, { { STEP_CALL, 0, 20 }, { STEP_CHAN, 2, 0x80, 0x80, 0, 8 }, { STEP_CALL, 0, 255, 1 },
			   { STEP_WAIT, 7, 3 } } },
	{ RPC_CLIENT, 5, { { STEP_CALL, 0, 20 }, { STEP_WAIT, 6, 1 }, { STEP_CHAN, 4, 0x80, 0x80 },
			   { STEP_WAIT, 7, 1 }, { STEP_LONG_CHAN, 2, 0x80, 0x80, 30 } } },
	{ RPC_CLIENT, 4, { { STEP_CALL, 0, 20 }, { STEP_BIDCTL, 2, 0, 0, 0, 2, 1 }, { STEP_WAIT, 7, 1 },
			   { STEP_CALL, 0, 20 } } },
	{ 0 },
};
/* clang-format on */
