/* SPDX-License-Identifier: BSD-2-Clause */
/* liblance-exact.so: the functions of lance.h on the exact engine's card, and these. */
#pragma once
#include "lib/lance/lance.h"

#ifdef __cplusplus
extern "C" {
#endif

/* State of a chip that a test's driver may know. */
typedef struct {
    uint32_t csr0, mode;
    uint32_t rx_index, tx_index; /* the descriptors that the chip looks at next */
    int busy;                    /* the chip is at something, or a nibble is to come */
} lance_state;

/* Make a chip, as lance_new does: an Am7990 or a C-LANCE, on the IOASIC or a PMAD. */
lance *lance_exact_new(const lance_config *config, uint8_t *memory, size_t size, int c_lance,
                       int pmad);
/* Give a chip that has just been made the classifier (lance.md). -1: not on a PMAD. */
int lance_exact_classify(lance *chip);
void lance_exact_state(const lance *chip, lance_state *state);

#ifdef __cplusplus
}
#endif
