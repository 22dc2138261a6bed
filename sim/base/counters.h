// SPDX-License-Identifier: BSD-2-Clause
// A node's counters by name, as they are read and written (docs/reference/contracts.md 5 and 8).
#pragma once
#include <map>
#include <string>
#include <vector>

#include "machine.h"

namespace mcpi {

/// Ticks by set of open windows (bit w - 1 is window w), then by owner (counters.md).
struct WindowTable {
    std::vector<std::vector<uint64_t>> ticks;
    std::map<std::string, uint64_t> invocations; ///< by window, from window 2 on

    /// Counters of `window` by name: `invocations` (not of window 1), `ticks`, `instructions` and
    /// each owner.
    std::map<std::string, uint64_t> of(const NodeInfo &info, unsigned window) const;
    /// `path+spin`; empty for the set of no window.
    static std::string nameOf(const NodeInfo &info, unsigned set);
};

/// Values by counter name, of everything and of window 1.
struct Counters {
    std::map<std::string, uint64_t> all, path;
    WindowTable windows;
    bool further = false; ///< the node has a marker of another window than the first
};

enum CounterControl : uint64_t {
    countersClear = 1,
    countersFreeze = 2,
    countersArm = 4,
    countersSnapshot = 8
};

/// `{"nodes": [{"all": {...}, "path": {...}}, ...]}`; a node that counts further windows also has
/// `windows` and `sets`.
void writeCounters(const std::string &path, const NodeInfo &info,
                   const std::vector<Counters> &nodes);

} // namespace mcpi
