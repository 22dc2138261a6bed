/* SPDX-License-Identifier: BSD-2-Clause */
/* How the chip's 16-bit memory looks to the processor (sources/lance.md 3.2): in place, by what the
 * stub compiler makes of lance.usc, or with XK_USC off as drivers did before SIGCOMM'96 2.2.4, by
 * copies in dense memory.
 *
 * Behind the IOASIC, in RAM, descriptors are gap2 and frames gap16. On PMAD, in the card's memory,
 * and with dense wiring there are no gaps: two words share a longword, and each set says both.
 * LANCE_PMAD and LANCE_DENSE choose; like a variant's switch they are tested by `if`. So is
 * LANCE_CLASSIFIER: the chip recognises the frames of paths. */
#pragma once

#include <stdint.h>

#if __has_include("machine.h")
#include "machine.h"
#endif
#include "lance.usc.h"
#include "xkernel/classifier.h"
#include "xkernel/switches.h"

#ifndef LANCE_PMAD
#define LANCE_PMAD 0
#endif
#ifndef LANCE_DENSE
#define LANCE_DENSE 0
#endif

enum {
	LANCE_PACKED = LANCE_PMAD || LANCE_DENSE, /* no gaps */
	LANCE_SPREAD = LANCE_PACKED ? 1 : 2,	  /* bytes from here to a chip address's next */
};

/* Two words of the dense layout: read and written by one aligned access. */
static inline uint32_t pair_get(uint64_t base, uint64_t offset)
{
	return *(const volatile uint32_t *)(base + offset);
}

static inline void pair_set(uint64_t base, uint64_t offset, uint32_t low, uint32_t high)
{
	*(volatile uint32_t *)(base + offset) = low | high << 16;
}

/* The low part of a chip address, which has more than 16 bits with dense wiring alone. */
static inline uint32_t low_of(uint32_t address)
{
	return LANCE_DENSE ? address & 0xffff : address;
}

static inline uint32_t high_of(uint32_t address)
{
	return LANCE_DENSE ? address >> 16 : 0;
}

/* The offset of a byte of a frame from the frame's address. */
static inline uint64_t frame_offset(uint64_t offset)
{
	return LANCE_PACKED ? offset : gap16_offset(offset);
}

static inline void descriptor_address_set(uint64_t d, uint32_t address)
{
	if (LANCE_PACKED)
		pair_set(d, 0, low_of(address), high_of(address));
	else
		descriptor_address__gap2_set(d, address);
}

static inline uint32_t descriptor_flags_get(uint64_t d)
{
	return LANCE_PACKED ? pair_get(d, 0) >> 24 : descriptor_flags__gap2_get(d);
}

/* Hands the descriptor over, so it comes last. `address`, as it was set, matters where it shares
 * the longword. */
static inline void descriptor_flags_set(uint64_t d, uint32_t flags, uint32_t address)
{
	if (LANCE_PACKED)
		pair_set(d, 0, low_of(address), flags << 8 | high_of(address));
	else
		descriptor_flags__gap2_set(d, flags);
}

/* Sets the buffer's length, and 0 for the chip's result. */
static inline void descriptor_length_set(uint64_t d, uint32_t bytes)
{
	if (LANCE_PACKED) {
		pair_set(d, 4, 0xf000 | (0x1000 - bytes), 0);
	} else {
		descriptor_length__gap2_set(d, bytes);
		descriptor_errors__gap2_set(d, 0);
	}
}

/* The length of a frame that came, the FCS included. */
static inline uint32_t descriptor_count_get(uint64_t d)
{
	return LANCE_PACKED ? pair_get(d, 4) >> 16 & 0xfff : descriptor_count__gap2_get(d);
}

/* The same word with the path that the chip has recognised: PATH_SHIFT bits up; 0: none. */
enum { COUNT_BITS = 0xfff, PATH_SHIFT = 12 };
static inline uint32_t descriptor_received_get(uint64_t d)
{
	return LANCE_PACKED ? pair_get(d, 4) >> 16 : descriptor_errors__gap2_get(d);
}

/* The errors of a frame that went. */
static inline uint32_t descriptor_errors_get(uint64_t d)
{
	return LANCE_PACKED ? pair_get(d, 4) >> 16 : descriptor_errors__gap2_get(d);
}

/* A word of a descriptor at its dense offset, for copies alone. */
static inline uint32_t gap2_get(uint64_t base, uint64_t offset)
{
	return *(const volatile uint32_t *)(base + gap2_offset(offset)) & 0xffff;
}

static inline void gap2_set(uint64_t base, uint64_t offset, uint32_t value)
{
	*(volatile uint32_t *)(base + gap2_offset(offset)) = value;
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
	uint32_t first = LANCE_PACKED ? pair_get(d, 0) : 0;
	uint32_t last = LANCE_PACKED ? pair_get(d, 4) : 0;
	uint32_t second = LANCE_PACKED ? first >> 16 : gap2_get(d, 2);

	dense->address = (uint16_t)(LANCE_PACKED ? first : gap2_get(d, 0));
	dense->address_high = (uint8_t)second;
	dense->flags = (uint8_t)(second >> 8);
	dense->length = (uint16_t)(LANCE_PACKED ? last : gap2_get(d, 4));
	dense->result = (uint16_t)(LANCE_PACKED ? last >> 16 : gap2_get(d, 6));
}

COPIER void descriptor_put_back(uint64_t d, const struct descriptor *dense)
{
	if (LANCE_PACKED) {
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

	if (LANCE_PACKED)
		pair_set(d, 0, dense->address, second);
	else
		gap2_set(d, 2, second);
}
