/* SPDX-License-Identifier: BSD-2-Clause */
/* A driver on lance.h: brings the chip up as Linux does, sends a frame and receives one.
 *
 *     cc example.c /path/to/liblance.so -Wl,-rpath,/path/to && ./a.out
 */
#include <stdio.h>
#include <string.h>

#include "lance.h"

enum { WINDOW = 0x20000, SIZE = 0x40000, US = 175, NIBBLE = 70 };
enum { RDP = 0xC0000, RAP = 0xC0004, POINTER = 0x40020, SSR = 0x40100, SIMR = 0x40120 };
enum { RX_RING = 0x20, TX_RING = 0x28, RX_BUFFER = 0x100, TX_BUFFER = 0x800 };

static uint8_t memory[SIZE];
static lance *chip;

/* A dense offset of slot 7 in its sparse half: longwords eight bytes apart. */
static uint64_t slot(uint32_t offset) {
    return 0x1F0000000 + 2 * (uint64_t)offset;
}

static void write_register(uint32_t offset, uint32_t value) {
    lance_access(chip, slot(offset), 1, value, 0, NULL);
}

static uint32_t read_register(uint32_t offset) {
    return (uint32_t)lance_access(chip, slot(offset), 0, 0, 0, NULL);
}

static void write_csr(unsigned number, unsigned value) {
    write_register(RAP, number);
    write_register(RDP, value);
}

/* A chip address's word is the low half of a longword; frames lie in 16 bytes of every 32. */
static void set_word(unsigned a, unsigned value) {
    memory[WINDOW + 2 * a] = value & 0xFF;
    memory[WINDOW + 2 * a + 1] = value >> 8 & 0xFF;
}

static unsigned word(unsigned a) {
    return memory[WINDOW + 2 * a] | memory[WINDOW + 2 * a + 1] << 8;
}

static uint8_t *byte(unsigned a) {
    return &memory[WINDOW + a / 16 * 32 + a % 16];
}

static void set_descriptor(unsigned at, unsigned buffer, unsigned size, unsigned flags) {
    set_word(at, buffer);
    set_word(at + 4, 0x10000 - size);
    set_word(at + 6, 0);
    set_word(at + 2, flags);
}

int main(void) {
    static const uint8_t station[6] = {0x08, 0x00, 0x2B, 0x01, 0x02, 0x03};
    /* dec3000-600, times in ticks */
    lance_config config = {.poll = 280000, .word = 105, .gap = 123, .arbitration = 210};
    config.csr = 175, config.demand = 525, config.setup = 350, config.start = 175;
    config.heartbeat = 700, config.status = 525, config.interrupt = 578;
    config.transmit_threshold = 48, config.poll_phase = 1000, config.nibble_ticks = NIBBLE;
    config.dma_latency = 10, config.sqe_test = 1;
    memcpy(&config.station, station, 6);
    chip = lance_new(&config, memory, sizeof memory);
    if (!chip) {
        fputs(lance_refusal(), stderr);
        return 2;
    }

    write_register(POINTER, WINDOW << 3);
    write_register(SSR, 1 << 16 | 1 << 8);
    write_register(SIMR, 1 << 8);
    for (int i = 0; i < 3; i++) /* MODE 0, this station's address, no groups, rings of one */
        set_word(2 + 2 * i, station[2 * i] | station[2 * i + 1] << 8);
    set_word(16, RX_RING);
    set_word(20, TX_RING);
    set_descriptor(RX_RING, RX_BUFFER, 1536, 0x8000);
    set_descriptor(TX_RING, 0, 0, 0);
    write_csr(0, 0x0004);
    write_csr(1, 0);
    write_csr(2, 0);
    write_csr(3, 0);
    write_csr(0, 0x0001);
    while (!(read_register(RDP) & 0x0100))
        ;
    write_register(RDP, 0x0100);
    write_register(RDP, 0x0042);
    lance_advance(chip, 20 * US, 0);

    for (int i = 0; i < 60; i++)
        *byte(TX_BUFFER + i) = i < 6 ? station[i] : i;
    set_descriptor(TX_RING, TX_BUFFER, 60, 0x8300);
    uint64_t start = lance_now(chip), first, last;
    write_register(RDP, 0x0048);
    lance_advance(chip, 2000 * US, LANCE_ON_INTERRUPT);
    double us = (double)(lance_now(chip) - start) / US;
    uint8_t nibbles[200];
    size_t count = lance_sent(chip, nibbles, sizeof nibbles, &first, &last);
    if (word(TX_RING + 2) != 0x0300 || count != 144)
        return 1;
    printf("sent %zu bytes, %.1f us from hand-over to interrupt\n", (count - 16) / 2, us);

    write_register(RDP, 0x0240);
    lance_receive(chip, 0, nibbles, count);
    lance_advance(chip, 2000 * US, LANCE_ON_INTERRUPT);
    if (word(RX_RING + 2) != 0x0300 || memcmp(byte(RX_BUFFER), station, 6))
        return 1;
    printf("received %u bytes, CSR0 %04x\n", word(RX_RING + 6), read_register(RDP));
    lance_free(chip);
    return 0;
}
