// SPDX-License-Identifier: BSD-2-Clause
// The instructions of a node's window 1 in the order of their retirement, with their accesses.
#pragma once
#include <cstdint>
#include <deque>
#include <string>

#include "base/markers.h"
#include "base/retirement.h"

namespace mcpi {

class PathTrace {
  public:
    /// Take a marker at the address of the instruction that `retired` gets next.
    void marker(const Marker &marker);
    void retired(const Retirement &r);
    /// `trace.csv`: `window,invocation,pc,kind,address`: how often the window has opened, how many
    /// invocations have been counted; kind is `load`, `store` or empty; pc and address in hex,
    /// virtual. PALcode is left out.
    void write(const std::string &folder) const;

  private:
    struct Row {
        uint64_t window, invocation, pc, address;
        char kind; ///< 'l', 's' or 0
    };
    std::deque<Row> rows_; ///< grows without a copy
    uint64_t window_ = 0, invocation_ = 0;
    bool open_ = false, paused_ = false;
};

} // namespace mcpi
