// SPDX-License-Identifier: BSD-2-Clause
// Identity, console, timer and exit registers (machines/memory-map.toml [system]), in ticks.
#pragma once
#include <string>
#include <vector>

#include "base/machine.h"
#include "lance/turbochannel.h"

namespace mcpi::exact {

class SystemRegisters {
  public:
    /// `phase`: the tick of the first timer interrupt, 0 for one period.
    SystemRegisters(const Machine &machine, uint64_t node, uint64_t phase);

    /// Accesses as in `IoBus`; `fault`: the bus's.
    bool read(uint64_t tick, uint64_t address, unsigned bytes, uint64_t &value,
              const BusFault &fault, unsigned core = 0);
    bool write(uint64_t tick, uint64_t address, uint64_t value, BusFault &fault);
    /// Interrupt lines of a core: devices interrupt core 0.
    uint64_t lines(uint64_t tick, unsigned core = 0);
    uint64_t nextTimer() const { return nextTimer_; }

    bool exited = false;
    unsigned exitCode = 0;
    std::string console; ///< what the guest printed

  private:
    static constexpr uint64_t noRegister = ~uint64_t{0};
    bool known(uint64_t address) const;

    struct Registers {
        uint64_t magic, node, data, status, exit, ticks, acknowledge, control, pending, error,
            errorAddress;
    } at_;
    struct {
        uint64_t count = noRegister, number = noRegister, interrupt = noRegister,
                 acknowledge = noRegister;
    } several_; ///< of a machine with a snooping bus

    std::vector<uint64_t> known_;
    uint64_t node_, period_, nextTimer_, mask_, cores_, interprocessor_ = 0;
    uint64_t called_ = 0; ///< cores that another has interrupted
    bool enabled_ = false, pending_ = false;
};

} // namespace mcpi::exact
