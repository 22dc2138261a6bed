// SPDX-License-Identifier: BSD-2-Clause
// Instructions as `Core::glide` wants them: 16 bytes, decoded once.
#pragma once
#include <cstdint>

#include "alpha/cpu.h"
#include "base/zeroed.h"
#include "instruction.h"

namespace mcpi::exact {

/// An instruction that may issue while nothing else is under way; `other`: all that may not.
struct Quick {
    enum class Action : uint8_t {
        other,
        nothing, ///< UNOP: a load to r31
        add,     ///< LDA, LDAH: register and displacement
        operate,
        move, ///< CMOVxx
        load,
        store,
        branch, ///< BR, BSR
        conditional,
        jump
    };

    uint32_t word = 0;
    uint32_t tag = 0; ///< of its address: which word of memory it is
    Action action = Action::other;
    uint8_t a = 31, b = 31, target = 31; ///< registers that it waits for
    uint8_t aUse = 0, bUse = 0;          ///< pipeline::Use
    uint8_t maker = 0;                   ///< pipeline::Maker
    uint8_t mask : 6, aligned : 1,
        locks : 1; ///< of an access: its bytes less one; it may trap; LDx_L

    Quick() : mask(0), aligned(0), locks(0) {}
    bool accesses() const { return action == Action::load || action == Action::store; }
    uint64_t displacement() const {
        return static_cast<uint64_t>(int64_t{static_cast<int16_t>(word)});
    }
    uint64_t branchTarget(uint64_t next) const {
        return alpha::place(next, static_cast<uint64_t>(
                                      static_cast<int64_t>(static_cast<int32_t>(word << 11)) >> 9));
    }
};
static_assert(sizeof(Quick) == 16);

Quick quick(uint32_t word, uint32_t tag);

/// The instructions decoded last, by address.
class QuickTable {
  public:
    QuickTable() : known_(size) {}
    const Quick &operator()(uint64_t pc, uint32_t word) {
        Quick &known = known_[pc / 4 % size];
        const auto tag = static_cast<uint32_t>(pc / 4);
        if (known.word != word || known.tag != tag)
            known = quick(word, tag);
        return known;
    }

  private:
    static constexpr std::size_t size = 16384;
    Forgotten<Quick> known_;
};

} // namespace mcpi::exact
