// SPDX-License-Identifier: BSD-2-Clause
// The LANCE with its times (lance.md): registers, one bus ownership at a time, the two rings, the
// two sides of the wire. What it does it does in the tick the sheet says; between these it sleeps.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "bus_master.h"
#include "link/port.h"
#include "models/lance/chip.h"
#include "turbochannel.h"

namespace mcpi::exact {

/// What of the machine the chip is told; times in ticks.
struct LanceTimes {
    uint64_t poll = 0, word = 0, gap = 0, arbitration = 0, csr = 0, demand = 0, setup = 0,
             start = 0, heartbeat = 0, status = 0, interrupt = 0;
    uint64_t pollPhase = 0; ///< from STRT to the first poll
    uint64_t nibble = 70;
    unsigned threshold = 48, silo = 48; ///< bytes
    bool sqeTest = true, cLance = false;
};

class Lance {
  public:
    explicit Lance(const LanceTimes &times);

    /// RAP and RDP; a write is on its way into the chip for a while, in which nothing answers.
    bool ready(uint64_t edge) const { return edge >= free_; }
    unsigned readRap() const { return rap_; }
    void writeRap(uint64_t edge, unsigned value);
    unsigned readRdp() const;
    void writeRdp(uint64_t edge, unsigned value);
    void reset();

    uint64_t next() const;
    void at(uint64_t tick, TcHost &bus, Port &wire, const Window &window);
    void hears(uint64_t tick, const Pins &pins);
    void burstDone(uint64_t tick, const Burst &burst) { master_.burstDone(tick, burst); }
    /// The interrupt pin, in the tick last lived.
    bool line() const { return pin_; }

  private:
    using Bytes = lance_model::Bytes;
    using Ring = lance_model::Ring;

    struct Buffer {
        uint32_t address = 0;
        unsigned left = 0, flags = 0;
    };
    enum class Step {
        idle,
        flags,  ///< word 1 of the descriptor is read
        low,    ///< word 0
        count,  ///< word 2
        setup,  ///< until the first burst
        ready,  ///< bursts, as silo and wire have it
        burst,  ///< one is under way
        wire,   ///< all is in the silo
        lost,   ///< until the end of a frame that has no buffer
        status, ///< until the descriptor is written
        writing3,
        writing1
    };

    // Registers
    unsigned csr0() const;
    void effect(uint64_t tick);
    void begin(uint64_t tick);
    void raise(uint64_t tick, unsigned bit);
    void stop();
    // Initialization block
    void initDone(uint64_t tick);
    // Rings
    void poll(uint64_t tick);
    void look(uint64_t tick, User user);
    void transmitDone(uint64_t tick);
    void transmitStep(uint64_t tick);
    void receiveDone(uint64_t tick);
    void receiveStep(uint64_t tick);
    // Wire
    void sendNibble(uint64_t tick, Port &wire);
    void sent(uint64_t tick);
    void heardByte(uint64_t tick, uint8_t byte);
    void heardEnd(uint64_t tick);
    bool accepts(const Bytes &data) const;
    unsigned wanted() const;

    LanceTimes t_;
    BusMaster master_;

    // Registers
    unsigned rap_ = 0;
    std::array<unsigned, 4> csr_{lance_model::STOP, 0, 0, 0};
    uint64_t free_ = 0;       ///< the first edge at which a port answers
    uint64_t effect_ = never; ///< a write reaches the chip
    unsigned written_ = 0;    ///< it
    std::array<uint64_t, 4> raised_{never, never, never, never}; ///< IDON, RINT, TINT, MISS
    bool pin_ = false;

    // Initialization block
    bool held_ = false, read_ = false, running_ = false;
    unsigned words_ = 12;
    std::array<unsigned, 12> block_{};
    unsigned mode_ = 0;
    std::array<uint8_t, 6> physical_{};
    uint64_t logical_ = 0;
    Ring rx_, tx_;
    uint64_t poll_ = never;

    // Transmit
    Step send_ = Step::idle;
    Buffer out_;
    uint64_t sendAt_ = never; ///< when the step goes on by itself
    uint64_t demand_ = never;
    bool asked_ = false; ///< a demand or poll, and nobody has looked since
    unsigned inSilo_ = 0;
    Bytes outgoing_; ///< of this frame, as read
    uint64_t firstBit_ = never, lastBit_ = 0;
    std::size_t nibble_ = 0; ///< the next to send
    uint64_t strobe_ = never;
    uint32_t crc_ = 0;
    bool sending_ = false;

    // Receive
    struct Heard {
        Bytes data;
        unsigned moved = 0;               ///< into memory
        unsigned taken = 0;               ///< or on the way
        uint64_t last = 0, ended = never; ///< ticks of the last byte, of the end
        bool accepted = false, dribble = false, lost = false;
    };
    Step receive_ = Step::idle;
    Buffer in_, begin_;     ///< what is left of the buffer; all of it
    bool polled_ = false;   ///< a poll came while the ring was at something else
    bool forFrame_ = false; ///< the ring is looked at for a frame that waits
    bool holds_ = false;    ///< a descriptor
    uint64_t receiveAt_ = never;
    std::deque<Heard> heard_;
    bool preamble_ = false, inFrame_ = false, half_ = false;
    uint8_t low_ = 0;
};

} // namespace mcpi::exact
