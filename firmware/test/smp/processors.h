/* SPDX-License-Identifier: BSD-2-Clause */
/* The parallel x-kernel on the host: a thread of the host is a processor. */
#pragma once

#include "test/host/case.h"
#include "xkernel/percpu/percpu.h"

/* Runs work(number, arg) on processors 0 to n - 1 at once, and returns when all have returned. */
void on_processors(unsigned n, void (*work)(unsigned number, void *arg), void *arg);

/* The interval timer of processor 0, 100 a second. */
void timer_ticks(unsigned n);

/* A number from the environment, as PROCESSORS and TIMES, or `usual`. */
uint64_t from_environment(const char *name, uint64_t usual);
