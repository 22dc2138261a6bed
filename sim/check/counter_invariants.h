// SPDX-License-Identifier: BSD-2-Clause
// Invariants between the counters of any copy, whatever ran (docs/reference/counters.md).
#pragma once
#include "base/counters.h"

namespace mcpi {

/// RunError that names the first invariant that does not hold in one of the banks of node `node`,
/// or between them and the table of windows.
void checkInvariants(unsigned node, const NodeInfo &info, const Counters &counters);

} // namespace mcpi
