/* SPDX-License-Identifier: BSD-2-Clause */
/* The controller as a library: LANCE, IOASIC and TURBOchannel host, Verilated, behind C functions.
 *
 * Memory is the caller's. Time passes only inside lance_access and the functions that advance, in
 * virtual ticks; idle ones are left out. lance-library.md says more; example.c is a driver.
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

/* A chip fresh from reset; `memory` (`size` bytes, from physical address 0) must outlive it. NULL
 * when the chip has no room for a value of `config`: lance_refusal says which, and its range. */
lance *lance_new(const lance_config *config, uint8_t *memory, size_t size);
/* Why lance_new returned NULL last, in this thread: a sentence. */
const char *lance_refusal(void);
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
uint64_t lance_rose(const lance *chip);   /* the tick in which the line rose last; 0: never */
void lance_set_half_duplex(lance *chip, int half);

/* A frame to the chip: `nibbles` (low half of a byte each, preamble first; bit 4: with RX_ER), the
 * first at `tick` or, if that is past, now; frames do not overlap, one starts behind the other. */
void lance_receive(lance *chip, uint64_t tick, const uint8_t *nibbles, size_t count);

/* The next attempt but those planned before collides so many ticks after its first bit; ~0: not. */
void lance_collide(lance *chip, uint32_t ticks);
void lance_forget_collisions(lance *chip);
/* Half duplex: the carrier of the next attempt goes away so many ticks after its first bit. */
void lance_lose_carrier(lance *chip, uint32_t ticks);

/* The nibbles that the chip has sent, oldest first: copies at most `room` nibbles, preamble first,
 * and returns how many there were; 0: nothing. `first`, `last`: tick of the first bit, tick after
 * the last. */
size_t lance_sent(lance *chip, uint8_t *nibbles, size_t room, uint64_t *first, uint64_t *last);

/* Memory: from now on it answers so many ticks after a command (at least 1); reads fail or not. */
void lance_set_dma_latency(lance *chip, uint32_t ticks);
void lance_fail_reads(lance *chip, int fail);

/* A DMA command, in the tick in which memory takes it: 16 bytes from `address`, of a write those
 * that `mask` has bits for. The function is called before memory changes, and may set the latency;
 * it must not advance. */
typedef struct {
    uint64_t tick, address;
    int write;
    uint32_t mask;
    const uint8_t *data;
} lance_dma;
void lance_watch_dma(lance *chip, void (*function)(void *context, const lance_dma *),
                     void *context);
/* A change of the slot's interrupt line, in its tick. */
void lance_watch_line(lance *chip, void (*function)(void *context, uint64_t tick, int level),
                      void *context);

/* DMA accesses so far that lay outside of memory. */
uint64_t lance_astray(const lance *chip);

/* Evaluations so far: of a tick, or of several at once in which the chip only counts time. */
uint64_t lance_evaluations(const lance *chip);

/* A half-duplex segment with any number of chips: one cable, carrier, real collisions. Their time
 * is one: whatever passes it for one chip does so for all. */
typedef struct lance_segment lance_segment;
lance_segment *lance_segment_new(uint32_t nibble_ticks);
/* Free the chips first. */
void lance_segment_free(lance_segment *segment);
/* Puts a chip to `place` (ticks from the cable's end; one chip a place), before any time has passed
 * on the segment, and makes it half duplex. Returns 0, or -1 when the place is taken. */
int lance_segment_attach(lance_segment *segment, lance *chip, uint32_t place);
/* Passes `ticks`, or fewer: returns the number left when a chip's interrupt line has risen. */
uint64_t lance_segment_advance(lance_segment *segment, uint64_t ticks, unsigned events);
uint64_t lance_segment_now(const lance_segment *segment);

typedef struct {
    uint64_t attempts, collided, collisions, bits; /* bits: of whole frames, preamble included */
} lance_segment_counts;
lance_segment_counts lance_segment_counted(const lance_segment *segment);
/* Write the frames that went over the cable whole as a nanosecond pcap of `ticks_per_us`, and
 * forget them. Returns 0, or -1. */
int lance_segment_pcap(lance_segment *segment, const char *path, uint64_t ticks_per_us);

#ifdef __cplusplus
}
#endif
