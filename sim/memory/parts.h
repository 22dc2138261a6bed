// SPDX-License-Identifier: BSD-2-Clause
// A cache's contents, and the write buffer, as plain arrays.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace mcpi::memory {

/// Where no block is meant.
constexpr uint64_t noBlock = ~uint64_t{0};

/// Which block is in which set, and whether it has been changed. Of several ways that of the block
/// used longest ago is filled (memory.md, Ways).
class Cache {
  public:
    Cache(uint64_t bytes, uint64_t blockBytes, unsigned ways = 1)
        : blocks_(bytes / blockBytes, none), sets_(blocks_.size() / ways), hasWays_(ways > 1),
          uses_(hasWays_ ? blocks_.size() : 0) {}

    bool hasWays() const { return hasWays_; }
    bool holds(uint64_t block) const {
        return blocks_[set(block)] >> 1 == block || (hasWays_ && find(block) != nowhere);
    }
    /// In which place it is, of all ways; or `nowhere`.
    static constexpr uint64_t nowhere = ~uint64_t{0};
    uint64_t find(uint64_t block) const {
        for (uint64_t at = set(block); at < blocks_.size(); at += sets_)
            if (blocks_[at] >> 1 == block)
                return at;
        return nowhere;
    }
    /// The block in this place; noBlock: none.
    uint64_t at(uint64_t place) const {
        const uint64_t there = blocks_[place];
        return there == none ? noBlock : there >> 1;
    }
    /// Where it would come: a way that has nothing, the first; else the one used longest ago.
    uint64_t place(uint64_t block) const {
        const uint64_t first = set(block);
        return hasWays_ ? oldest(first) : first;
    }
    /// The block, changed or not, displaces another: whether that had been changed.
    bool put(uint64_t block, bool changed = false) { return put(place(block), block, changed); }
    bool put(uint64_t place, uint64_t block, bool changed) {
        uint64_t &there = blocks_[place];
        const bool victim = there != none && there & 1;
        there = block << 1 | uint64_t{changed};
        uses(place);
        return victim;
    }
    /// The block that is in this place has been used.
    void uses(uint64_t place) {
        if (hasWays_)
            uses_[place] = ++count_;
    }
    /// The block has, if it is here.
    void use(uint64_t block) {
        if (hasWays_ && holds(block))
            uses(find(block));
    }
    /// A block would displace one that has been changed.
    bool victim(uint64_t block) const {
        const uint64_t there = blocks_[place(block)];
        return there != none && there & 1;
    }
    /// A block that is here is changed.
    void change(uint64_t block) { blocks_[hasWays_ ? find(block) : set(block)] |= 1; }
    void drop(uint64_t block) {
        if (holds(block))
            blocks_[find(block)] = none;
    }
    void empty() { std::fill(blocks_.begin(), blocks_.end(), none); }
    template <typename Which> void dropIf(const Which &which) {
        for (uint64_t &there : blocks_)
            if (there != none && which(there >> 1))
                there = none;
    }
    /// The first way of its set.
    uint64_t set(uint64_t block) const { return block & (sets_ - 1); }

  private:
    static constexpr uint64_t none = ~uint64_t{0};
    uint64_t oldest(uint64_t first) const {
        uint64_t found = first;
        for (uint64_t at = first; at < blocks_.size(); at += sets_) {
            if (blocks_[at] == none)
                return at;
            if (uses_[at] < uses_[found])
                found = at;
        }
        return found;
    }

    std::vector<uint64_t> blocks_; ///< by way, then by set: the block; bit 0: changed
    uint64_t sets_;
    bool hasWays_;
    std::vector<uint64_t> uses_; ///< of several ways: which use of all was the last one there
    uint64_t count_ = 0;
};

/// Which blocks of RAM have missed in a cache since `forget`.
class Missed {
  public:
    explicit Missed(uint64_t blocks) : words_((blocks + 63) / 64) {}

    /// This one misses: whether it had before.
    bool again(uint64_t block) {
        uint64_t &word = words_[block / 64];
        const uint64_t bit = uint64_t{1} << block % 64, before = word & bit;
        word |= bit;
        return before;
    }
    void forget() { std::fill(words_.begin(), words_.end(), 0); }

  private:
    std::vector<uint64_t> words_;
};

/// Which blocks a cache has lost to others since it missed them last.
class Lost {
  public:
    explicit Lost(uint64_t blocks) : blocks_(blocks), words_((blocks + 63) / 64) {}

    uint64_t blocks() const { return blocks_; }

    void add(uint64_t block) { words_[block / 64] |= uint64_t{1} << block % 64; }
    /// This one misses: whether it had been lost.
    bool take(uint64_t block) {
        uint64_t &word = words_[block / 64];
        const uint64_t bit = uint64_t{1} << block % 64, before = word & bit;
        word &= ~bit;
        return before;
    }

  private:
    uint64_t blocks_;
    std::vector<uint64_t> words_;
};

/// Blocks with stores that have not reached the b-cache, the oldest first.
class WriteBuffer {
  public:
    unsigned inUse = 0;
    bool sending = false;  ///< the oldest is on the bus
    uint64_t idleFrom = 0; ///< the tick after the last store

    bool empty() const { return !inUse; }
    uint64_t oldest(unsigned n) const { return blocks_[n]; }
    void push(uint64_t block) { blocks_[inUse++] = block; }
    void pop() { std::copy(blocks_.begin() + 1, blocks_.begin() + inUse--, blocks_.begin()); }
    /// A store may join an entry that is not on the bus; `from` is the first such.
    bool has(uint64_t block, unsigned from = 0) const {
        for (unsigned i = from; i < inUse; ++i)
            if (blocks_[i] == block)
                return true;
        return false;
    }

  private:
    std::array<uint64_t, 16> blocks_{}; // write_buffer.entries is 16 at most
};

} // namespace mcpi::memory
