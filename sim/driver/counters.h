// SPDX-License-Identifier: BSD-2-Clause
// Counters and other host registers of a node, by name (docs/contracts.md 5).
#pragma once
#include <map>
#include <string>
#include <vector>

#include "hostlink.h"
#include "machine.h"

namespace mcpi {

/// Values by counter name, of everything and of window 1.
struct Counters {
    std::map<std::string, uint64_t> all, path;
};

enum CounterControl : uint64_t {
    countersClear = 1,
    countersFreeze = 2,
    countersArm = 4,
    countersSnapshot = 8
};

void controlCounters(HostLink &link, const NodeInfo &info, uint64_t what);

/// The snapshot taken last; waits until it is complete.
Counters readCounters(HostLink &link, const NodeInfo &info);

/// `{"nodes": [{"all": {...}, "path": {...}}, ...]}`
void writeCounters(const std::string &path, const std::vector<Counters> &nodes);

} // namespace mcpi
