// SPDX-License-Identifier: BSD-2-Clause
// Counters of a node through its host link.
#pragma once
#include "base/counters.h"
#include "hostlink.h"

namespace mcpi {

void controlCounters(HostLink &link, const NodeInfo &info, uint64_t what);

/// The snapshot taken last; waits until it is complete.
Counters readCounters(HostLink &link, const NodeInfo &info);

} // namespace mcpi
