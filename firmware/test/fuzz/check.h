/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules that hold after each step of a program. */
#pragma once

#include <stdint.h>

void fuzz_fail(const char *what); /* ends the process with 1 */

/* The byte of the peer's stream at this absolute sequence number, whoever sends it again. */
uint8_t stream_byte(uint32_t sequence);

/* The machine is alive, has not sent a storm, and every byte that came up belongs there. */
void check_after_step(void);

/* Time passes, checked every second. */
void check_for(double ms);
