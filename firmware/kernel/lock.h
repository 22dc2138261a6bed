/* SPDX-License-Identifier: BSD-2-Clause */
/* A lock of the threads of one space: a quadword of theirs. Without a rival it is taken and freed
 * without a call (kernel/user/lock.c); a process of any priority may take user mode from another
 * at any instruction. */
#ifndef KERNEL_LOCK_H
#define KERNEL_LOCK_H

#include <stdint.h>

int lock_wait(uint64_t *lock);	/* until it is free, then takes it. -1: the caller must end */
void lock_free(uint64_t *lock); /* and wakes those who wait */
#endif
