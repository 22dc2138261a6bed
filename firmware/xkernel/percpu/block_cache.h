/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks for pieces of messages. With XK_MP_MSGCACHE each processor keeps some of each size, takes
 * the one that it freed last, and asks the heap only for several at a time. */
#pragma once

#include "xkernel/lock/mp.h"
#include "xkernel/memory/allocate.h"

void *block_cache_take(size_t bytes); /* NULL: no memory */
void block_cache_give(void *block);

#if XK_MP
static inline void *piece_allocate(size_t bytes)
{
	if (XK_MP_MSGCACHE)
		return block_cache_take(bytes);
	return xk_allocate(bytes);
}

static inline void piece_free(void *block)
{
	if (XK_MP_MSGCACHE)
		block_cache_give(block);
	else
		xk_free(block);
}
#else
/* Plain names of the heap: even an inline function can change the order of operands. */
#define piece_allocate xk_allocate
#define piece_free xk_free
#endif
