// SPDX-License-Identifier: BSD-2-Clause
#include "ioasic.h"

#include "station_rom.h"

namespace mcpi::exact {
namespace {

// Dense offsets (memory-map.md); longwords in the two ports' regions repeat as they are decoded.
constexpr uint32_t entries = 0xD0000, entryBytes = 4 * Classifier::places;
constexpr uint32_t pointer = 0x40020, ssr = 0x40100, sir = 0x40110, simr = 0x40120, slot = 0x40160,
                   rom = 0x80000, rdp = 0xC0000, rap = 0xC0004;
constexpr uint32_t dmaOn = 1 << 16, outOfReset = 1 << 8, lanceLine = 1 << 8, readError = 1 << 16;

/// A register after a write of the bytes that the mask names.
uint32_t merged(uint32_t old, uint32_t value, unsigned mask) {
    for (unsigned i = 0; i < 4; ++i)
        if (mask >> i & 1)
            old = (old & ~(0xFFu << 8 * i)) | (value & 0xFFu << 8 * i);
    return old;
}

} // namespace

bool Ioasic::ready(uint64_t edge, uint32_t offset, bool, uint64_t) const {
    return (offset != rdp && offset != rap) || lance_.ready(edge);
}

uint32_t Ioasic::read(uint64_t edge, uint32_t offset) {
    switch (offset) {
    case pointer:
        return pointer_;
    case ssr:
        return ssr_;
    case sir:
        return causes();
    case simr:
        return simr_;
    case slot:
        return slot_;
    case rdp:
        return lance_.readRdp(edge);
    case rap:
        return lance_.readRap();
    default:
        return offset >= rom && offset < rom + 128 ? stationRom(station_, offset / 4 % 32) : 0;
    }
}

void Ioasic::burstDone(uint64_t tick, const Burst &burst, bool failed) {
    if (failed)
        fails_ = tick;
    if (Ownership *what = lance_.moving(); what && !burst.write && !failed)
        dma_.unpack(tick, burst, *what);
    lance_.moved(tick, failed);
}

void Ioasic::at(uint64_t tick, TcHost &bus, Port &wire) {
    struct OverTurbochannel : LanceMemory {
        OverTurbochannel(Ioasic &card, TcHost &bus) : card(card), bus(bus) {}
        bool move(uint64_t tick, Ownership &what) override {
            if (card.dma_.on)
                bus.request(tick, card.dma_.pack(what));
            return card.dma_.on;
        }
        void holds(const Ownership &what, unsigned bytes) override { card.dma_.hold(what, bytes); }
        void letGo(uint64_t tick, const Ownership &what) override {
            card.dma_.letGo(tick, bus.ticksPerCycle());
            Burst burst;
            burst.address = card.dma_.address(what);
            bus.letGo(tick, burst, card);
        }
        Ioasic &card;
        TcHost &bus;
    } memory(*this, bus);
    if (fails_ <= tick) {
        fails_ = never;
        sir_ |= readError;
    }
    if (lance_.next() <= tick)
        lance_.at(tick, memory, wire);
    changes_ = never;
    if (line_.drive(tick, causes() & simr_))
        lance_.interrupts(tick);
}

void Ioasic::write(uint64_t edge, uint32_t offset, uint32_t value, unsigned mask) {
    changes_ = edge + 1;
    switch (offset) {
    case pointer:
        pointer_ = merged(pointer_, value, mask);
        dma_.base = uint64_t{pointer_ & 0x1F} << 29 | uint64_t{pointer_ >> 20} << 17;
        break;
    case ssr:
        ssr_ = merged(ssr_, value, mask);
        dma_.on = ssr_ & dmaOn;
        if (dma_.on)
            lance_.admit(edge + 1);
        lance_.reset(edge, !(ssr_ & outOfReset));
        break;
    case sir:
        sir_ &= merged(sir_, value, mask);
        break;
    case simr:
        simr_ = merged(simr_, value, mask);
        break;
    case slot:
        slot_ = merged(slot_, value, mask);
        break;
    case rdp:
        if (mask & 3)
            lance_.writeRdp(edge, value & 0xFFFF);
        break;
    case rap:
        if (mask & 3)
            lance_.writeRap(edge, value & 0xFFFF);
        break;
    default:
        if (const uint32_t at = offset - entries; lance_.classifies() && offset >= entries &&
                                                  at < Classifier::entries * entryBytes && mask & 1)
            lance_.writeEntry(edge, at / entryBytes, at % entryBytes / 4, value);
        break;
    }
}

uint32_t Ioasic::causes() const {
    return sir_ | (lance_.pin() ? lanceLine : 0);
}

} // namespace mcpi::exact
