/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's heap. Threads only, not for interrupt handlers. Any allocation can fail. */
#pragma once

#include <stddef.h>

void *xk_allocate(size_t bytes); /* aligned to 16; NULL: none left */
void *xk_allocate_zeroed(size_t bytes);
void xk_free(void *block); /* NULL is allowed */

/* Several under one lock; how many there were. Only percpu/heap.c has them. */
size_t xk_allocate_several(size_t bytes, void **blocks, size_t most);
void xk_free_several(void **blocks, size_t n);
