/* SPDX-License-Identifier: BSD-2-Clause */
/* The chip's structures as they are reached: in place, by what the stub compiler makes of
 * lance.usc, or with XK_USC off as drivers did before SIGCOMM'96 2.2.4, by copies in dense memory.
 */
#ifndef LANCE_LAYOUT_H
#define LANCE_LAYOUT_H

#include <stdint.h>

#include "lance.usc.h"
#include "xkernel/switches.h"

/* A word of a descriptor at its dense offset, for those copies alone. */
static inline uint32_t gap2_get(uint64_t base, uint64_t offset)
{
	return *(const volatile uint32_t *)(base + gap2_offset(offset)) & 0xffff;
}

static inline void gap2_set(uint64_t base, uint64_t offset, uint32_t value)
{
	*(volatile uint32_t *)(base + gap2_offset(offset)) = value;
}

/* A descriptor in dense memory. All of it is copied each time; the flags last when it goes back. */
struct descriptor {
	uint16_t address;
	uint8_t address_high, flags;
	uint16_t length, result;
};

/* Not in line, or the compiler would see through the copy. */
#define COPIER static __attribute__((noinline, unused))

COPIER void descriptor_fetch(struct descriptor *dense, uint64_t d)
{
	uint32_t second = gap2_get(d, 2);

	dense->address = (uint16_t)gap2_get(d, 0);
	dense->address_high = (uint8_t)second;
	dense->flags = (uint8_t)(second >> 8);
	dense->length = (uint16_t)gap2_get(d, 4);
	dense->result = (uint16_t)gap2_get(d, 6);
}

COPIER void descriptor_put_back(uint64_t d, const struct descriptor *dense)
{
	gap2_set(d, 0, dense->address);
	gap2_set(d, 4, dense->length);
	gap2_set(d, 6, dense->result);
}

COPIER void descriptor_put_flags_back(uint64_t d, const struct descriptor *dense)
{
	gap2_set(d, 2, dense->address_high | (uint32_t)dense->flags << 8);
}
#endif
