/* SPDX-License-Identifier: BSD-2-Clause */
/* In the place of the generated one: the chip's memory and registers are chip_model.c's. */
#pragma once

#include <stdint.h>

enum { CHIP_WINDOW_BYTES = 2 * 0x10000 };
extern uint8_t chip_window[CHIP_WINDOW_BYTES]; /* the 64 KB, with their gaps */

#ifndef LANCE_PMAD
#define LANCE_PMAD 0
#endif
#ifndef LANCE_DENSE
#define LANCE_DENSE 0
#endif
#ifndef LANCE_CLASSIFIER
#define LANCE_CLASSIFIER 0
#endif
#define LANCE_MEMORY ((uint64_t)(uintptr_t)chip_window)
/* With dense wiring a chip address counts from the window. */
#define RAM_LANCE_WINDOW_PHYSICAL (LANCE_DENSE ? LANCE_MEMORY : 0x20000)
enum {
	IOASIC_LANCE_DMA_POINTER = 1,
	IOASIC_SSR,
	IOASIC_SIMR,
	LANCE_RDP,
	LANCE_RAP,
	IOASIC_CLASSIFIER = 0x10000, /* 4 KB: longwords at sparse addresses */
	IOASIC_CLASSIFIER_END = 0x11000,
};
