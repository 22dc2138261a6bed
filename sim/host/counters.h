// SPDX-License-Identifier: BSD-2-Clause
// Counters of a node through its host link.
#pragma once
#include "base/counters.h"
#include "hostlink.h"

namespace mcpi {

void controlCounters(HostLink &link, const NodeInfo &info, uint64_t what);

/// The snapshot taken last, of one core of several; waits until it is complete.
Counters readCounters(HostLink &link, const NodeInfo &info, unsigned core = 0);

} // namespace mcpi
