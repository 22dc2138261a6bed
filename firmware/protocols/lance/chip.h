/* SPDX-License-Identifier: BSD-2-Clause */
/* The Am7990: control and status bits, and where things lie in its 64 KB (sources/lance.md 1). */
#pragma once

#include <stdint.h>

/* clang-format off */
enum csr0 {
	CSR0_INIT = 0x0001, CSR0_STRT = 0x0002, CSR0_STOP = 0x0004, CSR0_TDMD = 0x0008,
	CSR0_TXON = 0x0010, CSR0_RXON = 0x0020, CSR0_INEA = 0x0040, CSR0_INTR = 0x0080,
	CSR0_IDON = 0x0100, CSR0_TINT = 0x0200, CSR0_RINT = 0x0400, CSR0_MERR = 0x0800,
	CSR0_MISS = 0x1000, CSR0_CERR = 0x2000, CSR0_BABL = 0x4000, CSR0_ERR = 0x8000,
	CSR0_CLEAR = 0x7f00,	/* written as 1 to clear */
};

enum descriptor_flags {
	FLAG_OWN = 0x80, FLAG_ERR = 0x40, FLAG_STP = 0x02, FLAG_ENP = 0x01,
	RX_FRAM = 0x20, RX_OFLO = 0x10, RX_CRC = 0x08, RX_BUFF = 0x04,
};

enum transmit_errors {
	TX_BUFF = 0x8000, TX_UFLO = 0x4000, TX_LCOL = 0x1000, TX_LCAR = 0x0800, TX_RTRY = 0x0400,
};
/* clang-format on */

enum { FCS_BYTES = 4, RING_LOG = 4, RING = 1 << RING_LOG, BUFFER_BYTES = 1536 };

/* Chip addresses. Buffers start on 16 bytes, so that a burst is one piece of gap16. */
enum {
	INIT_BLOCK = 0,
	RECEIVE_RING = 0x20,
	TRANSMIT_RING = RECEIVE_RING + 8 * RING,
	RECEIVE_BUFFERS = TRANSMIT_RING + 8 * RING,
	TRANSMIT_BUFFERS = RECEIVE_BUFFERS + RING * BUFFER_BYTES,
	CHIP_MEMORY_END = TRANSMIT_BUFFERS + RING * BUFFER_BYTES,
};
_Static_assert(CHIP_MEMORY_END <= 0x10000, "the chip reaches 64 KB");

/* Registers. All but chip_csr0_* leave the chip stopped or are used while it is. */
void chip_reset(void);	      /* IOASIC set up, chip stopped and out of reset */
int chip_start(uint64_t mac); /* init block, INIT, STRT with interrupts; -1: no answer */
uint32_t chip_csr0_read(void);
void chip_csr0_write(uint32_t value);
