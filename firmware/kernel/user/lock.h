/* SPDX-License-Identifier: BSD-2-Clause */
/* A lock of a program's threads: a quadword of memory that the kernel gave them. */
#ifndef USER_LOCK_H
#define USER_LOCK_H

#include <stdint.h>

void user_lock(uint64_t *lock);
void user_unlock(uint64_t *lock);
#endif
