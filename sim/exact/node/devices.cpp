// SPDX-License-Identifier: BSD-2-Clause
#include "devices.h"

#include <algorithm>

namespace mcpi::exact {
namespace {

/// Ticks of a time in ns, rounded to nearest.
uint64_t ticks(const Machine &m, const char *key) {
    return (m.parameter(key) * m.parameter("clock.ticks_per_us") * 2 + 1000) / 2000;
}

LanceTimes times(const Machine &m, const NodeSetting &setting) {
    LanceTimes t;
    t.poll = ticks(m, "lance.poll_ns");
    t.word = ticks(m, "lance.word_ns");
    t.gap = ticks(m, "lance.gap_ns");
    t.arbitration = ticks(m, "lance.arbitration_ns");
    t.csr = ticks(m, "lance.csr_ns");
    t.demand = ticks(m, "lance.demand_ns");
    t.setup = ticks(m, "lance.setup_ns");
    t.start = ticks(m, "lance.start_ns");
    t.heartbeat = ticks(m, "lance.heartbeat_ns");
    t.status = ticks(m, "lance.status_ns");
    t.interrupt = ticks(m, "lance.interrupt_ns");
    t.pollPhase = setting.pollPhase;
    t.nibble = 4 * m.parameter("clock.ticks_per_us") / m.parameter("link.mbps");
    t.threshold = static_cast<unsigned>(m.parameter("lance.transmit_threshold"));
    t.silo = static_cast<unsigned>(m.parameter("lance.silo_bytes"));
    t.halfDuplex = m.parameter("link.duplex");
    t.cLance = m.parameter("lance.chip");
    t.classifier = m.has("lance.classifier");
    t.station = setting.station;
    return t;
}

LanceWiring wiring(const Machine &m) {
    return static_cast<LanceWiring>(m.parameter("lance.wiring"));
}

} // namespace

Devices::Devices(const Machine &m, const NodeSetting &setting)
    : ram(m.parameter("memory.size")), system(m, setting.number, setting.timerPhase),
      bus_(static_cast<unsigned>(m.parameter("turbochannel.ticks_per_cycle")),
           static_cast<unsigned>(m.parameter("turbochannel.timeout_cycles")),
           wiring(m) == LanceWiring::pmad ? pmadSlot : ioasicSlot),
      card_(times(m, setting), wiring(m)), channel_(m.interruptBit("turbochannel")),
      early_(m.parameter("memory.ideal") || m.has("bcache.private")) {}

/// The order of parts within a tick.
void Devices::at(uint64_t tick, Port &wire, DmaMemory &memory) {
    if (wire.next(tick) == tick)
        card_.hears(tick, wire.at(tick));
    if (card_.next() <= tick)
        card_.at(tick, bus_, wire);
    if (bus_.next() <= tick)
        bus_.at(tick, card_.option(), memory);
    bus_.drive(tick, card_.line());
    next_ = std::min({card_.next(), bus_.next(), wire.next(tick + 1)});
}

void Devices::begin(uint64_t tick, uint64_t address, unsigned bytes, bool write, uint64_t value) {
    far_ = address >> 32 == 1;
    next_ = 0;
    if (far_)
        bus_.begin(tick, {address, value, write, bytes == 8}, (address >> 29 & 7) != card_.slot());
}

uint64_t Devices::answers(uint64_t tick) const {
    return far_ ? bus_.answer() : tick;
}

bool Devices::read(uint64_t tick, uint64_t address, unsigned bytes, uint64_t &value,
                   unsigned core) {
    if (!far_)
        return system.read(tick, address, bytes, value, bus_.fault, core);
    bool failed;
    value = bus_.take(failed);
    if (bytes == 4)
        value = address & 4 ? value >> 32 : value & 0xFFFFFFFF;
    return !failed;
}

bool Devices::write(uint64_t tick, uint64_t address, uint64_t value) {
    if (!far_)
        return system.write(tick, address, value, bus_.fault);
    bool failed;
    bus_.take(failed);
    return !failed;
}

uint64_t Devices::lines(uint64_t tick, unsigned core) {
    const uint64_t own = system.lines(tick, core);
    return core ? own : own | uint64_t{bus_.line()} << channel_;
}

memory::Dma Devices::dmaRequest(uint64_t tick, const Burst &burst, uint16_t mask) {
    dma_ = {burst, mask};
    return {tick, burst.address & ~uint64_t{15}, burst.write};
}

/// A read gets what memory has when the bus takes it; a write is there when it ends, unless memory
/// is earlier.
void Devices::dma(uint64_t tick, bool ends) {
    next_ = 0;
    const uint64_t piece = dma_.burst.address & ~uint64_t{15};
    auto &data = dma_.burst.data;
    const bool nowhere = piece + data.size() > ram.size();
    if (nowhere && !ends)
        return;
    if (dma_.burst.write) {
        for (unsigned i = 0; !nowhere && early_ != ends && i < data.size(); ++i)
            if (dma_.mask >> i & 1)
                ram.put(piece + i, 1, data[i]);
        if (ends)
            bus_.memoryWritten(tick, nowhere);
    } else if (!ends) {
        std::copy_n(ram.data() + piece, data.size(), data.begin());
    } else {
        bus_.memoryRead(tick, data, nowhere, card_.option());
    }
}

} // namespace mcpi::exact
