/* SPDX-License-Identifier: BSD-2-Clause */
/* The controller as a library: LANCE, IOASIC and TURBOchannel host, Verilated, behind C functions.
 *
 * Memory is the caller's. Time passes only inside lance_access and lance_advance, in virtual ticks;
 * idle ones are left out. docs/lance.md says more; sim/lance/example.c is a driver.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lance lance;

/* Times in ticks, as struct LanceTiming in the RTL; zero is as fast as the logic goes. */
typedef struct {
    uint32_t poll, word, gap, arbitration, csr, demand, setup, start, heartbeat, status, interrupt;
    uint32_t transmit_threshold; /* bytes */
    uint32_t poll_phase;         /* ticks from STRT to the first ring poll */
    uint32_t nibble_ticks;       /* of the link: 70 at 10 Mb/s and 175 ticks a microsecond */
    uint32_t dma_latency;        /* ticks from a DMA command to its answer, at least 1 */
    uint32_t sqe_test;           /* 1: the transceiver answers each frame */
    uint32_t half_duplex;        /* 1: carrier follows the chip's own sending, see lance_collide */
    uint64_t station;            /* in the station ROM, first wire byte lowest */
} lance_config;

/* A chip fresh from reset; `memory` (`size` bytes, from physical address 0) must outlive it. */
lance *lance_new(const lance_config *config, uint8_t *memory, size_t size);
void lance_free(lance *chip);

/* An uncached access of the core at a 34-bit physical address; `quad`: 8 bytes, else 4. Returns the
 * data of a read. `*error` becomes 1 after a bus timeout, else 0. */
uint64_t lance_access(lance *chip, uint64_t address, int write, uint64_t data, int quad,
                      int *error);

/* Passes `ticks`, or fewer: it returns early, with the number left, when the interrupt line or
 * another of the events below comes. */
uint64_t lance_advance(lance *chip, uint64_t ticks, unsigned events);
enum { LANCE_ON_INTERRUPT = 1, LANCE_ON_SENT = 2 };

uint64_t lance_now(const lance *chip);    /* ticks since reset */
uint64_t lance_active(const lance *chip); /* the last tick with DMA or something on the wire */
int lance_interrupt(const lance *chip);   /* level of the slot's line */
void lance_set_half_duplex(lance *chip, int half);

/* A frame to the chip: `nibbles` (low half of a byte each, preamble first; bit 4: with RX_ER), the
 * first at `tick` or, if that is past, now; frames do not overlap, one starts behind the other. */
void lance_receive(lance *chip, uint64_t tick, const uint8_t *nibbles, size_t count);

/* The next attempt but those planned before collides so many ticks after its first bit; ~0: not. */
void lance_collide(lance *chip, uint32_t ticks);
void lance_forget_collisions(lance *chip);

/* What the chip has sent, oldest first: copies at most `room` nibbles, preamble first, and returns
 * how many there were; 0: nothing. `first`, `last`: tick of the first bit, tick after the last. */
size_t lance_sent(lance *chip, uint8_t *nibbles, size_t room, uint64_t *first, uint64_t *last);

/* DMA accesses so far that lay outside of memory. */
uint64_t lance_astray(const lance *chip);

#ifdef __cplusplus
}
#endif
