// SPDX-License-Identifier: BSD-2-Clause
// The LANCE with its times (lance.md): registers, one bus ownership at a time, the two rings, the
// two sides of the wire. What it does it does in the tick the sheet says; between these it sleeps.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/lance_step.h"
#include "bus_master.h"
#include "link/port.h"
#include "receive_wire.h"
#include "registers.h"
#include "transmit_wire.h"
#include "turbochannel.h"

namespace mcpi::exact {

/// Parameters of the machine that the chip gets; times in ticks.
struct LanceTimes {
    uint64_t poll = 0, word = 0, gap = 0, arbitration = 0, csr = 0, demand = 0, setup = 0,
             start = 0, heartbeat = 0, status = 0, interrupt = 0;
    uint64_t pollPhase = 0; ///< from STRT to the first poll
    uint64_t nibble = 70;
    uint64_t station = 0;               ///< first wire byte lowest
    unsigned threshold = 48, silo = 48; ///< bytes
    bool sqeTest = true, cLance = false, halfDuplex = false, classifier = false;
};

/// State of the chip that a test's driver may know.
struct LanceState {
    unsigned csr0 = 0, mode = 0;
    unsigned rxIndex = 0, txIndex = 0; ///< of the descriptors that it looks at next
    bool busy = false;                 ///< it is at something, or waits for the wire
};

class Lance {
  public:
    explicit Lance(const LanceTimes &times, bool inReset = false);

    /// RAP and RDP; a write is on its way into the chip for a while, in which nothing answers.
    bool ready(uint64_t edge) const { return edge >= free_; }
    unsigned readRap() const { return rap_; }
    void writeRap(uint64_t edge, unsigned value);
    unsigned readRdp(uint64_t edge) const;
    void writeRdp(uint64_t edge, unsigned value);
    /// The RESET pin, from an edge on: as STOP, and while it is active no write reaches the chip.
    void reset(uint64_t edge, bool active);
    void setHalfDuplex(bool half);
    void writeEntry(uint64_t edge, unsigned entry, unsigned place, uint32_t value) {
        wireIn_.writeEntry(edge, entry, place, value);
    }
    bool classifies() const { return t_.classifier; }
    void classify() { t_.classifier = true; }

    uint64_t next() const { return next_; }
    void at(uint64_t tick, LanceMemory &memory, Port &wire);
    void hears(uint64_t tick, const Pins &pins);
    /// The bus master's ownership under way, and the notice that it has moved (LanceMemory).
    Ownership *moving() { return master_.now(); }
    void admit(uint64_t tick) {
        master_.admit(tick);
        next_ = first();
    }
    void moved(uint64_t tick, bool failed);
    LanceState state() const { return {csr0(), mode_, rx_.index, tx_.index, underWay() != never}; }
    const am7990::Ring &receiveRing() const { return rx_; }
    const am7990::Ring &transmitRing() const { return tx_; }
    void watch() { watches_ = true; }
    /// Steps that have ended since the last call.
    std::vector<LanceStep> steps() { return std::exchange(steps_, {}); }
    /// The card's interrupt line rises in this tick.
    void interrupts(uint64_t tick) { note(LanceStep::at(LanceStep::interrupt, tick)); }
    /// The interrupt pin, in the last tick.
    bool pin() const { return pin_; }

  private:
    using Ring = am7990::Ring;

    struct Buffer {
        uint32_t address = 0;
        unsigned left = 0, size = 0, flags = 0;
    };
    enum class Step {
        idle,
        flags,   ///< word 1 of the descriptor is read
        low,     ///< word 0
        count,   ///< word 2
        setup,   ///< until the first burst
        ready,   ///< bursts, as silo and wire have it
        burst,   ///< one is under way
        ahead,   ///< word 1 of the next descriptor is read
        keeps,   ///< the buffer until the slot time is over, for a retry
        release, ///< this one is given back, the next is read
        skip,    ///< it is given back unsent
        full,    ///< it is given back with BUFF
        wire,    ///< all is in the silo
        lost,    ///< until the end of a frame that has no buffer
        status,  ///< until the descriptor is written
        writing3,
        writing1
    };

