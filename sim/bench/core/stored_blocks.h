// SPDX-License-Identifier: BSD-2-Clause
// Which blocks a write-back D-cache has and which of them have been stored to, as the bus shows it
// (memory.md, Write-back D-cache): who is dirty when it is displaced is known without the RTL.
#pragma once
#include <cstdint>
#include <vector>

#include "base/machine.h"

namespace mcpi {

class StoredBlocks {
  public:
    explicit StoredBlocks(const Machine &machine)
        : back_(machine.parameter("dcache.policy") != 0),
          on_(machine.parameter("dcache.enable") != 0),
          blockBytes_(machine.parameter("cache.block")),
          ramBytes_(machine.parameter("memory.size")),
          sets_(back_ ? machine.parameter("dcache.size") / blockBytes_ : 1) {}

    bool back() const { return back_; }

    /// Return true if a fill of `address` that the bus takes in this tick displaces a dirty block.
    bool displacesDirty(uint64_t address) const {
        const Set &s = sets_[place(address)];
        return address < ramBytes_ && s.valid && s.dirty;
    }
    /// Then, a store in this tick, and a fill that ends with it.
    void stored(uint64_t address) {
        Set &s = sets_[place(address)];
        if (s.valid && s.block == address / blockBytes_)
            s.dirty = true;
        else
            missed_ = address / blockBytes_;
    }
    void filled(uint64_t address) {
        const uint64_t block = address / blockBytes_;
        if (on_)
            sets_[place(address)] = {true, missed_ == block, block};
        missed_ = nothing;
    }
    /// Last, what DMA or STx_C writes with this tick.
    void dropped(uint64_t address) {
        Set &s = sets_[place(address)];
        s.valid &= s.block != address / blockBytes_;
    }

  private:
    struct Set {
        bool valid = false, dirty = false;
        uint64_t block = 0;
    };
    static constexpr uint64_t nothing = ~uint64_t{0};

    uint64_t place(uint64_t address) const { return address / blockBytes_ % sets_.size(); }

    bool back_, on_;
    uint64_t blockBytes_, ramBytes_;
    std::vector<Set> sets_;
    uint64_t missed_ = nothing; ///< a store's block, which a fill brings
};

} // namespace mcpi
