// SPDX-License-Identifier: BSD-2-Clause
// The steps of a history.
#include <algorithm>

#include "difference.h"
#include "history.h"
#include "registers.h"

namespace mcpi::histories {

using namespace am7990;

namespace {

constexpr unsigned allOfCsr0 = BABL | CERR | MISS | MERR | RINT | TINT | IDON;

} // namespace

void History::step(unsigned) {
    Random &r = random_;
    if (setting_.acknowledge)
        rdp(allOfCsr0 | INEA);
    const lance_state chip = card_->state();
    const bool tx = chip.csr0 & TXON, rx = chip.csr0 & RXON, loop = chip.mode & LOOP;
    const bool inside = insideOf(chip.mode);
    const auto kind = [this](const char *name) { hit("step", name); };
    switch (setting_.lasting ? r.pick({0u, 8u, 15u, 22u, 22u, 22u}) : r.below(32)) {
    case 0 ... 5:
        kind("a frame out");
        transmit(true, false);
        break;
    case 6 ... 7:
        kind("a frame out by a poll");
        transmit(false, false);
        break;
    case 8 ... 11: {
        kind("a frame in");
        const Frame f = frame();
        receive(f);
        break;
    }
    case 12 ... 14: // both directions: the fitted bus is too slow for that
        kind(fast_ && !half_ ? "a frame each way" : "a frame out");
        transmit(true, fast_ && !half_);
        break;
    case 15 ... 18:
        refill();
        break;
    case 19 ... 21:
        kind("registers");
        writeRegisters();
        break;
    case 22 ... 24:
        several();
        break;
    case 25:
        if (half_ && tx && !loop)
            defers();
        else
            refill();
        break;
    case 26:
        if (half_ && tx && !inside)
            losesCarrier();
        else
            refill();
        break;
    case 27:
        memoryDies();
        break;
    case 28 ... 29:
        if (!inside && (tx || rx))
            slowMemory();
        break;
    default:
        stopsInFlight();
    }
    settle();
    if ((!setting_.lasting && r.chance(0.12)) || !(card_->state().csr0 & (RXON | TXON)))
        restart();
}

/// Frames go out. Collisions that no attempt has met are not left for the next frame.
void History::sends(const std::vector<unsigned> &plan) {
    if (plan.empty())
        return;
    wait();
    card_->forgetCollisions();
}

void History::transmit(bool demand, bool receives) {
    std::vector<unsigned> plan;
    giveFrame(0, 0, &plan);
    planCollisions(plan);
    if (demand)
        rdp(TDMD | random_.pick({0u, +INEA}));
    if (receives) {
        const Frame f = frame();
        receive(f, random_.below(20000));
    }
    sends(plan);
}

/// Any value into any register, but no STOP.
void History::writeRegisters() {
    Random &r = random_;
    if (r.chance(0.2)) {
        rap(r.below(0x10000));
        rdp(r.below(0x10000) & (rap_ ? 0xFFFF : 0xFFF0));
        compare();
        rap(0);
    }
    rdp((r.below(0x10000) & ~0xFu) | r.pick({0u, 0u, +TDMD, +STRT, STRT | INIT, +INIT}));
}

/// Frames back to back, in one direction or in both.
void History::several() {
    Random &r = random_;
    const bool both = fast_ && !half_ && !insideOf(card_->state().mode);
    const bool out = both || r.chance(0.5);
    hit("step", both ? "frames each way" : out ? "frames out" : "frames in");
    std::vector<unsigned> plan;
    if (out) {
        for (unsigned n = 0, ahead = 0; n < 4 && ahead < tx_.size; ++n)
            ahead += giveFrame(ahead, r.pick({40u, 60u, 61u, 90u}), &plan);
        planCollisions(plan);
        rdp(TDMD | INEA);
    }
    uint64_t after = 0;
    for (unsigned n = out && !both ? 0 : r.between(2, 6); n; --n) {
        const Frame f = frame();
        receive(f, after);
        after += nibbleTicks * (2 * f.data.size() + 16 + 24 + r.below(8));
    }
    if (out)
        sends(plan);
}

/// Carrier of somebody else when the frame is ready.
void History::defers() {
    hit("step", "carrier of others");
    const Frame f = frame(fast_ ? 150 : 400);
    std::vector<unsigned> plan;
    giveFrame(0, 0, &plan);
    planCollisions(plan);
    receive(f);
    rdp(TDMD | INEA);
    sends(plan);
}

void History::losesCarrier() {
    hit("step", "carrier goes");
    const unsigned size = random_.between(60, 300);
    giveFrame(0, size, nullptr);
    const unsigned at = random_.between(13, nibbleTicks * (2 * size + 14));
    say(text("the carrier goes away after %u ticks", at));
    card_->loseCarrier(at);
    rdp(TDMD | INEA);
    settle();
    card_->loseCarrier(~0u);
}

/// DMA is switched off, memory answers too late, or with errors.
void History::memoryDies() {
    Random &r = random_;
    const lance_state chip = card_->state();
    const bool tx = chip.csr0 & TXON, rx = chip.csr0 & RXON;
    rx_.index = chip.rx_index;
    const bool held = rx && window_.word(rx_.descriptor() + 2) & OWN;
    const bool init = r.chance(0.3), polls = init || tx || (rx && !held);
    const unsigned how = polls ? r.below(3) : 0;
    ++tally_.dead;
    hit("step", how == 0 ? "DMA off" : how == 1 ? "memory late" : "memory fails");
    if (init)
        hit("step", "INIT with dead memory");
    say(text("memory dies: %s", how == 0 ? "DMA off" : how == 1 ? "late answers" : "read errors"));
    if (how == 0)
        io(SSR, SSR_ON);
    if (how == 1)
        monitor_.quick = monitor_.slow = 6000;
    card_->setLatency(monitor_.quick);
    card_->failReads(how == 2);
    dead_ = true;
    if (init) {
        rdp(STOP);
        rdp(INIT);
    } else if (polls) {
        if (r.chance(0.5))
            giveFrame(0, 60, nullptr);
    } else {
        const Frame f = frame();
        receive(f);
    }
    settle();
    const unsigned sir = ioRead(SIR), error = how == 2 ? SIR_READ_ERROR : 0;
    if ((sir & SIR_READ_ERROR) != error)
        throw Difference(text("SIR is %08x, bit 16 is wrong", sir));
    io(SIR, 0);
    io(SSR, SSR_DMA | SSR_ON);
    monitor_.quick = monitor_.slow = latency_;
    card_->setLatency(latency_);
    card_->failReads(false);
    dead_ = false;
    restart();
}

/// Bursts take longer than the wire: a transmission runs dry, or the receiver's silo runs over.
void History::slowMemory() {
    const unsigned csr0 = card_->state().csr0;
    const bool out = csr0 & TXON && (!(csr0 & RXON) || random_.chance(0.5));
    const unsigned size = random_.between(400, 900);
    ++tally_.slow;
    if (!out && rxSize_ != 1536)
        return;
    hit("step", out, "UFLO", "OFLO");
    say(out ? "slow memory: UFLO" : "slow memory: OFLO");
    monitor_.slow = 4000;
    if (out) {
        giveFrame(0, size, nullptr);
        rdp(TDMD | INEA);
        const auto seen = wait();
        if (seen.size() != 1 || seen[0].size() % 2 || seen[0].size() < preambleNibbles + 96 ||
            seen[0].size() >= preambleNibbles + 2 * size)
            throw Difference("the transmission did not run dry as it should");
    } else {
        const Frame f = frame(size);
        receive(f);
        wait();
        if (monitor_.stored >= size || (monitor_.stored && monitor_.stored < 48))
            throw Difference(
                text("%u bytes were stored; the silo should run over", monitor_.stored));
    }
    compare();
    monitor_.slow = latency_;
}

/// STOP or RESET while frames go out and come in.
void History::stopsInFlight() {
    Random &r = random_;
    ++tally_.stops;
    std::vector<unsigned> plan;
    const bool out = r.chance(0.7), in = !out || (fast_ && !half_ && r.chance(0.5));
    if (out) {
        giveFrame(0, 0, &plan);
        planCollisions(plan);
    }
    if (in) {
        const Frame f = frame();
        receive(f, r.below(4000));
    }
    if (out)
        rdp(TDMD | INEA);
    card_->advance(r.below(24000));
    const bool resets = also(0.2);
    hit("step", resets, "RESET in flight", "STOP in flight");
    if (resets)
        reset(true);
    else
        rdp(STOP);
    wait();
    card_->forgetCollisions();
    monitor_.forget();
    if (resets)
        reset(false);
    compare();
    restart();
}

} // namespace mcpi::histories
