/* SPDX-License-Identifier: BSD-2-Clause */
/* The acts of a user of the fuzzer's, chosen by a step's second byte. */
#pragma once

#include <stdint.h>

struct acts {
	void (*open)(const uint8_t *step);
	void (*close)(const uint8_t *step);
	void (*push)(const uint8_t *step);
	void (*enable)(const uint8_t *step);
	void (*answer)(const uint8_t *step); /* how it will answer from now on */
	void (*control)(const uint8_t *step);
};

/* One of them, in a thread of the kernel's that has a copy of the step. */
void act(const struct acts *acts, const uint8_t *step);
