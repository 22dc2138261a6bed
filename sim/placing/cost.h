// SPDX-License-Identifier: BSD-2-Clause
// Cost of a placement of functions: a recorded sequence of instructions through a direct-mapped
// I-cache with its stream buffer, in the steady state. Sections of data and a sequence of loads
// through the D-cache are the same, without a stream buffer.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace mcpi::placing {

/// Instructions one after the other. `function`: which of those that can be moved, with `offset`
/// in it; -1: code that stays, at the address `offset`. Of those `counted`, misses cost.
struct Run {
    int function;
    uint64_t offset;
    unsigned words;
    bool counted;
};

/// Sizes in bytes; times in ticks of a miss that the stream buffer has not, and of one that it has.
/// `runs` is a period of the program: after the last comes the first again.
struct Problem {
    unsigned cache = 0, block = 0;
    unsigned grain = 4; // positions are multiples of it
    uint64_t start = 0; // of the area, a multiple of `cache`
    unsigned pages = 0; // the area in cache sizes
    bool prefetch = true;
    unsigned demand = 0, stream = 0;
    std::vector<unsigned> sizes; // of the functions
    std::vector<Run> runs;

    /// Read a file that mcpi.layout.placing writes; UserError says what is wrong in it.
    static Problem read(const std::string &path);
};

/// Where each function begins, bytes from a multiple of the cache size.
using Positions = std::vector<unsigned>;

struct Found {
    uint64_t ticks = 0, misses = 0, streamed = 0; // of a period; streamed: misses among those
};

class Cost {
  public:
    explicit Cost(const Problem &problem);

    /// Cost of these positions; `fits` is false, and nothing counted, if the area has too few
    /// pages.
    Found of(const Positions &positions);
    bool fits() const { return fits_; }

  private:
    void place(const Positions &positions);
    template <bool counts> void pass(Found &found);

    const Problem &p_;
    std::vector<uint64_t> at_;    // address of each function
    std::vector<uint64_t> holds_; // block of each set
    uint64_t streamed_ = 0;       // block in the stream buffer
    bool fits_ = true;
};

} // namespace mcpi::placing
