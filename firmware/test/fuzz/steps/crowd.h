/* SPDX-License-Identifier: BSD-2-Clause */
/* A user of TCP with a session for each conversation, for the machine that lives through all inputs
 * (live.c). It fails when it hears of a session that it has given back, or another byte than was
 * sent. */
#pragma once

#include <stdint.h>

#include "xkernel/upi.h"

enum { CROWD_PORT = 2010 };

int crowd_init(struct xobj *self);
void crowd_step(const uint8_t *step); /* on the current conversation, in a thread of the kernel's */
void crowd_opens(void);		      /* the current conversation, actively */
void crowd_listens(void);
void crowd_ends(void);	    /* gives everything back; opens under way end by themselves */
unsigned crowd_waits(void); /* opens that have not ended */
uint64_t crowd_talks(void); /* connections that TCP has now */
