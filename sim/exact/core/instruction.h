// SPDX-License-Identifier: BSD-2-Clause
// Facts that stage D sees in an instruction word.
#pragma once
#include <cstdint>

#include "base/zeroed.h"
#include "decode.h"
#include "memory/trace.h"

namespace mcpi::exact {

struct Instruction {
    /// Modes that may execute it; in the others it traps.
    enum class For : uint8_t { all, kernel, pal, nobody };
    /// How it may leave the sequence.
    enum class Flow : uint8_t { none, conditional, branch, jump, pal };
    enum class Access : uint8_t { none, load, store };

    explicit Instruction(uint32_t word);
    /// PAL mode, or else the processor's status.
    bool traps(bool palMode, uint64_t status) const {
        return allowed == For::nobody ||
               (!palMode && (allowed == For::pal || (allowed == For::kernel && status & 0x18)));
    }

    uint32_t word;
    pipeline::Decoded decoded;
    memory::Kind kind = memory::Kind::other; ///< without its access
    For allowed = For::all;
    Flow flow = Flow::none;
    Access access = Access::none;
    bool locks = false;       ///< LDx_L
    bool conditional = false; ///< STx_C
    bool aligned = false;     ///< its access traps if its address is not
    bool overflows = false;   ///< may trap after its result
    bool multiplies = false;
    bool moves = false;       ///< CMOVxx
    uint8_t bytes = 8;        ///< of its access; never 0
    int16_t displacement = 0; ///< of its access
};

/// The words decoded last; any copy of them is as good.
class Decoder {
  public:
    Decoder() : known_(size) {}
    const Instruction &operator()(uint64_t pc, uint32_t word) {
        Instruction &known = known_[pc / 4 % size];
        if (known.word != word || !known.bytes)
            known = Instruction(word);
        return known;
    }

  private:
    static constexpr std::size_t size = 16384;
    Forgotten<Instruction> known_;
};

} // namespace mcpi::exact
