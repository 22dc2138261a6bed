// SPDX-License-Identifier: BSD-2-Clause
// How late a node's RAM on a board answers.
#pragma once
#include <cstdint>

namespace mcpi {

/// Clocks from command to answer, drawn evenly from [low, high] for each read.
struct BackingLatency {
    unsigned low = 1, high = 1;
    uint64_t seed = 1;
};

} // namespace mcpi
