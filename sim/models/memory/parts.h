// SPDX-License-Identifier: BSD-2-Clause
// A direct-mapped cache's contents, and the write buffer, as plain lists.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>

namespace mcpi::memory {

/// Which block is in which set, and which blocks have been in it since `forget`.
class Cache {
  public:
    Cache(uint64_t bytes, uint64_t blockBytes) : sets_(bytes / blockBytes) {}

    bool holds(uint64_t block) const {
        const auto it = blocks_.find(block % sets_);
        return it != blocks_.end() && it->second == block;
    }
    /// The block in the set of `block`.
    std::optional<uint64_t> occupant(uint64_t block) const {
        const auto it = blocks_.find(block % sets_);
        return it == blocks_.end() ? std::nullopt : std::optional(it->second);
    }
    /// The block it displaces leaves.
    void put(uint64_t block) { blocks_[block % sets_] = block; }
    void drop(uint64_t block) {
        if (holds(block))
            blocks_.erase(block % sets_);
    }
    void empty() { blocks_.clear(); }

    /// A miss on `block`: whether it had been here before.
    bool missed(uint64_t block) { return !before_.insert(block).second; }
    void forget() { before_.clear(); }

  private:
    uint64_t sets_;
    std::map<uint64_t, uint64_t> blocks_;
    std::set<uint64_t> before_;
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
