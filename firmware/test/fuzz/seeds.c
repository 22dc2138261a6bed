/* SPDX-License-Identifier: BSD-2-Clause */
/* Orderly conversations, from which disorder grows faster than from nothing. */
#include <stdio.h>
#include <stdlib.h>

#include "test/fuzz/fuzz.h"

enum { SYN_FLAG = 2, FIN_ACK = 0x11, ACK_FLAG = 0x40, PUSH = 0x80 };
/* Acts of TCP's user (user_steps.c), and of the other two. */
enum { DOES_PUSH = 0, DOES_CLOSE = 2, DOES_PING = 11, DOES_KEEPALIVE = 10 };
enum { OPENS = 0, CLOSES = 2, PUSHES = 3, ENABLES = 5, MOODS = 6, ASKS = 7 };

/* clang-format off */
static const struct program seeds[] = {
	{ LISTENING, 8, {
		{ STEP_TCP, SYN_FLAG }, { STEP_TCP, ACK_FLAG }, { STEP_TCP, PUSH, 0, 0, 40 },
		{ STEP_USER, DOES_PUSH, 60 }, { STEP_TCP, ACK_FLAG }, { STEP_WAIT, 3, 0 },
		{ STEP_TCP, FIN_ACK }, { STEP_USER, DOES_CLOSE },
	} },
	{ CONNECTED, 6, {
		{ STEP_USER, DOES_PUSH, 200 }, { STEP_TCP, ACK_FLAG }, { STEP_USER, DOES_CLOSE },
		{ STEP_TCP, ACK_FLAG }, { STEP_TCP, FIN_ACK }, { STEP_WAIT, 7, 1 },
	} },
	{ CONNECTED, 5, {
		{ STEP_TCP, PUSH, 40, 0, 40 }, { STEP_TCP, PUSH, 20, 0, 40 },
		{ STEP_TCP, PUSH, 0, 0, 20 }, { STEP_TCP, PUSH, 0, 0, 127 }, { STEP_WAIT, 4 },
	} },
	{ CONNECTED, 5, {
		{ STEP_USER, DOES_KEEPALIVE, 20 }, { STEP_WAIT, 7, 3 }, { STEP_TCP, ACK_FLAG },
		{ STEP_WAIT, 7, 15 }, { STEP_WAIT, 7, 15 },
	} },
	{ CONNECTED, 6, {
		{ STEP_TCP, ACK_FLAG, 0, 0, 0, 0, 1 }, { STEP_USER, DOES_PUSH, 200 },
		{ STEP_WAIT, 6, 3 }, { STEP_WAIT, 6, 3 }, { STEP_TCP, ACK_FLAG },
		{ STEP_WAIT, 4 },
	} },
	{ CONNECTED, 6, {
		{ STEP_USER, DOES_PUSH, 255 }, { STEP_TCP, ACK_FLAG, 0, 200 },
		{ STEP_TCP, ACK_FLAG, 0, 200 }, { STEP_TCP, ACK_FLAG, 0, 200 },
		{ STEP_TCP, ACK_FLAG, 0, 200 }, { STEP_WAIT, 7, 15 },
	} },
	/* Small pushes while the window is closed, more than TCP's queue keeps apart. */
	{ CONNECTED, 29, {
		{ STEP_TCP, ACK_FLAG, 0, 0, 0, 0, 1 },
		{ STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH },
		{ STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH },
		{ STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH },
		{ STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH },
		{ STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH },
		{ STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH },
		{ STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH },
		{ STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH },
		{ STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH },
		{ STEP_TCP, ACK_FLAG },
	} },
	{ OPENING, 4, {
		{ STEP_TCP, SYN_FLAG | 0x10 }, { STEP_USER, DOES_PUSH, 9 }, { STEP_TCP, FIN_ACK },
		{ STEP_USER, DOES_CLOSE },
	} },
	{ OPENING, 3, {
		{ STEP_TCP, SYN_FLAG }, { STEP_TCP, ACK_FLAG }, { STEP_TCP, PUSH, 0, 0, 9 },
	} },
	{ DATAGRAMS, 4, {
		{ STEP_FRAGMENT, 2, 0, 100 }, { STEP_FRAGMENT, 2, 0, 100 },
		{ STEP_FRAGMENT, 2, 0, 179 }, { STEP_FRAGMENT, 2, 0, 179 },
	} },
	{ DATAGRAMS, 6, {
		{ STEP_FRAGMENT, 0, 0, 5 }, { STEP_FRAGMENT, 0, 0x80 + 4, 9 },
		{ STEP_FRAGMENT, 0, 0x80 + 14, 30 }, { STEP_FRAGMENT, 1, 0, 2 },
		{ STEP_FRAGMENT, 1, 0, 9 }, { STEP_WAIT, 7, 2 },
	} },
	{ DATAGRAMS, 4, {
		{ STEP_UDP, 0, 0, 9 }, { STEP_UDP, 3, 0, 9 }, { STEP_ICMP, 0, 0, 9 },
		{ STEP_USER, DOES_PING, 5 },
	} },
	/* UDP's user: opens, enables, is sent something, is asked. */
	{ DATAGRAMS, 8, {
		{ STEP_UDP_USER, OPENS, 0, 1, 1 }, { STEP_UDP_USER, PUSHES, 0, 0, 99 },
		{ STEP_UDP_USER, ENABLES, 0 }, { STEP_UDP, 3, 0, 9 },
		{ STEP_UDP_USER, ASKS, 0x80, 0, 7, 1 }, { STEP_UDP_USER, ENABLES, 0, 1 },
		{ STEP_UDP_USER, CLOSES, 0 }, { STEP_UDP, 3, 0, 9, 0, 4, 1 },
	} },
	{ DATAGRAMS, 12, {
		{ STEP_UDP_USER, OPENS, 0, 1, 1 }, { STEP_UDP_USER, OPENS, 1, 1, 1 },
		{ STEP_UDP_USER, OPENS, 2, 2, 0 }, { STEP_UDP_USER, OPENS, 3, 2, 0, 255 },
		{ STEP_UDP_USER, ASKS, 0x80, 0, 6, 1 }, { STEP_UDP_USER, PUSHES, 0, 0, 9 },
		{ STEP_UDP_USER, ASKS, 0x80, 2, 1, 1 }, { STEP_UDP_USER, ASKS, 0x80, 2, 8, 1 },
		{ STEP_UDP_USER, ASKS, 0x80, 2, 8, 0 }, { STEP_UDP_USER, ASKS, 0x80, 2, 3, 1 },
		{ STEP_UDP_USER, PUSHES, 2, 255, 255, 1 },
		{ STEP_UDP_USER, PUSHES, 2, 0, 10, 0, 1 },
	} },
	{ DATAGRAMS, 9, {
		{ STEP_UDP_USER, MOODS, 2 }, { STEP_UDP_USER, ENABLES, 3 },
		{ STEP_UDP_USER, ENABLES, 3 }, { STEP_UDP, 3, 0, 9, 0, 5, 0, 0, 0, 3 },
		{ STEP_UDP, 3, 0, 9, 0, 5, 1, 0, 0, 3 }, { STEP_UDP, 3, 0, 9, 0, 5, 2, 0, 0, 3 },
		{ STEP_UDP, 3, 0, 9, 0, 5, 3, 0, 0, 3 }, { STEP_UDP, 3, 0, 9, 0, 5, 4, 0, 0, 3 },
		{ STEP_UDP_USER, CLOSES, 0x80 },
	} },
	{ DATAGRAMS, 8, {
		{ STEP_UDP_USER, MOODS, 1 }, { STEP_UDP_USER, ENABLES, 1, 0, 1 },
		{ STEP_UDP_USER, ENABLES, 1, 0, 2 }, { STEP_UDP_USER, ENABLES, 1, 1 },
		{ STEP_UDP_USER, ENABLES, 2 }, { STEP_UDP, 3, 0, 9, 0, 4, 9, 0, 0, 2 },
		{ STEP_UDP, 3, 0, 9, 0, 6, 5 }, { STEP_UDP, 2, 0, 9, 0, 2, 5 },
	} },
	{ DATAGRAMS, 6, {
		{ STEP_MEMORY, 0, 0, 1 }, { STEP_UDP_USER, ENABLES, 4 }, { STEP_MEMORY, 0, 1, 1 },
		{ STEP_UDP_USER, OPENS, 0, 1, 1 }, { STEP_MEMORY, 0, 0, 1 },
		{ STEP_UDP, 0, 0, 9, 3 },
	} },
	{ LISTENING, 4, {
		{ STEP_UDP_USER, ENABLES, 2, 0, 0, 1 }, { STEP_UDP_USER, ENABLES, 2, 0, 0, 1 },
		{ STEP_UDP_USER, ENABLES, 2, 1, 0, 1 }, { STEP_UDP_USER, ENABLES, 2, 1, 0, 1 },
	} },
	/* The user of every layer. */
	{ DATAGRAMS, 9, {
		{ STEP_LAYER_USER, MOODS, 2 }, { STEP_LAYER_USER, ENABLES, 0, 0 },
		{ STEP_RAW, 1, 46, 2 }, { STEP_LAYER_USER, OPENS, 0, 0 },
		{ STEP_LAYER_USER, PUSHES, 0, 5, 200 }, { STEP_LAYER_USER, PUSHES, 0, 6, 0 },
		{ STEP_LAYER_USER, ASKS, 0, 0, 3, 2 }, { STEP_LAYER_USER, ASKS, 0, 0, 1, 1 },
		{ STEP_LAYER_USER, ENABLES, 1, 0 },
	} },
	{ DATAGRAMS, 9, {
		{ STEP_LAYER_USER, ENABLES, 0, 1 }, { STEP_LAYER_USER, ENABLES, 0, 1 },
		{ STEP_RAW, 0, 40, 50 }, { STEP_LAYER_USER, OPENS, 1, 1, 0, 2 },
		{ STEP_LAYER_USER, OPENS, 1, 1, 4, 2 }, { STEP_LAYER_USER, PUSHES, 1, 30, 0 },
		{ STEP_LAYER_USER, ASKS, 1, 0, 0, 1 }, { STEP_LAYER_USER, ASKS, 1, 0, 3, 1 },
		{ STEP_LAYER_USER, ENABLES, 1, 1 },
	} },
	{ RPC_CLIENT, 8, {
		{ STEP_LAYER_USER, OPENS, 0, 2 }, { STEP_LAYER_USER, PUSHES, 0, 20, 0, 2 },
		{ STEP_LAYER_USER, OPENS, 1, 3 }, { STEP_LAYER_USER, PUSHES, 1, 20, 0 },
		{ STEP_LAYER_USER, ASKS, 0, 0, 1, 1 }, { STEP_LAYER_USER, ASKS, 1, 0, 1, 1 },
		{ STEP_LAYER_USER, CLOSES, 0 }, { STEP_LAYER_USER, CLOSES, 1 },
	} },
	{ RPC_CLIENT, 8, {
		{ STEP_LAYER_USER, OPENS, 2, 5 }, { STEP_LAYER_USER, PUSHES, 2, 0, 20 },
		{ STEP_CHAN, 2, 0x80, 0x80, 0, 8, 3, 52, 0, 0, 0, 16 },
		{ STEP_LAYER_USER, OPENS, 3, 4 }, { STEP_LAYER_USER, PUSHES, 3, 0, 20 },
		{ STEP_LAYER_USER, ASKS, 3, 0, 6, 1, 3 }, { STEP_WAIT, 7, 3 },
		{ STEP_LAYER_USER, CLOSES, 3 },
	} },
	{ RPC_SERVER, 7, {
		{ STEP_LAYER_USER, ENABLES, 0, 2 }, { STEP_LAYER_USER, ENABLES, 0, 3 },
		{ STEP_LAYER_USER, ENABLES, 0, 4 }, { STEP_LAYER_USER, ENABLES, 0, 5 },
		{ STEP_CHAN, 3, 1, 1, 0, 8, 13, 36, 0, 0, 0, 16 },
		{ STEP_CHAN, 3, 1, 2, 0, 8, 15, 32, 0, 0, 0, 16 },
		{ STEP_CHAN, 3, 1, 3, 0, 8, 15, 0, 0, 0, 0, 16 },
	} },
	{ RPC_SERVER, 6, {
		{ STEP_CALL, 8 }, { STEP_CHAN, 3, 0, 0, 0, 50 }, { STEP_CALL, 8 },
		{ STEP_CHAN, 3, 0, 0, 0, 50, 0x40, 10 }, { STEP_CALL, 1, 2 },
		{ STEP_CHAN, 3, 0, 1, 0, 50 },
	} },
	{ RPC_CLIENT, 6, {
		{ STEP_CALL, 0, 20 }, { STEP_CALL, 4 }, { STEP_CHAN, 2, 0x80, 0x80, 0, 8 },
		{ STEP_CALL, 4 }, { STEP_CALL, 2, 9, 0, 4 }, { STEP_CALL, 0, 20 },
	} },
	{ DATAGRAMS, 4, {
		{ STEP_USER, DOES_PING, 5 }, { STEP_ICMP, 3, 0, 20 }, { STEP_USER, DOES_PING, 6 },
		{ STEP_WAIT, 7 },
	} },
	{ DATAGRAMS, 5, {
		{ STEP_ARP, 0, 0x80, 0x80 }, { STEP_ARP, 1, 0x80, 0x80 },
		{ STEP_ARP, 0, 9, 0x80 }, { STEP_WAIT, 7, 15 }, { STEP_UDP, 3, 0, 9 },
	} },
	{ RPC_SERVER, 5, {
		{ STEP_CHAN, 3, 0, 0, 0, 50 }, { STEP_CHAN, 3, 0, 0, 0, 50 },
		{ STEP_CHAN, 3, 0, 1, 0, 50 }, { STEP_CHAN, 1, 0, 2 }, { STEP_WAIT, 6, 5 },
	} },
	{ RPC_SERVER, 4, {
		{ STEP_LONG_CHAN, 3, 0, 0, 20 }, { STEP_WAIT, 4, 3 },
		{ STEP_LONG_CHAN, 3, 1, 0, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0x55 },
		{ STEP_WAIT, 6, 3 },
	} },
	/* A machine not met before; one that thinks of an earlier boot of ours. */
	{ DATAGRAMS, 2, {
		{ STEP_BIDCTL, 1, 0, 1, 6, 0, 0, 77 }, { STEP_BIDCTL, 2, 0, 0, 1 },
	} },
	{ RPC_SERVER, 2, {
		{ STEP_CHAN, 3, 0, 0, 0, 8, 3, 31, 0, 0, 0, 99 }, { STEP_CHAN, 3, 0, 0, 0, 8 },
	} },
	{ RPC_CLIENT, 4, {
		{ STEP_CALL, 0, 20 }, { STEP_CHAN, 2, 0x80, 0x80, 0, 8 },
		{ STEP_CALL, 0, 255, 1 }, { STEP_WAIT, 7, 3 },
	} },
	{ RPC_CLIENT, 5, {
		{ STEP_CALL, 0, 20 }, { STEP_WAIT, 6, 1 }, { STEP_CHAN, 4, 0x80, 0x80 },
		{ STEP_WAIT, 7, 1 }, { STEP_LONG_CHAN, 2, 0x80, 0x80, 30 },
	} },
	{ RPC_CLIENT, 4, {
		{ STEP_CALL, 0, 20 }, { STEP_BIDCTL, 2, 0, 0, 0, 2, 1 }, { STEP_WAIT, 7, 1 },
		{ STEP_CALL, 0, 20 },
	} },
	/* Each twist of a segment; options of IP and of TCP, sound and not. */
	{ CONNECTED, 19, {
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 1 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 2 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 3, 6 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 4, 4 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 4, 15 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 5, 246 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 5, 10 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 6 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 7, 99 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 8, 1 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 8, 255 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 9, 200 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 10, 32, 0 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 11, 4 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 12 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 13, 18, 52 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 14, 30 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 15, 80 },
		{ STEP_TWISTED_TCP, PUSH, 0, 0, 5, 0, 0, 1, 17, 20 },
	} },
	{ LISTENING, 5, {
		{ STEP_TWISTED_TCP, 2, 0, 0, 2, 4, 5, 180, 20, 1 },
		{ STEP_TWISTED_TCP, ACK_FLAG, 0, 0, 2, 0, 0, 1, 20, 1 },
		{ STEP_TWISTED_TCP, ACK_FLAG, 0, 0, 1, 1, 1, 1, 70, 2 },
		{ STEP_TWISTED_TCP, 2, 0, 0, 2, 200, 1, 1, 20, 1 },
		{ STEP_TWISTED_TCP, 2, 0, 0, 3, 0, 0, 0, 20, 1 },
	} },
	/* A request with one field of BLAST's, BID's, CHAN's or MSELECT's header wrong. */
	{ RPC_SERVER, 13, {
		{ STEP_CHAN, 3, 0, 0, 0, 50, 13, 32, 1, 0, 0, 0 },
		{ STEP_CHAN, 3, 0, 0, 0, 50, 3, 38, 0, 0, 0, 1 },
		{ STEP_CHAN, 3, 0, 0, 0, 50, 13, 32, 0, 0, 0, 4 },
		{ STEP_CHAN, 3, 0, 1, 0, 50, 15, 8, 0, 0, 0, 8 },
		{ STEP_CHAN, 3, 0, 1, 0, 50, 15, 8, 0, 0, 0, 20 },
		{ STEP_CHAN, 3, 0, 1, 0, 50, 15, 8, 0, 0, 0, 12 },
		{ STEP_CHAN, 3, 0, 1, 0, 50, 15, 32, 0, 0, 0, 9 },
		{ STEP_CHAN, 3, 0, 1, 0, 50, 15, 40, 0, 0, 0, 9 },
		{ STEP_CHAN, 3, 0, 1, 0, 50, 13, 36, 0, 0, 0, 9 },
		{ STEP_CHAN, 3, 0, 1, 0, 50, 15, 0, 0, 0, 0, 9 },
		{ STEP_CHAN, 3, 0, 1, 0, 50, 3, 14, 0, 0, 0, 0 },
		{ STEP_CHAN, 3, 0, 1, 0, 50, 15, 16, 0, 0, 0, 1 },
		{ STEP_CHAN, 3, 0, 1, 0, 50, 7, 12, 0, 0, 0, 1 },
	} },
	/* Replies that are wrong, refuse, are too short, ask again. */
	{ RPC_CLIENT, 10, {
		{ STEP_CALL, 0, 20 }, { STEP_CHAN, 2, 128, 128, 0, 50, 13, 36, 0, 0, 0, 9 },
		{ STEP_CALL, 0, 20 }, { STEP_CHAN, 2, 128, 128, 0, 50, 13, 40, 0, 0, 0, 2 },
		{ STEP_CALL, 0, 20 }, { STEP_CHAN, 2, 128, 128, 0, 50, 13, 32, 0, 0, 0, 4 },
		{ STEP_CALL, 0, 20 }, { STEP_CHAN, 8, 128, 128 },
		{ STEP_CHAN, 2, 128, 128, 0, 8 }, { STEP_CHAN, 4, 128, 128 },
	} },
	/* More channels, fewer, and one that comes back surplus. */
	{ RPC_CLIENT, 6, {
		{ STEP_CALL, 2, 9, 0, 5 }, { STEP_CALL, 2, 0, 0, 6 }, { STEP_CALL, 0, 20 },
		{ STEP_CALL, 2, 1, 0, 5 }, { STEP_CHAN, 2, 128, 128, 0, 8 },
		{ STEP_CALL, 2, 0, 0, 5 },
	} },
	/* A long message of ours is asked for again; a full ring. */
	{ RPC_CLIENT, 10, {
		{ STEP_CALL, 0, 100, 1 }, { STEP_BLAST, 192, 0, 2, 0, 0, 0, 0, 0, 0, 0, 5 },
		{ STEP_BLAST, 192, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0 }, { STEP_BLAST, 128, 3, 2 },
		{ STEP_BLAST, 1, 3, 2 }, { STEP_MEMORY, 1, 1 }, { STEP_CALL, 0, 100, 1 },
		{ STEP_WAIT, 1, 5 }, { STEP_MEMORY, 1, 0 }, { STEP_WAIT, 2, 2 },
	} },
	/* More unfinished messages than BLAST keeps. */
	{ RPC_SERVER, 37, {
		{ STEP_LONG_CHAN, 3, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 },
		{ STEP_LONG_CHAN, 3, 1, 1, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1 },
		{ STEP_LONG_CHAN, 3, 2, 2, 4, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1 },
		{ STEP_LONG_CHAN, 3, 3, 3, 4, 0, 0, 0, 0, 0, 0, 0, 3, 0, 1 },
		{ STEP_LONG_CHAN, 3, 4, 4, 4, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1 },
		{ STEP_LONG_CHAN, 3, 5, 5, 4, 0, 0, 0, 0, 0, 0, 0, 5, 0, 1 },
		{ STEP_LONG_CHAN, 3, 0, 6, 4, 0, 0, 0, 0, 0, 0, 0, 6, 0, 1 },
		{ STEP_LONG_CHAN, 3, 1, 7, 4, 0, 0, 0, 0, 0, 0, 0, 7, 0, 1 },
		{ STEP_LONG_CHAN, 3, 2, 8, 4, 0, 0, 0, 0, 0, 0, 0, 8, 0, 1 },
		{ STEP_LONG_CHAN, 3, 3, 9, 4, 0, 0, 0, 0, 0, 0, 0, 9, 0, 1 },
		{ STEP_LONG_CHAN, 3, 4, 10, 4, 0, 0, 0, 0, 0, 0, 0, 10, 0, 1 },
		{ STEP_LONG_CHAN, 3, 5, 11, 4, 0, 0, 0, 0, 0, 0, 0, 11, 0, 1 },
		{ STEP_LONG_CHAN, 3, 0, 12, 4, 0, 0, 0, 0, 0, 0, 0, 12, 0, 1 },
		{ STEP_LONG_CHAN, 3, 1, 13, 4, 0, 0, 0, 0, 0, 0, 0, 13, 0, 1 },
		{ STEP_LONG_CHAN, 3, 2, 14, 4, 0, 0, 0, 0, 0, 0, 0, 14, 0, 1 },
		{ STEP_LONG_CHAN, 3, 3, 15, 4, 0, 0, 0, 0, 0, 0, 0, 15, 0, 1 },
		{ STEP_LONG_CHAN, 3, 4, 16, 4, 0, 0, 0, 0, 0, 0, 0, 16, 0, 1 },
		{ STEP_LONG_CHAN, 3, 5, 17, 4, 0, 0, 0, 0, 0, 0, 0, 17, 0, 1 },
		{ STEP_LONG_CHAN, 3, 0, 18, 4, 0, 0, 0, 0, 0, 0, 0, 18, 0, 1 },
		{ STEP_LONG_CHAN, 3, 1, 19, 4, 0, 0, 0, 0, 0, 0, 0, 19, 0, 1 },
		{ STEP_LONG_CHAN, 3, 2, 20, 4, 0, 0, 0, 0, 0, 0, 0, 20, 0, 1 },
		{ STEP_LONG_CHAN, 3, 3, 21, 4, 0, 0, 0, 0, 0, 0, 0, 21, 0, 1 },
		{ STEP_LONG_CHAN, 3, 4, 22, 4, 0, 0, 0, 0, 0, 0, 0, 22, 0, 1 },
		{ STEP_LONG_CHAN, 3, 5, 23, 4, 0, 0, 0, 0, 0, 0, 0, 23, 0, 1 },
		{ STEP_LONG_CHAN, 3, 0, 24, 4, 0, 0, 0, 0, 0, 0, 0, 24, 0, 1 },
		{ STEP_LONG_CHAN, 3, 1, 25, 4, 0, 0, 0, 0, 0, 0, 0, 25, 0, 1 },
		{ STEP_LONG_CHAN, 3, 2, 26, 4, 0, 0, 0, 0, 0, 0, 0, 26, 0, 1 },
		{ STEP_LONG_CHAN, 3, 3, 27, 4, 0, 0, 0, 0, 0, 0, 0, 27, 0, 1 },
		{ STEP_LONG_CHAN, 3, 4, 28, 4, 0, 0, 0, 0, 0, 0, 0, 28, 0, 1 },
		{ STEP_LONG_CHAN, 3, 5, 29, 4, 0, 0, 0, 0, 0, 0, 0, 29, 0, 1 },
		{ STEP_LONG_CHAN, 3, 0, 30, 4, 0, 0, 0, 0, 0, 0, 0, 30, 0, 1 },
		{ STEP_LONG_CHAN, 3, 1, 31, 4, 0, 0, 0, 0, 0, 0, 0, 31, 0, 1 },
		{ STEP_LONG_CHAN, 3, 2, 32, 4, 0, 0, 0, 0, 0, 0, 0, 32, 0, 1 },
		{ STEP_LONG_CHAN, 3, 3, 33, 4, 0, 0, 0, 0, 0, 0, 0, 33, 0, 1 },
		{ STEP_LONG_CHAN, 3, 4, 34, 4, 0, 0, 0, 0, 0, 0, 0, 34, 0, 1 },
		{ STEP_LONG_CHAN, 3, 5, 35, 4, 0, 0, 0, 0, 0, 0, 0, 35, 0, 1 },
		{ STEP_BLAST, 1, 2, 1, 0, 9, 1, 0 },
	} },
	/* A machine that never answers. */
	{ DATAGRAMS, 13, {
		{ STEP_LAYER_USER, OPENS, 0, 3, 2 }, { STEP_LAYER_USER, PUSHES, 0, 0, 9 },
		{ STEP_WAIT, 7, 15 }, { STEP_LAYER_USER, ASKS, 0, 0, 6, 1 },
		{ STEP_LAYER_USER, ENABLES, 1, 3 }, { STEP_LAYER_USER, ENABLES, 0, 3 },
		{ STEP_LAYER_USER, ENABLES, 1, 3 }, { STEP_LAYER_USER, ENABLES, 0, 2 },
		{ STEP_LAYER_USER, ENABLES, 1, 2 }, { STEP_LAYER_USER, ENABLES, 0, 5 },
		{ STEP_LAYER_USER, ENABLES, 1, 5 }, { STEP_LAYER_USER, ENABLES, 0, 4 },
		{ STEP_LAYER_USER, ENABLES, 1, 4 },
	} },
	/* Who enabled refuses what comes. */
	{ RPC_SERVER, 10, {
		{ STEP_LAYER_USER, MOODS, 1 }, { STEP_LAYER_USER, ENABLES, 0, 2 },
		{ STEP_LAYER_USER, ENABLES, 0, 3 }, { STEP_LAYER_USER, ENABLES, 0, 4 },
		{ STEP_LAYER_USER, ENABLES, 0, 5 },
		{ STEP_CHAN, 3, 1, 1, 0, 50, 15, 0, 0, 0, 0, 16 },
		{ STEP_CHAN, 3, 1, 2, 0, 50, 15, 32, 0, 0, 0, 16 },
		{ STEP_CHAN, 3, 1, 3, 0, 50, 15, 40, 0, 0, 0, 16 },
		{ STEP_CHAN, 3, 1, 4, 0, 50, 13, 36, 0, 0, 0, 16 },
		{ STEP_CHAN, 3, 1, 5, 0, 50, 13, 36, 0, 0, 0, 16 },
	} },
	/* Refused, and back again; a count above 64; a client that reboots before it has our reply. */
	{ DATAGRAMS, 4, {
		{ STEP_UDP_USER, MOODS, 1 }, { STEP_UDP_USER, ENABLES, 2 },
		{ STEP_UDP, 3, 0, 9, 0, 4, 9, 0, 0, 2 }, { STEP_UDP, 3, 0, 9, 0, 4, 9, 0, 0, 2 },
	} },
	{ RPC_SERVER, 2, {
		{ STEP_BLAST, 1, 0x81, 1, 0, 9, 1, 0 }, { STEP_BLAST, 1, 0x81, 1, 0, 9, 1, 63 },
	} },
	{ RPC_SERVER, 7, {
		{ STEP_CHAN, 3, 0, 0, 0, 50 }, { STEP_LONG_CHAN, 3, 1, 0, 20 },
		{ STEP_BIDCTL, 1, 0, 1, 6, 2, 1, 77 }, { STEP_CHAN, 3, 0, 1, 0, 50 },
		{ STEP_BIDCTL, 2, 0, 0, 1 }, { STEP_CHAN, 3, 0, 0, 0, 50 }, { STEP_WAIT, 7, 1 },
	} },
	/* With the silence at the end: what is kept for later goes with its connection. */
	{ PATIENT + CONNECTED, 16, {
		{ STEP_TCP, PUSH, 4, 0, 2 }, { STEP_TCP, PUSH, 10, 0, 2 },
		{ STEP_TCP, PUSH, 16, 0, 2 }, { STEP_TCP, PUSH, 22, 0, 2 },
		{ STEP_TCP, PUSH, 28, 0, 2 }, { STEP_TCP, PUSH, 34, 0, 2 },
		{ STEP_TCP, PUSH, 40, 0, 2 }, { STEP_TCP, PUSH, 46, 0, 2 },
		{ STEP_TCP, PUSH, 52, 0, 2 }, { STEP_TCP, PUSH, 58, 0, 2 },
		{ STEP_TCP, PUSH, 64, 0, 2 }, { STEP_TCP, PUSH, 70, 0, 2 },
		{ STEP_TCP, PUSH, 76, 0, 2 }, { STEP_TCP, PUSH, 82, 0, 2 },
		{ STEP_TCP, PUSH, 88, 0, 2 }, { STEP_TCP, 4 },
	} },
	{ PATIENT + DATAGRAMS, 6, {
		{ STEP_FRAGMENT, 0, 0, 5 }, { STEP_UDP_USER, OPENS, 0, 1, 1 },
		{ STEP_UDP_USER, PUSHES, 0, 0, 99 }, { STEP_USER, DOES_PING, 5 },
		{ STEP_UDP, 0, 0, 9 }, { STEP_LAYER_USER, OPENS, 0, 1, 2 },
	} },
	{ PATIENT + DATAGRAMS, 2, {
		{ STEP_LAYER_USER, OPENS, 0, 1, 2 }, { STEP_LAYER_USER, PUSHES, 0, 0, 99 },
	} },
	/* A hole between pieces that are both here. */
	{ DATAGRAMS, 4, {
		{ STEP_FRAGMENT, 0, 0x80, 1 }, { STEP_FRAGMENT, 0, 0x80 + 4, 1 },
		{ STEP_FRAGMENT, 0, 0x80 + 6, 40 }, { STEP_FRAGMENT, 0, 0x80 + 2, 3 },
	} },
	/* Fewer channels than calls under way: one that comes back is not used again. */
	{ RPC_CLIENT, 8, {
		{ STEP_CALL, 0, 20 }, { STEP_CALL, 0, 20 }, { STEP_CALL, 0, 20 },
		{ STEP_CALL, 2, 1, 0, 5 }, { STEP_CHAN, 2, 128, 128, 0, 8 }, { STEP_WAIT, 3, 2 },
		{ STEP_CALL, 0, 20 }, { STEP_CALL, 0, 20 },
	} },
	/* A slow server; its client reboots before it has answered. */
	{ PATIENT + RPC_SERVER, 8, {
		{ STEP_CALL, 1, 3 }, { STEP_CHAN, 3, 0, 0, 0, 50 },
		{ STEP_BIDCTL, 1, 0, 1, 6, 2, 1, 77 }, { STEP_CHAN, 3, 0, 1, 0, 50 },
		{ STEP_BIDCTL, 2, 0, 0, 1 }, { STEP_CALL, 16 }, { STEP_WAIT, 3, 2 },
		{ STEP_CHAN, 3, 0, 0, 0, 50 },
	} },
	/* Each new call acknowledges the reply before it. */
	{ PATIENT + RPC_SERVER, 3, {
		{ STEP_CHAN, 3, 0, 0, 0, 50 }, { STEP_CHAN, 3, 0, 1, 0, 50 },
		{ STEP_CHAN, 3, 0, 2, 0, 50 },
	} },
	/* A peer that closes its window and is never heard again; one that is just never heard. */
	{ PATIENT + CONNECTED, 3, {
		{ STEP_USER, DOES_PUSH }, { STEP_USER, DOES_PUSH },
		{ STEP_TCP, ACK_FLAG, 0, 0, 0, 0, 1 },
	} },
	{ PATIENT + CONNECTED, 1, {
		{ STEP_USER, DOES_PUSH },
	} },
	/* More datagrams in pieces than are kept. */
	{ DATAGRAMS, 17, {
		{ STEP_FRAGMENT, 0, 0x80, 1, 0, 0, 0, 0, 0, 128 },
		{ STEP_FRAGMENT, 0, 0x80, 1, 0, 0, 0, 0, 0, 129 },
		{ STEP_FRAGMENT, 0, 0x80, 1, 0, 0, 0, 0, 0, 130 },
		{ STEP_FRAGMENT, 0, 0x80, 1, 0, 0, 0, 0, 0, 131 },
		{ STEP_FRAGMENT, 0, 0x80, 1, 0, 0, 0, 0, 0, 132 },
		{ STEP_FRAGMENT, 0, 0x80, 1, 0, 0, 0, 0, 0, 133 },
		{ STEP_FRAGMENT, 0, 0x80, 1, 0, 0, 0, 0, 0, 134 },
		{ STEP_FRAGMENT, 0, 0x80, 1, 0, 0, 0, 0, 0, 135 },
		{ STEP_FRAGMENT, 0, 0x80, 1, 0, 0, 0, 0, 0, 136 },
		{ STEP_FRAGMENT, 0, 0x80, 1, 0, 0, 0, 0, 0, 137 },
		{ STEP_FRAGMENT, 0, 0x80, 1, 0, 0, 0, 0, 0, 138 },
		{ STEP_FRAGMENT, 0, 0x80, 1, 0, 0, 0, 0, 0, 139 },
		{ STEP_FRAGMENT, 0, 0x80, 1, 0, 0, 0, 0, 0, 140 },
		{ STEP_FRAGMENT, 0, 0x80, 1, 0, 0, 0, 0, 0, 141 },
		{ STEP_FRAGMENT, 0, 0x80, 1, 0, 0, 0, 0, 0, 142 },
		{ STEP_FRAGMENT, 0, 0x80, 1, 0, 0, 0, 0, 0, 143 },
		{ STEP_FRAGMENT, 0, 0x80, 1, 0, 0, 0, 0, 0, 144 },
	} },
	{ 0 },
};
/* clang-format on */

const struct program *seed_programs(size_t *count)
{
	*count = sizeof seeds / sizeof *seeds - 1;
	return seeds;
}

/* The empty program of every scenario, then these. */
void write_seeds(const char *folder)
{
	for (int i = 0; i < SCENARIOS || seeds[i - SCENARIOS].steps; i++) {
		struct program empty = { .scenario = (uint8_t)i };
		const struct program *p = i < SCENARIOS ? &empty : &seeds[i - SCENARIOS];
		char path[512];
		FILE *f;

		snprintf(path, sizeof path, "%s/seed%02d", folder, i);
		f = fopen(path, "wb");
		if (!f || fwrite(p, program_bytes(p), 1, f) != 1 || fclose(f)) {
			perror(path);
			exit(2);
		}
	}
}
