/* SPDX-License-Identifier: BSD-2-Clause */
/* A driver of LANCE-IP for a machine without an operating system: rings of eight, frames are
   answered in the buffer in which they came. */

#include "lance_driver.h"

#include "lance.h"

enum { OWN = 0x80, ERR = 0x40, STP = 0x02, ENP = 0x01 }; /* of a descriptor's flags */
enum { FCS = 4 };

/* Descriptors, in the layout that the chip reads. */
struct descriptor {
	volatile uint16_t address;
	volatile uint8_t high, flags;
	volatile uint16_t size;	 /* of the buffer, negative */
	volatile uint16_t count; /* received, with FCS */
};

struct block {
	uint16_t mode;
	uint8_t station[6];
	uint16_t groups[4];
	uint16_t receive_ring, receive_entries;
	uint16_t transmit_ring, transmit_entries;
};

/* All that the chip sees, in the 16 MB that BASE names. */
struct shared {
	struct block block;
	struct descriptor receive[LANCE_ENTRIES] __attribute__((aligned(8)));
	struct descriptor transmit[LANCE_ENTRIES];
	uint8_t buffers[LANCE_ENTRIES][LANCE_ROOM] __attribute__((aligned(4)));
};

static volatile uint32_t *registers;
static struct shared *shared;
static struct lance_counts counts;
static unsigned next_receive, next_transmit, next_sent; /* entries, counted without end */
static uint8_t lent[LANCE_ENTRIES];  /* the buffer of this receive entry is being sent */
static uint8_t sends[LANCE_ENTRIES]; /* the receive entry whose buffer this transmit entry sends */

static void set(unsigned offset, uint32_t value)
{
	registers[offset / 4] = value;
}

static uint32_t get(unsigned offset)
{
	return registers[offset / 4];
}

static void set_csr(unsigned number, uint16_t value)
{
	set(LANCE_RAP, number);
	set(LANCE_RDP, value);
}

static uint16_t chip(volatile void *at)
{
	return (uint16_t)(uintptr_t)at;
}

static uint8_t chip_high(volatile void *at)
{
	return (uint8_t)((uintptr_t)at >> 16);
}

static void give(unsigned entry)
{
	struct descriptor *d = &shared->receive[entry];
	d->address = chip(shared->buffers[entry]);
	d->high = chip_high(shared->buffers[entry]);
	d->size = (uint16_t)-LANCE_ROOM;
	d->count = 0;
	lent[entry] = 0;
	d->flags = OWN;
}

void lance_start(uintptr_t base, void *memory, const uint8_t station[6])
{
	registers = (volatile uint32_t *)base;
	shared = memory;
	set_csr(0, LANCE_CSR0_STOP);
	while (get(LANCE_STATUS) & LANCE_STATUS_DMA_ACTIVE) {
	}
	set(LANCE_BASE, (uint32_t)(uintptr_t)memory & LANCE_BASE_BASE);
	struct block *b = &shared->block;
	b->mode = 0;
	for (unsigned i = 0; i < 6; i++)
		b->station[i] = station[i];
	for (unsigned i = 0; i < 4; i++)
		b->groups[i] = 0;
	b->receive_ring = chip(shared->receive);
	b->receive_entries = (uint16_t)(LANCE_LOG << 13 | chip_high(shared->receive));
	b->transmit_ring = chip(shared->transmit);
	b->transmit_entries = (uint16_t)(LANCE_LOG << 13 | chip_high(shared->transmit));
	for (unsigned i = 0; i < LANCE_ENTRIES; i++) {
		give(i);
		shared->transmit[i].flags = 0;
	}
	next_receive = next_transmit = next_sent = 0;
	set_csr(1, chip(b));
	set_csr(2, chip_high(b));
	set_csr(3, 0);
	set_csr(0, LANCE_CSR0_INIT);
	while (!(get(LANCE_RDP) & LANCE_CSR0_IDON)) {
	}
	set(LANCE_RDP, LANCE_CSR0_IDON | LANCE_CSR0_STRT);
}

uint8_t *lance_receive(unsigned *size)
{
	unsigned entry = next_receive % LANCE_ENTRIES;
	struct descriptor *d = &shared->receive[entry];
	if (lent[entry] || d->flags & OWN)
		return 0;
	if (d->flags == (STP | ENP)) {
		counts.received++;
		*size = d->count - FCS;
		return shared->buffers[entry];
	}
	counts.bad++;
	lance_drop();
	return 0;
}

void lance_drop(void)
{
	give(next_receive++ % LANCE_ENTRIES);
}

void lance_answer(unsigned size)
{
	unsigned entry = next_transmit++ % LANCE_ENTRIES, from = next_receive++ % LANCE_ENTRIES;
	struct descriptor *d = &shared->transmit[entry];
	lent[from] = 1;
	sends[entry] = (uint8_t)from;
	d->address = chip(shared->buffers[from]);
	d->high = chip_high(shared->buffers[from]);
	d->size = (uint16_t)-size;
	d->count = 0;
	d->flags = OWN | STP | ENP;
	set(LANCE_RDP, LANCE_CSR0_TDMD);
}

const struct lance_counts *lance_serve(void)
{
	while (next_sent != next_transmit) {
		unsigned entry = next_sent % LANCE_ENTRIES;
		if (shared->transmit[entry].flags & OWN)
			break;
		counts.cut += (shared->transmit[entry].flags & ERR) != 0;
		counts.sent++;
		give(sends[entry]);
		next_sent++;
	}
	uint32_t csr0 = get(LANCE_RDP);
	uint32_t said =
	    csr0 & (LANCE_CSR0_MISS | LANCE_CSR0_BABL | LANCE_CSR0_CERR | LANCE_CSR0_MERR);
	counts.missed += (csr0 & LANCE_CSR0_MISS) != 0;
	counts.broken += (csr0 & (LANCE_CSR0_BABL | LANCE_CSR0_MERR)) != 0;
	if (said)
		set(LANCE_RDP, said);
	return &counts;
}
