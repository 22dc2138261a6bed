// SPDX-License-Identifier: BSD-2-Clause
// Ends a run when its program leaves its stack, its memory or its code. The machine has no such
// check, so none of its ticks is another for it; PALcode may do what it wants.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "alpha/cpu.h"
#include "ranges.h"

namespace mcpi {

/// The program has gone out of bounds; `state.N.json` has it.
struct OutOfBounds {
    const char *kind; ///< stack, read, write or jump
    uint64_t pc;      ///< of the instruction that did it
    uint64_t address; ///< the stack pointer, what was accessed, where the jump went
};

class ProgramGuard {
  public:
    /// `file`: ranges of virtual addresses. `stack`: one; `code`: one; `data`: what may be read and
    /// written. UserError if it is something else.
    explicit ProgramGuard(const std::string &file);
    /// The instruction at `pc` has been executed; `after`: how it left the registers. Loads may
    /// still be under way.
    void executed(uint64_t pc, const alpha::Cpu &after);
    /// It accesses memory at `address`.
    void accesses(uint64_t pc, const alpha::Cpu &after, bool stores, uint64_t address);
    const std::optional<OutOfBounds> &found() const { return found_; }
    const Range &stack() const { return stack_; }
    /// RunError if the program has gone out of bounds.
    void check(unsigned node) const;

  private:
    /// Store of a zero, which GCC puts into each page of an array whose size is known late.
    struct Probe {
        uint64_t pc = 0, address = 0;
    };
    void stackPointer(uint64_t pc, const alpha::Cpu &after);
    bool leavesStack(uint32_t word, uint64_t now) const;
    bool isBelow(uint64_t pc, const alpha::Cpu &after, uint64_t address);

    Range stack_, code_;
    std::vector<Range> data_;
    uint64_t sp_ = 0;     ///< the last one
    Probe probe_;         ///< the last one near the end of the stack
    uint64_t copied_ = 0; ///< where it is, if it was copied from in the stack to below it
    std::optional<uint64_t> lowers_; ///< the instruction that led it out of the stack
    std::optional<OutOfBounds> found_;
};

} // namespace mcpi
