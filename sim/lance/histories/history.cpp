// SPDX-License-Identifier: BSD-2-Clause
#include "history.h"

#include <algorithm>

#include "difference.h"
#include "registers.h"

namespace mcpi::histories {

using namespace lance_model;

namespace {

constexpr uint64_t slot7Sparse = 0x1F0000000;
constexpr uint64_t still = 3000; // without DMA and bits, spacing and all waits of the chip included
constexpr uint64_t hidden = 15000;     // a frame in internal loopback, with all waits
constexpr uint64_t longest = 60000000; // sixteen attempts
constexpr uint32_t txBuffers = 0x8000, rxBuffers = 0x1000;

/// The times between zero and the fitted ones; a heartbeat window is none, or long enough.
void shorten(lance_config &c, Random &random) {
    for (uint32_t *time : {&c.word, &c.gap, &c.arbitration, &c.csr, &c.demand, &c.setup, &c.start,
                           &c.heartbeat, &c.status, &c.interrupt})
        *time = random.below(*time + 1);
    c.heartbeat = std::max(c.heartbeat, 30u);
}

void none(lance_config &c) {
    c.word = c.gap = c.arbitration = c.csr = c.demand = c.setup = c.start = c.heartbeat = 0;
    c.status = c.interrupt = 0;
}

} // namespace

History::History(const Setting &setting, uint64_t seed, Tally &tally)
    : setting_(setting), seed_(seed), tally_(tally), random_(seed), memory_(memorySize),
      expectedMemory_(memorySize), window_(memory_, windowBase),
      expected_(expectedMemory_, windowBase), monitor_(window_) {
    lance_config config = setting.times;
    const unsigned kind = random_.below(20);
    fast_ = kind < 13;
    if (fast_)
        none(config);
    else if (kind < 16)
        shorten(config, random_);
    outside_.sqeTest = random_.chance(0.8);
    outside_.heartbeatChecked = config.heartbeat != 0;
    poll_ = random_.pick({20000u, 280000u, 280000u, 280000u}); // a poll costs more than idle ticks
    config.poll = poll_;
    config.poll_phase = random_.below(poll_);
    config.sqe_test = outside_.sqeTest;
    latency_ = random_.between(1, 40);
    config.dma_latency = latency_;
    for (unsigned i = 0; i < 6; ++i)
        config.station |= uint64_t{stationAddress[i]} << 8 * i;
    model_ = std::make_unique<Chip>(expected_, outside_, setting.cLance);
    rtl_ = lance_new(&config, memory_.data(), memory_.size());
    monitor_.chip = rtl_;
    monitor_.quick = monitor_.slow = latency_;
    lance_watch_dma(rtl_, Monitor::watch, &monitor_);
    say(text("times %s, memory %u ticks, sqe %d",
             fast_       ? "none"
             : kind < 16 ? "some"
                         : "fitted",
             latency_, outside_.sqeTest));
}

History::~History() {
    lance_free(rtl_);
}

void History::run(unsigned count, const std::vector<bool> &without) {
    start();
    restart();
    for (unsigned n = 0; n < count; ++n) {
        if (n < without.size() && without[n])
            continue;
        random_ = Random((seed_ + 1) * 0x2545F4914F6CDD1D + n);
        say(text("step %u, tick %llu", n, (unsigned long long)lance_now(rtl_)));
        step(n);
        ++tally_.steps;
    }
    tally_.ticks += lance_now(rtl_);
    tally_.commands += monitor_.commands;
}

// What both sides get

void History::io(uint32_t offset, unsigned value) {
    int error = 0;
    lance_access(rtl_, slot7Sparse + 2 * uint64_t{offset}, 1, value, 0, &error);
    if (error)
        throw Difference(text("a write to %x timed out", offset));
}

unsigned History::ioRead(uint32_t offset) {
    int error = 0;
    const uint64_t value = lance_access(rtl_, slot7Sparse + 2 * uint64_t{offset}, 0, 0, 0, &error);
    if (error)
        throw Difference(text("a read of %x timed out", offset));
    return static_cast<unsigned>(value);
}

void History::rap(unsigned value) {
    io(RAP, value);
    model_->writeRap(value);
}

void History::rdp(unsigned value) {
    say(text("csr%u=%04x", model_->rap, value));
    demanded_ |= model_->rap == 0 && value & TDMD;
    if (model_->rap == 0 && value & (INIT | STRT))
        monitor_.stopped = false;
    io(RDP, value);
    model_->writeRdp(value);
}

void History::setWord(uint32_t a, unsigned value) {
    window_.setWord(a, value);
    expected_.setWord(a, value);
}

void History::setBytes(uint32_t a, const Bytes &data) {
    window_.setBytes(a, data);
    expected_.setBytes(a, data);
}

// The driver

/// Out of RESET, interrupts and DMA on.
void History::start() {
    io(POINTER, windowBase << 3);
    io(SSR, SSR_DMA | SSR_ON);
    io(SIMR, SIR_LANCE);
}

/// STOP, random registers, a random init block, rings, INIT and STRT.
void History::restart() {
    Random &r = random_;
    ++tally_.restarts;
    rap(0);
    rdp(STOP);
    lance_advance(rtl_, still, 0);
    monitor_.stopped = true;
    monitor_.forget();
    outside_.halfDuplex = r.chance(0.4);
    lance_set_half_duplex(rtl_, outside_.halfDuplex);
    unsigned mode =
        r.pick({0, 0, 0, 0, 0x8000, 0x0008, 0x0020, 0x0001, 0x0002, 0x0004, 0x0044, 0x004C});
    if (r.chance(0.01))
        mode |= COLL;
    if (r.chance(0.1))
        mode |= EMBA;
    const uint64_t ladrf = r.bits();
    const unsigned rxLog = r.pick({0, 1, 1, 2, 2, 3, 4}), txLog = r.pick({0, 1, 1, 2, 2, 3, 4});
    const uint32_t base = 2 * r.below(16);
    const uint32_t rdra = 0x100 + 8 * r.below(32), tdra = 0x400 + 8 * r.below(32);
    unsigned words[12] = {mode};
    for (unsigned i = 0; i < 3; ++i)
        words[1 + i] = stationAddress[2 * i] | stationAddress[2 * i + 1] << 8;
    for (unsigned i = 0; i < 4; ++i)
        words[4 + i] = ladrf >> 16 * i & 0xFFFF;
    words[8] = rdra | r.below(8);
    words[9] = rxLog << 13 | r.below(32) << 8;
    words[10] = tdra | r.below(8);
    words[11] = txLog << 13 | r.below(32) << 8;
    for (unsigned i = 0; i < 12; ++i)
        setWord(base + 2 * i, words[i]);
    model_->rx = {rdra, 1u << rxLog, 0};
    model_->tx = {tdra, 1u << txLog, 0};
    monitor_.rx = {rdra, 1u << rxLog};
    monitor_.tx = {tdra, 1u << txLog};
    monitor_.initBlock = base;
    rxSize_ = r.pick({64, 68, 80, 128, 200, 1536, 1536});
    for (unsigned i = 0; i < model_->rx.size; ++i)
        giveRx(i, r.chance(0.9));
    for (unsigned i = 0; i < model_->tx.size; ++i)
        setWord(tdra + 8 * i + 2, 0);
    rap(1);
    rdp(base | r.below(2));
    rap(2);
    rdp(r.below(256) << 8);
    rap(3);
    rdp(r.pick({0, 0, 0, 1, 2, 4, 7}));
    rap(0);
    say(text("mode %04x, %s duplex, rings %u and %u, receive buffers of %u", mode,
             outside_.halfDuplex ? "half" : "full", model_->rx.size, model_->tx.size, rxSize_));
    if (r.chance(0.5)) {
        rdp(INIT | STRT | r.pick({0u, +INEA}));
    } else {
        rdp(INIT);
        settle();
        rdp(STRT | r.pick({0u, +INEA}));
    }
    settle();
}

void History::giveRx(unsigned i, bool own) {
    const uint32_t d = model_->rx.base + 8 * i;
    setWord(d, rxBuffers + 1536 * i);
    setWord(d + 4, ((0x10000 - rxSize_) & 0x0FFF) | random_.below(16) << 12);
    setWord(d + 6, random_.below(0x10000));
    setWord(d + 2, own ? OWN : 0);
}

/// Descriptors the chip has given back go to it again, most of them.
void History::refill() {
    say("refill");
    for (unsigned i = 0; i < model_->rx.size; ++i)
        if (!(expected_.word(model_->rx.base + 8 * i + 2) & OWN) && random_.chance(0.8))
            giveRx(i);
}

unsigned History::giveFrame(unsigned ahead, unsigned size, std::vector<unsigned> *plan) {
    Random &r = random_;
    const unsigned free = model_->tx.size - ahead;
    std::vector<unsigned> sizes = {size};
    bool ends = true, starts = true;
    if (model_->internalLoopback()) {
        sizes = {r.between(8, 32)};
    } else if (!size) {
        const unsigned pieces = r.chance(0.7) ? 1 : r.between(1, std::min(4u, free));
        sizes[0] = r.pick({1, 20, 59, 60, 61, 64, 100, 150, 256});
        if (r.chance(0.02))
            sizes[0] = r.pick({1514, 1515, 1600});
        if (pieces > 1)
            sizes[0] = r.between(100, 160);
        for (unsigned i = 1; i < pieces; ++i)
            sizes.push_back(r.between(30, 120));
        ends = r.chance(0.95);
        starts = r.chance(0.95);
    }
    std::string told = "tx";
    std::pair<uint32_t, unsigned> first;
    for (unsigned n = 0; n < sizes.size(); ++n) {
        const unsigned i = (model_->tx.index + ahead + n) % model_->tx.size;
        const uint32_t d = model_->tx.base + 8 * i;
        Bytes data = r.bytes(sizes[n]);
        if (n == 0 && r.chance(0.7))
            std::copy_n(stationAddress, std::min(6u, sizes[0]), data.begin());
        const uint32_t at = txBuffers + 0x700 * (i % 16) + r.below(16);
        setBytes(at & ~1u, Bytes(1) + data + Bytes(2));
        setBytes(at, data);
        setWord(d, at);
        setWord(d + 4, ((0x10000 - sizes[n]) & 0x0FFF) | r.below(16) << 12);
        setWord(d + 6, r.below(0x10000));
        unsigned flags = OWN | (n == 0 && starts ? STP : 0);
        flags |= n + 1 == sizes.size() && ends ? ENP : 0;
        flags |= r.pick({0u, 0u, 0u, +ADD_FCS, +MORE, +DEF});
        if (n == 0)
            first = {d + 2, flags};
        else
            setWord(d + 2, flags);
        told += text(" %u", sizes[n]);
    }
    setWord(first.first, first.second);
    if (plan && outside_.halfDuplex && ends && starts && !(model_->mode & LOOP)) {
        const unsigned end = sizes.size() > 1 ? slotNibbles - 1 : 2 * sizes[0] + 14;
        const unsigned count = r.pick({0, 0, 0, 1, 1, 2, 3, r.chance(0.1) ? 16 : 0});
        for (unsigned k = 0; k < count; ++k)
            plan->push_back(r.below(std::max(1u, std::min(end, 140u))));
        plan->push_back(~0u);
        told += text(", %u collisions", count);
    }
    say(told + (ends ? "" : " cut off") + (starts ? "" : " without STP"));
    return static_cast<unsigned>(sizes.size());
}

void History::planCollisions(const std::vector<unsigned> &plan) {
    outside_.collisions.assign(plan.begin(), plan.end());
    for (const unsigned nibble : plan)
        lance_collide(
            rtl_, nibble == ~0u ? ~0u : nibble * nibbleTicks + random_.between(1, nibbleTicks - 1));
}

// The wire

/// A frame for the chip, or not, with its FCS, good or bad.
History::Frame History::frame(unsigned size) {
    Random &r = random_;
    Bytes to(stationAddress, stationAddress + 6);
    switch (r.below(6)) {
    case 0:
        to[5] ^= 7;
        break;
    case 1:
        to = Bytes(6, 0xFF);
        break;
    case 2:
        to = {1, 0, 0x5E, 0, 0, static_cast<uint8_t>(r.below(8))};
    }
    if (!size)
        size = r.pick({46, 60, 60, 61, 63, 77, 124, 150, 252, 300});
    const Bytes body = to + r.bytes(size - 6);
    Bytes check = fcs(body);
    if (r.chance(0.15))
        for (auto &byte : check)
            byte ^= static_cast<uint8_t>(1 << r.below(8));
    return {body + check, r.chance(0.15), r.chance(0.05)};
}

void History::arrives(const Frame &f, uint64_t after) {
    Bytes wire = nibbles(f.data);
    if (f.dribble)
        wire.push_back(static_cast<uint8_t>(random_.below(16)));
    if (f.spoilt)
        wire[random_.between(17, static_cast<uint32_t>(wire.size()) - 1)] |= 16;
    say(text("rx to %02x%02x..%02x, %zu bytes%s%s, in %llu", f.data[0], f.data[1], f.data[5],
             f.data.size(), f.dribble ? " dribble" : "", f.spoilt ? " RX_ER" : "",
             (unsigned long long)after));
    lance_receive(rtl_, lance_now(rtl_) + after, wire.data(), wire.size());
    ++tally_.received;
}

// Comparison

/// Until the chip lies still, and so many attempts have been on the wire and words written into the
/// rings.
std::vector<Bytes> History::wait(std::size_t attempts, std::size_t words) {
    std::vector<Bytes> seen;
    uint64_t quiet = still + 2 * monitor_.slow, polls = poll_ + still, patience = longest;
    if (model_->internalLoopback()) // nobody sees a frame
        quiet = hidden;
    Bytes room(8192);
    while (patience) {
        while (const size_t size = lance_sent(rtl_, room.data(), room.size(), nullptr, nullptr))
            seen.emplace_back(room.begin(), room.begin() + static_cast<long>(size));
        const uint64_t lain = lance_now(rtl_) - lance_active(rtl_);
        const bool all =
            seen.size() >= attempts && monitor_.rxWords.size() + monitor_.txWords.size() >= words;
        if (all && lain > quiet && !polls)
            break;
        uint64_t ticks = std::max(polls, lain > quiet ? 0 : quiet - lain + 1);
        ticks = std::min(std::max<uint64_t>(ticks, all ? 1000 : 10000), patience);
        lance_advance(rtl_, ticks, 0);
        patience -= ticks;
        polls -= std::min(polls, ticks);
    }
    return seen;
}

void History::settle() {
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

/// What was written into the rings, in order.
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
    if ((lance_interrupt(rtl_) != 0) != model_->line())
        throw Difference(text("the interrupt line is %d", lance_interrupt(rtl_)));
    if (lance_astray(rtl_))
        throw Difference("DMA outside of memory");
    compareWords(false);
    compareMemory(nullptr);
    // The line rises for RINT or TINT: not before a descriptor is back.
    const bool told = (csr0Before_ & (INTR | INEA)) == INEA && lance_rose(rtl_) >= stepBegan_ &&
                      model_->line() && !(model_->csr0() & (BABL | MISS | MERR | IDON));
    if (told && lance_rose(rtl_) < monitor_.firstStatus)
        throw Difference(text("the interrupt came %llu ticks before any descriptor was back",
                              (unsigned long long)(monitor_.firstStatus - lance_rose(rtl_))));
    count();
    monitor_.forget();
    csr0Before_ = model_->csr0();
    stepBegan_ = lance_now(rtl_);
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
