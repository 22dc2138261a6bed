/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel with a program that the case gives, and nothing else: no driver, no protocols. */
#pragma once

#include <string.h>

#include "kernel/port.h"
#include "kernel/sleep.h"
#include "kernel/softint.h"
#include "kernel/syscall.h"
#include "kernel/user/calls.h"
#include "kernel/user_mode.h"
#include "platform/host/host.h"
#include "test/host/case.h"

enum { TICKS_PER_MS = 175000, MS_OF_A_RUN = 1000 };

/* Starts the machine with this program as its first, and lets a second pass. Its exit code. */
int run_program(void (*program)(uint64_t boot));
extern void (*second_program)(uint64_t boot); /* another one, of its own space; NULL: none */
extern enum priority second_priority;

void note(char c); /* what has happened, in order */
extern char notes[256];
#define CHECK_NOTES(text) check(!strcmp(notes, text), notes, __FILE__, __LINE__)

/* In user mode, without a call, until an interrupt has been taken; then the process comes back by
 * the kernel, as from any interrupt. */
void compute(void);
void compute_ms(uint64_t ms);
