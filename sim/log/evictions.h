// SPDX-License-Identifier: BSD-2-Clause
// Evictors of the D-cache's lines that are filled inside a window: owners of the line's contents
// before. The cache is direct-mapped.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace mcpi {

class Evictions {
  public:
    Evictions(uint64_t lines, uint64_t blockBytes, uint64_t memoryBytes)
        : blockBytes_(blockBytes), lines_(lines, none), pages_(memoryBytes / pageBytes, none) {}

    /// An access to `physical`, which the program calls `address`.
    void access(uint64_t physical, uint64_t address) {
        const uint64_t page = physical / pageBytes;
        if (page < pages_.size())
            pages_[page] = address / pageBytes;
    }
    /// A line is filled with this block. `counts`: inside the window.
    void fills(uint64_t block, bool counts) {
        uint64_t &line = lines_[block % lines_.size()];
        if (counts) {
            Count &count = found_[{pageOf(block), line == none ? none : pageOf(line)}];
            ++count.lines;
            count.same += line == block;
        }
        line = block;
    }
    /// `evictions.N.csv`: `page,displaced,lines,same`: the page of the block that was filled and of
    /// what its line had had last, both as their program's addresses in hex; how often, and how
    /// often that was the same block, which DMA had dropped. Empty: nobody.
    void write(const std::string &folder, unsigned node) const;

  private:
    struct Count {
        uint64_t lines = 0, same = 0;
    };
    static constexpr uint64_t none = ~uint64_t{0}, pageBytes = 4096;

    uint64_t pageOf(uint64_t block) const {
        const uint64_t page = block * blockBytes_ / pageBytes;
        return page < pages_.size() && pages_[page] != none ? pages_[page] : page;
    }

    uint64_t blockBytes_;
    std::vector<uint64_t> lines_; ///< the block that came last
    std::vector<uint64_t> pages_; ///< of a physical page, as it was called last
    std::map<std::pair<uint64_t, uint64_t>, Count> found_;
};

} // namespace mcpi
