/* SPDX-License-Identifier: BSD-2-Clause */
/* The driver's side of the two rings, inside the driver. All of it at IPL_NET. */
#pragma once

struct rings {
	uint64_t receive_next;	/* descriptors counted since start, modulo RING in use */
	uint64_t transmit_next; /* given to the chip so far */
	uint64_t transmit_done; /* of these, taken back */
	struct xobj *session;	/* whose frames these are */
};
extern struct rings lance_rings;
extern uint64_t lance_starts; /* of the rings, with XK_FAST_RING */

void rings_init(void); /* while the chip is stopped */
void receive_frames(void);
int transmit_reclaim(void);	   /* 1: an error that needs a restart of the chip */
int transmit_frame(struct msg *m); /* enum xk_result */
/* With XK_FAST: LANCE_MIN_FRAME bytes, LANCE_CALL_FRAME bytes. */
int transmit_short(const uint64_t words[8]);
int transmit_call(const uint64_t words[12]);
