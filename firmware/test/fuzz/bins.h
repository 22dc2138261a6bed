/* SPDX-License-Identifier: BSD-2-Clause */
/* How often each free choice of the machine that lives on has been taken (live.c): a bin for each,
 * and one for each fault that was found by widening the choice. A long run has no empty bin. */
#pragma once

#include <stdint.h>

#include "test/fuzz/fuzz.h"

/* States that a segment finds when it comes for the current conversation; acts of the user. On the
 * screen a bin has its name in small letters. */
/* clang-format off */
#define SEGMENT_BINS(bin) \
	bin(ACK_ALONE) bin(TEXT) bin(FIN_ALONE) bin(FIN_WITH_TEXT) bin(RESET) bin(SYN) bin(SYN_ACK) \
	bin(SYN_ACK_WITH_TEXT) \
	bin(IN_ORDER) bin(OLD) bin(PARTLY_OLD) bin(EARLY) bin(EARLY_OVER_EARLY) \
	bin(CLOSES_A_HOLE) bin(CLOSES_A_HOLE_AND_GOES_ON) \
	bin(BEYOND_THE_WINDOW) bin(OVER_THE_PROMISE) bin(RESET_FAR_AWAY) \
	bin(SHUT_FULL) bin(SHUT_PROBE_INTO_ROOM) bin(SHUT_LONGER_INTO_ROOM) bin(SHUT_FIN) \
	bin(ACKS_ALL) bin(ACKS_A_PART) bin(ACKS_NOTHING) bin(ACKS_TOO_MUCH) \
	bin(WINDOW_IS_SMALL) bin(WINDOW_SHUTS)

#define USER_BINS(bin) \
	bin(OPENS) bin(CLOSES) bin(PUSHES) bin(LISTENS_OR_NOT) bin(REFUSES) bin(IGNORES) \
	bin(GIVES_NO_ROOM) bin(GIVES_A_PART_OF_ITS_ROOM) bin(GIVES_ALL_ITS_ROOM) \
	bin(OTHER_RECEIVE_BUFFER) bin(OTHER_SEND_BUFFER) bin(NO_DELAY) bin(KEEPALIVE) \
	bin(SHUTS_DOWN) bin(ABORTS) bin(CHANGES_ITS_MOOD) \
	bin(UPCALL_KEEPS_ROOM) bin(UPCALL_GIVES_A_PART) bin(UPCALL_ECHOES) \
	bin(UPCALL_PUSHES_INTO_A_FULL_QUEUE) bin(UPCALL_CLOSES) bin(CLOSES_WITH_THE_PEER) \
	bin(CLOSES_OVER_A_SHUT_WINDOW)

#define RPC_BINS(bin) bin(ASKS_FOR_OURS_AGAIN) bin(ASKS_FOR_OURS_TOO_OFTEN)
/* clang-format on */

enum bin {
#define BIN(name) BIN_##name,
	SEGMENT_BINS(BIN) USER_BINS(BIN) RPC_BINS(BIN)
#undef BIN
	    BINS
};

void bin(enum bin which);
void bins_of_step(enum step kind);

/* A segment of the peer's, before it is sent: relative numbers as in peer.h. */
void bins_of_segment(uint32_t flags, uint32_t sequence, uint32_t ack, uint32_t bytes);

/* A line for each bin that this run can fill: its name, how often. */
void bins_print(enum live what);
