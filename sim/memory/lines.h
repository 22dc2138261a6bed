// SPDX-License-Identifier: BSD-2-Clause
// Names of mapped blocks in an I-cache with virtual tags, and the memory that each was fetched from
// (docs/explanation/translation.md, Caches).
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace.h"

namespace mcpi::memory {

/// A mapped block of the I-cache: the block number of its virtual address, the mode that fetched
/// it, and its space; `any`: every space (ASM).
constexpr uint64_t lineOf(uint64_t block, bool user, bool any, unsigned space) {
    return block | uint64_t{1} << 32 | uint64_t{user} << 33 | uint64_t{any} << 34 |
           uint64_t{any ? 0 : space} << 35;
}
constexpr bool isMapped(uint64_t tag) {
    return tag >> 32 & 1;
}
/// FLUSH_IC_ASM empties the I-cache of it.
constexpr bool isOfOneSpace(uint64_t line) {
    return line != noLine && isMapped(line) && !(line >> 34 & 1);
}

/// The mapped blocks that the I-cache has.
class MappedLines {
  public:
    explicit MappedLines(uint64_t lines) : lines_(lines) {}

    /// The block of memory that this line, which is there, was fetched from.
    uint64_t physical(uint64_t line) const { return lines_[place(line)].block; }
    /// Some line was fetched from this block.
    bool has(uint64_t block) const { return !of_.empty() && of_.count(block); }
    /// A block comes into the place of `line`; noLine: one that is not mapped, at `block`.
    void put(uint64_t line, uint64_t block) {
        const bool mapped = line != noLine;
        Line &there = lines_[place(mapped ? line : block)];
        evict(there);
        if (mapped) {
            there = {line, block};
            ++of_[block];
        }
    }
    void empty() {
        for (Line &line : lines_)
            line.line = noLine;
        of_.clear();
    }
    void emptySpaces() {
        for (Line &line : lines_)
            if (isOfOneSpace(line.line))
                evict(line);
    }

  private:
    struct Line {
        uint64_t line = noLine, block = 0;
    };
    uint64_t place(uint64_t line) const { return line & (lines_.size() - 1); }
    void evict(Line &line) {
        if (line.line == noLine)
            return;
        if (!--of_[line.block])
            of_.erase(line.block);
        line.line = noLine;
    }

    std::vector<Line> lines_;
    std::unordered_map<uint64_t, unsigned> of_; ///< lines by block of memory
};

} // namespace mcpi::memory
