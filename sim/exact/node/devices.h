// SPDX-License-Identifier: BSD-2-Clause
// Devices around the cores of a node: RAM, system registers, TURBOchannel, network card. Plain
// values: a copy is independent.
#pragma once
#include "alpha/cpu.h"
#include "lance/card.h"
#include "lance/turbochannel.h"
#include "link/port.h"
#include "memory/trace.h"
#include "system_registers.h"

namespace mcpi::exact {

/// Settings of a node that the machine file does not have.
struct NodeSetting {
    uint64_t number = 0;
    uint64_t timerPhase = 0; ///< tick of the first timer interrupt; 0: one period
    uint64_t pollPhase = 0;  ///< ticks from STRT to the LANCE's first poll
    uint64_t station = 0;    ///< first wire byte lowest
};

class Devices {
  public:
    Devices(const Machine &machine, const NodeSetting &setting);

    /// In this tick; they reach memory by `memory`.
    void at(uint64_t tick, Port &wire, DmaMemory &memory);
    /// They do nothing before this tick, but for the timer.
    uint64_t next() const { return next_; }
    /// The wire may have something new: it is asked in the next tick.
    void wake() { next_ = 0; }

    const Card &card() const { return card_; }
    void watchLance() { card_.watch(); }
    std::vector<LanceStep> lanceSteps() { return card_.steps(); }

    // An access of a core, one at a time, as `IoBus` has it.
    void begin(uint64_t tick, uint64_t address, unsigned bytes, bool write, uint64_t value);
    uint64_t answers(uint64_t tick) const;
    bool read(uint64_t tick, uint64_t address, unsigned bytes, uint64_t &value, unsigned core = 0);
    bool write(uint64_t tick, uint64_t address, uint64_t value);
    /// Interrupt lines of a core in `tick`, one bit per source.
    uint64_t lines(uint64_t tick, unsigned core = 0);
    /// The TURBOchannel's line.
    bool line() const { return bus_.line(); }

    /// DMA's burst, as the memory system is asked.
    memory::Dma dmaRequest(uint64_t tick, const Burst &burst, uint16_t mask);
    /// Memory begins its transaction in `tick`, or ends it.
    void dma(uint64_t tick, bool ends);

    alpha::Ram ram;
    SystemRegisters system;

  private:
    TcHost bus_;
    Card card_;
    uint64_t channel_;
    bool early_;        ///< DMA has written as soon as it has the memory bus
    uint64_t next_ = 0; ///< they do nothing before this tick
    bool far_ = false;  ///< the access is on the TURBOchannel
    struct {
        Burst burst;
        uint16_t mask = 0;
    } dma_; ///< memory's transaction
};

} // namespace mcpi::exact
