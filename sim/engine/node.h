// SPDX-License-Identifier: BSD-2-Clause
// A whole machine: core and memory, system registers, TURBOchannel, IOASIC and LANCE; what happens
// in which order within a tick (exact-engine.md).
#pragma once
#include <string>

#include "base/loader.h"
#include "card.h"
#include "core.h"
#include "link/port.h"
#include "system_registers.h"
#include "turbochannel.h"

namespace mcpi::exact {

/// What of a node the machine file does not say.
struct NodeSetting {
    uint64_t number = 0;
    uint64_t timerPhase = 0; ///< tick of the first timer interrupt; 0: one period
    uint64_t pollPhase = 0;  ///< ticks from STRT to the LANCE's first poll
    uint64_t station = 0;    ///< first wire byte lowest
};

class Node : private IoBus, private DmaMemory {
  public:
    Node(const Machine &machine, const NodeSetting &setting);
    /// As the other stands: both live on, each by itself.
    Node(const Node &other);
    Node &operator=(const Node &) = delete;

    void place(const Segment &segment);
    void reset() { core_.reset(start_); }
    /// The wire may have something new: it is asked in the next tick.
    void wake() { wake_ = 0; }
    /// Lives on: at least one tick, more if all are alike, none from `until` on. What each was.
    const Lived &live(Port &wire, uint64_t until);
    /// From now on so many ticks pass in which it only counts them and hears nothing.
    uint64_t quietTicks(const Port &wire) const;
    uint64_t now() const { return core_.now(); }
    bool halted() const { return core_.halted(); }
    Core &core() { return core_; }
    const SystemRegisters &system() const { return system_; }
    /// Of RAM, as DMA sees it; beyond RAM: 0.
    uint8_t byteAt(uint64_t address) const {
        return address < ram_.size() ? ram_.data()[address] : 0;
    }

  private:
    void begin(uint64_t tick, uint64_t address, unsigned bytes, bool write,
               uint64_t value) override;
    uint64_t answers(uint64_t tick) const override;
    bool read(uint64_t tick, uint64_t address, unsigned bytes, uint64_t &value) override;
    bool write(uint64_t tick, uint64_t address, unsigned bytes, uint64_t value) override;
    uint64_t lines(uint64_t tick) override;
    void ask(uint64_t tick, const Burst &burst, uint16_t mask) override;
    void dma(uint64_t tick, bool ends) override;
    void devices(Port &wire);

    alpha::Ram ram_;
    SystemRegisters system_;
    TcHost bus_;
    Card card_;
    Core core_;
    uint64_t start_, channel_;
    bool ideal_;
    uint64_t wake_ = 0; ///< the devices do nothing before this tick
    bool far_ = false;  ///< the access is on the TURBOchannel
    struct {
        Burst burst;
        uint16_t mask = 0;
    } dma_; ///< memory's transaction
};

} // namespace mcpi::exact
