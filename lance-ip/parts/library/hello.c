/* SPDX-License-Identifier: BSD-2-Clause */
#include <lance.h>
#include <stdio.h>

enum { SSR = 0x1F0080200, RDP = 0x1F0180000, RESET_ENDS = 0x100 };

int main(void) {
    static uint8_t memory[0x40000];
    lance_config config = {.nibble_ticks = 70, .dma_latency = 10, .transmit_threshold = 48};
    lance *chip = lance_new(&config, memory, sizeof memory);
    lance_access(chip, SSR, 1, RESET_ENDS, 0, NULL);
    unsigned csr0 = (unsigned)lance_access(chip, RDP, 0, 0, 0, NULL);
    printf("CSR0 %04x at tick %llu\n", csr0, (unsigned long long)lance_now(chip));
    lance_free(chip);
}
