// SPDX-License-Identifier: BSD-2-Clause
// Registers, initialization block, polls.
#include "lance.h"

#include <algorithm>

#include "base/error.h"

namespace mcpi::exact {
namespace {

using namespace lance_model;

constexpr uint64_t toPoll = 3;   // from the start to the first poll, and its phase
constexpr uint64_t toDemand = 1; // from the write to the request, and `demand`

} // namespace

Lance::Lance(const LanceTimes &times)
    : t_(times), master_({std::max<uint64_t>(times.arbitration, 1),
                          std::max<uint64_t>(times.word, 2), std::max<uint64_t>(times.gap, 1)}) {
    for (uint64_t *time :
         {&t_.csr, &t_.demand, &t_.setup, &t_.start, &t_.heartbeat, &t_.status, &t_.interrupt})
        *time = std::max<uint64_t>(*time, 1);
}

/// RESET: as STOP, and RAP is 0.
void Lance::reset() {
    rap_ = 0;
    effect_ = never;
    csr_ = {STOP, 0, 0, 0};
    stop();
}

void Lance::writeRap(uint64_t edge, unsigned value) {
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

unsigned Lance::readRdp() const {
    if (rap_ == 0)
        return csr0();
    return csr_[0] & STOP ? csr_[rap_] : 0;
}

void Lance::writeRdp(uint64_t edge, unsigned value) {
    free_ = edge + t_.csr + 1;
    effect_ = edge + t_.csr + 1;
    written_ = value;
}

/// The write has reached the chip.
void Lance::effect(uint64_t tick) {
    if (rap_) {
        if (csr_[0] & STOP)
            csr_[rap_] = rap_ == 3 ? written_ & 7 : rap_ == 2 ? written_ & 0xFF : written_ & 0xFFFE;
        return;
    }
    unsigned &c = csr_[0];
    const unsigned value = written_;
    if (value & STOP) {
        stop();
        return;
    }
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
        Ownership o;
        o.address = csr_[1] | csr_[2] << 16;
        master_.request(User::init, tick + 1, o);
    }
    begin(tick + 1);
    if (value & TDMD && c & STRT) {
        c |= TDMD;
        if (demand_ == never)
            demand_ = tick + 1 + t_.demand + toDemand;
    }
}

/// STRT takes effect once for each STOP and each block.
void Lance::begin(uint64_t tick) {
    if (!(csr_[0] & STRT) || !held_ || running_)
        return;
    running_ = true;
    csr_[0] |= (mode_ & DRX ? 0 : +RXON) | (mode_ & DTX ? 0 : +TXON);
    poll_ = tick + toPoll + t_.pollPhase;
}

void Lance::stop() {
    csr_[0] = STOP;
    csr_[3] = 0;
    read_ = running_ = holds_ = false;
    words_ = static_cast<unsigned>(block_.size());
    raised_.fill(never);
    poll_ = demand_ = sendAt_ = receiveAt_ = never;
    send_ = receive_ = Step::idle;
    heard_.clear();
    master_.forget();
}

void Lance::initDone(uint64_t tick) {
    if (words_ == block_.size())
        return; // stopped meanwhile
    block_[words_++] = master_.last().word();
    if (words_ < block_.size()) {
        Ownership o;
        o.address = (csr_[1] | csr_[2] << 16) + 2 * words_;
        master_.request(User::init, tick + 1, o);
        return;
    }
    mode_ = block_[0];
    if (mode_ & (LOOP | PROM | INTL | DTCR | EMBA))
        throw RunError("the LANCE's MODE " + std::to_string(mode_) +
                       ": the exact engine does not have it yet.");
    for (unsigned i = 0; i < 6; ++i)
        physical_[i] = static_cast<uint8_t>(block_[1 + i / 2] >> i % 2 * 8);
    logical_ = 0;
    for (unsigned i = 0; i < 4; ++i)
        logical_ |= uint64_t{block_[4 + i]} << 16 * i;
    const auto ring = [this](unsigned i) {
        return Ring{(block_[i] & 0xFFF8) | (block_[i + 1] & 0xFF) << 16,
                    1u << (block_[i + 1] >> 13)};
    };
    rx_ = ring(8);
    tx_ = ring(10);
    raised_[0] = tick + 1;
}

/// A flag and what comes with it.
void Lance::raise(uint64_t tick, unsigned bit) {
    csr_[0] |= bit;
    if (bit == IDON) {
        held_ = read_ = true;
        running_ = false;
        begin(tick);
    }
}

uint64_t Lance::next() const {
    uint64_t first =
        std::min({effect_, poll_, demand_, sendAt_, receiveAt_, strobe_, master_.next()});
    for (const uint64_t r : raised_)
        first = std::min(first, r);
    return first;
}

void Lance::at(uint64_t tick, TcHost &bus, Port &wire, const Window &window) {
    static constexpr unsigned flags[] = {IDON, RINT, TINT, MISS};
    if (effect_ == tick) {
        effect_ = never;
        effect(tick);
    }
    for (std::size_t i = 0; i < raised_.size(); ++i)
        if (raised_[i] == tick) {
            raised_[i] = never;
            raise(tick, flags[i]);
        }
    if (poll_ == tick)
        poll(tick);
    if (demand_ == tick) {
        demand_ = never;
        asked_ = true;
        if (csr_[0] & TXON && send_ == Step::idle)
            look(tick, User::transmit);
    }
    if (strobe_ == tick)
        sendNibble(tick, wire);
    if (sendAt_ == tick) {
        sendAt_ = never;
        transmitStep(tick);
    }
    if (receiveAt_ == tick) {
        receiveAt_ = never;
        receiveStep(tick);
    }
    switch (master_.at(tick, bus, window)) {
    case User::init:
        initDone(tick);
        break;
    case User::transmit:
        transmitDone(tick);
        break;
    case User::receive:
        receiveDone(tick);
        break;
    case User::none:
        break;
    }
    pin_ = (csr0() & (INTR | INEA)) == (INTR | INEA);
}

void Lance::poll(uint64_t tick) {
    poll_ += t_.poll + 1;
    if (csr_[0] & RXON && receive_ == Step::idle)
        look(tick, User::receive);
    else
        polled_ = true;
    if (csr_[0] & TXON && send_ == Step::idle)
        look(tick, User::transmit);
    else
        asked_ = true;
}

/// Reads word 1 of a ring's descriptor.
void Lance::look(uint64_t tick, User user) {
    Ownership o;
    if (user == User::receive) {
        receive_ = Step::flags;
        polled_ = false;
        o.address = rx_.descriptor() + 2;
    } else {
        csr_[0] &= ~TDMD;
        asked_ = false;
        send_ = Step::flags;
        o.address = tx_.descriptor() + 2;
    }
    master_.request(user, tick, o);
}

} // namespace mcpi::exact
