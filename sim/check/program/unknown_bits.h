// SPDX-License-Identifier: BSD-2-Clause
// Bits of a result that follow from bits which nobody knows: by the operation alone, as exactly as
// minima and maxima of the operands say.
#pragma once
#include <cstdint>

namespace mcpi {

/// A value of which the bits in `unknown` can be anything.
struct Bits {
    uint64_t value = 0, unknown = 0;
    uint64_t least() const { return value & ~unknown; }
    uint64_t most() const { return value | unknown; }
    bool known() const { return !unknown; }
};

/// Return true if the conditional branch with this opcode goes one way, whatever those bits are.
bool decided(unsigned opcode, Bits a);
/// The bits that are not known of a sum.
uint64_t unknownOfSum(Bits a, Bits b);
/// The same of the result of an operate instruction. `before`: what its target held, for CMOVxx.
uint64_t unknownOf(uint32_t word, Bits a, Bits b, Bits before);
/// The bits that are not known of a longword, as its load extends them.
uint64_t extended(uint64_t unknown);

} // namespace mcpi
