// SPDX-License-Identifier: BSD-2-Clause
// When the chip lies still, and the comparison then.
#include <algorithm>

#include "difference.h"
#include "history.h"
#include "registers.h"

namespace mcpi::histories {

using namespace am7990;

namespace {

constexpr uint64_t hidden = 15000; // a frame in internal loopback, with all waits
// Five frames of sixteen attempts: backoff of 1, 3, 7 ... 1023 slots, the last six times, is 7,151
// at most.
constexpr uint64_t longest = 5 * 65000000;
constexpr uint64_t noReady = 4480; // 25.6 us, until the chip gives up

} // namespace

/// Until the chip lies still, and each poll has found the rings so. Returns the attempts that have
/// been on the wire.
std::vector<Bytes> History::wait() {
    std::vector<Bytes> seen;
    uint64_t quiet = still + 2 * monitor_.slow, polls = poll_ + still;
    uint64_t patience = longest;
    if (insideOf(card_->state().mode)) // nobody sees a frame
        quiet = hidden;
    if (dead_) { // the last poll's access waits for READY
        quiet += noReady;
        polls += noReady;
    }
    while (patience) {
        for (Card::Sent frame; card_->sent(frame); ++tally_.attempts)
            seen.push_back(std::move(frame.nibbles));
        const uint64_t lain = card_->now() - card_->active();
        const bool busy = card_->state().busy;
        if (!busy && lain > quiet && !polls)
            break;
        uint64_t ticks = std::max(polls, lain > quiet ? 0 : quiet - lain + 1);
        ticks = std::min(std::max<uint64_t>(ticks, busy ? 10000 : 1000), patience);
        card_->advance(ticks);
        patience -= ticks;
        polls -= std::min(polls, ticks);
    }
    return seen;
}

void History::settle() {
    wait();
    compare();
}

void History::compare() {
    if (!monitor_.broken.empty())
        throw Difference(monitor_.broken);
    ioRead(RDP);
    if (card_->astray())
        throw Difference("DMA outside of memory");
    card_->compareMemory();
    // The line rises for RINT or TINT: not before a descriptor is back.
    const unsigned csr0 = card_->state().csr0;
    const bool interrupted = (csr0Before_ & (INTR | INEA)) == INEA && card_->rose() >= stepBegan_ &&
                             card_->interrupt() && !(csr0 & (BABL | MISS | MERR | IDON));
    if (interrupted && card_->rose() < monitor_.firstStatus)
        throw Difference(text("the interrupt came %llu ticks before any descriptor was back",
                              (unsigned long long)(monitor_.firstStatus - card_->rose())));
    count();
    monitor_.forget();
    csr0Before_ = csr0;
    stepBegan_ = card_->now();
}

void History::count() {
    const auto bits = [](unsigned value, uint64_t *counts) {
        for (unsigned i = 0; i < 16; ++i)
            counts[i] += value >> i & 1;
    };
    bits(card_->state().csr0 & ~csr0Before_, tally_.csr0);
    for (const auto &[at, value] : monitor_.rxWords)
        if (at % 8 == 2)
            bits(value, tally_.rx);
    for (const auto &[at, value] : monitor_.txWords)
        bits(value, at % 8 == 2 ? tally_.tx : tally_.tx3);
}

} // namespace mcpi::histories
