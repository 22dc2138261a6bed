/* SPDX-License-Identifier: BSD-2-Clause */
/* Wire integers are big-endian, both our platforms little-endian. */
#pragma once

#include <stdint.h>

static inline uint32_t swap16(uint32_t x)
{
	return (x & 0xff) << 8 | (x >> 8 & 0xff);
}

static inline uint32_t swap32(uint32_t x)
{
	return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}
