// SPDX-License-Identifier: BSD-2-Clause
// Which of a node's signals are written, and in which ticks; knows nothing of the node.
#pragma once
#include <string>
#include <vector>

#include "log/spanlog.h"

namespace mcpi {

/// Choice of the samples that are written: a sample for each tick, whose time is the tick in ns;
/// none for a clock that is no tick.
struct WaveOptions {
    std::string file;
    std::vector<std::string> scopes; ///< paths of instances below the node; none: everything
    Span span;
};

} // namespace mcpi
