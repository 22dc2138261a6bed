// SPDX-License-Identifier: BSD-2-Clause
// Classes of a cache's misses by Hill's definition: a fully associative cache of the same size, of
// which the block used longest ago leaves, says which misses only a larger cache would avoid.
#pragma once
#include <cstdint>
#include <list>
#include <unordered_map>

namespace mcpi {

enum class MissClass {
    cold,     ///< nobody had wanted the block before
    dropped,  ///< DMA, a STx_C or a flush has taken it away since
    capacity, ///< the fully associative cache misses too
    conflict, ///< the fully associative cache has it
};
constexpr const char *missClassNames[] = {"cold", "dropped", "capacity", "conflict"};

class MissClasses {
  public:
    explicit MissClasses(uint64_t blocks) : most_(blocks) {}
    MissClasses(const MissClasses &) = delete; // places are iterators

    /// Class of a miss on this block; `access` comes after.
    MissClass of(uint64_t block) const {
        const auto found = seen_.find(block);
        if (found == seen_.end())
            return MissClass::cold;
        if (found->second.place != order_.end())
            return MissClass::conflict;
        return found->second.flushes != flushes_ || found->second.dropped ? MissClass::dropped
                                                                          : MissClass::capacity;
    }
    /// The block is used; if it is not there, it comes.
    void access(uint64_t block) {
        if (!order_.empty() && order_.front() == block)
            return;
        Block &one = seen_.try_emplace(block, Block{order_.end(), flushes_, false}).first->second;
        if (one.place == order_.end()) {
            order_.push_front(block);
            if (order_.size() > most_) {
                seen_.at(order_.back()).place = order_.end();
                order_.pop_back();
            }
        } else {
            order_.splice(order_.begin(), order_, one.place);
        }
        one = {order_.begin(), flushes_, false};
    }
    /// The block is used, if it is there.
    void use(uint64_t block) {
        const auto found = seen_.find(block);
        if (found != seen_.end() && found->second.place != order_.end())
            access(block);
    }
    /// The block leaves.
    void drop(uint64_t block) {
        const auto found = seen_.find(block);
        if (found == seen_.end() || found->second.place == order_.end())
            return;
        order_.erase(found->second.place);
        found->second.place = order_.end();
        found->second.dropped = true;
    }
    /// Drop the blocks of which `leaves` says so.
    template <typename Leaves> void dropIf(Leaves leaves) {
        for (auto at = order_.begin(); at != order_.end();) {
            const uint64_t block = *at++;
            if (leaves(block))
                drop(block);
        }
    }
    /// All leave.
    void flush() {
        ++flushes_;
        for (const uint64_t block : order_)
            seen_.at(block).place = order_.end();
        order_.clear();
    }

  private:
    struct Block {
        std::list<uint64_t>::iterator place; ///< end: it is not there
        uint64_t flushes;                    ///< those before its last use
        bool dropped;                        ///< it has been, since
    };
    uint64_t most_, flushes_ = 0;
    std::list<uint64_t> order_; ///< the block used last is the first
    std::unordered_map<uint64_t, Block> seen_;
};

} // namespace mcpi
