// SPDX-License-Identifier: BSD-2-Clause
// The cause of a miss: back to what made the cache lose the block.
#pragma once
#include "timeline.h"

namespace mcpi::debug {

/// The program's address of a place in memory.
constexpr uint64_t program(uint64_t physical) {
    return ~uint64_t{0} << 42 | physical;
}

/// Explain the next instruction of a node: whether it misses, and who evicted its block. The
/// machines stand where they stood.
std::string why(Timeline &timeline, unsigned node);

} // namespace mcpi::debug
