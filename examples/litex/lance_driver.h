/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef LANCE_DRIVER_H
#define LANCE_DRIVER_H

#include <stdint.h>

enum { LANCE_LOG = 3, LANCE_ENTRIES = 1 << LANCE_LOG, LANCE_ROOM = 1536 };

struct lance_counts {
	uint32_t received, bad; /* frames; those with an error */
	uint32_t sent, cut;	/* answers; those with an error */
	uint32_t missed;	/* looks at the chip that found that frames had no room */
	uint32_t broken;	/* looks that found MERR or BABL */
};

/* Start the chip. `base`: its registers; `memory`: some 13 KB for rings and buffers. */
void lance_start(uintptr_t base, void *memory, const uint8_t station[6]);

/* The next frame that has come, or 0. It is to be answered or dropped. */
uint8_t *lance_receive(unsigned *size);
void lance_drop(void);

/* Send what is in the buffer of the frame. */
void lance_answer(unsigned size);

/* Take back what has been sent, and note what the chip says. */
const struct lance_counts *lance_serve(void);

#endif
