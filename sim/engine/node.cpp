// SPDX-License-Identifier: BSD-2-Clause
#include "node.h"

#include <algorithm>

#include "base/error.h"

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
    t.station = setting.station;
    return t;
}

LanceWiring wiring(const Machine &m) {
    return static_cast<LanceWiring>(m.parameter("lance.wiring"));
}

} // namespace

Node::Node(const Machine &m, const NodeSetting &setting)
    : ram_(m.parameter("memory.size")), system_(m, setting.number, setting.timerPhase),
      bus_(static_cast<unsigned>(m.parameter("turbochannel.ticks_per_cycle")),
           static_cast<unsigned>(m.parameter("turbochannel.timeout_cycles")),
           wiring(m) == LanceWiring::pmad ? pmadSlot : ioasicSlot),
      card_(times(m, setting), wiring(m)), core_(m, ram_, *this), start_(m.base("ram", "pal")),
      channel_(m.interruptBit("turbochannel")), ideal_(m.parameter("memory.ideal")) {}

Node::Node(const Node &other)
    : ram_(other.ram_), system_(other.system_), bus_(other.bus_), card_(other.card_),
      core_(other.core_, ram_, *this), start_(other.start_), channel_(other.channel_),
      ideal_(other.ideal_), wake_(other.wake_), far_(other.far_), dma_(other.dma_) {}

void Node::place(const Segment &s) {
    ram_.put(s.address, s.bytes);
}

/// The order of parts within a tick.
const Lived &Node::live(Port &wire, uint64_t until) {
    const bool line = bus_.line();
    if (core_.now() >= wake_)
        devices(wire);
    if (line != bus_.line()) // which acts in the next tick
        until = core_.now() + 1;
    return core_.live(std::min({until, wake_, system_.nextTimer()}));
}

void Node::devices(Port &wire) {
    const uint64_t tick = core_.now();
    if (wire.next(tick) == tick)
        card_.hears(tick, wire.at(tick));
    if (card_.next() <= tick)
        card_.at(tick, bus_, wire);
    if (bus_.next() <= tick)
        bus_.at(tick, card_.option(), *this);
    bus_.drive(tick, card_.line());
    wake_ = std::min({card_.next(), bus_.next(), wire.next(tick + 1)});
}

uint64_t Node::quietTicks(const Port &wire) const {
    const uint64_t tick = core_.now();
    const uint64_t due = std::min({core_.next(), wake_, system_.nextTimer(), wire.next(tick)});
    return due > tick ? due - tick : 0;
}

void Node::begin(uint64_t tick, uint64_t address, unsigned bytes, bool write, uint64_t value) {
    far_ = address >> 32 == 1;
    wake_ = 0;
    if (far_)
        bus_.begin(tick, {address, value, write, bytes == 8}, (address >> 29 & 7) != card_.slot());
}

uint64_t Node::answers(uint64_t tick) const {
    return far_ ? bus_.answer() : tick;
}

bool Node::read(uint64_t tick, uint64_t address, unsigned bytes, uint64_t &value) {
    if (!far_)
        return system_.read(tick, address, bytes, value, bus_.fault);
    bool failed;
    value = bus_.take(failed);
    if (bytes == 4)
        value = address & 4 ? value >> 32 : value & 0xFFFFFFFF;
    return !failed;
}

bool Node::write(uint64_t tick, uint64_t address, unsigned bytes, uint64_t value) {
    if (!far_)
        return system_.write(tick, address, value, bus_.fault);
    bool failed;
    bus_.take(failed);
    return !failed;
}

uint64_t Node::lines(uint64_t tick) {
    return system_.lines(tick) | uint64_t{bus_.line()} << channel_;
}

void Node::ask(uint64_t tick, const Burst &burst, uint16_t mask) {
    const uint64_t piece = burst.address & ~uint64_t{15};
    dma_ = {burst, mask};
    core_.memory().bus().ask({tick, piece, burst.write});
}

/// A read gets what memory has when the bus takes it; a write is there when it ends, with ideal
/// memory when it begins.
void Node::dma(uint64_t tick, bool ends) {
    wake_ = 0;
    const uint64_t piece = dma_.burst.address & ~uint64_t{15};
    auto &data = dma_.burst.data;
    const bool nowhere = piece + data.size() > ram_.size();
    if (nowhere && !ends)
        return;
    if (dma_.burst.write) {
        for (unsigned i = 0; !nowhere && ideal_ != ends && i < data.size(); ++i)
            if (dma_.mask >> i & 1)
                ram_.put(piece + i, 1, data[i]);
        if (ends)
            bus_.memoryWritten(tick, nowhere);
    } else if (!ends) {
        std::copy_n(ram_.data() + piece, data.size(), data.begin());
    } else {
        bus_.memoryRead(tick, data, nowhere, card_.option());
    }
}

} // namespace mcpi::exact
