/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers as they lie on the wire, byte by byte, not as the kernel does it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { KERNEL_IP = 0x0a000001, PEER_IP = 0x0a000002 };

static inline void put16(uint8_t *p, uint32_t x)
{
	p[0] = (uint8_t)(x >> 8);
	p[1] = (uint8_t)x;
}

static inline void put32(uint8_t *p, uint32_t x)
{
	put16(p, x >> 16);
	put16(p + 2, x);
}

static inline uint32_t get16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static inline uint32_t get32(const uint8_t *p)
{
	return get16(p) << 16 | get16(p + 2);
}

/* RFC 1071's sum, which begins with `sum`: 0xffff when the checksum is in it and right. */
static inline uint32_t sum16(const uint8_t *p, size_t bytes, uint32_t sum)
{
	for (size_t i = 0; i < bytes; i++)
		sum += i & 1 ? p[i] : (uint32_t)p[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}
