/* SPDX-License-Identifier: BSD-2-Clause */
/* How the chip's 16-bit memory looks to the processor behind the IOASIC (facts/lance.md 3.2).
 *
 * gap2	 (init block, descriptors): each 16-bit word in the low half of a longword. What the chip
 *	 leaves in the upper half is undefined, so a get masks and a set may write zeroes there.
 * gap16 (frames): 16 bytes, then a gap of 16.
 *
 * A dense chip address a is at base + 2a (gap2) or base + (2a & ~31) + (a & 15). Fields are read
 *and written by one aligned longword access, never by reading and modifying a word the chip may
 *own. */
#ifndef LANCE_LAYOUT_H
#define LANCE_LAYOUT_H

#include <stdint.h>

#include "xkernel/switches.h"

/* A field of a gap2 structure, by its dense offset. */
static inline uint32_t gap2_get(uint64_t base, uint64_t offset)
{
	return *(const volatile uint32_t *)(base + 2 * offset) & 0xffff;
}

static inline void gap2_set(uint64_t base, uint64_t offset, uint32_t value)
{
	*(volatile uint32_t *)(base + 2 * offset) = value;
}

static inline uint64_t gap16_offset(uint64_t offset)
{
	return (offset << 1 & ~(uint64_t)31) + (offset & 15);
}

/* Descriptors: four words. `flags` shares its word with address bits 23:16, which are zero in our
 * 64 KB window; storing it hands the descriptor over, so it comes last. */
static inline void descriptor_address__gap2_set(uint64_t d, uint32_t address)
{
	gap2_set(d, 0, address);
}

static inline uint32_t descriptor_flags__gap2_get(uint64_t d)
{
	return gap2_get(d, 2) >> 8;
}

static inline void descriptor_flags__gap2_set(uint64_t d, uint32_t flags)
{
	gap2_set(d, 2, flags << 8);
}

/* Two's complement of the buffer's length under four ones. */
static inline void descriptor_length__gap2_set(uint64_t d, uint32_t bytes)
{
	gap2_set(d, 4, 0xf000 | (0x1000 - bytes));
}

/* Receive: message byte count, the four FCS bytes included. Transmit: errors. */
static inline uint32_t descriptor_result__gap2_get(uint64_t d)
{
	return gap2_get(d, 6);
}

static inline void descriptor_result__gap2_set(uint64_t d, uint32_t value)
{
	gap2_set(d, 6, value);
}

/* A descriptor in dense memory: what drivers copied to and fro before SIGCOMM'96 2.2.4, and this
 * one does with XK_USC off. All of it each time; the flags last when it goes back. */
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
