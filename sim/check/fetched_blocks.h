// SPDX-License-Identifier: BSD-2-Clause
// The tags of a virtual I-cache as docs/explanation/translation.md has them, filled by what the RTL
// reports its misses: so lock-step knows where a fetch that hits got its block from, and whether
// it may hit there.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "base/machine.h"

namespace mcpi {

class FetchedBlocks {
  public:
    explicit FetchedBlocks(const Machine &m)
        : blockBytes_(m.parameter("cache.block")),
          blocks_(m.parameter("icache.size") / m.parameter("cache.block")) {}

    /// Address space of a fetch outside PAL mode, and not by KSEG.
    struct Space {
        bool user = false;
        unsigned number = 0; ///< ASN
    };

    /// The block of `pc` has missed: it is at `physical`, for every space if `any`.
    void fill(uint64_t pc, const Space &space, bool any, uint64_t physical) {
        at(pc) = {true, any, space, blockOf(pc), physical};
    }
    /// A block that is not mapped has missed.
    void fill(uint64_t pc) { at(pc).mapped = false; }
    /// Physical address of `pc`, if a fetch may hit.
    std::optional<uint64_t> find(uint64_t pc, const Space &space) {
        const Block &b = at(pc);
        if (!b.mapped || b.number != blockOf(pc) || b.space.user != space.user ||
            !(b.any || b.space.number == space.number))
            return std::nullopt;
        return b.physical / blockBytes_ * blockBytes_ + pc % blockBytes_;
    }
    /// FLUSH_IC; or FLUSH_IC_ASM, which leaves those that every space has.
    void flush(bool all) {
        for (Block &b : blocks_)
            b.mapped &= !all && b.any;
    }

  private:
    struct Block {
        bool mapped = false, any = false;
        Space space;
        uint64_t number = 0, physical = 0;
    };
    uint64_t blockOf(uint64_t pc) const { return pc / blockBytes_; }
    Block &at(uint64_t pc) { return blocks_[blockOf(pc) % blocks_.size()]; }

    uint64_t blockBytes_;
    std::vector<Block> blocks_;
};

} // namespace mcpi
