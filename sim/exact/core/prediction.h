// SPDX-License-Identifier: BSD-2-Clause
// Where the fetch goes on after a branch, before anybody knows (core.md, Prediction).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/machine.h"
#include "instruction.h"

namespace mcpi::exact {

class Prediction {
  public:
    explicit Prediction(const Machine &machine);

    bool on() const { return on_; }
    /// HW_MTPR has written ICCSR: the predictor has it a few instructions later.
    void control(uint64_t iccsr) { coming_ = {iccsr, 0}; }
    /// An instruction is in stage D for the first tick; `follows`: right after the one before it.
    void instructionFetched(bool follows);
    /// Stage D waits.
    void waits() { coming_.waited = true; }

    /// Ticks that a jump out of sequence loses if it was never predicted, and if wrongly.
    unsigned penalty() const { return penalty_; }
    unsigned astray() const { return astray_; }
    /// Penalty of a branch that was rightly predicted, and issued so many ticks after it came.
    unsigned right(uint64_t waited) const { return waited < right_ ? right_ - waited : 0; }

    /// In its first tick in stage D; none: in sequence. `word`: where the I-cache has it.
    std::optional<uint64_t> target(const Instruction &instruction, uint64_t pc,
                                   uint64_t word) const;
    /// It issues: the stack moves.
    void issues(const Instruction &instruction, uint64_t pc);
    /// E1 found the branch `wrong`.
    void learns(const Instruction &instruction, uint64_t word, bool wrong);
    /// A block has come into this place of the I-cache, with these bytes.
    void filled(uint64_t place, const uint8_t *bytes);

  private:
    bool has(unsigned bit) const { return iccsr_ >> bit & 1; }
    static constexpr unsigned bpe = 36, jse = 37, bhe = 38; // of ICCSR

    struct Coming {
        uint64_t iccsr;
        unsigned instructions;
        bool waited = false;
    };
    bool on_;
    unsigned penalty_, right_, astray_;
    uint64_t blockBytes_;
    uint64_t iccsr_ = uint64_t{7} << 36;
    Coming coming_;
    std::vector<uint8_t> history_; ///< by word of the I-cache
    std::array<std::optional<uint64_t>, 4> stack_;
    unsigned top_ = 0; ///< where the next link goes
};

} // namespace mcpi::exact
