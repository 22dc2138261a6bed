// SPDX-License-Identifier: BSD-2-Clause
// A loop that spins: a time around changes no wait and no line, and registers by the same amounts
// as the time before, and so it will be until somebody writes the line that it reads
// (exact-engine.md, skip).
#pragma once
#include <array>
#include <cstdint>

#include "alpha/opcode.h"

namespace mcpi::exact {

/// Observation of the loop's branch. Whatever is not periodic disturbs it.
template <typename Register> struct Spin {
    enum class Stage : uint8_t { looks, compares, measures, known };

    Stage stage = Stage::looks;
    int seen = 0;                         ///< times around, undisturbed
    uint64_t pc = 1, tick = 0;            ///< where the loop begins; when it did last
    uint64_t period = 0;                  ///< ticks of a time around
    uint64_t executed = 0, loads = 0;     ///< instructions and loads until then
    std::array<uint64_t, 32> r{}, more{}; ///< then; what a time around adds
    std::array<uint32_t, 32> words{};     ///< instructions of a time around
    unsigned count = 0;
    std::array<Register, 32> registers{};

    void issues(uint32_t word) {
        if (stage == Stage::measures && count++ < words.size())
            words[count - 1] = word;
    }
    /// Registers that change decide nothing, and what is added to them is the same each time.
    bool counts() const;
    void disturb() {
        stage = Stage::looks;
        seen = 0;
    }
    /// It is no such loop: do not look at it again soon.
    void fails() {
        stage = Stage::looks;
        seen = -30;
    }
};

/// The amounts repeat if each value is a sum of what was in one register and what does not change:
/// then the next amount is that of this register, and all were the same in two times around.
template <typename Register> bool Spin<Register>::counts() const {
    namespace op = alpha::opcode;
    if (count > words.size())
        return false;
    for (unsigned n = 0; n < count; ++n) {
        const uint32_t word = words[n];
        const unsigned opcode = word >> 26, ra = word >> 21 & 31, rb = word >> 16 & 31;
        const bool literal = word >> 12 & 1;
        const auto changes = [this](unsigned reg) { return reg != 31 && more[reg] != 0; };
        switch (opcode) {
        case op::LDA:
        case op::LDAH:
        case op::BR:
        case op::BSR:
            break;
        case op::INTA:
        case op::INTL: {
            const bool a = changes(ra), b = !literal && changes(rb);
            const unsigned function = word >> 5 & 0x7F;
            const bool adds = opcode == op::INTA && function == alpha::function::ADDQ;
            const bool copies = opcode == op::INTL && function == alpha::function::BIS &&
                                ((ra == 31) != (!literal && rb == 31));
            if ((a || b) && !(copies || (adds && !(a && b))))
                return false;
            break;
        }
        case op::INTS:
            if (changes(ra) || (!literal && changes(rb)))
                return false;
            break;
        default: // an access, a branch: its address, what it tests
            if (changes(ra) || changes(rb))
                return false;
        }
    }
    return true;
}

} // namespace mcpi::exact
