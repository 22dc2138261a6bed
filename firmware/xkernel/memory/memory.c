/* SPDX-License-Identifier: BSD-2-Clause */
/* Quadword copies where both ends agree on alignment: a byte store is a read-modify-write here. */
#include "xkernel/memory/memory.h"

#include <stdint.h>

#include "xkernel/switches.h"

/* Or the compiler makes these loops into calls of the very functions they are in. */
#pragma GCC optimize("no-tree-loop-distribute-patterns")

typedef uint64_t __attribute__((may_alias)) quad;
typedef uint32_t __attribute__((may_alias)) longword;

/* Two functions, not an `if`: even one that is never taken moves the loops of the measured one. */
#if XK_LONGWORDS
void *memcpy(void *to, const void *from, size_t bytes)
{
	uint8_t *t = to;
	const uint8_t *f = from;

	if ((((uintptr_t)t ^ (uintptr_t)f) & 7) == 0) {
		while (bytes && ((uintptr_t)t & 7)) {
			*t++ = *f++;
			bytes--;
		}
		for (; bytes >= 8; bytes -= 8, t += 8, f += 8)
			*(quad *)t = *(const quad *)f;
	} else if ((((uintptr_t)t ^ (uintptr_t)f) & 3) == 0) {
		while (bytes && ((uintptr_t)t & 3)) {
			*t++ = *f++;
			bytes--;
		}
		for (; bytes >= 4; bytes -= 4, t += 4, f += 4)
			*(longword *)t = *(const longword *)f;
	}
	while (bytes--)
		*t++ = *f++;
	return to;
}
#else
void *memcpy(void *to, const void *from, size_t bytes)
{
	uint8_t *t = to;
	const uint8_t *f = from;

	if ((((uintptr_t)t ^ (uintptr_t)f) & 7) == 0) {
		while (bytes && ((uintptr_t)t & 7)) {
			*t++ = *f++;
			bytes--;
		}
		for (; bytes >= 8; bytes -= 8, t += 8, f += 8)
			*(quad *)t = *(const quad *)f;
	}
	while (bytes--)
		*t++ = *f++;
	return to;
}
#endif

void *memmove(void *to, const void *from, size_t bytes)
{
	uint8_t *t = to;
	const uint8_t *f = from;

	if ((uintptr_t)t <= (uintptr_t)f || (uintptr_t)t >= (uintptr_t)f + bytes)
		return memcpy(to, from, bytes);
	while (bytes--)
		t[bytes] = f[bytes];
	return to;
}

void *memset(void *to, int byte, size_t bytes)
{
	uint8_t *t = to;
	uint64_t pattern = (uint8_t)byte;

	pattern |= pattern << 8;
	pattern |= pattern << 16;
	pattern |= pattern << 32;
	while (bytes && ((uintptr_t)t & 7)) {
		*t++ = (uint8_t)byte;
		bytes--;
	}
	for (; bytes >= 8; bytes -= 8, t += 8)
		*(quad *)t = pattern;
	while (bytes--)
		*t++ = (uint8_t)byte;
	return to;
}

int memcmp(const void *a, const void *b, size_t bytes)
{
	const uint8_t *x = a, *y = b;

	for (; bytes; bytes--, x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}
