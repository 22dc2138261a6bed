/* SPDX-License-Identifier: BSD-2-Clause */
/* How the chip's 16-bit memory looks to the processor (facts/lance.md 3.2).
 *
 * Behind the IOASIC, in RAM:
 *
 * gap2	 (init block, descriptors): each 16-bit word in the low half of a longword. What the chip
 *	 leaves in the upper half is undefined, so a get masks and a set may write zeroes there.
 * gap16 (frames): 16 bytes, then a gap of 16.
 *
 * A dense chip address a is at base + 2a (gap2) or base + (2a & ~31) + (a & 15). Fields are read
 *and written by one aligned longword access, never by reading and modifying a word the chip may
 *own.
 *
 * On PMAD, in the card's memory, there are no gaps: two words share a longword, and each set says
 * both. LANCE_PMAD chooses; like a variant's switch it is tested by `if`. */
#ifndef LANCE_LAYOUT_H
#define LANCE_LAYOUT_H

#include <stdint.h>

#if __has_include("machine.h")
#include "machine.h"
#endif
#include "xkernel/switches.h"

#ifndef LANCE_PMAD
#define LANCE_PMAD 0
#endif

/* Bytes from here to a chip address's next. */
enum { LANCE_SPREAD = LANCE_PMAD ? 1 : 2 };

/* Two words of the dense layout. */
static inline uint32_t pair_get(uint64_t base, uint64_t offset)
{
	return *(const volatile uint32_t *)(base + offset);
}

static inline void pair_set(uint64_t base, uint64_t offset, uint32_t low, uint32_t high)
{
	*(volatile uint32_t *)(base + offset) = low | high << 16;
}

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
	return LANCE_PMAD ? offset : (offset << 1 & ~(uint64_t)31) + (offset & 15);
}

/* Descriptors: four words. `flags` shares its word with address bits 23:16, which are zero in our
 * 64 KB; storing it hands the descriptor over, so it comes last. */
static inline void descriptor_address_set(uint64_t d, uint32_t address)
{
	if (LANCE_PMAD)
		pair_set(d, 0, address, 0);
	else
		gap2_set(d, 0, address);
}

static inline uint32_t descriptor_flags_get(uint64_t d)
{
	return LANCE_PMAD ? pair_get(d, 0) >> 24 : gap2_get(d, 2) >> 8;
}

/* `address`, as it was set, matters where it shares the longword. */
static inline void descriptor_flags_set(uint64_t d, uint32_t flags, uint32_t address)
{
	if (LANCE_PMAD)
		pair_set(d, 0, address, flags << 8);
	else
		gap2_set(d, 2, flags << 8);
}

/* Two's complement of the buffer's length under four ones; and 0 for the chip's result. */
static inline void descriptor_length_set(uint64_t d, uint32_t bytes)
{
	uint32_t length = 0xf000 | (0x1000 - bytes);

	if (LANCE_PMAD) {
		pair_set(d, 4, length, 0);
	} else {
		gap2_set(d, 4, length);
		gap2_set(d, 6, 0);
	}
}

/* Receive: message byte count, the four FCS bytes included. Transmit: errors. */
static inline uint32_t descriptor_result_get(uint64_t d)
{
	return LANCE_PMAD ? pair_get(d, 4) >> 16 : gap2_get(d, 6);
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
	uint32_t first = LANCE_PMAD ? pair_get(d, 0) : 0;
	uint32_t last = LANCE_PMAD ? pair_get(d, 4) : 0;
	uint32_t second = LANCE_PMAD ? first >> 16 : gap2_get(d, 2);

	dense->address = (uint16_t)(LANCE_PMAD ? first : gap2_get(d, 0));
	dense->address_high = (uint8_t)second;
	dense->flags = (uint8_t)(second >> 8);
	dense->length = (uint16_t)(LANCE_PMAD ? last : gap2_get(d, 4));
	dense->result = (uint16_t)(LANCE_PMAD ? last >> 16 : gap2_get(d, 6));
}

COPIER void descriptor_put_back(uint64_t d, const struct descriptor *dense)
{
	if (LANCE_PMAD) {
		pair_set(d, 4, dense->length, dense->result);
	} else {
		gap2_set(d, 0, dense->address);
		gap2_set(d, 4, dense->length);
		gap2_set(d, 6, dense->result);
	}
}

COPIER void descriptor_put_flags_back(uint64_t d, const struct descriptor *dense)
{
	uint32_t second = dense->address_high | (uint32_t)dense->flags << 8;

	if (LANCE_PMAD)
		pair_set(d, 0, dense->address, second);
	else
		gap2_set(d, 2, second);
}
#endif
