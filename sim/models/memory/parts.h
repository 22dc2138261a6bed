// SPDX-License-Identifier: BSD-2-Clause
// A direct-mapped cache's contents, and the write buffer, as plain lists.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_set>
#include <vector>

namespace mcpi::memory {

/// Which block is in which set, and which blocks have been in it since `forget`.
class Cache {
  public:
    Cache(uint64_t bytes, uint64_t blockBytes) : blocks_(bytes / blockBytes, none) {}

    bool holds(uint64_t block) const { return blocks_.size() && set(block) == block; }
    /// The block in the set of `block`.
    std::optional<uint64_t> occupant(uint64_t block) const {
        const uint64_t there = set(block);
        return there == none ? std::nullopt : std::optional(there);
    }
    /// The block it displaces leaves.
    void put(uint64_t block) { blocks_[block % blocks_.size()] = block; }
    void drop(uint64_t block) {
        if (holds(block))
            put(none, block);
    }
    void empty() { std::fill(blocks_.begin(), blocks_.end(), none); }

    /// A miss on `block`: whether it had been here before.
    bool missed(uint64_t block) { return !before_.insert(block).second; }
    void forget() { before_.clear(); }

  private:
    static constexpr uint64_t none = ~uint64_t{0};
    uint64_t set(uint64_t block) const { return blocks_[block % blocks_.size()]; }
    void put(uint64_t what, uint64_t block) { blocks_[block % blocks_.size()] = what; }

    std::vector<uint64_t> blocks_;
    std::unordered_set<uint64_t> before_;
};

/// Blocks with stores that have not reached the b-cache, the oldest first.
struct WriteBuffer {
    std::deque<uint64_t> blocks;
    bool sending = false; ///< the oldest is on the bus
    unsigned idle = 0;    ///< ticks since the last store

    bool has(uint64_t block) const {
        for (uint64_t b : blocks)
            if (b == block)
                return true;
        return false;
    }
    /// A store may join an entry that is not on the bus; `from` is the first such.
    bool joins(uint64_t block, std::size_t from) const {
        for (std::size_t i = from; i < blocks.size(); ++i)
            if (blocks[i] == block)
                return true;
        return false;
    }
};

} // namespace mcpi::memory
