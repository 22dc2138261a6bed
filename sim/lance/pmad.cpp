// SPDX-License-Identifier: BSD-2-Clause
#include "pmad.h"

#include <array>

#include "station_rom.h"

namespace mcpi::exact {
namespace {

// Dense offsets (lance.md).
constexpr uint32_t memoryBytes = 0x20000, rdp = 0x100000, rap = 0x100004, rom = 0x1C0000,
                   options = 0x3C0000, header = 0x3E0, optionBytes = 0x1000, slotBytes = 0x400000;
constexpr unsigned readCycles = 9, writeCycles = 6, romCycles = 13;
constexpr uint64_t toMemory = 1, fromMemory = 1; // ticks, and one for each longword

bool inStation(uint32_t offset) {
    return offset >= rom && offset < rom + 4 * 32;
}
bool inOptions(uint32_t offset) {
    return offset >= options && offset < options + optionBytes;
}

/// A byte of the option ROM, by longword (turbochannel.md, sources/lance.md 4).
uint8_t optionRom(uint32_t offset) {
    static constexpr std::array<uint8_t, 8> how = {1, 4, 1, 1, 0x55, 0, 0xAA, 0xFF};
    static constexpr char revision[] = "V1.0    ", vendor[] = "DEC     ", module[] = "PMAD-AA ",
                          type[] = "TCF0";
    const uint32_t at = offset - header, i = at / 4 % 8;
    switch (at / 32) {
    case 0:
        return how[i];
    case 1:
        return static_cast<uint8_t>(revision[i]);
    case 2:
        return static_cast<uint8_t>(vendor[i]);
    case 3:
        return static_cast<uint8_t>(module[i]);
    case 4:
        return i < 4 ? static_cast<uint8_t>(type[i]) : 0;
    default:
        return 0;
    }
}

} // namespace

Pmad::Pmad(const LanceTimes &times)
    : lance_(times), station_(times.station), memory_(memoryBytes) {}

/// The core has the memory in the first tick that the chip leaves; its answer comes later.
void Pmad::access(uint64_t tick, uint32_t address, bool write, uint32_t value, unsigned mask) {
    const uint32_t offset = address % slotBytes & ~3u;
    if (offset < memoryBytes)
        core_ = {tick, 0, offset, value, write ? mask : 0};
}

void Pmad::moveCore() {
    uint8_t *at = memory_.data() + core_.offset;
    for (unsigned i = 0; i < 4; ++i)
        if (core_.mask >> i & 1)
            at[i] = static_cast<uint8_t>(core_.value >> 8 * i);
    core_.value = static_cast<uint32_t>(at[0] | at[1] << 8 | at[2] << 16) | uint32_t{at[3]} << 24;
}

bool Pmad::ready(uint64_t edge, uint32_t address, bool write, uint64_t cycles) const {
    const uint32_t offset = address % slotBytes;
    if (offset < memoryBytes)
        return cycles + 1 >= (write ? writeCycles : readCycles) && core_.at == never &&
               edge > core_.done + 1;
    if (offset == rdp || offset == rap)
        return lance_.ready(edge);
    return cycles + 1 >= romCycles || !(inStation(offset) || inOptions(offset));
}

uint32_t Pmad::read(uint64_t edge, uint32_t address) {
    const uint32_t offset = address % slotBytes;
    if (offset < memoryBytes)
        return core_.value;
    if (offset == rdp)
        return lance_.readRdp(edge);
    if (offset == rap)
        return lance_.readRap();
    if (inOptions(offset))
        return offset < options + header ? 0 : optionRom(offset - options);
    if (inStation(offset))
        return uint32_t{stationRom(station_, offset / 4 % 32)} << 16;
    return 0;
}

void Pmad::write(uint64_t edge, uint32_t address, uint32_t value, unsigned mask) {
    const uint32_t offset = address % slotBytes;
    if (!(mask & 3))
        return;
    if (offset == rdp)
        lance_.writeRdp(edge, value & 0xFFFF);
    if (offset == rap)
        lance_.writeRap(edge, value & 0xFFFF);
}

/// The memory has one port; the chip goes first, a longword a tick: long over before it asks.
bool Pmad::move(uint64_t tick, Ownership &) {
    moves_ = tick + toMemory;
    return true;
}

void Pmad::letGo(uint64_t tick, const Ownership &) {
    if (moves_ == never)
        return;
    moves_ = never;
    lance_.moved(tick + 1, false);
}

void Pmad::at(uint64_t tick, TcHost &, Port &wire) {
    if (moves_ == tick) {
        moves_ = never;
        Ownership &o = *lance_.moving();
        move(o);
        free_ = tick + (o.burst ? (o.address % 4 + o.bytes + 3) / 4 : 1);
        lance_.moved(free_ + fromMemory, false);
    }
    if (core_.at == tick && tick < free_) {
        core_.at = free_;
    } else if (core_.at == tick) {
        core_.at = never;
        core_.done = tick;
        moveCore();
    }
    if (lance_.next() <= tick)
        lance_.at(tick, *this, wire);
    if (line_.drive(tick, lance_.pin()))
        lance_.interrupts(tick);
}

void Pmad::move(Ownership &o) {
    for (unsigned i = 0; i < (o.burst ? o.bytes : 2); ++i) {
        const uint32_t at = o.burst ? (o.address + i) ^ o.swaps : (o.address & ~1u) + i;
        uint8_t &byte = memory_[at % memoryBytes];
        if (o.write)
            byte = o.data[i];
        else
            o.data[i] = byte;
    }
}

} // namespace mcpi::exact