    void note(const LanceStep &step) {
        if (watches_)
            steps_.push_back(step);
    }
    // Registers
    unsigned csr0() const;
    bool loop() const { return mode_ & am7990::LOOP; }
    bool inside() const { return am7990::insideOf(mode_); }
    void effect(uint64_t tick, unsigned rap, unsigned value);
    void begin(uint64_t tick);
    void raise(uint64_t tick, unsigned bit);
    void stop(uint64_t tick, LanceMemory &memory);
    void memoryError();
    Ownership block() const;
    void listen();
    void turn(uint64_t tick);
    void turns(uint64_t tick, bool inside);
    // Initialization block
    void readBlock(uint64_t tick);
    void initDone(uint64_t tick);
    // Rings
    void poll(uint64_t tick);
    void look(uint64_t tick, User user);
    void transmitIdle(uint64_t tick);
    void receiveIdle(uint64_t tick);
    void requestWord(User user, uint64_t tick, uint32_t address);
    void give(User user, uint64_t tick, uint32_t address, unsigned value);
    static constexpr unsigned burstBytes = 16; ///< at most, and aligned
    static unsigned wantedOf(const Buffer &buffer);
    Ownership burstOf(Buffer &buffer, unsigned bytes) const;
    void fill();
    void transmitDone(uint64_t tick);
    void transmitStep(uint64_t tick);
    void transmitGoes(uint64_t tick);
    void transmitEvent(uint64_t tick, TransmitWire::WireEvent event);
    void transmitOver(uint64_t tick);
    void transmitAgain(uint64_t tick);
    void transmitEnded(uint64_t tick);
    void transmitStatus(uint64_t tick);
    unsigned transmitError() const;
    /// The ring is at nothing that it would have to finish; a burst that waits for the bus it
    /// need not, nor a buffer that is to be given back; a look-ahead it does.
    bool between() {
        return send_ == Step::ready || send_ == Step::wire || send_ == Step::keeps ||
               ((send_ == Step::burst || send_ == Step::release) &&
                master_.withdraw(User::transmit));
    }
    /// The frame's first buffer is not given back, nor is its descriptor being written.
    bool keepsFirst() const {
        return kept_ && (send_ != Step::release || master_.owner() != User::transmit);
    }
    void sends(uint64_t tick, Port &wire);
    void lose(uint64_t tick);
    uint64_t drained() const;
    void receiveDone(uint64_t tick);
    void receiveStep(uint64_t tick);
    void receiveEvent(uint64_t tick, ReceiveWire::WireEvent event);
    unsigned leaving(uint64_t tick) const;
    unsigned receiveStatus() const;
    unsigned receiveCount() const;
    /// The tick from which on a frame waits for the ring, or is on its way through it.
    uint64_t present(uint64_t tick) const;
    unsigned startFlag() const { return starts_ ? +am7990::STP : 0; }
    uint64_t first() const { return std::min(poll_, underWay()); }
    uint64_t underWay() const;

    LanceTimes t_;
    BusMaster master_;
    uint64_t next_ = never;
    bool watches_ = false;
    std::vector<LanceStep> steps_; ///< if it is watched

    // Registers
    unsigned rap_ = 0;
    std::array<unsigned, 4> csr_{am7990::STOP, 0, 0, 0};
    uint64_t free_ = 0; ///< the first edge at which a port answers
    /// Writes on their way into the chip: in the tick in which one at a port takes the next.
    struct Write {
        uint64_t at = never;
        unsigned rap = 0, value = 0;
    };
    std::array<Write, 2> writes_;
    bool inReset_;
    uint64_t resetAt_ = never; ///< RESET takes effect
    /// Ticks in which flags are raised.
    enum Flag { rint, tint, miss, babl, cerr, flags };
    std::array<uint64_t, flags> raised_;
    bool pin_ = false;
    bool heartbeat_; ///< is checked

    /// The receiver is on the transmitter's wire, or will be; it changes from this tick on, or as
    /// soon as the frame that goes out is cut off.
    bool inside_ = false, turnsTo_ = false;
    uint64_t turnsAt_ = never;

    // Initialization block
    bool held_ = false, read_ = false, running_ = false;
    unsigned words_ = 12;
    std::array<unsigned, 12> block_{};
    uint64_t startedAt_ = 0; ///< from here on RXON and TXON read 1
    unsigned mode_ = 0;
    Filter filter_;
    Ring rx_, tx_;
    uint64_t poll_ = never; ///< the timer runs out

    // Transmit
    Step send_ = Step::idle;
    Buffer out_, first_;        ///< what is left of the buffer; all of the frame's first
    uint64_t sendAt_ = never;   ///< when the step goes on by itself
    uint64_t dueOut_ = never;   ///< from here on there was a poll, and nobody has looked since
    uint64_t demand_ = never;   ///< the same for TDMD
    uint64_t demanded_ = never; ///< when it was written last
    SendSilo silo_;
    TransmitWire wireOut_;
    bool going_ = false;      ///< the silo has had enough for the wire to begin
    bool addFcs_ = false;     ///< of this frame
    unsigned collisions_ = 0; ///< of this frame
    bool kept_ = false;       ///< its first buffer is not given back yet
    bool ended_ = false;      ///< it is off the wire
    bool known_ = false;      ///< the next buffer is the chip\'s
    bool retry_ = false;      ///< the attempt is, and another is to come
    bool again_ = false;      ///< the ring knows that, and is at something else
    bool retries_ = false;    ///< there were too many
    uint64_t overAt_ = never; ///< the ring sees that it, or the attempt, is off the wire
    uint64_t roomAt_ = 0;     ///< and that the last byte has left the silo
    Sent sent_;
    unsigned nextFlags_ = 0; ///< of the descriptor ahead

    // Receive
    Step receive_ = Step::idle;
    Buffer in_, begin_;      ///< what is left of the buffer; all of it
    uint64_t dueIn_ = never; ///< from here on there was a poll, and nobody has looked since
    uint64_t readyAt_ = 0;   ///< from here on a frame may go into the buffer
    bool forFrame_ = false;  ///< the ring is looked at for a frame that waits
    bool starts_ = true;     ///< the frame begins in this buffer
    unsigned moving_ = 0;    ///< bytes of the burst
    unsigned nextIn_ = 0;    ///< of the descriptor ahead
    uint64_t receiveAt_ = never;
    uint64_t losesFrom_ = 0; ///< a lost frame's bytes leave the silo
    ReceiveWire wireIn_;
};

} // namespace mcpi::exact
