/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/protocols/lance/chip_model.h"

#include <string.h>

#include "platform/alpha/device.h"
#include "protocols/lance/chip.h"
#include "protocols/lance/layout.h"
#include "xkernel/thread/shepherd.h"

enum { JUNK = 0x5a5a, REACH = 0xffffff };
enum { RECEIVED = LANCE_DENSE ? SHEPHERD_FRAME_BYTES : BUFFER_BYTES }; /* of a buffer */

uint8_t chip_window[CHIP_WINDOW_BYTES] __attribute__((aligned(64)));
struct chip chip;
static uint32_t ssr, simr;

static uint16_t word(uint32_t address)
{
	uint16_t value;

	memcpy(&value, chip_window + LANCE_SPREAD * (address & 0xfffe), sizeof value);
	return value;
}

static void set_word(uint32_t address, uint16_t value)
{
	uint16_t both[2] = { value, JUNK };

	memcpy(chip_window + LANCE_SPREAD * (address & 0xfffe), both, 2 * LANCE_SPREAD);
}

static uint8_t *byte(uint32_t address)
{
	if (LANCE_DENSE && address >> 16) {
		uint64_t first = (uintptr_t)chip.frames;

		return chip.frames + ((address + LANCE_MEMORY - first) & REACH);
	}
	address &= 0xffff;
	return chip_window + (LANCE_PACKED ? address : (2 * address & ~31u) + (address & 15));
}

void chip_raise(uint16_t bits)
{
	chip.csr[0] |= bits;
	if (bits & (CSR0_MISS | CSR0_MERR | CSR0_BABL | CSR0_CERR))
		chip.csr[0] |= CSR0_ERR;
	if (bits & CSR0_MERR) /* both sides go off */
		chip_stops(CSR0_RXON | CSR0_TXON);
	chip.csr[0] |= CSR0_INTR;
}

void chip_stops(uint16_t on_bits)
{
	chip.csr[0] &= (uint16_t)~on_bits;
}

/* The address of a descriptor's buffer: 24 bits, of which the wiring may use 16. */
static uint32_t address_of(uint32_t d)
{
	return word(d) | (uint32_t)(word(d + 2) & 0xff) << 16;
}

/* The chip writes the upper byte alone. */
static void set_flags(uint32_t d, uint8_t flags)
{
	set_word(d + 2, (uint16_t)(flags << 8 | (word(d + 2) & 0xff)));
}

static void initialise(void)
{
	uint32_t block = chip.csr[1];

	if (chip.dead)
		return;
	chip.starts++;
	chip.receive_ring = word(block + 16);
	chip.transmit_ring = word(block + 20);
	chip.entries = 1u << (word(block + 18) >> 13);
	if (word(block + 22) >> 13 != word(block + 18) >> 13 || word(block) || word(block + 2) == 0)
		chip.rules_broken++;
	chip.receive_at = chip.transmit_at = 0;
	chip.csr[0] = CSR0_INIT | CSR0_IDON | CSR0_INTR;
}

static void transmit(void)
{
	while (!chip.transmit_holds && chip.csr[0] & CSR0_TXON) {
		uint32_t d = chip.transmit_ring + 8 * chip.transmit_at;
		uint16_t flags = word(d + 2);

		if (!(flags >> 8 & FLAG_OWN))
			return;
		chip.bytes = 0x1000u - (word(d + 4) & 0xfff);
		if (word(d + 4) >> 12 != 15 || chip.bytes < 60 || chip.bytes > 1514 ||
		    (flags >> 8 & 3) != (FLAG_STP | FLAG_ENP) || word(d + 6))
			chip.rules_broken++;
		for (size_t i = 0; i < chip.bytes && i < sizeof chip.frame; i++)
			chip.frame[i] = *byte(address_of(d) + (uint32_t)i);
		set_word(d + 6, chip.transmit_errors);
		flags = (flags >> 8) & ~FLAG_OWN;
		set_flags(d, (uint8_t)(flags | (chip.transmit_errors ? FLAG_ERR : 0)));
		if (chip.transmit_errors & (TX_UFLO | TX_BUFF))
			chip_stops(CSR0_TXON);
		chip.transmit_errors = 0;
		chip.transmit_at = (chip.transmit_at + 1) % chip.entries;
		chip.sent++;
		chip_raise(CSR0_TINT);
	}
}

