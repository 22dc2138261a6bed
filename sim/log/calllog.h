// SPDX-License-Identifier: BSD-2-Clause
// Registers of the calling convention where the program counter passes given places, in the whole
// run, so that allocators can be followed: calls.N.csv, written as it goes.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <fstream>
#include <string>
#include <unordered_set>

#include "base/address.h"
#include "base/retirement.h"

namespace mcpi {

class CallLog {
  public:
    /// Registers of a row, in this order: v0, a0, ra, sp.
    static constexpr std::array<unsigned, 4> registers{0, 16, 26, 30};
    using Values = std::array<uint64_t, registers.size()>;

    /// `places`: a file with a virtual address on each line. UserError if it is none.
    CallLog(const std::string &places, const std::string &folder, unsigned node);

    /// Return true if an instruction there (bit 0: PAL mode) is logged.
    bool wants(uint64_t pc) const { return !(pc & 1) && places_.count(physical(pc)); }
    /// It issues in this tick; `values`: before it does anything.
    void log(uint64_t tick, uint64_t pc, const Values &values);

    /// For whoever sees registers at the instructions' end: an instruction issues,
    void issues(uint64_t tick, uint64_t pc) {
        if (wants(pc))
            issued_.push_back(tick);
    }
    /// and one retires. All do, in the order of their issues.
    void retired(const Retirement &r);
    /// UserError if the file cannot be written.
    void close();

  private:
    void open();
    static uint64_t physical(uint64_t pc) { return pc & physicalMask; }

    std::unordered_set<uint64_t> places_;
    std::string path_;
    std::ofstream out_;
    std::deque<uint64_t> issued_; ///< ticks of those that have not retired
    std::array<uint64_t, 32> values_{};
};

} // namespace mcpi
