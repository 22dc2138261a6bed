// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "exact/core/core.h"

namespace mcpi::exact {

/// Looks at a node between two steps.
class Probe {
  public:
    virtual ~Probe() = default;
    /// The node has run these ticks. True: it stops behind them.
    virtual bool after(unsigned node, const TickRun &run) = 0;
};

} // namespace mcpi::exact
