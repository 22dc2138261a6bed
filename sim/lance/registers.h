// SPDX-License-Identifier: BSD-2-Clause
// Bits of the LANCE's registers and descriptors (sources/lance.md 1).
#pragma once
#include <cstdint>

namespace mcpi::am7990 {

enum Csr0 : unsigned {
    ERR = 0x8000,
    BABL = 0x4000,
    CERR = 0x2000,
    MISS = 0x1000,
    MERR = 0x0800,
    RINT = 0x0400,
    TINT = 0x0200,
    IDON = 0x0100,
    INTR = 0x0080,
    INEA = 0x0040,
    RXON = 0x20,
    TXON = 0x10,
    TDMD = 0x08,
    STOP = 0x04,
    STRT = 0x02,
    INIT = 0x01
};
enum Mode : unsigned {
    PROM = 0x8000,
    EMBA = 0x80,
    INTL = 0x40,
    DRTY = 0x20,
    COLL = 0x10,
    DTCR = 0x08,
    LOOP = 0x04,
    DTX = 0x02,
    DRX = 0x01
};
inline bool insideOf(unsigned mode) {
    return mode & LOOP && mode & INTL; // INTL counts only with LOOP
}
/// Word 1 of a descriptor; FAILED is ERR there.
enum Status : unsigned {
    OWN = 0x8000,
    FAILED = 0x4000,
    STP = 0x0200,
    ENP = 0x0100, // both
    FRAM = 0x2000,
    OFLO = 0x1000,
    CRC = 0x0800,
    RBUFF = 0x0400, // receive
    ADD_FCS = 0x2000,
    MORE = 0x1000,
    ONE = 0x0800,
    DEF = 0x0400 // transmit
};
/// Word 3 of a transmit descriptor.
enum Error : unsigned { BUFF = 0x8000, UFLO = 0x4000, LCOL = 0x1000, LCAR = 0x0800, RTRY = 0x0400 };

constexpr unsigned preambleNibbles = 16, jamNibbles = 8, slotNibbles = 128, attempts = 16;

struct Ring {
    uint32_t base = 0;
    unsigned size = 1, index = 0;
    uint32_t descriptor() const { return base + 8 * index; }
    uint32_t following() const { return base + 8 * ((index + 1) % size); }
    void advance() { index = (index + 1) % size; }
};

} // namespace mcpi::am7990
