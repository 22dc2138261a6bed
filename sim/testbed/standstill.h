// SPDX-License-Identifier: BSD-2-Clause
// Notices that no core of a node can go on: each waits in a loop for what nobody will do
// (docs/reference/simulator.md).
//
// In a span of two periods of the timer nobody writes, accesses a device or enters PALcode. Once
// the write buffers are empty, each core comes back to where it was, with the same registers. Then
// the next time around is as this one, for ever: memory stays as it is, and whatever a core reads
// is in memory.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace mcpi {

class Standstill {
  public:
    using Registers = std::array<uint64_t, 32>;

    Standstill(unsigned cores, uint64_t timerPeriod);
    /// The tick in which the next span begins; in a span: in which write buffers are empty, or in
    /// which it ends.
    uint64_t next() const;
    /// In a span; else `executed` need not be called.
    bool looks() const { return stage_ != Stage::rests; }
    /// All cores have run to tick `next()`. True: a span has ended, and none can go on.
    bool at();
    /// A core has executed the instruction `word` at `pc` (bit 0: PAL mode), which has left its
    /// registers so. `device`: it has accessed one.
    void executed(unsigned core, uint64_t pc, uint32_t word, bool device, const Registers &after);

  private:
    struct Core {
        bool seen = false, returned = false;
        uint64_t pc = 0;
        Registers registers{};
    };
    std::vector<Core> cores_;
    enum class Stage { rests, empties, returns } stage_ = Stage::rests;
    uint64_t length_, begins_, began_ = 0;
};

} // namespace mcpi
