// SPDX-License-Identifier: BSD-2-Clause
// Ticks of a path by function and owner, and which of them take no time (exact-engine.md).
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/markers.h"
#include "exact/core/core.h"

namespace mcpi::exact {

/// Numbers of functions by physical address; 0: no function that is known.
class FunctionMap {
  public:
    struct Range {
        uint64_t start, end; ///< physical
        uint16_t function;
    };
    explicit FunctionMap(const std::vector<Range> &ranges);
    unsigned at(uint64_t pc) const {
        const uint64_t word = (pc & physicalMask) / 4;
        return word < functions_.size() ? functions_[word] : 0;
    }

  private:
    std::vector<uint16_t> functions_; ///< by word
};

/// A function's ticks with this owner.
using FunctionOwner = std::pair<unsigned, Owner>;

class Vanishing {
  public:
    /// Null: no tick of this node vanishes, only markers are looked at.
    explicit Vanishing(std::shared_ptr<const FunctionMap> functions);
    bool watches() const { return functions_ != nullptr; }

    /// From now on the ticks of these take no time; more than `most` in a row are refused.
    /// UserError for an owner that waits for the world.
    void vanish(const std::vector<FunctionOwner> &which, uint64_t most);
    /// An instruction at this marker has issued, in this tick of the world.
    void marker(uint64_t tick, const Marker &marker);
    /// A tick on the path; `waits`: the instruction that stage D waits for. Return true if it takes
    /// no time. RunError if too many have taken none.
    bool takesNone(const TickRun &run, uint64_t waits);
    /// Caches and memory bus move on in a tick of this owner, which waits for them.
    static bool ofMemory(Owner owner);
    /// It waits for a device or an interrupt: its ticks cannot vanish.
    static bool ofWorld(Owner owner) { return owner == Owner::io || owner == Owner::idle; }

    bool measures() const { return began_ != never; }
    /// Ticks of the world from the measurement's start to the end of its last round trip; 0: none.
    uint64_t roundTrips() const { return ended_ ? ended_ - began_ : 0; }
    uint64_t trips() const { return trips_; }
    uint64_t vanished() const { return vanished_; }
    /// Ticks of the path, those that took no time too.
    std::map<FunctionOwner, uint64_t> ticks() const;

  private:
    static constexpr uint64_t never = ~uint64_t{0};
    static constexpr unsigned owners = ownerNames.size();
    static unsigned cell(unsigned function, Owner owner) {
        return function * owners + static_cast<unsigned>(owner);
    }

    std::shared_ptr<const FunctionMap> functions_;
    std::vector<uint64_t> ticks_; ///< by function, then by owner
    std::vector<bool> none_;      ///< these take no time
    bool any_ = false;            ///< there are such
    unsigned last_ = 0;           ///< function of what issued last
    uint64_t vanished_ = 0, inARow_ = 0, most_ = 0, trips_ = 0;
    uint64_t began_ = never, ended_ = 0;
    bool over_ = false;
};

} // namespace mcpi::exact
