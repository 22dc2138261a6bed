/* SPDX-License-Identifier: BSD-2-Clause */
/* An Am7990 that does what the test says, errors and all (sources/lance.md 1): registers, the init
 * block, both rings. Upper halves of longwords are junk, as behind the IOASIC. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct chip {
	uint16_t csr[4], rap;
	int dead;	 /* never answers INIT */
	unsigned starts; /* INITs so far */
	unsigned receive_at, transmit_at;
	uint16_t receive_ring, transmit_ring;
	uint8_t *frames; /* with dense wiring: 16 MB from here on are in reach */
	unsigned entries;
	uint16_t transmit_errors; /* of the next frame: word 3; ERR is set with any */
	int transmit_holds;	  /* takes nothing from the ring */
	unsigned sent;
	size_t bytes; /* of the last frame sent */
	uint8_t frame[1536];
	uint32_t entry[8][64]; /* of the classifier: masks and values of 63 words, and the count */
	uint16_t path;	       /* of the next frame that arrives, in RMD3 15:12 */
	int rules_broken;      /* by the driver; must stay 0 */
};
extern struct chip chip;

/* A frame arrives; `flags` are the descriptor's, without OWN. -1: no buffer (MISS). */
int chip_receive(const uint8_t *frame, size_t bytes, uint8_t flags);
void chip_raise(uint16_t csr0_bits); /* ERR with those that are errors */
void chip_stops(uint16_t on_bits);   /* TXON or RXON goes off */
uint8_t chip_descriptor_flags(uint16_t ring, unsigned index);
