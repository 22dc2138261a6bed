// SPDX-License-Identifier: BSD-2-Clause
// A row of ticks.csv and span.N.csv: ticks that are alike, and what was counted in them.
#pragma once
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "machines/counters.h"

namespace mcpi {

struct TickRow {
    static constexpr const char *head = "tick,count,owner,pc,events\n";

    uint64_t tick, count;
    unsigned owner;
    uint64_t pc;        ///< of the instruction that issues
    std::string events; ///< places in `loggedEvents`

    /// RunError if the log has no column for the event.
    void add(Event event);
    /// Idle ticks after idle ticks with the same events: they are one row, however they passed.
    bool goesOn(const TickRow &before, const std::vector<std::string> &owners) const;
    /// `tick,count,owner,pc,events`; pc in hex, empty if nothing issues; each event as often as it
    /// happened.
    void write(std::ostream &out, const std::vector<std::string> &owners) const;
};

} // namespace mcpi
