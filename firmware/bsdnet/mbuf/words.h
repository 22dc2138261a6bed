/* SPDX-License-Identifier: BSD-2-Clause */
/* Header fields on the wire, by aligned longwords: the Alpha has no shorter loads. */
#ifndef BSDNET_WORDS_H
#define BSDNET_WORDS_H

#include "xkernel/byteorder.h"

typedef uint32_t __attribute__((may_alias)) wire_word;

/* The n-th longword of a header, in host order: its first byte on the wire is the highest. */
static inline uint32_t word_get(const uint8_t *header, int n)
{
	return swap32(((const wire_word *)(const void *)header)[n]);
}

static inline void word_set(uint8_t *header, int n, uint32_t value)
{
	((wire_word *)(void *)header)[n] = swap32(value);
}
#endif
