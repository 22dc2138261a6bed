// SPDX-License-Identifier: BSD-2-Clause
// Registers, initialization block, polls.
#include "lance.h"

#include <algorithm>

namespace mcpi::exact {
namespace {

using namespace am7990;

constexpr uint64_t toPoll = 1; // from the start to the timer's first end, and its phase
constexpr uint64_t toTurn = 2; // from a frame's end to another wire of the receiver
constexpr unsigned cLanceSilo = 64;

} // namespace

Lance::Lance(const LanceTimes &times, bool inReset)
    : t_(times), master_({std::max<uint64_t>(times.arbitration, 1),
                          std::max<uint64_t>(times.word, 2), std::max<uint64_t>(times.gap, 1)}),
      inReset_(inReset), wireOut_(times.nibble), wireIn_(times.cLance ? cLanceSilo : times.silo) {
    for (uint64_t *time :
         {&t_.csr, &t_.demand, &t_.setup, &t_.start, &t_.heartbeat, &t_.status, &t_.interrupt})
        *time = std::max<uint64_t>(*time, 1);
    heartbeat_ = times.heartbeat;
    raised_.fill(never);
    wireOut_.setHalfDuplex(times.halfDuplex);
}

void Lance::setHalfDuplex(bool half) {
    t_.halfDuplex = half;
    wireOut_.setHalfDuplex(half);
}

/// A write that would come later than RESET is lost.
void Lance::reset(uint64_t edge, bool active) {
    if (active && !inReset_) {
        free_ = 0;
        resetAt_ = edge + 2;
        for (Write &write : writes_)
            if (write.at != never && write.at > resetAt_)
                write = Write{};
        next_ = first();
    }
    inReset_ = active;
}

void Lance::writeRap(uint64_t edge, unsigned value) {
    if (inReset_)
        return;
    rap_ = value & 3;
    free_ = edge + t_.csr + 1;
}

unsigned Lance::csr0() const {
    unsigned value = csr_[0];
    if (value & (BABL | MISS | MERR | RINT | TINT | IDON))
        value |= INTR;
    if (value & (BABL | CERR | MISS | MERR))
        value |= ERR;
    return value;
}

unsigned Lance::readRdp(uint64_t edge) const {
    if (rap_ == 0)
        return edge < startedAt_ ? csr0() & ~(RXON | TXON) : csr0();
    return csr_[0] & STOP ? csr_[rap_] : 0;
}

void Lance::writeRdp(uint64_t edge, unsigned value) {
    if (inReset_)
        return;
    free_ = edge + t_.csr + 1;
    if (rap_ == 0 && value & TDMD)
        note(LanceStep::at(LanceStep::demand, edge));
    Write &write = writes_[writes_[0].at != never];
    write = {edge + t_.csr + 1, rap_, value};
    next_ = std::min(next_, write.at);
}

/// The write, but for STOP, has reached the chip.
void Lance::effect(uint64_t tick, unsigned rap, unsigned value) {
    if (rap) {
        if (csr_[0] & STOP)
            csr_[rap] = rap == 3 ? value & 7 : value;
        return;
    }
    unsigned &c = csr_[0];
    const bool stopped = c & STOP;
    c &= ~(value & (BABL | CERR | MISS | MERR | RINT | TINT | IDON));
    if (!stopped || value & (INIT | STRT) || t_.cLance)
        c = (c & ~INEA) | (value & INEA);
    if (value & (INIT | STRT))
        c &= ~STOP;
    c |= value & (STRT | INIT);
    if (value & INIT && read_) {
        c |= IDON;
    } else if (value & INIT && words_ == block_.size() && !(c & (RXON | TXON))) {
        words_ = 0;
        held_ = false;
        readBlock(tick + 1);
    }
    begin(tick + 1);
    if (value & TDMD && c & STRT) {
        c |= TDMD;
        demanded_ = tick;
        if (demand_ == never)
            demand_ = tick + 1 + t_.demand;
        if (send_ == Step::idle)
            transmitIdle(tick + 1);
    }
}

/// STRT takes effect once for each STOP and each block.
void Lance::begin(uint64_t tick) {
    if (!(csr_[0] & STRT) || !held_ || running_)
        return;
    running_ = true;
    startedAt_ = tick;
    csr_[0] |= (mode_ & DRX ? 0 : +RXON) | (mode_ & DTX ? 0 : +TXON);
    poll_ = csr_[0] & (RXON | TXON) ? tick + toPoll + t_.pollPhase : never;
    if (send_ == Step::idle)
        transmitIdle(tick + 1);
    listen();
}

/// Frames that begin from now on are received, or not.
void Lance::listen() {
    wireIn_.listen(csr_[0] & RXON);
}

/// MODE is there: the receiver changes its wire between two frames of the transmitter.
void Lance::turns(uint64_t tick, bool inside) {
    turn(tick);
    turnsTo_ = inside;
    turnsAt_ = inside == inside_ || wireOut_.sending()
                   ? never
                   : std::max(tick + 1, wireOut_.ended() + toTurn);
}

void Lance::turn(uint64_t tick) {
    if (turnsAt_ > tick)
        return;
    turnsAt_ = never;
    inside_ = turnsTo_;
    wireIn_.hangUp();
}

/// STOP or RESET has reached the chip, and all that the chip still did in this tick is done.
void Lance::stop(uint64_t tick, LanceMemory &memory) {
    held_ = held_ && resetAt_ != tick; // after RESET no STRT starts on the block from before
    if (resetAt_ == tick) {            // CSR1 and CSR2 survive
        resetAt_ = never;
        rap_ = 0;
    }
    // A descriptor that is given back in the next tick is so, and the ring goes on behind it.
    const User over = master_.halt(tick + 1, block(), memory);
    if (over == User::transmit &&
        (send_ == Step::skip || send_ == Step::release || send_ == Step::writing1))
        tx_.advance();
    if (over == User::receive &&
        (receive_ == Step::release || receive_ == Step::full || receive_ == Step::writing1))
        rx_.advance();
    csr_[0] = STOP;
    csr_[3] = 0;
    read_ = running_ = false;
    words_ = static_cast<unsigned>(block_.size());
    raised_.fill(never);
    poll_ = dueOut_ = dueIn_ = demand_ = overAt_ = sendAt_ = receiveAt_ = never;
    send_ = receive_ = Step::idle;
    forFrame_ = false;
    wireIn_.forget();
    wireOut_.stop();
    wireOut_.setHold(false);
    listen();
}

/// READY stays away: the chip gives up whatever it was doing.
void Lance::memoryError() {
    csr_[0] |= MERR;
    csr_[0] &= ~(RXON | TXON);
    words_ = static_cast<unsigned>(block_.size());
    send_ = receive_ = Step::idle;
    poll_ = dueOut_ = dueIn_ = overAt_ = sendAt_ = receiveAt_ = never;
    wireIn_.forget();
    listen();
}

/// Ownership of a bus master without a command: it reads the initialization block's first word.
Ownership Lance::block() const {
    Ownership o;
    o.address = (csr_[1] | (csr_[2] & 0xFF) << 16) & ~1u;
    return o;
}

void Lance::readBlock(uint64_t tick) {
    requestWord(User::init, tick, (csr_[1] | (csr_[2] & 0xFF) << 16) + 2 * words_);
}

void Lance::initDone(uint64_t tick) {
    if (words_ == block_.size())
        return; // stopped meanwhile
    block_[words_++] = master_.last().word();
    if (words_ == 1) {
        wireOut_.setInside(tick, insideOf(block_[0]));
        turns(tick, insideOf(block_[0]));
    }
    if (words_ < block_.size()) {
        readBlock(tick + 1);
        return;
    }
    mode_ = block_[0];
    filter_.promiscuous = mode_ & PROM;
    filter_.groups = !loop() || mode_ & DTCR;
    for (unsigned i = 0; i < 6; ++i)
        filter_.physical[i] = static_cast<uint8_t>(block_[1 + i / 2] >> i % 2 * 8);
    filter_.logical = 0;
    for (unsigned i = 0; i < 4; ++i)
        filter_.logical |= uint64_t{block_[4 + i]} << 16 * i;
    const auto ring = [this](unsigned i) {
        return Ring{(block_[i] & 0xFFF8) | (block_[i + 1] & 0xFF) << 16,
                    1u << (block_[i + 1] >> 13)};
    };
    rx_ = ring(8);
    tx_ = ring(10);
    uint64_t address = 0;
    for (unsigned i = 0; i < 3; ++i)
        address |= uint64_t{block_[1 + i]} << 16 * i;
    wireOut_.reseed(address);
    wireOut_.setHold(t_.cLance && mode_ & EMBA);
    raise(tick, IDON);
}

/// A flag and what comes with it.
void Lance::raise(uint64_t tick, unsigned bit) {
    csr_[0] |= bit;
    if (bit == IDON) {
        held_ = read_ = true;
        running_ = false;
        begin(tick + 1);
    }
}

/// The first tick in which something happens, but for the timer.
uint64_t Lance::underWay() const {
    uint64_t first = std::min(
        {writes_[0].at, resetAt_, overAt_, sendAt_, receiveAt_, wireOut_.next(), master_.next()});
    for (const uint64_t r : raised_)
        first = std::min(first, r);
    return first;
}

void Lance::at(uint64_t tick, LanceMemory &memory, Port &wire) {
    static constexpr unsigned bits[] = {RINT, TINT, MISS, BABL, CERR};
    turn(tick);
    bool stops = resetAt_ == tick;
    if (writes_[0].at == tick) {
        const Write write = writes_[0];
        writes_ = {writes_[1], Write{}};
        if (!write.rap && write.value & STOP)
            stops = true;
        else
            effect(tick, write.rap, write.value);
    }
    for (std::size_t i = 0; i < raised_.size(); ++i)
        if (raised_[i] == tick) {
            raised_[i] = never;
            raise(tick, bits[i]);
        }
    if (poll_ == tick)
        poll(tick);
    if (master_.givesUp(tick))
        wireOut_.stop(); // the nibble of this tick is the frame's end
    if (wireOut_.next() == tick)
        sends(tick, wire);
    if (overAt_ == tick)
        transmitEnded(tick);
    if (sendAt_ == tick) {
        sendAt_ = never;
        transmitStep(tick);
    }
    if (receiveAt_ == tick) {
        receiveAt_ = never;
        receiveStep(tick);
    }
    const User done = master_.at(tick, memory);
    if (done == User::init || done == User::transmit || done == User::receive)
        note(master_.lasted(tick));
    fill();
    switch (done) {
    case User::init:
        initDone(tick);
        break;
    case User::transmit:
        transmitDone(tick);
        break;
    case User::receive:
        receiveDone(tick);
        break;
    case User::error:
        memoryError();
        master_.halt(tick, block(), memory);
        break;
    case User::none:
        break;
    }
    if (stops)
        stop(tick, memory);
    pin_ = (csr0() & (INTR | INEA)) == (INTR | INEA);
    next_ = first();
}

void Lance::hears(uint64_t tick, const Pins &pins) {
    turn(tick);
    wireOut_.sees(tick, pins);
    const bool ownFrame = t_.halfDuplex && wireOut_.enabled(tick) && !loop();
    if (pins.strobe && !inside_)
        receiveEvent(tick, wireIn_.hears(tick, pins.nibble, filter_, leaving(tick), ownFrame));
    next_ = first();
}

void Lance::moved(uint64_t tick, bool failed) {
    master_.moved(tick, failed);
    fill();
    next_ = first();
}

/// The timer has run out. A ring that lies still looks a tick later; for another the poll waits,
/// unless the receive ring holds a buffer and no frame is on its way into it.
void Lance::poll(uint64_t tick) {
    poll_ = tick + 1 + t_.poll;
    dueOut_ = std::min(dueOut_, tick + 1);
    if (send_ == Step::idle)
        transmitIdle(tick + 1);
    if (receive_ == Step::ready && (tick < readyAt_ || tick <= present(tick)))
        return;
    dueIn_ = std::min(dueIn_, tick + 1);
    if (receive_ == Step::idle)
        receiveIdle(tick + 1);
}

/// Reads word 1 of a ring's descriptor.
void Lance::look(uint64_t tick, User user) {
    if (user == User::receive) {
        receive_ = Step::flags;
        dueIn_ = never;
        requestWord(user, tick + 1, rx_.descriptor() + 2);
        return;
    }
    dueOut_ = never;
    if (demanded_ != tick) {
        csr_[0] &= ~TDMD;
        demand_ = never;
    }
    send_ = Step::flags;
    requestWord(user, tick + 1, tx_.descriptor() + 2);
}

/// Bytes of the next burst; no more fit into 16 aligned ones.
unsigned Lance::wantedOf(const Buffer &b) {
    return std::min<unsigned>(burstBytes - b.address % burstBytes, b.left);
}

/// The buffer's next bytes.
Ownership Lance::burstOf(Buffer &buffer, unsigned bytes) const {
    Ownership o;
    o.burst = true;
    o.swaps = csr_[3] & 4;
    o.address = buffer.address;
    o.bytes = bytes;
    buffer.address += bytes;
    buffer.left -= bytes;
    return o;
}

/// A word is read.
void Lance::requestWord(User user, uint64_t tick, uint32_t address) {
    Ownership o;
    o.address = address;
    master_.request(user, tick, o);
}

/// A word is written.
void Lance::give(User user, uint64_t tick, uint32_t address, unsigned value) {
    Ownership o;
    o.write = true;
    o.address = address;
    o.data[0] = static_cast<uint8_t>(value);
    o.data[1] = static_cast<uint8_t>(value >> 8);
    master_.request(user, tick, o);
}

} // namespace mcpi::exact
