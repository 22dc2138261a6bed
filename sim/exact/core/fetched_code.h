// SPDX-License-Identifier: BSD-2-Clause
// Words that the fetch unit has and memory no longer: of blocks that were changed after they had
// been fetched (core.md: the I-cache is not invalidated). There are hardly ever any.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "alpha/cpu.h"

namespace mcpi::exact {

class FetchedCode {
  public:
    explicit FetchedCode(uint64_t blockBytes) : blockBytes_(blockBytes) {}

    /// Where a block has been fetched to.
    enum class Place : uint8_t { cache, stream };

    /// Something may not be as in memory.
    bool any() const { return any_; }
    /// Memory is about to change a block that is there.
    void changes(uint64_t block, Place place, const alpha::Ram &ram) {
        if (find(block, place))
            return;
        const uint8_t *const from = ram.data() + block * blockBytes_;
        blocks_.push_back({block, place, {from, from + blockBytes_}});
        any_ = true;
    }
    /// A block has come into the I-cache: from memory, or as the stream buffer had it.
    void blockArrived(uint64_t block) {
        blocks_.erase(std::remove_if(blocks_.begin(), blocks_.end(),
                                     [=](const Block &b) {
                                         return (b.place == Place::stream) == (b.number != block);
                                     }),
                      blocks_.end());
        for (Block &b : blocks_)
            b.place = Place::cache;
        any_ = !blocks_.empty() || aheadAt_ != none;
    }
    /// The I-cache is emptied as an instruction executes. What follows, from `pc` on, has been
    /// read. A block that is on its way from the victim cache, `coming`, stays as it is.
    void flush(uint64_t pc, uint64_t coming, const alpha::Ram &ram) {
        ahead_ = {};
        for (unsigned n = 0; n < reach && pc + 4 * n < ram.size(); ++n)
            ahead_[n] = word(pc + 4 * n, ram);
        blocks_.erase(std::remove_if(blocks_.begin(), blocks_.end(),
                                     [=](const Block &b) {
                                         return b.place != Place::cache || b.number != coming;
                                     }),
                      blocks_.end());
        aheadAt_ = pc;
        any_ = true;
    }
    /// Forget the words read before the flush: they have issued.
    void passed() {
        aheadAt_ = none;
        any_ = !blocks_.empty();
    }
    void empty() {
        blocks_.clear();
        passed();
    }

    /// The word as the I-cache has it.
    uint32_t word(uint64_t pc, const alpha::Ram &ram) const {
        uint32_t found;
        std::memcpy(&found, bytes(pc / blockBytes_, ram) + pc % blockBytes_, sizeof found);
        return found;
    }
    /// The word as it was read before the flush.
    uint32_t ahead(uint64_t pc) const { return ahead_.at((pc - aheadAt_) / 4); }
    /// Bytes of a block of the I-cache.
    const uint8_t *bytes(uint64_t block, const alpha::Ram &ram) const {
        const Block *const kept = find(block, Place::cache);
        return kept ? kept->bytes.data() : ram.data() + block * blockBytes_;
    }

  private:
    static constexpr uint64_t none = ~uint64_t{0};
    static constexpr unsigned reach = 5; ///< instructions from stage D to F1, and one more
    struct Block {
        uint64_t number;
        Place place;
        std::vector<uint8_t> bytes;
    };
    const Block *find(uint64_t block, Place place) const {
        for (const Block &b : blocks_)
            if (b.number == block && b.place == place)
                return &b;
        return nullptr;
    }

    uint64_t blockBytes_;
    bool any_ = false;
    std::vector<Block> blocks_;
    std::array<uint32_t, reach> ahead_{};
    uint64_t aheadAt_ = none;
};

} // namespace mcpi::exact
