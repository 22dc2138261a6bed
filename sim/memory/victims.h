// SPDX-License-Identifier: BSD-2-Clause
// A victim cache: blocks that a direct-mapped cache displaced, by age (memory.md, Victim caches).
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "parts.h"

namespace mcpi::memory {

class Victims {
  public:
    /// It has so many blocks at most; 0: there is no such cache.
    explicit Victims(unsigned most) : most_(most) {}

    bool holds(uint64_t block) const { return std::find(begin(), end(), block) != end(); }
    /// This block, displaced, is the youngest now; noBlock: none was. If there is no room for it,
    /// the oldest leaves.
    void enters(uint64_t block) {
        if (!most_ || block == noBlock)
            return;
        count_ += count_ < most_;
        for (unsigned n = count_ - 1; n; --n)
            blocks_[n] = blocks_[n - 1];
        blocks_[0] = block;
    }
    /// The block goes back to the cache, if it is here: whether it does.
    bool take(uint64_t block) {
        const bool here = holds(block);
        drop(block);
        return here;
    }
    void drop(uint64_t block) {
        count_ = static_cast<unsigned>(
            std::remove(blocks_.begin(), blocks_.begin() + count_, block) - blocks_.begin());
    }
    void empty() { count_ = 0; }

  private:
    const uint64_t *begin() const { return blocks_.data(); }
    const uint64_t *end() const { return blocks_.data() + count_; }

    std::array<uint64_t, 16> blocks_{}; ///< the youngest first; icache.victims is 16 at most
    unsigned most_, count_ = 0;
};

} // namespace mcpi::memory
