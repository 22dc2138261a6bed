/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "protocols/vchan/vchan.h"
#include "xkernel/thread/semaphore.h"

struct vchan_session {
	struct semaphore available;
	uint64_t free, total; /* channels on the stack, and with those in use */
	uint64_t wanted;
	struct xobj *channel[VCHAN_MAX_CHANNELS];
	struct part parts[2]; /* as for the first channel */
	uint8_t address[PART_ITEMS][8];
};

/* With XK_FAST: a channel taken from the stack goes back there. */
void vchan_put_back(struct xobj *session, struct xobj *channel);
