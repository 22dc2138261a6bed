// SPDX-License-Identifier: BSD-2-Clause
// Results of the operate instructions (opcodes 10 to 13 hex): pure functions of their operands.
// Source of the encodings: sources/ev4.md 1.2; of the meanings: Alpha Architecture Handbook, ch. 4.
#pragma once
#include <cstdint>

namespace mcpi::alpha {

/// Outcome of an operate instruction.
enum class Outcome {
    value,    ///< `result` goes to the register
    keep,     ///< a conditional move whose condition does not hold
    overflow, ///< as `value`, and an integer overflow trap (/V forms)
    illegal   ///< no such function on EV4: OPCDEC
};

/// `opcode` 10 to 13 hex, `function` bits 11:5, operands as read; `result` is set unless illegal.
Outcome operate(unsigned opcode, unsigned function, uint64_t a, uint64_t b, uint64_t &result);

/// The low 32 bits, sign-extended.
inline uint64_t sext32(uint64_t x) {
    return static_cast<uint64_t>(static_cast<int32_t>(x));
}

} // namespace mcpi::alpha
