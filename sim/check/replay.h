// SPDX-License-Identifier: BSD-2-Clause
// Replay of one invocation of the path as the paper's cache simulator saw it: instructions issued
// inside the window, and nothing else, replayed through the memory model from empty caches
// (paper.md).
#pragma once
#include <map>
#include <string>
#include <vector>

#include "memory/trace_driven.h"

namespace mcpi {

class Replay {
  public:
    explicit Replay(const memory::Geometry &geometry) : geometry_(geometry) {}

    /// Everything that stage D did, in program order; `counts`: the window holds its tick.
    void step(const memory::Step &step, bool counts);
    /// Tell whether the last STx_C has stored, if its step did not know.
    void decided(bool stores);
    void clear() { trace_.clear(); }

    /// `cold_trace.csv`: `pc,kind,address` in hex, one line per instruction; `replay.json`: sums by
    /// counter name, and `ticks`, which are the model's own pace and no measurement.
    void write(const std::string &folder) const;

  private:
    std::map<std::string, uint64_t> counters() const;

    memory::Geometry geometry_;
    std::vector<memory::Step> trace_; ///< since the last clear
    bool follows_ = false;            ///< the step before was kept
};

} // namespace mcpi
