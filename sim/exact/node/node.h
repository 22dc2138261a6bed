// SPDX-License-Identifier: BSD-2-Clause
// A whole machine: core and memory, system registers, TURBOchannel, IOASIC and LANCE; what happens
// in which order within a tick (exact-engine.md).
#pragma once
#include <string>

#include "base/loader.h"
#include "devices.h"
#include "exact/core/core.h"
#include "tally.h"

namespace mcpi::exact {

class Node : private IoBus, private DmaMemory {
  public:
    Node(const Machine &machine, const NodeSetting &setting);
    /// Copy the other's state: both go on, each by itself.
    Node(const Node &other);
    Node &operator=(const Node &) = delete;

    void place(const Segment &segment);
    void reset() { core_.reset(start_); }
    /// The wire may have something new: it is asked in the next tick.
    void wake() { devices_.wake(); }
    /// Run one tick, or more if all are alike, none from `until` on. Return their description.
    const TickRun &step(Port &wire, uint64_t until);
    /// Run on while the core is alone with its caches, to `until` at most; `sink`: of tally.h.
    template <typename Sink> void glide(uint64_t until, Sink &sink);
    /// From now on so many ticks pass in which it only counts them and hears nothing.
    uint64_t quietTicks(const Port &wire) const;
    /// The world's tick: that of all but core, caches and memory bus.
    uint64_t now() const { return world(core_.now()); }
    /// A tick of the core in the world's time, and the reverse.
    uint64_t world(uint64_t tick) const { return tick - vanished_; }
    uint64_t ofCore(uint64_t tick) const { return tick == memory::never ? tick : tick + vanished_; }
    /// The core's last tick took no time: the world is in the tick in which it was, and has had its
    /// turn there. `moves`: caches and bus moved on; else they stood still too.
    void vanishes(bool moves) {
        ++vanished_;
        moved_ = now();
        core_.vanishes(moves);
    }
    bool halted() const { return core_.halted(); }
    Core &core() { return core_; }
    const Core &core() const { return core_; }
    /// The LANCE's steps are kept from now on.
    void watchLance() { devices_.watchLance(); }
    /// Steps that it has ended since the last call.
    std::vector<LanceStep> lanceSteps() { return devices_.lanceSteps(); }
    const Card &card() const { return devices_.card(); }
    const SystemRegisters &system() const { return devices_.system; }
    /// A byte of RAM, as DMA sees it; beyond RAM: 0.
    uint8_t byteAt(uint64_t address) const {
        return address < devices_.ram.size() ? devices_.ram.data()[address] : 0;
    }

  private:
    void begin(uint64_t tick, uint64_t address, unsigned bytes, bool write,
               uint64_t value) override {
        devices_.begin(world(tick), address, bytes, write, value);
    }
    uint64_t answers(uint64_t tick) const override { return ofCore(devices_.answers(world(tick))); }
    bool read(uint64_t tick, uint64_t address, unsigned bytes, uint64_t &value) override {
        return devices_.read(world(tick), address, bytes, value);
    }
    bool write(uint64_t tick, uint64_t address, unsigned, uint64_t value) override {
        return devices_.write(world(tick), address, value);
    }
    uint64_t lines(uint64_t tick) override { return devices_.lines(world(tick)); }
    void request(uint64_t tick, const Burst &burst, uint16_t mask) override {
        memory::Dma dma = devices_.dmaRequest(tick, burst, mask);
        dma.tick = ofCore(dma.tick);
        core_.memory().bus().request(dma);
    }
    void dma(uint64_t tick, bool ends) override { devices_.dma(world(tick), ends); }

    Devices devices_;
    Core core_;
    uint64_t start_;
    uint64_t vanished_ = 0;          ///< ticks of the core that took no time
    uint64_t moved_ = memory::never; ///< the devices have had their turn in this tick
};

} // namespace mcpi::exact
