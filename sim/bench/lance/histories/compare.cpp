// SPDX-License-Identifier: BSD-2-Clause
// When the chip lies still, and what is compared then.
#include <algorithm>

#include "difference.h"
#include "history.h"
#include "registers.h"

namespace mcpi::histories {

using namespace lance_model;

namespace {

constexpr uint64_t hidden = 15000; // a frame in internal loopback, with all waits
// Sixteen attempts: backoff of 1, 3, 7 ... 1023 slots, the last six times, is 7,151 at most.
constexpr uint64_t longest = 65000000;
constexpr uint64_t noReady = 4480; // 25.6 us, until the chip gives up

} // namespace

/// Until the chip lies still, and so many attempts have been on the wire and words written into the
/// rings.
std::vector<Bytes> History::wait(std::size_t attempts, std::size_t words) {
    std::vector<Bytes> seen;
    uint64_t quiet = still + 2 * monitor_.slow, polls = poll_ + still;
    uint64_t patience = longest * (1 + words); // each frame leaves one at least
    if (model_->internalLoopback())            // nobody sees a frame
        quiet = hidden;
    if (outside_.dead) { // the last poll's access waits for READY
        quiet += noReady;
        polls += noReady;
    }
    while (patience) {
        for (Card::Sent frame; card_->sent(frame);)
            seen.push_back(std::move(frame.nibbles));
        const uint64_t lain = card_->now() - card_->active();
        const bool all =
            seen.size() >= attempts && monitor_.rxWords.size() + monitor_.txWords.size() >= words;
        if (all && lain > quiet && !polls)
            break;
        uint64_t ticks = std::max(polls, lain > quiet ? 0 : quiet - lain + 1);
        ticks = std::min(std::max<uint64_t>(ticks, all ? 1000 : 10000), patience);
        card_->advance(ticks);
        patience -= ticks;
        polls -= std::min(polls, ticks);
    }
    return seen;
}

void History::settle() {
    model_->initialize();
    compareWire(wait(model_->sent.size(), expected_.written.size()));
    compare();
}

void History::compareWire(const std::vector<Bytes> &seen) {
    const auto &wanted = model_->sent;
    if (seen != wanted) {
        std::string lengths;
        for (const auto *list : {&seen, &wanted}) {
            lengths += list == &seen ? " seen" : ", expected";
            for (const auto &one : *list)
                lengths += text(" %zu", one.size());
        }
        throw Difference("the wire: nibbles of the attempts" + lengths);
    }
    tally_.attempts += wanted.size();
    model_->sent.clear();
}

/// Compare the words that were written into the rings, in order.
void History::compareWords(bool prefix) {
    std::vector<std::pair<uint32_t, unsigned>> rx, tx;
    const auto in = [](const Monitor::Area &area, uint32_t a) {
        return a >= area.base && a < area.base + 8 * area.size;
    };
    for (const auto &word : expected_.written)
        (in(monitor_.rx, word.first) ? rx : tx).push_back(word);
    expected_.written.clear();
    for (const bool receives : {true, false}) {
        const auto &seen = receives ? monitor_.rxWords : monitor_.txWords;
        const auto &wanted = receives ? rx : tx;
        for (std::size_t i = 0; i < seen.size() || i < wanted.size(); ++i) {
            if (i >= seen.size() && prefix)
                break;
            const auto none = std::make_pair(0u, 0u);
            const auto a = i < seen.size() ? seen[i] : none,
                       b = i < wanted.size() ? wanted[i] : none;
            if (a != b)
                throw Difference(text("%s ring, write %zu: word %x becomes %04x, not %x %04x",
                                      receives ? "receive" : "transmit", i, a.first, a.second,
                                      b.first, b.second));
        }
    }
}

/// With `before`, a byte may also be as it was.
void History::compareMemory(const Bytes *before) {
    for (const uint32_t at : expected_.unspecified)
        expectedMemory_[at] = memory_[at];
    expected_.unspecified.clear();
    if (memory_ == expectedMemory_)
        return;
    for (uint32_t at = 0; at < memorySize; ++at) {
        if (memory_[at] == expectedMemory_[at] || (before && memory_[at] == (*before)[at]))
            continue;
        throw Difference(text("memory at %x (chip address about %x): %02x, not %02x", at,
                              (at - windowBase) / 2, memory_[at], expectedMemory_[at]));
    }
    expectedMemory_ = memory_;
}

void History::compare() {
    if (!monitor_.broken.empty())
        throw Difference(monitor_.broken);
    const unsigned rtl = ioRead(RDP) & 0xFFFF;
    // A frame that a poll found switched the transmitter off before the demand was noticed: or not.
    if (demanded_ && !model_->rap && rtl & TDMD && !(rtl & TXON))
        model_->csr[0] |= TDMD;
    demanded_ = false;
    const unsigned model = model_->readRdp();
    if (rtl != model)
        throw Difference(text("csr%u is %04x, not %04x", model_->rap, rtl, model));
    if ((card_->interrupt()) != model_->line())
        throw Difference(text("the interrupt line is %d", card_->interrupt()));
    if (card_->astray())
        throw Difference("DMA outside of memory");
    compareWords(false);
    compareMemory(nullptr);
    card_->compareMemory();
    // The line rises for RINT or TINT: not before a descriptor is back.
    const bool interrupted = (csr0Before_ & (INTR | INEA)) == INEA && card_->rose() >= stepBegan_ &&
                             model_->line() && !(model_->csr0() & (BABL | MISS | MERR | IDON));
    if (interrupted && card_->rose() < monitor_.firstStatus)
        throw Difference(text("the interrupt came %llu ticks before any descriptor was back",
                              (unsigned long long)(monitor_.firstStatus - card_->rose())));
    count();
    monitor_.forget();
    csr0Before_ = model_->csr0();
    stepBegan_ = card_->now();
}

void History::count() {
    const auto bits = [](unsigned value, uint64_t *counts) {
        for (unsigned i = 0; i < 16; ++i)
            counts[i] += value >> i & 1;
    };
    bits(model_->csr0() & ~csr0Before_, tally_.csr0);
    for (const auto &[at, value] : monitor_.rxWords)
        if (at % 8 == 2)
            bits(value, tally_.rx);
    for (const auto &[at, value] : monitor_.txWords)
        bits(value, at % 8 == 2 ? tally_.tx : tally_.tx3);
}

} // namespace mcpi::histories