static void write_csr0(uint16_t value)
{
	if (value & CSR0_STOP) {
		chip.csr[0] = CSR0_STOP;
		return;
	}
	chip.csr[0] &= (uint16_t) ~(value & CSR0_CLEAR);
	if (!(chip.csr[0] & (CSR0_MISS | CSR0_MERR | CSR0_BABL | CSR0_CERR)))
		chip.csr[0] &= (uint16_t)~CSR0_ERR;
	chip.csr[0] = (uint16_t)((chip.csr[0] & ~CSR0_INEA) | (value & CSR0_INEA));
	if (value & CSR0_INIT)
		initialise();
	if (value & CSR0_STRT) {
		if (!(chip.csr[0] & CSR0_INIT))
			chip.rules_broken++;
		chip.csr[0] |= CSR0_STRT | CSR0_RXON | CSR0_TXON;
	}
	if (value & (CSR0_TDMD | CSR0_STRT))
		transmit();
}

uint32_t device_read_long(uint64_t address)
{
	switch (address) {
	case IOASIC_SSR:
		return ssr;
	case IOASIC_SIMR:
		return simr;
	case LANCE_RAP:
		return (uint32_t)JUNK << 16 | chip.rap;
	case LANCE_RDP:
		return (uint32_t)JUNK << 16 | chip.csr[chip.rap];
	default:
		chip.rules_broken++;
		return 0;
	}
}

/* A word takes the entry out. */
static void write_entry(uint64_t place, uint32_t value)
{
	uint32_t *entry = chip.entry[place / 64];

	entry[63] = 0;
	entry[place % 64] = value;
}

void device_write_long(uint64_t address, uint32_t value)
{
	if (LANCE_CLASSIFIER && address >= IOASIC_CLASSIFIER && address < IOASIC_CLASSIFIER_END) {
		write_entry((address - IOASIC_CLASSIFIER) / 8, value);
		return;
	}
	switch (address) {
	case IOASIC_SSR:
		ssr = value;
		break;
	case IOASIC_SIMR:
		simr = value;
		break;
	case IOASIC_LANCE_DMA_POINTER:
		break;
	case LANCE_RAP:
		chip.rap = value & 3;
		break;
	case LANCE_RDP:
		if (chip.rap == 0)
			write_csr0((uint16_t)value);
		else if (chip.csr[0] & CSR0_STOP)
			chip.csr[chip.rap] = (uint16_t)value;
		else
			chip.rules_broken++; /* CSR1 to 3 only while it is stopped */
		break;
	default:
		chip.rules_broken++;
	}
}

uint8_t chip_descriptor_flags(uint16_t ring, unsigned index)
{
	return (uint8_t)(word(ring + 8 * index + 2) >> 8);
}

int chip_receive(const uint8_t *frame, size_t bytes, uint8_t flags)
{
	uint32_t d = chip.receive_ring + 8 * chip.receive_at;

	if (!(chip.csr[0] & CSR0_RXON) ||
	    !(chip_descriptor_flags(chip.receive_ring, chip.receive_at) & FLAG_OWN)) {
		chip_raise(CSR0_MISS);
		return -1;
	}
	if (0x1000u - (word(d + 4) & 0xfff) != RECEIVED)
		chip.rules_broken++;
	for (size_t i = 0; i < bytes && i < RECEIVED; i++)
		*byte(address_of(d) + (uint32_t)i) = frame[i];
	set_word(d + 6, (uint16_t)(chip.path << 12 | bytes));
	set_flags(d, flags);
	chip.receive_at = (chip.receive_at + 1) % chip.entries;
	chip_raise(CSR0_RINT);
	return 0;
}
