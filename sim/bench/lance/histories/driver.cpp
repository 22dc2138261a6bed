// SPDX-License-Identifier: BSD-2-Clause
// The driver and the wire of a history: rings, frames, what arrives.
#include <algorithm>

#include "difference.h"
#include "history.h"
#include "registers.h"

namespace mcpi::histories {

using namespace am7990;

namespace {

constexpr uint32_t txBuffers = 0x8000, rxBuffers = 0x1000;
constexpr uint32_t wideRx = 0x7000, wideTx = 0x7800; // rings between the buffers

} // namespace

const char *modeName(unsigned mode) {
    switch (mode) {
    case PROM:
        return "PROM";
    case DTCR:
        return "DTCR";
    case DRTY:
        return "DRTY";
    case DRX:
        return "DRX";
    case DTX:
        return "DTX";
    case LOOP:
        return "LOOP";
    case LOOP | INTL:
        return "LOOP INTL";
    case LOOP | INTL | DTCR:
        return "LOOP INTL DTCR";
    default:
        return "none";
    }
}

const char *beginning(uint32_t address) {
    return address % 2 ? "odd" : address % 16 ? "even" : "on 16 bytes";
}

/// Out of RESET, interrupts and DMA on.
void History::start() {
    io(POINTER, windowBase << 3);
    io(SSR, SSR_DMA | SSR_ON);
    io(SIMR, SIR_LANCE);
}

/// STOP or RESET, in which the chip takes no write.
void History::stop() {
    fromReset_ = also(0.15);
    if (!fromReset_) {
        rap(0);
        rdp(STOP);
        return;
    }
    reset(true);
    card_->advance(more_.below(2) * still);
    for (const unsigned value : {INIT | STRT | INEA, STRT | TDMD | INEA}) {
        if (!more_.chance(0.5))
            continue;
        say(text("in RESET csr0=%04x", value));
        io(RDP, value);
        card_->advance(more_.below(2000));
    }
    monitor_.forget();
    if (ioRead(RDP) != STOP)
        throw Difference(text("csr0 is %04x in RESET", ioRead(RDP)));
    reset(false);
}

/// STOP, random registers, a random init block, rings, INIT and STRT.
void History::restart() {
    Random &r = random_;
    ++tally_.restarts;
    stop();
    card_->advance(still);
    monitor_.stopped = true;
    monitor_.forget();
    half_ = r.chance(0.4);
    hit("duplex", half_, "half", "full");
    card_->setHalfDuplex(half_);
    unsigned mode =
        r.pick({0, 0, 0, 0, 0x8000, 0x0008, 0x0020, 0x0001, 0x0002, 0x0004, 0x0044, 0x004C});
    hit("MODE", modeName(mode));
    if (r.chance(0.01))
        mode |= COLL;
    if (r.chance(0.1))
        mode |= EMBA;
    if (mode & (COLL | EMBA))
        hit("MODE", mode & COLL ? "COLL" : "EMBA");
    const uint64_t ladrf = r.bits();
    unsigned rxLog = r.pick({0, 1, 1, 2, 2, 3, 4}), txLog = r.pick({0, 1, 1, 2, 2, 3, 4});
    const uint32_t base = 2 * r.below(16);
    uint32_t rdra = 0x100 + 8 * r.below(32), tdra = 0x400 + 8 * r.below(32);
    if (setting_.wide) {
        rxLog = r.below(8);
        txLog = r.below(8);
        rdra = wideRx + 8 * r.below(0x80);
        tdra = wideTx + 8 * r.below(0x80);
    }
    if (setting_.lasting) {
        rxLog = r.between(3, 7);
        txLog = r.between(3, 7);
    }
    for (const unsigned log : {rxLog, txLog})
        hit("ring entries", std::to_string(1 << log));
    const bool another = also(0.4);
    hit("PADR", another, "another", "the ROM's");
    for (unsigned i = 0; i < 6; ++i)
        padr_[i] = another ? more_.below(256) & (i ? 0xFF : 0xFE) : stationAddress[i];
    unsigned words[12] = {mode};
    for (unsigned i = 0; i < 3; ++i)
        words[1 + i] = padr_[2 * i] | padr_[2 * i + 1] << 8;
    for (unsigned i = 0; i < 4; ++i)
        words[4 + i] = ladrf >> 16 * i & 0xFFFF;
    words[8] = rdra | r.below(8);
    words[9] = rxLog << 13 | r.below(32) << 8 | high();
    words[10] = tdra | r.below(8);
    words[11] = txLog << 13 | r.below(32) << 8 | high();
    for (unsigned i = 0; i < 12; ++i)
        setWord(base + 2 * i, words[i]);
    rx_ = {rdra, 1u << rxLog, 0};
    tx_ = {tdra, 1u << txLog, 0};
    monitor_.rx = {rdra, 1u << rxLog};
    monitor_.tx = {tdra, 1u << txLog};
    monitor_.initBlock = base;
    rxSize_ = r.pick({32, 64, 68, 80, 128, 200, 1536, 1536}); // below 64 a runt chains
    if (setting_.odd && rxSize_ != 1536) {
        rxSize_ = r.chance(0.5) ? r.between(20, 200) : r.between(200, 1500);
        if (!fast_) // a chain of shorter ones is slower than the wire
            rxSize_ = std::max(rxSize_, 48u);
        rxAt_ = r.below(16);
    } else {
        rxAt_ = 0;
    }
    hit("receive buffer", rxSize_ < 64     ? "under 64 bytes"
                          : rxSize_ < 1536 ? "64 to 1535 bytes"
                                           : "1536 bytes");
    hit("receive buffer begins", beginning(rxAt_));
    for (unsigned i = 0; i < rx_.size; ++i)
        giveRx(i, r.chance(0.9));
    for (unsigned i = 0; i < tx_.size; ++i)
        setWord(tdra + 8 * i + 2, 0);
    rap(1);
    rdp(base | r.below(2));
    rap(2);
    rdp(r.below(256) << 8);
    rap(3);
    const unsigned csr3 = r.pick({0, 0, 0, 1, 2, 4, 7});
    hit("CSR3", !csr3 ? "0" : csr3 & 4 ? "BSWP" : "other");
    rdp(csr3);
    rap(0);
    say(text("mode %04x, %s duplex, rings %u and %u, receive buffers of %u", mode,
             half_ ? "half" : "full", rx_.size, tx_.size, rxSize_));
    const bool together = r.chance(0.5);
    hit("start", fromReset_ ? "RESET, INIT" : together ? "INIT STRT" : "INIT, then STRT");
    if (together) {
        rdp(INIT | STRT | r.pick({0u, +INEA}));
    } else {
        rdp(INIT);
        settle();
        rdp(STRT | r.pick({0u, +INEA}));
    }
    settle();
}

/// Address bits 23:16, which the IOASIC drops.
unsigned History::high() {
    return setting_.wide ? random_.below(256) : 0;
}

void History::giveRx(unsigned i, bool own) {
    const uint32_t d = rx_.base + 8 * i;
    setWord(d, rxBuffers + 1536 * (i % 16) + rxAt_);
    setWord(d + 4, ((0x10000 - rxSize_) & 0x0FFF) | random_.below(16) << 12);
    setWord(d + 6, random_.below(0x10000));
    setWord(d + 2, (own ? OWN : 0) | high());
}

/// Descriptors the chip has given back go to it again, most of them.
void History::refill() {
    say("refill");
    hit("step", "refill");
    for (unsigned i = 0; i < rx_.size; ++i)
        if (!(window_.word(rx_.base + 8 * i + 2) & OWN) && random_.chance(0.8))
            giveRx(i);
}

unsigned History::giveFrame(unsigned ahead, unsigned size, std::vector<unsigned> *plan) {
    Random &r = random_;
    const unsigned mode = card_->state().mode;
    tx_.index = card_->state().tx_index;
    const unsigned free = tx_.size - ahead;
    std::vector<unsigned> sizes = {size};
    bool ends = true, starts = true;
    if (insideOf(mode)) {
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
    std::string story = "tx";
    std::pair<uint32_t, unsigned> first;
    unsigned begins = 0; ///< by buffer: with STP
    for (unsigned n = 0; n < sizes.size(); ++n) {
        const unsigned i = (tx_.index + ahead + n) % tx_.size;
        const uint32_t d = tx_.base + 8 * i;
        Bytes data = r.bytes(sizes[n]);
        if (n == 0 && r.chance(0.7))
            std::copy_n(padr_, std::min(6u, sizes[0]), data.begin());
        const uint32_t at =
            txBuffers + 0x700 * (i % 16) + r.below(setting_.odd ? 0x700 - 4 - sizes[n] : 16);
        hit("transmit buffer begins", beginning(at));
        setBytes(at & ~1u, Bytes(1) + data + Bytes(2));
        setBytes(at, data);
        setWord(d, at);
        setWord(d + 4, ((0x10000 - sizes[n]) & 0x0FFF) | r.below(16) << 12);
        setWord(d + 6, r.below(0x10000));
        unsigned flags = OWN | high() | (n == 0 && starts ? STP : 0);
        flags |= n + 1 == sizes.size() && ends ? ENP : 0;
        flags |= r.pick({0u, 0u, 0u, +ADD_FCS, +MORE, +DEF});
        flags |= n && also(0.15) ? +STP : 0;
        begins |= flags & STP ? 1u << n : 0;
        if (n == 0)
            first = {d + 2, flags};
        else
            setWord(d + 2, flags);
        story += text(" %u", sizes[n]);
    }
    setWord(first.first, first.second);
    hit("transmit buffers", sizes.size() == 1, "one", "a chain");
    hit("transmit ends", ends, "ENP in the last", "cut off");
    hit("STP", begins > 1 ? "in a later one" : begins ? "in the first" : "in none");
    hit("transmit bytes", sizes[0] == 1      ? "1"
                          : sizes[0] < 64    ? "under 64"
                          : sizes[0] <= 1514 ? "up to 1518"
                                             : "more");
    if (plan && half_ && ends && starts && !(mode & LOOP)) {
        // In a frame of one buffer any nibble may collide, the last one too.
        const unsigned check = mode & DTCR ? 0 : 4;
        const unsigned whole = preambleNibbles + 2 * (sizes[0] + check);
        const unsigned end = sizes.size() > 1 ? slotNibbles - 1 : whole;
        const unsigned count = r.pick({0, 0, 0, 1, 1, 2, 3, r.chance(0.1) ? 16 : 0});
        hit("collisions", std::to_string(count));
        for (unsigned k = 0; k < count; ++k)
            plan->push_back(r.below(std::min(end, 140u)));
        plan->push_back(~0u);
        story += text(", %u collisions", count);
    }
    say(story + (ends ? "" : " cut off") + (starts ? "" : " without STP"));
    return static_cast<unsigned>(sizes.size());
}

void History::planCollisions(const std::vector<unsigned> &plan) {
    for (const unsigned nibble : plan)
        card_->collide(nibble == ~0u ? ~0u
                                     : nibble * nibbleTicks + random_.between(1, nibbleTicks - 1));
}

// The wire

/// A frame for the chip, or not, with its FCS, good or bad.
History::Frame History::frame(unsigned size) {
    Random &r = random_;
    Bytes to(padr_, padr_ + 6);
    const char *whose = "PADR";
    switch (r.below(6)) {
    case 0:
        to[5] ^= 7;
        whose = "another station";
        if (!std::equal(padr_, padr_ + 6, stationAddress) && more_.chance(0.5)) {
            to.assign(stationAddress, stationAddress + 6);
            whose = "the ROM's, which is another";
        }
        break;
    case 1:
        to = Bytes(6, 0xFF);
        whose = "all";
        break;
    case 2:
        to = {1, 0, 0x5E, 0, 0, static_cast<uint8_t>(r.below(8))};
        whose = "a group";
    }
    hit("received for", whose);
    if (!size && setting_.odd && r.chance(0.2)) {
        size = r.between(46, 1514);
        hit("received", "long");
    }
    if (!size)
        size = r.pick({46, 60, 60, 61, 63, 77, 124, 150, 252, 300});
    const Bytes body = to + r.bytes(size - 6);
    Bytes check = fcs(body);
    const bool bad = r.chance(0.15);
    if (bad)
        for (auto &byte : check)
            byte ^= static_cast<uint8_t>(1 << r.below(8));
    const bool dribble = r.chance(0.15), spoilt = r.chance(0.05);
    hit("received", spoilt      ? "RX_ER"
                    : dribble   ? "dribble"
                    : bad       ? "bad FCS"
                    : size < 60 ? "a runt"
                                : "whole");
    return {body + check, dribble, spoilt};
}

void History::receive(const Frame &f, uint64_t after) {
    Bytes wire = frameNibbles(f.data);
    if (f.dribble)
        wire.push_back(static_cast<uint8_t>(random_.below(16)));
    if (f.spoilt)
        wire[random_.between(17, static_cast<uint32_t>(wire.size()) - 1)] |= 16;
    say(text("rx to %02x%02x..%02x, %zu bytes%s%s, in %llu", f.data[0], f.data[1], f.data[5],
             f.data.size(), f.dribble ? " dribble" : "", f.spoilt ? " RX_ER" : "",
             (unsigned long long)after));
    card_->receive(card_->now() + after, wire);
    ++tally_.received;
}

} // namespace mcpi::histories
