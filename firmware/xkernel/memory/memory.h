/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that the compiler calls by itself; there is no C library. */
#pragma once

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
