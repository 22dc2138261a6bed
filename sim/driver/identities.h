// SPDX-License-Identifier: BSD-2-Clause
// What must hold between the counters of any copy, whatever ran (docs/counters.md).
#pragma once
#include "counters.h"

namespace mcpi {

/// RunError that names the first identity that does not hold in one of the banks of node `node`.
void checkIdentities(unsigned node, const Counters &counters);

} // namespace mcpi
