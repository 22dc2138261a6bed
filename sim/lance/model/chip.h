// SPDX-License-Identifier: BSD-2-Clause
// Model of an Am7990 without its times: registers, rings, frames (sources/lance.md 1).
//
// Written from the sheet, sharing nothing with the RTL. Everything happens at once when it is asked
// for: a history is compared between its steps, when the chip lies still.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "window.h"

namespace mcpi::lance_model {

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

Bytes fcs(const Bytes &data);     ///< four bytes, as sent
Bytes nibbles(const Bytes &data); ///< preamble and `data`
inline Bytes operator+(Bytes a, const Bytes &b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

struct Ring {
    uint32_t base = 0;
    unsigned size = 1, index = 0;
    uint32_t descriptor() const { return base + 8 * index; }
    uint32_t following() const { return base + 8 * ((index + 1) % size); }
    void advance() { index = (index + 1) % size; }
};

/// Surroundings of the chip. It is told all that depends on its times.
struct Outside {
    bool halfDuplex = false, sqeTest = true, heartbeatChecked = true;
    bool dead = false;                 ///< memory does not answer
    bool deferred = false;             ///< there is carrier when the next frame is ready
    bool carrierLost = false;          ///< in the next frame, behind the preamble
    std::deque<unsigned> collisions;   ///< for each attempt, the nibble it meets one in
    std::optional<unsigned> underflow; ///< bytes that have left when the next frame runs dry
    struct Overflow {
        unsigned taken;    ///< bytes of the next frame that came before the silo was full
        unsigned inMemory; ///< how many of them were in memory then
    };
    std::optional<Overflow> overflow;
};

class Chip {
  public:
    Chip(Window &window, Outside &outside, bool cLance)
        : window(window), outside(outside), cLance_(cLance) {}

    unsigned csr0() const;
    bool line() const { return (csr0() & (INTR | INEA)) == (INTR | INEA); }
    void writeRap(unsigned value) { rap = inReset_ ? 0 : value & 3; }
    void writeRdp(unsigned value);
    unsigned readRdp() const;
    /// The RESET pin. While it is active the chip takes no write; CSR1 and CSR2 survive.
    void reset(bool active);

    /// The rest of an INIT: all of the block is read. Any other doing of the chip comes after it.
    void initialize();
    /// A poll or a demand: everything the ring holds goes out.
    void transmit();
    /// A poll of the receive ring.
    void pollReceive();
    /// A frame from the wire, FCS included. `dribble`: half a byte more; `spoilt`: RX_ER.
    void receive(const Bytes &data, bool dribble = false, bool spoilt = false, bool inside = false);
    bool internalLoopback() const { return insideOf(mode); }

    Window &window;
    Outside &outside;
    unsigned rap = 0, mode = 0;
    unsigned csr[4] = {STOP, 0, 0, 0};
    Ring rx, tx;
    std::vector<Bytes> sent; ///< nibbles of every attempt

  private:
    struct Ending {
        unsigned collisions, error, position; ///< position: nibbles to the collision
    };
    void writeCsr0(unsigned value);
    void start();
    void memoryError();
    bool owned(uint32_t descriptor) const { return window.word(descriptor + 2) & OWN; }
    std::pair<uint32_t, unsigned> buffer(uint32_t descriptor) const;
    void giveBack(uint32_t descriptor, unsigned status);
    bool swaps() const { return csr[3] & 4; }
    void frame(bool addFcs);
    Ending attempt(const Bytes &whole);
    bool accepts(const Bytes &data, bool groups) const;

    bool cLance_, inReset_ = false;
    bool reading_ = false; ///< INIT was written, the block has not been read
    bool held_ = false;    ///< a block that was read whole
    bool read_ = false;    ///< it was since the last STOP
    bool running_ = false; ///< STRT has taken effect, since STOP and for this block
    uint8_t physical_[6] = {};
    uint64_t logical_ = 0;
};

} // namespace mcpi::lance_model
