// SPDX-License-Identifier: BSD-2-Clause
// Machines of the exact engine, for the debugger: what their cores know.
#pragma once
#include "exact/core/core.h"
#include "machines.h"

namespace mcpi::debug {

class ExactMachines : public Machines {
  public:
    virtual const exact::Core &core(unsigned thread) const = 0;
    virtual const Machine &machine() const = 0;

    std::vector<std::string> owners() const override;
    std::vector<uint64_t> ownerTicks(unsigned thread) override;
    const alpha::Cpu &cpu(unsigned thread) const override { return core(thread).cpu(); }
    uint64_t value(unsigned thread, unsigned reg) const override { return core(thread).value(reg); }
    std::string bytesAt(unsigned thread, uint64_t physical, uint64_t count) override;
    std::optional<Access> accessed(unsigned thread, uint64_t pc) const override;
    bool dmaWrites(unsigned thread) const override;
    std::optional<Exit> exit(unsigned thread) const override;
};

} // namespace mcpi::debug
