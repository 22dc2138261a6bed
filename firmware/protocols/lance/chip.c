/* SPDX-License-Identifier: BSD-2-Clause */
/* The wiring's and the chip's registers, and bringing the chip up (sources/lance.md 3.1, 3.2).
 *
 * Registers are 16 bits in a longword whose upper half is unpredictable, at sparse addresses. RAP
 * points at CSR0 whenever none of these functions is running. */
#include "protocols/lance/chip.h"
#include "platform/alpha/device.h"
#include "platform/platform.h"
#include "protocols/lance/layout.h"

enum {
	SSR_LANCE_DMA = 1 << 16,
	SSR_LANCE_RUN = 1 << 8,
	SIR_LANCE = 1 << 8,
	IDON_POLLS = 10000, /* some ms of uncached reads; INIT takes less than one */
};

static uint32_t register_read(uint64_t address)
{
	return device_read_long(address) & 0xffff;
}

/* The pointer is written until it reads back, as DEC's drivers do. */
static void select_csr(uint32_t number)
{
	do
		device_write_long(LANCE_RAP, number);
	while (register_read(LANCE_RAP) != number);
}

static void csr_write(uint32_t number, uint32_t value)
{
	select_csr(number);
	device_write_long(LANCE_RDP, value);
}

uint32_t chip_csr0_read(void)
{
	return register_read(LANCE_RDP);
}

void chip_csr0_write(uint32_t value)
{
	device_write_long(LANCE_RDP, value);
}

static void ioasic_reset(void)
{
	uint32_t ssr = device_read_long(IOASIC_SSR) & ~(uint32_t)(SSR_LANCE_DMA | SSR_LANCE_RUN);

	device_write_long(IOASIC_SSR, ssr);
	/* DMA address bits 33:29 go to 4:0, bits 28:17 to 31:20. */
	device_write_long(IOASIC_LANCE_DMA_POINTER,
			  (uint32_t)(RAM_LANCE_WINDOW_PHYSICAL >> 29 & 0x1f) |
			      (uint32_t)(RAM_LANCE_WINDOW_PHYSICAL >> 17 & 0xfff) << 20);
	device_write_long(IOASIC_SSR, ssr | SSR_LANCE_RUN | SSR_LANCE_DMA);
	device_write_long(IOASIC_SIMR, device_read_long(IOASIC_SIMR) | SIR_LANCE);
}

void chip_reset(void)
{
	if (!LANCE_PMAD) /* which has nothing to set up */
		ioasic_reset();
	csr_write(0, CSR0_STOP);
}

/* The same as below, two words a store. */
static void write_init_pairs(uint64_t mac)
{
	uint64_t block = LANCE_MEMORY + INIT_BLOCK;

	pair_set(block, 0, 0, mac & 0xffff);
	pair_set(block, 4, mac >> 16 & 0xffff, mac >> 32 & 0xffff);
	pair_set(block, 8, 0, 0);
	pair_set(block, 12, 0, 0);
	pair_set(block, 16, RECEIVE_RING, RING_LOG << 13);
	pair_set(block, 20, TRANSMIT_RING, RING_LOG << 13);
}

static void write_init_block(uint64_t mac)
{
	uint64_t block = LANCE_MEMORY + LANCE_SPREAD * INIT_BLOCK;

	init_block_mode__gap2_set(block, 0); /* normal operation */
	init_block_station0__gap2_set(block, mac & 0xffff);
	init_block_station1__gap2_set(block, mac >> 16 & 0xffff);
	init_block_station2__gap2_set(block, mac >> 32 & 0xffff);
	init_block_filter0__gap2_set(block, 0); /* no multicast */
	init_block_filter1__gap2_set(block, 0);
	init_block_filter2__gap2_set(block, 0);
	init_block_filter3__gap2_set(block, 0);
	init_block_receive_ring__gap2_set(block, RECEIVE_RING);
	init_block_receive_length__gap2_set(block, RING_LOG << 13);
	init_block_transmit_ring__gap2_set(block, TRANSMIT_RING);
	init_block_transmit_length__gap2_set(block, RING_LOG << 13);
}

int chip_start(uint64_t mac)
{
	int polls;

	csr_write(0, CSR0_STOP);
	if (LANCE_PACKED)
		write_init_pairs(mac);
	else
		write_init_block(mac);
	csr_write(1, INIT_BLOCK);
	csr_write(2, 0);
	csr_write(3, 0);
	plat_memory_barrier();
	csr_write(0, CSR0_INIT);
	for (polls = 0; !(chip_csr0_read() & CSR0_IDON); polls++)
		if (polls == IDON_POLLS)
			return -1;
	chip_csr0_write(CSR0_IDON);
	chip_csr0_write(CSR0_STRT | CSR0_INEA);
	return 0;
}
