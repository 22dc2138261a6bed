/* SPDX-License-Identifier: BSD-2-Clause */
/* In the place of the generated one: the chip's memory and registers are chip_model.c's. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

enum { CHIP_WINDOW_BYTES = 2 * 0x10000 };
extern uint8_t chip_window[CHIP_WINDOW_BYTES]; /* the 64 KB, with their gaps */

#define RAM_LANCE_WINDOW ((uint64_t)(uintptr_t)chip_window)
#define RAM_LANCE_WINDOW_PHYSICAL 0x20000
enum {
	IOASIC_LANCE_DMA_POINTER = 1,
	IOASIC_SSR,
	IOASIC_SIMR,
	IOASIC_LANCE_RDP,
	IOASIC_LANCE_RAP,
};
#endif
